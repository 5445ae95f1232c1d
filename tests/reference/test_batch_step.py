"""Joint moves and successors of the batch evaluator compared with the stepper, state by state.

A batch returns goals only. So the game is extended: it ends after one joint move, and every fluent and every move that
was made is the goal of a role of its own. The rows of the histogram then are states, exactly as the lanes hold them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.reference.test_traces_engine import states_of
from tests.reference.traces import BUNDLED, PUBLIC, REFUSED, lines_of, rules_of

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State
from woodstock.gdl.ground_program import GroundProgram

BUNDLED_SAMPLE = ["breakthrough", "connect-four-simultaneous", "kaseklau", "krieg-tic-tac-toe", "pentago", "yahtzee"]
SAMPLE = ["biddingTicTacToe", "breakthrough", "connectFour", "cubicup_3player", "pentago", "roshambo2"]
BACKENDS = ["auto", "portable"]

# A legal move is missed by this many tries of a uniform choice once in 10^13 times.
_TRIES_A_MOVE = 30
_STATES_FOR_LEGAL = 10


# How often each fluent held after the move, and for each role how often each move was made.
Counts = tuple[NDArray[np.int64], list[NDArray[np.int64]]]


class _Rules:
    """The arrays of a ground program, growing."""

    def __init__(self, ground: GroundProgram) -> None:
        self.atom_count = ground.atom_count
        self.heads = ground.heads.tolist()
        self.offsets = ground.body_offsets.tolist()
        self.bodies = ground.bodies.tolist()

    def atom(self) -> int:
        self.atom_count += 1
        return self.atom_count

    def copy_of(self, *body: int) -> int:
        """Return a new atom that is true when all of `body` are."""
        head = self.atom()
        self.heads.append(head)
        self.bodies.extend(body)
        self.offsets.append(len(self.bodies))
        return head


def observed(ground: GroundProgram) -> GroundProgram:
    """Return the game that ends after one joint move and has its state and moves as goals."""
    rules = _Rules(ground)
    move_texts = [f"({role} {move})" for role, moves in zip(ground.roles, ground.moves, strict=True) for move in moves]
    always = rules.copy_of()
    over = rules.atom()
    made = [rules.atom() for _ in move_texts]
    seen = [*ground.fluent_atoms.tolist(), *made]
    waits = [rules.atom() for _ in seen]
    observers = tuple(f"observer {index}" for index in range(len(seen)))
    first = len(ground.roles)
    goals = tuple((first + index, 100, rules.copy_of(atom)) for index, atom in enumerate(seen))
    move_atoms = ground.move_atoms.tolist()
    following = [*ground.next.tolist(), *(rules.copy_of(atom) for atom in move_atoms), always]
    terminal = rules.copy_of(over)
    return replace(
        ground,
        roles=(*ground.roles, *observers),
        fluents=(*ground.fluents, *(f"(made {text})" for text in move_texts), "over"),
        moves=(*ground.moves, *(("wait",) for _ in seen)),
        atom_count=rules.atom_count,
        heads=np.array(rules.heads, dtype=np.int32),
        body_offsets=np.array(rules.offsets, dtype=np.int64),
        bodies=np.array(rules.bodies, dtype=np.int32),
        fluent_atoms=np.array([*ground.fluent_atoms.tolist(), *made, over], dtype=np.int32),
        move_atoms=np.array([*move_atoms, *waits], dtype=np.int32),
        legal=np.array([*ground.legal.tolist(), *(always for _ in seen)], dtype=np.int32),
        next=np.array(following, dtype=np.int32),
        terminal=terminal,
        goals=goals,
        sees=(),
    )


class Observer:
    """Plays one random joint move from each of many states by the batch evaluator."""

    def __init__(self, ground: GroundProgram, backend: str) -> None:
        self._ground = ground
        self._engine = CircuitEngine(observed(ground))
        self._batch = _native.Batch(self._engine.circuit, backend)

    def counts(self, states: list[frozenset[str]], each: int, seed: int) -> list[Counts]:
        """Return, for each state, how often each fluent held after the move and how often each move was made."""
        packed = [self._engine.pack(state) for state in states]
        raw = self._batch.playouts(packed, [each] * len(packed), seed, 1, 2, 0.0)  # type: ignore[arg-type]
        fluents = len(self._ground.fluents)
        splits = np.cumsum([len(moves) for moves in self._ground.moves])[:-1]
        return [(row[:fluents], np.split(row[fluents:], splits)) for row in raw["histogram"]]


def check_successors(observer: Observer, states: list[State]) -> None:
    """One game in each lane: its move must be legal and its state the one that the stepper finds."""
    for state, (fluents, moves) in zip(states, observer.counts([s.fluents for s in states], 1, seed=7), strict=True):
        chosen = [np.flatnonzero(made).tolist() for made in moves]
        assert [len(made) for made in chosen] == [1] * len(chosen), "each role makes exactly one move"
        after = state.next_by_index([made[0] for made in chosen])
        np.testing.assert_array_equal(fluents, after.vector)


def check_legal_sets(observer: Observer, states: list[State]) -> None:
    """Many games from each state: the moves that are ever made are the legal ones, all of them."""
    for state in states:
        legal = [state.legal_indices(role) for role in state.game.roles]
        each = _TRIES_A_MOVE * max(map(len, legal))
        ((_fluents, moves),) = observer.counts([state.fluents], each, seed=11)
        for made, indices in zip(moves, legal, strict=True):
            assert made.sum() == each
            assert np.flatnonzero(made).tolist() == list(indices)


def check(name: str, backend: str) -> None:
    game = woodstock.load(rules_of(name))
    if game.ground is None:
        pytest.skip(f"{name} does not ground within the budget")
    lines = lines_of(name)
    states = [state for line, state in zip(lines, states_of(game, lines), strict=True) if not line.is_terminal]
    states = [state for state in states if all(state.legal(role) for role in game.roles)]
    observer = Observer(game.ground, backend)
    check_successors(observer, states)
    check_legal_sets(observer, states[:: max(1, len(states) // _STATES_FOR_LEGAL)])


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BUNDLED_SAMPLE)
def test_a_sample_of_bundled_games(name: str, backend: str) -> None:
    check(name, backend)


@pytest.mark.full
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_game(name: str, backend: str) -> None:
    check(name, backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_public_sheets(name: str, backend: str, corpus: Path) -> None:
    check(name, backend)


@pytest.mark.full
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", [name for name in PUBLIC if name not in REFUSED] or SAMPLE)
def test_every_public_sheet(name: str, backend: str, corpus: Path) -> None:
    check(name, backend)
