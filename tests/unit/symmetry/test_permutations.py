"""Orders, orbits and elements of permutation groups, against known groups and enumeration."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from woodstock.symmetry import permutations


def _rows(*rows: list[int]) -> permutations.Permutations:
    return np.array(rows, dtype=np.int64)


def _cycle(n: int) -> list[int]:
    return [(i + 1) % n for i in range(n)]


def _swap(n: int) -> list[int]:
    return [1, 0, *range(2, n)]


@pytest.mark.parametrize("n", [2, 3, 5, 8, 13])
def test_order_of_known_groups(n: int) -> None:
    assert permutations.order(_rows(_cycle(n)), n) == n
    assert permutations.order(_rows(_cycle(n), _swap(n)), n) == math.factorial(n)
    flip = [(n - i) % n for i in range(n)]
    assert permutations.order(_rows(_cycle(n), flip), n) == (2 * n if n > 2 else 2)
    assert permutations.order(np.empty((0, n), dtype=np.int64), n) == 1


def test_order_of_random_groups_is_the_number_of_their_elements() -> None:
    dice = random.Random(7)
    for _ in range(30):
        points = dice.randint(2, 6)
        rows = _rows(*[dice.sample(range(points), points) for _ in range(dice.randint(1, 3))])
        everything = permutations.elements(rows, points, 1000)
        assert everything is not None
        assert permutations.order(rows, points) == len(everything) == len(np.unique(everything, axis=0))


def test_orbits() -> None:
    rows = _rows([1, 0, 2, 4, 3, 5], [0, 1, 2, 4, 5, 3])
    assert permutations.orbits(rows, 6) == [[0, 1], [2], [3, 4, 5]]


def test_a_group_that_is_too_large_gives_a_subgroup() -> None:
    n = 6
    rows = _rows(_cycle(n), _swap(n))
    some, is_whole = permutations.bounded_elements(rows, n, 50)
    assert not is_whole and (some[0] == np.arange(n)).all()
    assert len(some) == n  # the cycle moves more points than the swap, and both together are too many
    members = {row.tobytes() for row in some}
    assert all(a[b].tobytes() in members for a in some for b in some)
    whole, is_whole = permutations.bounded_elements(rows, n, 720)
    assert is_whole and len(whole) == 720
