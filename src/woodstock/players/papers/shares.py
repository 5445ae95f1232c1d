"""Shares of the time for solving, sampling and symmetries, as in `shares=45/30/25`."""

from __future__ import annotations


def read_shares(text: str) -> str:
    """Read three percentages for solving, sampling and symmetries, which add up to 100.

    >>> read_shares("45/30/25")
    '45/30/25'
    """
    try:
        parts = [float(part) for part in text.split("/")]
    except ValueError:
        parts = []
    if len(parts) != 3 or not all(part >= 0 for part in parts) or abs(sum(parts) - 100) > 1e-6:
        raise ValueError("three percentages for solving, sampling and symmetries that add up to 100, as in 45/30/25")
    return text


def solve_and_symmetry(text: str) -> tuple[float, float]:
    """Return the shares for solving and for symmetries, from 0 to 1.

    >>> solve_and_symmetry("45/30/25")
    (0.45, 0.25)
    """
    solving, _sampling, symmetries = (float(part) / 100 for part in text.split("/"))
    return solving, symmetries
