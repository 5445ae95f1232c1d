"""The one order in which fluents and moves are listed everywhere: numbers by value, words alphabetically."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"(\d+)|([^\d\s()]+)|([()])")


def natural_key(text: str) -> tuple[object, ...]:
    """Return a sort key that puts `(cell 1 2 b)` before `(cell 1 10 b)`, whatever the case."""
    key: list[tuple[int, int, str]] = []
    for number, word, bracket in _TOKEN.findall(text):
        if number:
            key.append((1, int(number), ""))
        else:
            key.append((2, 0, word.lower()) if word else (0, 0, bracket))
    # Spellings that count as equal above, 1 and 01, still need an order.
    return (key, text)
