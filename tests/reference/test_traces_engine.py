"""Every line of the recorded matches, by both evaluators of the circuit: state, legal moves, terminal, goals.

Lines of some games run with every `make test`, all of them under the marker `full`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.reference.traces import BUNDLED, PUBLIC, REFUSED, Line, lines_of, lowered, public_roles, rules_of

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed

# Recursion, simultaneous moves, counters, chance, hidden information, one to three roles.
BUNDLED_SAMPLE = [
    "awale",
    "backgammon",
    "bomberman",
    "breakthrough",
    "cant-stop",
    "connect-four-simultaneous",
    "cooperative-matching-pennies",
    "copolymer-pie",
    "eight-puzzle",
    "hex",
    "kaseklau",
    "krieg-tic-tac-toe",
    "monty-hall",
    "nim",
    "pentago",
    "sheep-and-wolf",
    "kuhn-poker",
    "tic-tac-toe",
    "yahtzee",
]
# The same, up to six roles, and odd symbols: one small game of each.
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


def states_of(game: Game, lines: Sequence[Line]) -> list[State]:
    """Return the state of each line: the recorded one, or the one that the recorded moves lead to."""
    states: list[State] = []
    for number, line in enumerate(lines):
        if line.state is not None:
            states.append(game.state(line.state))
        elif line.step == 0:
            states.append(game.initial)
        else:
            states.append(states[-1].next(lines[number - 1].moves or []))
    return states


def compare(game: Game, lines: Sequence[Line], states: Sequence[State]) -> Iterator[str]:
    """Yield the differences, each with its match and step."""
    came: State | None = None
    for line, state in zip(lines, states, strict=True):
        if line.step == 0:
            came = game.initial
        if came is not None and (came != state or lowered(came.fluents) != lowered(line.state or state.fluents)):
            yield f"{line}: state {sorted(came.fluents ^ state.fluents)}"
        if game.state(state.fluents) != state:
            yield f"{line}: the state made of its fluents is another"
        if state.is_terminal != line.is_terminal:
            yield f"{line}: terminal is {state.is_terminal}"
        if difference := line.goal_difference(state.goals.values()):
            yield f"{line}: {difference}"
        for role, legal in zip(game.roles, line.legal or (), strict=False):
            if difference := legal.difference(state.legal(role)):
                yield f"{line}: {role} {difference}"
        came = state.next(line.moves) if line.moves else None


def compare_batch(game: Game, engine: CircuitEngine, lines: Sequence[Line], states: Sequence[State]) -> Iterator[str]:
    """Yield the differences of the batch evaluator, with every line in a lane of its own."""
    offsets = [0, *itertools.accumulate(map(len, engine.ground.moves))]
    bits = [packed(state) for state in states]
    joints = [global_moves(game, offsets, line.moves) for line in lines]
    rows = _native.Batch(engine.circuit, "auto").inspect(bits, joints)
    if None in rows:
        # An invariant that was only sampled does not hold here. Playouts then run without any; so does this.
        careful = CircuitEngine(engine.ground, use_invariants=False)
        rows = _native.Batch(careful.circuit, "auto").inspect(bits, joints)
    for line, state, row in zip(lines, states, rows, strict=True):
        where = f"{line}: batch"
        if row is None:
            yield f"{where} fits no phase"
            continue
        is_terminal, legal, goal_signals, successor = row
        if is_terminal != line.is_terminal:
            yield f"{where} terminal is {is_terminal}"
        goals: list[int | None] = [None] * len(game.roles)
        for signal in goal_signals:
            role, value, _atom = engine.ground.goals[signal]
            goals[role] = value
        if difference := line.goal_difference(goals):
            yield f"{where} {difference}"
        for role, recorded in enumerate(line.legal or ()):
            names = [
                game.moves(game.roles[role])[m - offsets[role]] for m in legal if offsets[role] <= m < offsets[role + 1]
            ]
            if difference := recorded.difference(names):
                yield f"{where} {game.roles[role]} {difference}"
        if line.moves and successor != packed(state.next(line.moves)):
            yield f"{where} has another successor"


def global_moves(game: Game, offsets: list[int], moves: list[str] | None) -> list[int]:
    """Return the recorded joint move by global move numbers: the roles' moves stand one role after the other."""
    found = []
    for role, move in enumerate(moves or []):
        keys = [text.lower() for text in game.moves(game.roles[role])]
        found.append(offsets[role] + keys.index(move.lower()))
    return found


def check(name: str, most: int | None) -> None:
    game = woodstock.load(rules_of(name))
    assert name in BUNDLED or lowered(public_roles(name)) == lowered(game.roles)
    lines = lines_of(name, most)
    states = states_of(game, lines)
    differences = list(compare(game, lines, states))
    if isinstance(game.engine, CircuitEngine):
        differences += compare_batch(game, game.engine, lines, states)
    assert not differences, "\n".join(differences[:10])


@pytest.mark.parametrize("name", BUNDLED_SAMPLE)
def test_a_sample_of_bundled_games(name: str) -> None:
    check(name, SAMPLE_LINES)


@pytest.mark.full
@pytest.mark.parametrize("name", BUNDLED)
def test_every_line_of_every_bundled_game(name: str) -> None:
    check(name, None)


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_public_sheets(name: str, corpus: Path) -> None:
    check(name, SAMPLE_LINES)


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in REFUSED] or SAMPLE)
def test_every_line_of_every_public_sheet(name: str, corpus: Path) -> None:
    check(name, None)
