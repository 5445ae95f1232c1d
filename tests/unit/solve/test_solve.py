"""Exact values: against an obvious solver, known results, and one method against the other."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tests.unit.solve.brute_force import brute_force
from tests.unit.solve.connect import connect

import woodstock
from woodstock import _native
from woodstock.solve import Solver, solve_game
from woodstock.symmetry import find_symmetries

ASSETS = Path(__file__).parent.parent / "symmetry"


@pytest.fixture(scope="module")
def tic_tac_toe() -> woodstock.Game:
    return woodstock.load("tic-tac-toe")


def _random_state(game: woodstock.Game, steps: int, seed: int) -> woodstock.State:
    dice = random.Random(seed)
    state = game.initial
    for _ in range(steps):
        after = state.next([dice.choice(state.legal(role)) for role in game.roles])
        if after.is_terminal:
            break
        state = after
    return state


def test_known_values(tic_tac_toe: woodstock.Game) -> None:
    assert solve_game(tic_tac_toe).values == {"x": 50, "o": 50}
    for role, chance in (("x", Fraction(191, 192)), ("o", Fraction(887, 945))):
        solution = solve_game(tic_tac_toe, opponent="random", role=role, utility="win")
        assert solution.values == {role: chance}


def test_states_with_and_without_symmetries(tic_tac_toe: woodstock.Game) -> None:
    plain, merged = solve_game(tic_tac_toe, symmetries="none"), solve_game(tic_tac_toe, symmetries="network")
    assert (plain.states, merged.states) == (5478, 765)  # both are well known
    assert plain.values == merged.values and {m.move for m in plain.best_moves} == {m.move for m in merged.best_moves}
    game = connect(4, 3, 3)
    plain, merged = solve_game(game, symmetries="none"), solve_game(game)
    assert plain.values == merged.values
    assert 1.8 < plain.states / merged.states <= 2.0


@pytest.mark.parametrize("symmetries", ["none", "rules", "network"])
def test_small_games_against_brute_force(symmetries: str, tic_tac_toe: woodstock.Game) -> None:
    for seed in range(6):
        state = _random_state(tic_tac_toe, 3, seed)
        assert tuple(solve_game(state, symmetries=symmetries).values.values()) == brute_force(state)
    for seed in range(3):
        state = _random_state(tic_tac_toe, 4, seed)
        for role, i in (("x", 0), ("o", 1)):
            found = solve_game(state, symmetries=symmetries, opponent="random", role=role)
            assert found.values[role] == brute_force(state, role)[i]
    nim = woodstock.load("nim")
    state = _random_state(nim, 4, 1)
    assert tuple(solve_game(state, symmetries=symmetries).values.values()) == brute_force(state)


def test_chance_is_averaged_exactly() -> None:
    game = woodstock.load(ASSETS / "randomised-tic-tac-toe.kif")
    for symmetries in ("none", "network"):
        solution = solve_game(game, symmetries=symmetries)
        expected = brute_force(game.initial)
        assert list(solution.values) == ["one", "two"]
        assert tuple(solution.values.values()) == expected[:2]
        lone = solve_game(game, symmetries=symmetries, opponent="random", role="two")
        assert lone.values["two"] == brute_force(game.initial, "two")[1]


GENERAL = """
(role a) (role b) (role c) (init (turn 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(player 1 a) (player 2 b) (player 3 c) (choice l) (choice r)
(<= (legal ?p (go ?c)) (true (turn ?n)) (player ?n ?p) (choice ?c))
(<= (legal ?p noop) (role ?p) (true (turn ?n)) (player ?m ?p) (distinct ?n ?m))
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
(<= (next (went ?p ?c)) (does ?p (go ?c)))
(<= (next (went ?p ?c)) (true (went ?p ?c)))
(<= terminal (true (turn 4)))
(<= (same ?p ?q) (true (went ?p ?c)) (true (went ?q ?c)))
(<= (goal a 80) (same a c)) (<= (goal a 30) (not (same a c)))
(<= (goal b 70) (same a b)) (<= (goal b 20) (not (same a b)))
(<= (goal c 60) (same a c) (same a b)) (<= (goal c 60) (not (same a c)) (not (same a b)))
(<= (goal c 10) (same a c) (not (same a b))) (<= (goal c 40) (not (same a c)) (same a b))
"""

PENNIES = """
(role odd) (role even) (init start) (side h) (side t)
(<= (legal ?p (show ?s)) (role ?p) (side ?s) (true start))
(<= (next (shown ?p ?s)) (does ?p (show ?s)))
(<= terminal (true (shown ?p ?s)))
(<= equal (true (shown odd ?s)) (true (shown even ?s)))
(<= (goal even 100) equal) (<= (goal even 0) (not equal))
(<= (goal odd 0) equal) (<= (goal odd 100) (not equal))
"""


@pytest.mark.parametrize("text", [GENERAL, PENNIES])
def test_several_roles_and_simultaneous_moves(text: str) -> None:
    game = woodstock.loads(text, "test")
    for symmetries in ("none", "network"):
        solution = solve_game(game, symmetries=symmetries, strategies="pure")
        assert tuple(solution.values.values()) == brute_force(game.initial)
    assert ("guarantee" in solution.meaning) == (text is PENNIES)


SCISSORS = """
(role left) (role right) (init start) (beats rock scissors) (beats scissors paper) (beats paper rock)
(<= (legal ?p ?s) (role ?p) (beats ?s ?t) (true start))
(<= (next (shown ?p ?s)) (does ?p ?s))
(<= terminal (true (shown left ?s)))
(<= (wins ?p) (role ?q) (distinct ?p ?q) (true (shown ?p ?s)) (true (shown ?q ?t)) (beats ?s ?t))
(<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (role ?p) (role ?q) (distinct ?p ?q) (wins ?q))
(<= (goal ?p 50) (role ?p) (not (wins left)) (not (wins right)))
"""
# The first chooses between a lead and a risk: by hand, each mixes 2/3 to 1/3 and the value is 200/3.
UNEVEN = """
(role row) (role column) (init start) (side a) (side b)
(<= (legal ?p ?s) (role ?p) (side ?s) (true start))
(<= (next (shown ?p ?s)) (does ?p ?s)) (<= terminal (true (shown row ?s)))
(<= (goal row ?n) (true (shown row ?r)) (true (shown column ?c)) (pays ?r ?c ?n ?m))
(<= (goal column ?m) (true (shown row ?r)) (true (shown column ?c)) (pays ?r ?c ?n ?m))
(pays a a 50 50) (pays a b 100 0) (pays b a 100 0) (pays b b 0 100)
"""


@pytest.mark.parametrize(
    ("text", "first"), [(PENNIES, Fraction(50)), (SCISSORS, Fraction(50)), (UNEVEN, Fraction(200, 3))]
)
@pytest.mark.parametrize("symmetries", ["none", "network"])
def test_choices_at_once_are_judged_by_mixed_strategies(text: str, first: Fraction, symmetries: str) -> None:
    solution = solve_game(woodstock.loads(text, "test"), symmetries=symmetries)
    assert tuple(solution.values.values()) == (first, 100 - first)
    assert all(move.is_best for move in solution.moves) and "mixing" in solution.meaning


def test_partners_who_choose_at_once_agree() -> None:
    solution = solve_game(woodstock.load("cooperative-matching-pennies"), utility="win")
    assert solution.values == {"alice": Fraction(1, 2), "bob": Fraction(1, 2)}


def test_matrix_games_are_solved_by_both_sides() -> None:
    """Strong duality is the proof: neither side does better than the value against the other's mix."""
    dice = random.Random(7)
    for _ in range(300):
        rows, columns = dice.randint(1, 7), dice.randint(1, 7)
        payoffs = [[float(dice.randint(-3, 3)) for _ in range(columns)] for _ in range(rows)]
        value, row, column = _native.solve_matrix_game(payoffs)
        assert sum(row) == pytest.approx(1) and sum(column) == pytest.approx(1) and min(row + column) > -1e-9
        mixed_row = [sum(row[r] * payoffs[r][c] for r in range(rows)) for c in range(columns)]
        mixed_column = [sum(column[c] * payoffs[r][c] for c in range(columns)) for r in range(rows)]
        assert min(mixed_row) == pytest.approx(value, abs=1e-7) and max(mixed_column) == pytest.approx(value, abs=1e-7)
    with pytest.raises(ValueError, match="differ in length"):
        _native.solve_matrix_game([[1.0], [1.0, 2.0]])


@pytest.mark.parametrize("make", [lambda: connect(4, 3, 3), lambda: connect(4, 4, 3)])
def test_alpha_beta_agrees(make: Callable[[], woodstock.Game]) -> None:
    game = make()
    full, fast = Solver(game), Solver(game, method="alpha-beta")
    plain = Solver(game, method="alpha-beta", symmetries="none")
    for seed in range(12):
        state = _random_state(game, seed % 5, seed)
        expected, found, other = full.solve(state), fast.solve(state), plain.solve(state)
        assert expected.values == found.values == other.values
        assert {m.move for m in expected.best_moves} == {m.move for m in found.best_moves}
        assert {m.move for m in expected.best_moves} == {m.move for m in other.best_moves}


def test_a_table_that_is_too_small_changes_work_not_values() -> None:
    game = connect(4, 4, 3)
    large, small = Solver(game, symmetries="none"), Solver(game, symmetries="none", memory_mb=1)
    assert large.solve().values == small.solve().values
    assert small._native.overwritten > 0 and large._native.overwritten == 0


CIRCLE = """
(role a) (role b) (init (at 1)) (succ 1 2) (succ 2 1)
(<= (legal ?p go) (role ?p)) (<= (legal a stop) (role a))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a go))
(<= (next done) (does a stop))
(<= terminal (true done)) (goal a 50) (goal b 50)
"""
ALONE = """
(role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 1)
(<= (legal a go) (not (true done))) (<= (legal a stop) (not (true done)))
(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does a go))
(<= (next (at ?n)) (true (at ?n)) (does a stop))
(<= (next done) (does a stop))
(<= terminal (true done))
(<= (goal a 70) (true (at 3))) (<= (goal a 10) (not (true (at 3))))
"""


def test_states_that_repeat() -> None:
    with pytest.raises(woodstock.GameError, match="a state can repeat"):
        solve_game(woodstock.loads(CIRCLE, "circle"))
    alone = solve_game(woodstock.loads(ALONE, "alone"))
    assert alone.values == {"a": 70} and [m.move for m in alone.best_moves] == ["go"]


def test_limits_and_errors(tic_tac_toe: woodstock.Game) -> None:
    with pytest.raises(woodstock.BudgetExceeded, match="100 states used"):
        solve_game(tic_tac_toe, max_states=100)
    with pytest.raises(woodstock.BudgetExceeded):
        solve_game(woodstock.load("connect-four"), seconds=0.05)
    with pytest.raises(woodstock.GameError, match="no opponent 'weak'"):
        solve_game(tic_tac_toe, opponent="weak")
    with pytest.raises(woodstock.GameError, match="against random opponents only"):
        solve_game(tic_tac_toe, role="x")
    with pytest.raises(woodstock.GameError, match="goals of the two roles are not opposite"):
        text = PENNIES.replace("(goal even 100)", "(goal even 90)").replace("(side t)", "")
        solve_game(woodstock.loads(text, "odd"), method="alpha-beta")
    with pytest.raises(woodstock.GameError, match="are not those of"):
        solve_game(tic_tac_toe, symmetries=find_symmetries(woodstock.load("nim")))
    with pytest.raises(woodstock.GameError, match="cannot be solved as one of"):
        Solver(tic_tac_toe).solve(woodstock.load("nim").initial)
