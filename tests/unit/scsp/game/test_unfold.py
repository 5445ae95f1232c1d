"""Many stages in one network: sizes, exact policies, minimax values as numbers and as constraints."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import woodstock
from woodstock.errors import BudgetExceeded, GameError
from woodstock.scsp import solve, xcsp3
from woodstock.scsp.game import Template, translate

HALF = Fraction(1, 2)


@pytest.fixture(scope="module")
def pennies() -> Template:
    return translate(woodstock.load("cooperative-matching-pennies"))


def test_partners_have_an_even_chance(pennies: Template) -> None:
    """CONS, figures 1 to 3: 1/2 for both, by any policy in which alice and bob agree."""
    found = pennies.unfold(3).solve()
    assert found.is_complete and found.utility == (HALF, HALF)


def test_a_match_that_is_not_over_is_worth_nothing(pennies: Template) -> None:
    assert pennies.unfold(2).solve().utility == (Fraction(0), Fraction(0))
    # After its end nothing counts twice.
    assert pennies.unfold(4).solve().utility == (HALF, HALF)


def test_sizes_are_those_of_the_network(pennies: Template) -> None:
    for horizon in (1, 2, 5):
        unfolding = pennies.unfold(horizon)
        assert unfolding.sizes.variables == len(unfolding.network.variables)
        assert unfolding.network.stages == horizon + 1
        assert unfolding.sizes.variables - pennies.unfold(1).sizes.variables == (horizon - 1) * (
            pennies.unfold(2).sizes.variables - pennies.unfold(1).sizes.variables
        )
    assert "3 turns" in repr(pennies.unfold(3))


def test_the_stages_share_only_the_fluents(pennies: Template) -> None:
    """CONS 3.2: what connects a turn with the next are the fluents, here with the end of the match."""
    network = pennies.unfold(3).network
    turns = {v.name: int(v.name.rpartition("@")[2]) for v in network.variables}
    for constraint in network.constraints():
        seen = {turns[v.name] for v in constraint.scope if not v.name.startswith("over@")}
        assert len(seen) <= 2 and (len(seen) < 2 or max(seen) - min(seen) == 1)


def test_values_agree_with_the_exact_solver() -> None:
    game = woodstock.load("tic-tac-toe")
    state = game.initial
    for moves in (["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"], ["(mark 1 2)", "noop"], ["noop", "(mark 1 3)"]):
        state = state.next(moves)
    exact = woodstock.solve_game(state)
    found = translate(game).unfold(6, state).values()
    assert {role: 100 * value for role, value in found.values.items()} == exact.values
    best = {move.move for move in exact.best_moves}
    assert {joint[0] for joint in found.optimal} == best
    assert {joint[0]: 100 * worth["x"] for joint, worth in found.moves.items()} == {
        m.move: m.value for m in exact.moves
    }


def test_only_optimal_moves_are_left_in_the_minimax_network() -> None:
    """Player x can win for sure, with an even chance, or not at all, as chance marks a cell of its line."""
    game = woodstock.load("randomised-tic-tac-toe-2x2")
    state = game.initial
    for _ in range(4):
        state = state.next([state.legal(role)[0] for role in game.roles])
    unfolding = translate(game).unfold(3, state)
    optimal = {joint[game.roles.index("x")] for joint in unfolding.values().optimal}
    assert 0 < len(optimal) < len(state.legal("x"))
    for move in state.legal("x"):
        network = unfolding.minimax()
        network.allow([network["action(x)@1"]], [(move,)], name="tried")
        assert (solve(network, goal="feasible").policy is not None) == (move in optimal)


def test_opposite_goals_at_once_leave_no_minimax_policy() -> None:
    """By eq. 1 each role is sure of 0, and one of them gets 1: no joint move has Q* = V* for both."""
    unfolding = translate(woodstock.load("matching-pennies")).unfold(2)
    assert set(unfolding.values().values.values()) == {Fraction(0)} and unfolding.values().optimal == ()
    assert solve(unfolding.minimax(), goal="feasible").policy is None


def test_errors(pennies: Template, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="at least 1"):
        pennies.unfold(0)
    with pytest.raises(BudgetExceeded):
        pennies.unfold(3).values(most_states=2)


def test_a_network_of_many_stages_is_exported_and_comes_back(pennies: Template, tmp_path: Path) -> None:
    path = tmp_path / "pennies.xml"
    xcsp3.write(pennies.unfold(3).network, path)
    found = solve(xcsp3.read(path).network, goal="best", exact=True)
    assert found.utility == (HALF, HALF)
