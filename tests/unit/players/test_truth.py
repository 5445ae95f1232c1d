"""Small games: the moves of a short search in random positions are compared with the exact solver."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[3] / "bench" / "truth.py"


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return runpy.run_path(str(BENCH))


@pytest.mark.full
@pytest.mark.parametrize("name", ["nim", "connect 3 on 4x4", "breakthrough 3x5", "hex 3x3", "hex 4x4"])
def test_positions_are_solved(truth: dict[str, Any], name: str) -> None:
    count = 20
    row = truth["positions"](*truth["SMALL"][name], count, 1.0).split()
    _with_bad_moves, proven, wrong, best, both = map(int, row[:5])
    assert wrong == 0
    assert min(proven, best, both) >= 0.95 * count


@pytest.mark.full
def test_wins_against_random_are_not_given_away(truth: dict[str, Any]) -> None:
    for seat in ("x", "o"):
        _won, _drawn, lost, given_away, not_best = map(int, truth["matches"]("random", seat, 50, 100_000, 1).split())
        assert (lost, given_away, not_best) == (0, 0, 0)
