"""OpenSpiel's own tests on our games, its algorithms on ours, and its versions of games against ours."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import woodstock
from woodstock.game.game import Game

pyspiel: Any = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'woodstock[openspiel]'")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

from woodstock.env import openspiel  # noqa: E402

QUICK = ["tic-tac-toe", "matching-pennies", "monty-hall", "kuhn-poker"]


@pytest.mark.parametrize("name", QUICK)
def test_games_of_each_kind_pass_the_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(openspiel.load(name), num_sims=2, serialize=True, verbose=False)


@pytest.mark.full
def test_every_game_passes_the_random_simulation(game: Game) -> None:
    # Reading a state back replays its moves, so a long match costs the square of its length.
    is_short = openspiel.load(game).max_game_length() < 1000
    pyspiel.random_sim_test(openspiel.load(game), num_sims=1, serialize=is_short, verbose=False)


def test_the_game_is_registered_by_name() -> None:
    game = pyspiel.load_game("woodstock(game=nim)")
    assert str(game) == "woodstock(game=nim)"
    assert game.num_players() == 2
    own = openspiel.load(woodstock.loads(woodstock.load("nim").text))
    assert own.new_initial_state().legal_actions() == game.new_initial_state().legal_actions()


def test_cfr_finds_the_equilibrium_of_kuhn_poker() -> None:
    # A chip is worth half a point here, so everything is half of the known values 11/12 and -1/18.
    game = openspiel.load("kuhn-poker")
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert exploitability.nash_conv(game, UniformRandomPolicy(game)) == pytest.approx(11 / 24)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.nash_conv(game, policy) < 0.01
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-1 / 36, abs=0.003)


def test_mcts_never_loses_tic_tac_toe_and_wins_when_it_can() -> None:
    game = openspiel.load("tic-tac-toe")
    bot = mcts.MCTSBot(game, 2.0, 200, mcts.RandomRolloutEvaluator(1), solve=True, random_state=None)
    state = game.new_initial_state()
    names = woodstock.load("tic-tac-toe").moves("x")
    for move in ("(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"):
        state.apply_action(names.index(move))
    assert names[bot.step(state)] == "(mark 1 3)"


def numbers(move: str) -> list[int]:
    """Return the numbers of a move such as (mark 2 3)."""
    return [int(part) for part in move.strip("()").split()[1:]]


def flipped(move: str) -> str:
    """Return a move of breakthrough as OpenSpiel writes it: its first player begins at the top."""
    x, y, to_x, to_y = numbers(move)
    return f"{'abcdefgh'[x - 1]}{9 - y}{'abcdefgh'[to_x - 1]}{9 - to_y}"


# Our game, theirs, and what to call a move of ours and one of theirs so that they have the same name.
CASES: dict[str, tuple[str, Callable[[str], str], Callable[[Any, int], str]]] = {
    "tic-tac-toe": (
        "tic_tac_toe",
        lambda move: str(3 * numbers(move)[0] + numbers(move)[1] - 4),
        lambda _state, action: str(action),
    ),
    "connect-four": ("connect_four", lambda move: str(numbers(move)[0] - 1), lambda _state, action: str(action)),
    "breakthrough": ("breakthrough", flipped, lambda state, action: state.action_to_string(action).rstrip("*")),
}


@pytest.mark.parametrize("name", CASES)
def test_our_games_agree_with_theirs_state_by_state(name: str) -> None:
    theirs, name_of_ours, name_of_theirs = CASES[name]
    game, peer = openspiel.load(name), pyspiel.load_game(theirs)
    chance = random.Random(5)
    for _ in range(10):
        state, other = game.new_initial_state(), peer.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            assert player == other.current_player()
            ours = {name_of_ours(state.action_to_string(player, action)): action for action in state.legal_actions()}
            others = {name_of_theirs(other, action): action for action in other.legal_actions()}
            assert sorted(ours) == sorted(others)
            chosen = chance.choice(sorted(ours))
            state.apply_action(ours[chosen])
            other.apply_action(others[chosen])
        # A last move without a choice is no node of ours.
        while not other.is_terminal():
            (only,) = other.legal_actions()
            other.apply_action(only)
        assert state.returns() == other.returns()
