"""Fluents as the view sees them: a name and a row of symbols.

Nested terms are flattened: `(at (square 1 2) king)` has the symbols `square 1 2 king`. A symbol that is the same in all
fluents of a name and length distinguishes nothing, so nested functors drop out by themselves. A symbol may also be
two coordinates in one, `c4`: a `Cut` takes it apart.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"[()]|[^\s()]+")
_NUMBERED = re.compile(r"^(.*?)(-?\d+)$")
_PART = re.compile(r"[^\W\d_]+|\d+")
_KEPT_FACTS = 1 << 16


@dataclass(frozen=True, slots=True)
class Fact:
    """One fluent, taken apart. `text` is the fluent as the game writes it."""

    name: str
    args: tuple[str, ...]
    text: str

    @property
    def key(self) -> tuple[str, int]:
        """The name and the number of symbols."""
        return self.name, len(self.args)


@functools.lru_cache(maxsize=_KEPT_FACTS)
def fact(text: str) -> Fact:
    """Take a fluent apart.

    >>> fact("(at (square 1 2) king)").args
    ('square', '1', '2', 'king')
    """
    name, *args = [token for token in _TOKEN.findall(text) if token not in "()"]
    return Fact(name, tuple(args), text)


def natural(symbol: str) -> tuple[str, int, str]:
    """Return a sort key that puts 10 after 9, and x10 after x9."""
    found = _NUMBERED.match(symbol)
    return (found[1], int(found[2]), symbol) if found else (symbol, -1, symbol)


def is_number(symbol: str) -> bool:
    """Return whether a symbol is a number, with a prefix or without: `12`, `s12`."""
    return _NUMBERED.match(symbol) is not None


def ordered_axis(symbols: Iterable[str], chains: Sequence[Sequence[str]] = ()) -> tuple[str, ...] | None:
    """Return the symbols as the marks of an axis, or None if they have no natural order.

    An axis has numbers (`1 2 3`), single letters (`a b c`), one prefix with numbers (`x1 x2 x3`), with few gaps, or
    symbols that a chain of the rules puts in order, under any name.
    """
    marks = sorted(set(symbols), key=natural)
    if len(marks) < 2:
        return None
    places = _usual_places(marks)
    if places is not None and _is_dense(places):
        return tuple(marks)
    for chain in chains:
        if set(marks) <= set(chain) and _is_dense([chain.index(mark) for mark in marks]):
            return tuple(sorted(marks, key=chain.index))
    return None


def _usual_places(marks: Sequence[str]) -> list[int] | None:
    """Return the place of each mark in the alphabet or among the numbers; None for other marks."""
    if all(len(mark) == 1 and mark.isalpha() for mark in marks):
        return [ord(mark.lower()) for mark in marks]
    keys = [natural(mark) for mark in marks]
    if len({key[0] for key in keys}) > 1 or any(not _NUMBERED.match(mark) for mark in marks):
        return None
    return [key[1] for key in keys]


def _is_dense(places: Sequence[int]) -> bool:
    # 0 10 20 30 are scores, not places; one missing row is a hole.
    return max(places) - min(places) + 1 <= 1.5 * len(places)


@dataclass(frozen=True, slots=True)
class Cut:
    """How the symbol at `position` is two coordinates in one: `kept` are the two parts of it that vary."""

    position: int
    kept: tuple[int, int]
    is_digits: bool

    def apart(self, args: Sequence[str]) -> tuple[str, ...]:
        """Return the arguments with that symbol replaced by its two coordinates."""
        parts = _parts(args[self.position], self.is_digits)
        if len(parts) <= max(self.kept):
            parts = [args[self.position]] * (max(self.kept) + 1)
        return (*args[: self.position], *(parts[i] for i in self.kept), *args[self.position + 1 :])


def find_cut(position: int, symbols: Iterable[str]) -> Cut | None:
    """Return how to take symbols such as `a1`, `r2c3` or `12` (row 1, column 2) apart; None if they are simple."""
    marks = sorted(set(symbols))
    if len(marks) < 4:
        return None
    numbers = [mark for mark in marks if mark.isdecimal()]
    is_digits = len(numbers) == len(marks) and all(len(mark) == 2 for mark in marks)
    if is_digits and int(marks[-1]) - int(marks[0]) + 1 == len(marks):
        return None  # 10 to 25 without a gap: plain numbers
    split = [_parts(mark, is_digits) for mark in marks]
    if len({len(parts) for parts in split}) != 1 or len({tuple(parts) for parts in split}) != len(marks):
        return None
    domains = [{parts[i] for parts in split} for i in range(len(split[0]))]
    varying = [i for i, domain in enumerate(domains) if len(domain) > 1]
    if len(varying) != 2 or len(marks) < 0.4 * len(domains[varying[0]]) * len(domains[varying[1]]):
        return None
    return Cut(position, (varying[0], varying[1]), is_digits)


def _parts(symbol: str, is_digits: bool) -> list[str]:
    return list(symbol) if is_digits else _PART.findall(symbol)
