"""Problems whose answers are known."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from tests.unit.qcsp.brute import wins

from woodstock.errors import ModelError
from woodstock.qcsp import Guide, Problem, check, solve, total, winning_assignments
from woodstock.qcsp.models import baker, connect_four, make, matrix_game, nim_fibonacci, small_example
from woodstock.qcsp.models.connect_four import lines


def test_the_small_example_is_won_by_zeros() -> None:
    problem = small_example()
    result = solve(problem)
    assert result.is_winning and result.strategy is not None
    assert result.strategy.first_values() == {"x": 0, "y": 0, "t": 0}
    check(problem, result.strategy)


@pytest.mark.parametrize(("largest", "expected"), [(40, 24), (39, 72), (38, 96), (41, 0)])
def test_all_sets_of_weights(largest: int, expected: int) -> None:
    found = winning_assignments(baker(4, largest))
    assert found.status == "complete" and len(found) == expected
    if largest == 40:
        assert {tuple(row.values()) for row in found} == set(itertools.permutations((1, 3, 9, 27)))


@pytest.mark.parametrize(("least", "first", "nodes"), [(1, (1, 3, 9, 27), 19_130), (2, (3, 1, 9, 27), 1_171_084)])
def test_first_weights_in_a_tenth_of_the_published_nodes(least: int, first: tuple[int, ...], nodes: int) -> None:
    problem = baker(least_first=least)
    result = solve(problem)
    assert result.strategy is not None
    assert tuple(result.strategy.first_values()[f"w[{i}]"] for i in range(4)) == first
    assert result.statistics["nodes"] * 10 <= nodes
    check(problem, result.strategy)


def test_the_search_goes_through_every_order_of_equal_weights() -> None:
    assert {tuple(sorted(row.values())) for row in winning_assignments(baker(3, 13))} == {(1, 3, 9)}
    assert len(winning_assignments(baker(3, 13))) == 6


def test_five_weights() -> None:
    problem = baker(5, 121)
    result = solve(problem, guide=Guide("frontier", seed=3))
    assert result.strategy is not None
    assert sorted(result.strategy.first_values()[f"w[{i}]"] for i in range(5)) == [1, 3, 9, 27, 81]
    check(problem, result.strategy)


def test_fibonacci_nim_is_lost_at_fibonacci_numbers() -> None:
    assert [n for n in range(4, 23) if not solve(nim_fibonacci(n)).is_winning] == [5, 8, 13, 21]


def test_fibonacci_nim_has_checked_strategies() -> None:
    for matches in (4, 6, 7, 9, 10, 12):
        problem = nim_fibonacci(matches)
        result = solve(problem)
        assert result.strategy is not None
        check(problem, result.strategy)


@pytest.mark.parametrize("seed", range(6))
def test_matrix_game_by_minimax(seed: int) -> None:
    depth = 4
    problem = matrix_game(depth, seed)
    import random

    rng = random.Random(seed)
    rows = [[rng.randrange(2) for _ in range(2**depth)] for _ in range(2**depth)]

    def value(top: int, height: int, left: int, width: int) -> bool:
        if height == 1:
            return bool(rows[top][left])
        half = height // 2
        return any(all(value(t, half, c, half) for c in (left, left + half)) for t in (top, top + half))

    assert solve(problem).is_winning == value(0, 2**depth, 0, 2**depth)


@cache
def _first_wins(columns: int, rows: int, length: int, moves: tuple[int, ...] = ()) -> bool:
    board: dict[tuple[int, int], int] = {}
    heights = [0] * columns
    for turn, column in enumerate(moves):
        board[column, heights[column]] = turn % 2
        heights[column] += 1
    for line in lines(columns, rows, length):
        owners = {board.get(cell) for cell in line}
        if owners == {0}:
            return True
        if owners == {1}:
            return False
    nexts = (_first_wins(columns, rows, length, (*moves, c)) for c in range(columns) if heights[c] < rows)
    if len(moves) == columns * rows:
        return False
    return any(nexts) if len(moves) % 2 == 0 else all(nexts)


@pytest.mark.parametrize(("columns", "rows", "length"), [(3, 3, 3), (3, 2, 2), (2, 3, 3), (4, 2, 3), (3, 3, 2)])
def test_small_boards_by_minimax(columns: int, rows: int, length: int) -> None:
    problem = connect_four(columns, rows, length)
    result = solve(problem)
    assert result.is_winning == _first_wins(columns, rows, length)
    if result.strategy is not None:
        check(problem, result.strategy)


def test_connect_four_on_four_by_four_is_no_win() -> None:
    assert solve(connect_four(4, 4)).is_winning is False


@pytest.mark.full
@pytest.mark.parametrize(("columns", "rows"), [(5, 4), (4, 5)])
def test_connect_four_on_larger_boards_is_no_win(columns: int, rows: int) -> None:
    assert solve(connect_four(columns, rows)).is_winning is False


def test_limits_are_told() -> None:
    assert solve(baker(least_first=4), nodes=100).status == "nodes"
    stopped = solve(baker(5, 121), seconds=0.0)
    assert stopped.status == "seconds" and stopped.is_winning is None and stopped.strategy is None
    some = winning_assignments(baker(), limit=3)
    assert some.status == "solutions" and len(some) == 3


def test_a_strategy_that_does_not_fit_is_dropped_and_the_answer_kept() -> None:
    problem = Problem("wide")
    ys = problem.forall_array("y", 4, range(12))
    x = problem.exists("x", range(12 * 4))
    problem.require(x == total(ys))
    whole = solve(problem)
    assert whole.is_winning and whole.strategy is not None
    tight = solve(problem, memory_mb=0)
    assert tight.is_winning and tight.strategy is None


@pytest.mark.parametrize("depth", [3, 8, 9, 10])
def test_matrix_games_against_minimax(depth: int) -> None:
    """The encoding changes with the size; the answer does not."""
    import numpy as np

    for seed in range(3):
        values = np.random.default_rng(seed).random((2**depth, 2**depth)) < (0.62 if seed else 0.5)
        wins = values
        while len(wins) > 1:  # from the last choice to the first: the column is the other player's, the row ours
            wins = wins[:, 0::2] & wins[:, 1::2]
            wins = wins[0::2] | wins[1::2]
        result = solve(matrix_game(depth, rows=values.astype(int).tolist()))
        assert result.is_winning == bool(wins[0, 0]), f"seed {seed}"
        if result.strategy is not None:
            check(result.problem, result.strategy)


def test_connect_four_from_a_position() -> None:
    assert solve(connect_four(4, 4, 3)).is_winning
    assert solve(make("connect-four", 4, 4, 3, 2)).is_winning
    won = solve(connect_four(4, 4, 4, start="121212"))  # three in the first column, and it is our turn
    assert won.is_winning and won.strategy is not None
    assert won.problem.label("move[6]", won.strategy.first_values()["move[6]"]) == "column 1"
    assert solve(connect_four(4, 4, 4, start="1212123")).is_winning is False  # not taken: the other wins
    for start in ("5", "11111", "x"):
        with pytest.raises(ModelError, match="connect-four"):
            connect_four(4, 4, 4, start=start)


@pytest.mark.parametrize(("family", "constraints"), [("random-linear", 6), ("random-table", 24)])
def test_random_families_against_the_definition(family: str, constraints: int) -> None:
    answers = set()
    for seed in range(30):
        problem = make(family, seed, 8, constraints, 2)
        result = solve(problem)
        assert result.is_winning == wins(problem), f"seed {seed}"
        answers.add(result.is_winning)
    assert answers == {True, False}
    with pytest.raises(ModelError, match="at least 4 variables"):
        make(family, 1, 2)
