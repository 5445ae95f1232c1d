"""Fluents as the view sees them: a name and a row of symbols.

Nested terms are laid flat: `(at (square 1 2) king)` has the symbols `square 1 2 king`. A symbol that is the same in
all fluents of a name and length tells nothing apart, so nested functors fall out by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_TOKEN = re.compile(r"[()]|[^\s()]+")
_NUMBERED = re.compile(r"^(.*?)(-?\d+)$")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fluent, taken apart. `text` is the fluent as the game writes it."""

    name: str
    args: tuple[str, ...]
    text: str


def fact(text: str) -> Fact:
    """Take a fluent apart.

    >>> fact("(at (square 1 2) king)").args
    ('square', '1', '2', 'king')
    """
    name, *args = [token for token in _TOKEN.findall(text) if token not in "()"]
    return Fact(name, tuple(args), text)


def natural(symbol: str) -> tuple[str, int, str]:
    """Return a sort key under which 10 stands after 9, and x10 after x9."""
    found = _NUMBERED.match(symbol)
    return (found[1], int(found[2]), symbol) if found else (symbol, -1, symbol)


def ordered_axis(symbols: Iterable[str]) -> tuple[str, ...] | None:
    """Return the symbols as the marks of an axis, or None where they have no order that anyone would expect.

    An axis has numbers (`1 2 3`), single letters (`a b c`) or one prefix with numbers (`x1 x2 x3`), with few gaps.
    """
    marks = sorted(set(symbols), key=natural)
    if len(marks) < 2:
        return None
    if all(len(mark) == 1 and mark.isalpha() for mark in marks):
        places = [ord(mark.lower()) for mark in marks]
    else:
        keys = [natural(mark) for mark in marks]
        if len({key[0] for key in keys}) > 1 or any(not _NUMBERED.match(mark) for mark in marks):
            return None
        places = [key[1] for key in keys]
    # 0 10 20 30 are scores, not places; one missing row is a hole.
    is_dense = places[-1] - places[0] + 1 <= 1.5 * len(marks)
    return tuple(marks) if is_dense else None
