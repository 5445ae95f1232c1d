"""Games in GDL as quantified problems, against minimax over the game itself and against `woodstock.solve`."""

from __future__ import annotations

import itertools
import random

import pytest

import woodstock
from woodstock.errors import ModelError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.qcsp import check, replay, solve
from woodstock.qcsp.models.game import forced_win, move_names
from woodstock.solve import solve_game


def _joint_moves(state: State) -> list[tuple[str, ...]]:
    return list(itertools.product(*(state.legal(role) for role in state.game.roles)))


def _wins(state: State, role: str, depth: int) -> bool:
    """Whether the role forces a goal of 100 within `depth` moves; both move in turn."""
    if state.is_terminal:
        return state.goals[role] == 100
    if depth == 0:
        return False
    answers = [_wins(state.next(joint), role, depth - 1) for joint in _joint_moves(state)]
    waits = state.legal(role) == ("noop",)
    return all(answers) if waits else any(answers)


def _walk(game: Game, rng: random.Random, moves: int) -> State:
    state = game.initial
    for _ in range(moves):
        if state.is_terminal:
            break
        state = state.next(rng.choice(_joint_moves(state)))
    return state


def test_tic_tac_toe_has_no_forced_win() -> None:
    game = woodstock.load("tic-tac-toe")
    for role in game.roles:
        assert solve(forced_win(game, 9, role)).is_winning is False


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim"])
def test_positions_by_minimax(name: str) -> None:
    game = woodstock.load(name)
    rng = random.Random(7)
    won = 0
    for _ in range(25):
        state = _walk(game, rng, rng.randint(2, 6))
        if state.is_terminal:
            continue
        for role in game.roles:
            depth = rng.randint(1, 5)
            problem = forced_win(game, depth, role, state)
            result = solve(problem)
            assert result.is_winning == _wins(state, role, depth), f"{state!r} {role} {depth}"
            if result.strategy is not None:
                won += 1
                check(problem, result.strategy)
                replay(problem, result.strategy, lambda name, values, known: rng.choice(values))
    assert won > 3


@pytest.mark.full
def test_values_of_whole_games() -> None:
    game = woodstock.load("nim")
    solution = solve_game(game)
    for role in game.roles:
        is_won = solve(forced_win(game, 16, role), strategy=False).is_winning
        assert is_won == (solution.values[role] == 100)


def test_moves_have_names() -> None:
    game = woodstock.load("tic-tac-toe")
    assert "(mark 2 2)" in move_names(game, "x")


def test_games_that_have_no_such_model() -> None:
    with pytest.raises(ModelError, match="two players"):
        forced_win(woodstock.load("eight-puzzle"), 3)
    with pytest.raises(ModelError, match="no role"):
        forced_win(woodstock.load("tic-tac-toe"), 3, "nobody")
