"""The one order in which fluents and moves are listed everywhere: numbers by value, words alphabetically."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"(\d+)")


def natural_key(text: str) -> tuple[list[str | int], str]:
    """Return a sort key that puts `(cell 1 2 b)` before `(cell 1 10 b)`, whatever the case."""
    # Words and numbers take turns in what `split` gives, so keys compare word with word and number with number.
    parts: list[str | int] = list(_DIGITS.split(text.lower()))
    parts[1::2] = map(int, parts[1::2])
    # Spellings that count as equal above, 1 and 01, still need an order.
    return parts, text
