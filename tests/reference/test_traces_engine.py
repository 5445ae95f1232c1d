"""Every line of the recorded matches, by both evaluators of the circuit: state, legal moves, terminal, goals.

The traces come from another interpreter, which keeps the case of symbols apart; texts are compared in lower case.
A few lines of a few games run with every `make test`, all of them under the marker `full`.
"""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed

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

# Its rules leave a variable unbound, to which other interpreters give a meaning of their own; the checker refuses it.
REFUSED = {"dominion__deckb"}


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


def compare_batch(game: Game, engine: CircuitEngine, lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield where the batch evaluator, with every line in a lane of its own, differs from the recorded one."""
    offsets = [0, *itertools.accumulate(map(len, engine.ground.moves))]
    states = [game.state(line["state"]) for line in lines]
    bits = [packed(state) for state in states]
    joints = [[] if line["terminal"] else global_moves(game, offsets, line["moves"]) for line in lines]
    rows = _native.Batch(engine.circuit, "auto").inspect(bits, joints)
    if None in rows:
        # An invariant that was only sampled does not hold here. Playouts then run without any; so does this.
        careful = CircuitEngine(engine.ground, use_invariants=False)
        rows = _native.Batch(careful.circuit, "auto").inspect(bits, joints)
    for line, state, joint, row in zip(lines, states, joints, rows, strict=True):
        where = f"match {line['match']} step {line['step']}: batch"
        if row is None:
            yield f"{where} fits no phase"
            continue
        is_terminal, legal, goal_signals, successor = row
        if is_terminal != line["terminal"]:
            yield f"{where} terminal is {is_terminal}"
        goals: list[int | None] = [None] * len(game.roles)
        for signal in goal_signals:
            role, value, _atom = engine.ground.goals[signal]
            goals[role] = value
        if goals != line["goals"]:
            yield f"{where} goals {goals}, not {line['goals']}"
        if line["terminal"]:
            continue
        for role, expected in enumerate(line["legal"]):
            names = [
                game.moves(game.roles[role])[m - offsets[role]] for m in legal if offsets[role] <= m < offsets[role + 1]
            ]
            if lowered(names) != lowered(expected):
                yield f"{where} legal {game.roles[role]} {sorted(set(lowered(names)) ^ set(lowered(expected)))}"
        if joint and successor != packed(state.next(line["moves"])):
            yield f"{where} has another successor"


def global_moves(game: Game, offsets: list[int], moves: list[str] | None) -> list[int]:
    """Return the recorded joint move by global move numbers: the roles' moves stand one role after the other."""
    found = []
    for role, move in enumerate(moves or []):
        keys = [text.lower() for text in game.moves(game.roles[role])]
        found.append(offsets[role] + keys.index(move.lower()))
    return found


def check(name: str, most: int | None) -> None:
    if not (SHARED / "games" / f"{name}.kif").is_file():
        pytest.skip(f"no rulesheet {name}.kif beside the repository")
    roles, lines = lines_of(name)
    game = woodstock.load(SHARED / "games" / f"{name}.kif")
    assert lowered(game.roles) == lowered(roles)
    lines = lines[:most]
    differences = list(compare(game, lines))
    if isinstance(game.engine, CircuitEngine):
        differences += compare_batch(game, game.engine, lines)
    assert not differences, "\n".join(differences[:10])


@pytest.mark.parametrize("name", [name for name in SAMPLE if name in TRACES] or SAMPLE)
def test_a_sample_of_traces(name: str, corpus: Path) -> None:
    check(name, SAMPLE_LINES)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in TRACES if name not in REFUSED] or SAMPLE)
def test_every_line_of_every_trace(name: str, corpus: Path) -> None:
    check(name, None)
