"""Every line of the recorded matches, by the circuit: state, legal moves, terminal, goals, successor.

The traces come from another interpreter, which keeps the case of symbols apart; texts are compared in lower case.
A few lines of a few games run with every `make test`, all of them under the marker `full`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State

SHARED = Path(__file__).resolve().parents[3] / "shared"
TRACES = sorted(path.name.removesuffix(".jsonl.gz") for path in (SHARED / "traces").glob("*.jsonl.gz"))

# Recursion, simultaneous moves, counters, chance, one to six roles, odd symbols: one small game of each.
SAMPLE = [
    "2pttc",
    "asteroids",
    "biddingTicTacToe",
    "blindtictactoe__ggpcpp",
    "breakthroughSmall",
    "connectFour",
    "eightPuzzle",
    "futoshiki4",
    "gt_prisoner",
    "lightsOnSimultaneous",
    "mastermind448__scully",
    "montyhall__scully",
    "pentago",
    "roshambo2",
    "sheepAndWolf",
    "ticTacToe",
    "tictactoe_3d_small_6player",
]
SAMPLE_LINES = 60


def lines_of(name: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the roles and the lines of one trace."""
    with gzip.open(SHARED / "traces" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        header, *lines = map(json.loads, file)
    return header["roles"], lines


def lowered(texts: Any) -> list[str]:
    return sorted(text.lower() for text in texts)


def compare(game: Game, lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what differs, with the match and the step where it does."""
    state: State | None = None
    for line in lines:
        where = f"match {line['match']} step {line['step']}"
        if line["step"] == 0:
            state = game.initial
        if state is None:
            continue
        if lowered(state.fluents) != lowered(line["state"]):
            yield f"{where}: state {sorted(set(lowered(state.fluents)) ^ set(lowered(line['state'])))}"
            state = None
            continue
        if game.state(line["state"]) != state:
            yield f"{where}: the state made of its fluents is another"
        if state.is_terminal != line["terminal"]:
            yield f"{where}: terminal is {state.is_terminal}"
        if list(state.goals.values()) != line["goals"]:
            yield f"{where}: goals {list(state.goals.values())}, not {line['goals']}"
        if line["terminal"]:
            state = None
            continue
        for role, expected in zip(game.roles, line["legal"], strict=True):
            if lowered(state.legal(role)) != lowered(expected):
                yield f"{where}: legal {role} {sorted(set(lowered(state.legal(role))) ^ set(lowered(expected)))}"
        state = state.next(line["moves"]) if line.get("moves") else None


def compare_batch(game: Game, lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield where the batch evaluator, with every line in a lane of its own, differs on terminal or goals."""
    states = [game.state(line["state"]) for line in lines]
    results = game.playouts_many(states, [1] * len(states), max_steps=0, engine="batch")
    for line, stats in zip(lines, results, strict=True):
        where = f"match {line['match']} step {line['step']}: batch"
        if bool(stats.finished) != line["terminal"]:
            yield f"{where} terminal is {bool(stats.finished)}"
        elif line["terminal"]:
            goals = [next(iter(stats.histograms[role]), None) for role in game.roles]
            if goals != line["goals"]:
                yield f"{where} goals {goals}, not {line['goals']}"


def check(name: str, most: int | None) -> None:
    if not (SHARED / "games" / f"{name}.kif").is_file():
        pytest.skip(f"no rulesheet {name}.kif beside the repository")
    roles, lines = lines_of(name)
    game = woodstock.load(SHARED / "games" / f"{name}.kif")
    assert lowered(game.roles) == lowered(roles)
    lines = lines[:most]
    differences = list(compare(game, lines))
    if isinstance(game.engine, CircuitEngine):
        differences += compare_batch(game, lines)
    assert not differences, "\n".join(differences[:10])


@pytest.mark.parametrize("name", [name for name in SAMPLE if name in TRACES] or SAMPLE)
def test_a_sample_of_traces(name: str, corpus: Path) -> None:
    check(name, SAMPLE_LINES)


@pytest.mark.full
@pytest.mark.parametrize("name", TRACES or SAMPLE)
def test_every_line_of_every_trace(name: str, corpus: Path) -> None:
    check(name, None)
