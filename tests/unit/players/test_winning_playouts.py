"""Playouts in which a role that can win in one move does, compared with the rules move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index, without_chance

PLAYOUTS = 256


def batch_of(name: str) -> tuple[Game, _native.Batch]:
    game = woodstock.load(name)
    assert isinstance(game.engine, CircuitEngine)
    circuit = game.engine.circuit
    batch = _native.Batch(circuit, "auto")
    assert circuit.prepare_winning(chance_index(game.roles))
    return game, batch


def play(batch: _native.Batch, state: State) -> tuple[int, list[int]]:
    """Return the steps of all playouts together, and how often each goal was reached."""
    raw = batch.playouts([packed(state)], [PLAYOUTS], 7, 1, 10_000, 0.0, True)
    return int(raw["steps"][0]), [int(count) for count in raw["histogram"][0]]


def states(game: Game, matches: int, seed: int) -> Iterator[State]:
    dice = random.Random(seed)
    for _ in range(matches):
        state = game.initial
        while not state.is_terminal:
            yield state
            state = state.next({role: dice.choice(state.legal(role)) for role in game.roles})


def can_win(state: State, role: str) -> bool:
    others = {other: state.legal(other)[0] for other in state.game.roles if other != role}
    after = [state.next({**others, role: move}) for move in state.legal(role)]
    return any(child.is_terminal and child.goals[role] == 100 for child in after)


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "quarto", "pentago"])
def test_a_role_that_can_win_at_once_does(name: str) -> None:
    game, batch = batch_of(name)
    roles = without_chance(game.roles)
    won = 0
    for state in states(game, 4, 1):
        movers = [role for role in game.roles if len(state.legal(role)) > 1]
        if len(movers) != 1 or movers[0] not in roles:
            continue
        steps, _goals = play(batch, state)
        if can_win(state, movers[0]):
            won += 1
            assert steps == PLAYOUTS
    assert won > 0


def test_a_move_that_lets_the_other_win_is_mostly_taken_back() -> None:
    game, batch = batch_of("tic-tac-toe")
    # x must take the third cell of the top row, or o does.
    state = game.initial
    for x, o in (("(mark 2 2)", "(mark 1 1)"), ("(mark 3 2)", "(mark 1 2)")):
        state = state.next({"x": x, "o": "noop"}).next({"x": "noop", "o": o})
    assert not can_win(state, "x")
    assert game.ground is not None
    best_for_o = [goal[:2] for goal in game.ground.goals].index((game.roles.index("o"), 100))
    # Four of the five moves lose at once: without taking them back o would win four playouts of five, and more.
    assert play(batch, state)[1][best_for_o] < 0.75 * PLAYOUTS


def test_chance_never_wants_to_win() -> None:
    rules = """
    (role a) (role random) (init (turn 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (side h) (side t) (<= (legal a (say ?x)) (side ?x))
    (<= (legal random (fall ?x)) (side ?x))
    (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
    (<= (next fell) (does random (fall h)))
    (<= terminal (true fell)) (<= terminal (true (turn 4)))
    (<= (goal a 100) (true fell)) (<= (goal a 0) (not (true fell)))
    (<= (goal random 100) (true fell)) (<= (goal random 0) (not (true fell)))
    """
    game = woodstock.loads(rules, "coin")
    assert isinstance(game.engine, CircuitEngine)
    assert not game.engine.circuit.prepare_winning(chance_index(game.roles))


@pytest.mark.parametrize("name", ["dots-and-boxes-suicide", "kaseklau"])
def test_playouts_are_uniform_where_only_last_moves_win_or_looking_for_wins_costs_much(name: str) -> None:
    game = woodstock.load(name)
    assert isinstance(game.engine, CircuitEngine)
    assert not game.engine.circuit.prepare_winning(chance_index(game.roles))
