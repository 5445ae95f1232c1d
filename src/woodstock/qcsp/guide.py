"""Guides: what may reorder the values that a quantified search tries, and their settings.

`tight` orders values by the freedom that they leave to the existential player. In a game, whose moves are restricted,
each existential move is propagated before one is searched: forcing moves come first, failing ones are dropped. In
problems without restrictions, universal values that leave little freedom in all variables come first; and if the
outermost block has many assignments, `frontier` looks for one that every universal value accepts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from woodstock.constraint.plain import plain
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

GUIDES = ("none", "tight", "mc", "frontier")
RULES = ("evidence", "printed", "program")  # of the guide mc
_LARGE = 2**62
_WHOLE = {
    "threads": (1, 256),
    "seed": (-_LARGE, _LARGE),
    "frequency": (1, 2**32 - 1),
    "patience": (0, _LARGE),
    "head_start": (0, _LARGE),
}
_AMOUNTS = ("temperature", "evidence", "pace")
MANY_ASSIGNMENTS = 10_000  # of the outermost block: from here on `frontier` is worth its thread


@dataclass(frozen=True)
class Guide:
    """Which helper reorders values, and how: `tight` by freedom, `mc` by conflicts, `frontier` with the trace, `none`.

    `mc` and `frontier` are threads. Each begins after `patience` nodes. By its rule `evidence`, `mc` moves a value
    forward if its rate of conflicts is lower by `evidence` standard errors. The rule `printed` is the published
    algorithm, and `program` the authors' public program, if that differs; `Guide.published()` has the published
    settings.

    A swap counts when its variable is opened next, and the outermost ones are opened at once: with a `head_start` the
    search begins only after so many iterations. With `restarts` a swap of an open variable is a request to restart,
    which the search grants at doubling distances. With a `pace` the search waits until the guide has made so many
    iterations for each node; else it never waits.
    """

    name: str = "none"
    threads: int = 1
    seed: int = 0
    temperature: float = 4.5
    frequency: int = 1000
    evidence: float = 3.0
    patience: int = 256
    head_start: int = 0
    restarts: bool = False
    pace: float = 0.0
    rule: str = "evidence"

    @classmethod
    def published(cls, **changes: Any) -> Guide:
        """Return the guide of [Chantrein, Barichard & Stephan]: counts alone, from the first node on."""
        settings: dict[str, Any] = {"name": "mc", "rule": "printed", "patience": 0}
        return cls(**settings | changes)

    def __post_init__(self) -> None:
        if self.name not in GUIDES:
            raise ModelError(f"unknown guide {self.name!r}: expected one of {', '.join(GUIDES)}")
        if self.rule not in RULES:
            raise ModelError(f"unknown rule {self.rule!r}: expected one of {', '.join(RULES)}")
        for name, (least, most) in _WHOLE.items():
            value = plain(getattr(self, name))
            if type(value) is not int or not least <= value <= most:
                raise ModelError(f"guide: {name}={value!r} is not a whole number from {least} to {most}")
        for name in _AMOUNTS:
            amount = getattr(self, name)
            if not isinstance(amount, Real) or not math.isfinite(amount) or amount < 0:
                raise ModelError(f"guide: {name}={amount!r} is not a number, at least 0")
        if self.temperature == 0:
            raise ModelError("guide: temperature=0 is not above 0")

    def search_options(self, problem: Problem) -> dict[str, Any]:
        """Return the options of `QcspSearch` for this guide."""
        options: dict[str, Any] = {"patience": self.patience, "restart_on_swaps": self.restarts}
        if self.name == "mc":
            options["pace"] = self.pace
        if self.name == "tight":
            moves = _moves(problem)
            options |= {"look_ahead": moves} if any(moves) else {"weigh": not problem.is_restricted}
        return options

    def thread_for(self, problem: Problem) -> str | None:
        """Return which guide runs in threads of its own; none: the search is alone."""
        if self.name in ("mc", "frontier"):
            return self.name
        if self.name == "tight" and not problem.is_restricted and _is_large(problem):
            return "frontier"
        return None


def guide_of(given: object) -> Guide:
    """Return a guide that was given by its name or as it is."""
    if isinstance(given, str):
        return Guide(given)
    if not isinstance(given, Guide):
        raise ModelError(f"guide={given!r}: expected the name of a guide, or a Guide")
    return given


def _moves(problem: Problem) -> list[bool]:
    """Return by position whether it is an existential move of a game: in a restricted block, or in the first one."""
    own = [(block, bool(block.restrictions)) for block in problem.blocks if not block.is_universal]
    if not any(is_restricted for _, is_restricted in own):
        return []
    moves = {id(block) for block, is_restricted in own if is_restricted or block is own[0][0]}
    return [id(block) in moves for block in problem.blocks for _ in block.variables]


def _is_large(problem: Problem) -> bool:
    outer = problem.outer
    return len(outer) > 1 and math.prod(len(variable.codes) for variable in outer) >= MANY_ASSIGNMENTS
