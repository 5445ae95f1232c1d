"""Problems without a board: the small example of the paper, the baker, the matrix game, Fibonacci nim."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from woodstock.constraint.expression import total
from woodstock.constraint.selection import element, in_table
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

LISTED_DEPTH = 8  # of a matrix game whose cells are one list


def small_example() -> Problem:
    """Return the example of [Chantrein, Barichard & Stephan]: exists x, y, forall z, exists t: x = y z + t, t <= x."""
    problem = Problem("small-example")
    x, y = problem.exists("x", range(3)), problem.exists("y", range(3))
    z = problem.forall("z", range(3))
    t = problem.exists("t", range(3))
    problem.require(x == y * z + t, t <= x)
    return problem


def baker(weights: int = 4, largest: int = 40, least_first: int = 1) -> Problem:
    """Choose weights up to `largest` that weigh every amount of flour from 1 to `largest` on a pair of scales.

    `least_first` is the least value of the first weight: 2 makes the paper's second instance.
    """
    if weights < 1 or largest < 1 or not 1 <= least_first <= largest:
        raise ModelError(f"baker: no problem has {weights} weights of {least_first} to {largest}")
    problem = Problem(f"baker-{weights}-{largest}" + (f"-from-{least_first}" if least_first > 1 else ""))
    w = [problem.exists(f"w[{i}]", range(1 if i else least_first, largest + 1)) for i in range(weights)]
    f = problem.forall("f", range(1, largest + 1))
    c = problem.exists_array("c", weights, [-1, 0, 1])
    problem.require(total(weight * side for weight, side in zip(w, c, strict=True)) == f)
    return problem


def matrix_game(depth: int = 5, seed: int = 0, rows: Sequence[Sequence[int]] | None = None) -> Problem:
    """Halve a matrix of 0 and 1 in turn, the first player by rows, the second by columns; a 1 at the end wins.

    The matrix has 2^depth rows; it is drawn at random by `seed` unless given.
    """
    if not 1 <= depth <= 12:
        raise ModelError(f"matrix-game: depth {depth} is not between 1 and 12")
    size = 2**depth
    if rows is None:
        rng = random.Random(seed)
        matrix = np.array([[rng.randrange(2) for _ in range(size)] for _ in range(size)])
    else:
        matrix = np.array([[int(cell) for cell in row] for row in rows])
    if matrix.shape != (size, size):
        raise ModelError(f"matrix-game: a matrix of {matrix.shape}, depth {depth} needs {size} rows of {size} cells")
    problem = Problem(f"matrix-game-{depth}-{seed}")
    at: list[list[object]] = [[], []]  # the row and the column, as sums of halves
    for level in range(depth):
        half = 2 ** (depth - 1 - level)
        at[0].append(half * problem.exists(f"row[{level}]", range(2)))
        at[1].append(half * problem.forall(f"column[{level}]", range(2)))
    if depth <= LISTED_DEPTH:
        problem.require(element(matrix.ravel(), size * total(at[0]) + total(at[1])) == 1)
    else:  # one index for all cells would have too many values
        row, column = problem.define("row", total(at[0])), problem.define("column", total(at[1]))
        problem.require(in_table([row, column], np.argwhere(matrix == 1)))
    return problem


def nim_fibonacci(matches: int = 13) -> Problem:
    """Take matches in turn: at first not all, then at most twice as many as the other did. A player who cannot loses.

    The first player wins if and only if the number of matches is not a Fibonacci number.
    """
    if matches < 2:
        raise ModelError(f"nim-fibonacci: {matches} matches; two players need at least 2")
    problem = Problem(f"nim-fibonacci-{matches}")
    left: object = matches
    taken = None
    # Each takes at least one match. The first player must have the last move: with no match left there is none.
    for turn in range(matches + (matches + 1) % 2):
        add = problem.forall if turn % 2 else problem.exists
        now = add(f"take[{turn}]", range(1, matches if turn == 0 else matches + 1))
        if taken is None:
            left = problem.define("left[0]", matches - now)
        else:
            before = left
            problem.such_that(now <= 2 * taken, now <= before)
            # Illegal moves leave 0 matches, so that the number is always defined.
            left = problem.define(f"left[{turn}]", _stopped(before, now))
        taken = now
    return problem


def _stopped(before: object, taken: object) -> object:
    from woodstock.constraint.expression import maximum, wrap

    return maximum([wrap(before) - taken, 0])
