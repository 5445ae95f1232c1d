"""Bundled models by name: `make("baker", 5, 121)`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable

from woodstock.errors import ModelError
from woodstock.qcsp.models.connect_four import connect_four
from woodstock.qcsp.models.puzzles import baker, matrix_game, nim_fibonacci, small_example
from woodstock.qcsp.models.random_problems import random_linear, random_table
from woodstock.qcsp.problem import Problem

MODELS: dict[str, tuple[Callable[..., Problem], str]] = {
    "small-example": (small_example, "the example of the paper"),
    "baker": (baker, "baker(weights, largest, least first weight)"),
    "nim-fibonacci": (nim_fibonacci, "nim-fibonacci(matches)"),
    "matrix-game": (matrix_game, "matrix-game(depth, seed)"),
    "random-linear": (random_linear, "random-linear(seed, variables, constraints, values)"),
    "random-table": (random_table, "random-table(seed, variables, constraints, values)"),
    "connect-four": (
        connect_four,
        "connect-four(columns, rows, length, start): start 3323 has the columns played so far",
    ),
}

__all__ = [
    "MODELS",
    "baker",
    "connect_four",
    "make",
    "matrix_game",
    "nim_fibonacci",
    "parse",
    "random_linear",
    "random_table",
    "small_example",
]


def make(name: str, *arguments: int) -> Problem:
    """Return the model of that name."""
    if name not in MODELS:
        near = difflib.get_close_matches(name, MODELS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ModelError(f"no model {name}{hint} (there are {', '.join(MODELS)})")
    function, form = MODELS[name]
    try:
        return function(*arguments)
    except TypeError:
        raise ModelError(f"{name}: {len(arguments)} numbers are too many, expected {form}") from None


def parse(text: str) -> Problem | None:
    """Return the model that a text such as ``baker(5, 121)`` names; none if it is not of that form."""
    match = re.fullmatch(r"([a-z-]+)(?:\(([\d\s,-]*)\))?", text.strip())
    if match is None or match[1] not in MODELS:
        return None
    numbers = [part.strip() for part in (match[2] or "").split(",") if part.strip()]
    try:
        return make(match[1], *map(int, numbers))
    except ValueError:
        raise ModelError(f"{text}: the arguments of a model are numbers, as in baker(5, 121)") from None
