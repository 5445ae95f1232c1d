"""The order of fluents and moves in every list: numbers by value, words alphabetically."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(text: str) -> tuple[list[str | int], str]:
    """Return a sort key that puts `(cell 1 2 b)` before `(cell 1 10 b)` and ignores case."""
    # `split` returns words and numbers in turn, so keys compare words with words and numbers with numbers.
    parts: list[str | int] = list(_DIGITS.split(text.lower()))
    parts[1::2] = map(int, parts[1::2])
    # 1 and 01 count as equal above but still need an order.
    return parts, text
