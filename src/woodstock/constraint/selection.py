"""Expressions that select: if-then-else, the element of a list, membership in a table; and implication.

They evaluate integers as well as arrays of integers, so that small conditions can be tabulated at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from woodstock.constraint.expression import Constant, Expression, Predicate, any_of, condition, negate, wrap
from woodstock.constraint.plain import LARGEST, plain, shown
from woodstock.errors import ModelError

_LISTED = 100_000  # rows of a table that are kept as a set


class IfThenElse(Expression):
    """One of two terms, by a condition."""

    __slots__ = ("otherwise", "test", "then")

    def __init__(self, test: Expression, then: Expression, otherwise: Expression) -> None:
        self.test, self.then, self.otherwise = test, then, otherwise

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.test, self.then, self.otherwise

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        test = self.test.evaluate(assignment)
        if isinstance(test, np.ndarray):
            return np.where(test, self.then.evaluate(assignment), self.otherwise.evaluate(assignment))
        return (self.then if test else self.otherwise).evaluate(assignment)

    def __repr__(self) -> str:
        return f"choose({self.test!r}, {self.then!r}, {self.otherwise!r})"


class Element(Expression):
    """The entry of a list of terms at an index that is itself a term, counted from 0.

    `numbers` is an array of the entries if all of them are constants, else none.
    """

    __slots__ = ("entries", "index", "numbers")

    def __init__(self, entries: Sequence[Expression], index: Expression) -> None:
        self.entries, self.index = tuple(entries), index
        self.numbers: Any = None
        if all(isinstance(entry, Constant) for entry in self.entries):
            self.numbers = np.array([entry.value for entry in self.entries])  # type: ignore[attr-defined]

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.index, *(self.entries if self.numbers is None else ()))

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        index = self.index.evaluate(assignment)
        if self.numbers is not None:
            found = self.numbers[index]
            return found if isinstance(found, np.ndarray) else int(found)
        if isinstance(index, np.ndarray):
            raise TypeError("an element of variables cannot be evaluated on arrays")
        return self.entries[index].evaluate(assignment)

    def __repr__(self) -> str:
        if len(self.entries) > 6:
            return f"element([{self.entries[0]!r}, ..., {self.entries[-1]!r}], {self.index!r})"
        return f"element({list(self.entries)!r}, {self.index!r})"


class Member(Predicate):
    """Terms that together are one of the rows of a table; a condition.

    `array` has the rows in ascending order, each once, so that millions of them fit.
    """

    __slots__ = ("_rows", "array", "is_allowed", "terms")

    def __init__(self, terms: Sequence[Expression], rows: Any, *, is_allowed: bool) -> None:
        self.terms, self.is_allowed = tuple(terms), is_allowed
        self.array = _ascending(np.array(rows, dtype=np.int64).reshape(-1, len(self.terms)))
        self._rows: frozenset[tuple[int, ...]] | None = None

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.terms

    @property
    def rows(self) -> frozenset[tuple[int, ...]]:
        """The rows as a set."""
        if self._rows is None:
            self._rows = frozenset(map(tuple, self.array.tolist()))
        return self._rows

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        values = tuple(term.evaluate(assignment) for term in self.terms)
        if len(values) == 1 and isinstance(values[0], np.ndarray):
            return np.isin(values[0], self.array[:, 0], invert=not self.is_allowed)
        if len(self.array) > _LISTED and not any(isinstance(value, np.ndarray) for value in values):
            return self._has(values) == self.is_allowed
        return (values in self.rows) == self.is_allowed

    def _has(self, values: tuple[int, ...]) -> bool:
        """Look a row up column by column; a set of so many rows would be large."""
        low, high = 0, len(self.array)
        for column, value in enumerate(values):
            cells = self.array[low:high, column]
            low, high = low + int(np.searchsorted(cells, value)), low + int(np.searchsorted(cells, value, side="right"))
        return low < high

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.terms))
        return f"({names}) {'in' if self.is_allowed else 'not in'} a table of {len(self.array)} rows"


def _ascending(rows: Any) -> Any:
    """Return the rows in ascending order, each once."""
    is_greater, is_equal = np.zeros(max(len(rows) - 1, 0), dtype=bool), np.ones(max(len(rows) - 1, 0), dtype=bool)
    for column in rows.T:
        is_greater |= is_equal & (column[1:] > column[:-1])
        is_equal &= column[1:] == column[:-1]
    return rows if bool(is_greater.all()) else np.unique(rows, axis=0)


def implies(premise: object, conclusion: object) -> Expression:
    """Return the condition that the conclusion holds if the premise does."""
    return any_of([negate(condition(premise)), conclusion])


def choose(test: object, then: object, otherwise: object) -> Expression:
    """Return `then` if the test holds, else `otherwise`."""
    return IfThenElse(condition(test), wrap(then), wrap(otherwise))


def element(entries: Iterable[object], index: object) -> Expression:
    """Return the entry at an index, counted from 0; entries are numbers or terms."""
    terms = [wrap(entry) for entry in entries]
    if not terms:
        raise ModelError("element: the list is empty")
    return Element(terms, wrap(index))


def in_table(terms: Iterable[object], rows: Iterable[Sequence[int]], *, is_allowed: bool = True) -> Expression:
    """Return the condition that the terms are one of the rows (`is_allowed=False`: none of them)."""
    wrapped = [wrap(term) for term in terms]
    if not wrapped:
        raise ModelError("a table needs at least one term")
    if isinstance(rows, np.ndarray) and rows.ndim == 2 and np.issubdtype(rows.dtype, np.integer):
        if rows.shape[1] != len(wrapped):
            raise ModelError(f"the rows of the table have {rows.shape[1]} values for {len(wrapped)} terms")
        return Member(wrapped, rows, is_allowed=is_allowed)
    checked = []
    for number, row in enumerate(rows, start=1):
        values = tuple(map(plain, row)) if isinstance(row, list | tuple | np.ndarray) else (plain(row),)
        if len(values) != len(wrapped):
            raise ModelError(f"row {number} of the table has {len(values)} values for {len(wrapped)} terms")
        if not all(type(value) is int for value in values):
            raise ModelError(f"row {number} of the table {shown(values)} has a value that is not an integer")
        if any(abs(value) > LARGEST for value in values):
            raise ModelError(f"row {number} of the table {shown(values)} has a number of more than 53 bits")
        checked.append(values)
    return Member(wrapped, checked, is_allowed=is_allowed)
