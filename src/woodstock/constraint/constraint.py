"""Constraints: tables and conditions.

A table keeps its rows as positions in the domains (int32, one row for each tuple, -1 for the wildcard `ANY`), so that
a million tuples of any hashable values cost 4 bytes for each cell. A condition keeps its expression and is tabulated
only on demand.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from woodstock.constraint.expression import Expression, Value
from woodstock.constraint.values import cannot_evaluate, evaluate_all
from woodstock.constraint.variable import Variable, scope_of, space
from woodstock.errors import ModelError

Rows = NDArray[np.int32]
WILDCARD: Final = -1


class _Any:
    """The type of `ANY`."""

    def __repr__(self) -> str:
        return "ANY"

    def __reduce__(self) -> str:
        return "ANY"


ANY: Final = _Any()
"""Any value of its column, in a short tuple."""


class Constraint:
    """What tables and conditions have in common: a name, a scope, and a truth value for each assignment."""

    __slots__ = ("name", "scope")

    def __init__(self, name: str, scope: Sequence[Variable]) -> None:
        self.name, self.scope = name, tuple(scope)

    def holds(self, assignment: Mapping[int, Value]) -> bool:
        """Return whether the constraint holds if variable number i takes ``assignment[i]``."""
        raise NotImplementedError

    @property
    def is_stochastic(self) -> bool:
        """Whether the scope has a chance variable."""
        return any(variable.is_chance for variable in self.scope)

    @property
    def arity(self) -> int:
        """The number of variables in the scope."""
        return len(self.scope)

    def space(self) -> int:
        """Return the number of tuples over the scope, allowed or not."""
        return space(self.scope)


class Table(Constraint):
    """A relation given by its allowed or by its forbidden tuples."""

    __slots__ = ("_lookup", "is_allowed", "rows")

    def __init__(self, name: str, scope: Sequence[Variable], rows: Rows, *, is_allowed: bool = True) -> None:
        super().__init__(name, scope)
        self.rows, self.is_allowed = rows, is_allowed
        self._lookup: dict[tuple[int, ...], set[tuple[int, ...]]] | None = None

    @property
    def is_short(self) -> bool:
        """Whether some tuple has a wildcard."""
        return bool((self.rows == WILDCARD).any())

    def tuples(self) -> Iterator[tuple[Value, ...]]:
        """Yield the tuples as given, in values, with `ANY` for wildcards."""
        for row in self.rows.tolist():
            yield tuple(
                ANY if position == WILDCARD else variable.domain[position]
                for variable, position in zip(self.scope, row, strict=True)
            )

    def holds(self, assignment: Mapping[int, Value]) -> bool:
        return self.allows([variable.positions[assignment[variable.index]] for variable in self.scope])

    def allows(self, positions: Sequence[int]) -> bool:
        """Return whether the tuple at these positions of the domains is allowed."""
        if self._lookup is None:
            # One set for each pattern of fixed columns: a lookup costs as many probes as there are patterns, often one.
            self._lookup = {}
            for row in self.rows.tolist():
                columns = tuple(column for column, position in enumerate(row) if position != WILDCARD)
                self._lookup.setdefault(columns, set()).add(tuple(row[column] for column in columns))
        is_listed = any(
            tuple(positions[column] for column in columns) in keys for columns, keys in self._lookup.items()
        )
        return is_listed == self.is_allowed

    def __repr__(self) -> str:
        kind = "allowed" if self.is_allowed else "forbidden"
        return f"{self.name}({', '.join(v.name for v in self.scope)}): {len(self.rows)} {kind} tuples"


class Condition(Constraint):
    """An expression that must be true."""

    __slots__ = ("expression",)

    def __init__(self, name: str, expression: Expression) -> None:
        super().__init__(name, scope_of(expression))
        self.expression = expression

    def holds(self, assignment: Mapping[int, Value]) -> bool:
        try:
            return bool(self.expression.evaluate(assignment))
        except (TypeError, ZeroDivisionError) as error:
            raise cannot_evaluate(self.expression, assignment, f"constraint {self.name}", error) from error

    def __repr__(self) -> str:
        return f"{self.name}: {self.expression!r}"


class ElementOf(Condition):
    """The condition that a variable equals the entry of a list at an index, which counts from `start`."""

    __slots__ = ("entries", "index", "start", "value")

    def __init__(
        self,
        name: str,
        expression: Expression,
        entries: Sequence[Variable],
        index: Variable,
        start: int,
        value: Variable,
    ) -> None:
        super().__init__(name, expression)
        self.entries, self.index, self.start, self.value = tuple(entries), index, start, value


def read_rows(
    name: str,
    scope: Sequence[Variable],
    tuples: Iterable[Any],
    *,
    row_limit: int,
    with_wildcards: bool = True,
) -> Rows:
    """Turn tuples of values into rows of positions; an error names the constraint, the tuple and the variable."""
    # Flat and 4 bytes a cell while reading too: a list of lists would cost twenty times that.
    cells = array("i")
    for number, entry in enumerate(tuples, start=1):
        values = _entry(scope, entry)
        if len(values) != len(scope):
            raise ModelError(
                f"constraint {name}: tuple {number} {entry!r} has {len(values)} values for "
                f"{len(scope)} variables ({', '.join(v.name for v in scope)})"
            )
        if number > row_limit:
            raise ModelError(
                f"constraint {name}: more than {row_limit:,} tuples of {len(scope)} values exceed the network's "
                "memory limit; use short tuples with ANY or an expression, or raise Network(memory_mb=...)"
            )
        cells.extend(_position(name, number, v, value, with_wildcards) for v, value in zip(scope, values, strict=True))
    return np.array(cells, dtype=np.int32).reshape(-1, len(scope))


def check_rows(name: str, scope: Sequence[Variable], rows: Rows, *, cell_limit: int) -> None:
    """Check rows of positions from elsewhere."""
    if rows.ndim != 2 or rows.shape[1] != len(scope):
        names = ", ".join(v.name for v in scope)
        raise ModelError(f"constraint {name}: rows of shape {rows.shape} for {len(scope)} variables ({names})")
    if rows.size > cell_limit:
        raise ModelError(
            f"constraint {name}: {len(rows):,} tuples of {len(scope)} values exceed the network's memory limit; "
            "raise Network(memory_mb=...)"
        )
    for column, variable in enumerate(scope):
        outside = (rows[:, column] < WILDCARD) | (rows[:, column] >= len(variable.domain))
        if outside.any():
            number = int(outside.argmax())
            raise ModelError(
                f"constraint {name}: tuple {number + 1} has position {rows[number, column]}, but variable "
                f"{variable.name} has {len(variable.domain)} values"
            )


def _entry(scope: Sequence[Variable], entry: object) -> tuple[Value, ...]:
    # One variable: the value may stand alone, and may itself be a tuple.
    if not isinstance(entry, tuple | list):
        return (entry,)
    if len(scope) == 1 and isinstance(entry, tuple) and entry in scope[0].positions:
        return (entry,)
    return tuple(entry)


def tabulate(condition: Condition, limit: int) -> Rows:
    """Return the rows that satisfy the condition; at most `limit` tuples are tried."""
    size = condition.space()
    if size > limit:
        raise ModelError(
            f"constraint {condition.name}: {condition.expression!r} has {size:,} tuples to try, the limit is {limit:,}"
        )
    holds = evaluate_all(condition.expression, condition.scope, f"constraint {condition.name}").astype(bool)
    return np.argwhere(holds.reshape([len(v.domain) for v in condition.scope])).astype(np.int32)


def _position(name: str, number: int, variable: Variable, value: Value, with_wildcards: bool) -> int:
    if value is ANY:
        if with_wildcards:
            return WILDCARD
        raise ModelError(f"constraint {name}: tuple {number} has ANY, which a table of utilities cannot have")
    try:
        return variable.positions[value]
    except (KeyError, TypeError):
        raise ModelError(
            f"constraint {name}: tuple {number} has {value!r}, which is not in the domain of variable "
            f"{variable.name} ({preview(variable.domain)})"
        ) from None


def preview(values: Sequence[object], limit: int = 6) -> str:
    """Return the values as text; if there are many, only the first and the last."""
    if len(values) <= limit:
        return ", ".join(map(repr, values))
    return f"{', '.join(map(repr, values[: limit - 2]))}, ..., {values[-1]!r}"
