"""Soft constraints: conditions and tables that give each player a utility."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from woodstock.constraint.constraint import Constraint, Rows
from woodstock.constraint.expression import Value
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

Number = Fraction | float | int


def exact_fraction(number: Number) -> Fraction:
    """Return a number as a fraction: a float is read as the decimal that it prints as."""
    return Fraction(str(number)) if isinstance(number, float) else Fraction(number)


def read_share(value: object) -> Number | None:
    """Return a number from 0 to 1, which may be text such as 1/3; None if it is not one."""
    try:
        number: object = Fraction(value) if isinstance(value, str | int) else value
    except (ValueError, ZeroDivisionError):
        return None
    return number if isinstance(number, Fraction | float) and 0 <= number <= 1 else None


class Soft:
    """A soft constraint: each player gets a utility if `test` holds, and `otherwise` if not.

    A table of many utilities is a list of rows with a utility each; `test` is then none.
    """

    __slots__ = ("_values", "name", "otherwise", "rows", "scope", "test", "utilities")

    def __init__(
        self,
        name: str,
        scope: Sequence[Variable],
        utilities: Sequence[tuple[Number, ...]],
        otherwise: tuple[Number, ...],
        *,
        rows: Rows | None = None,
        test: Constraint | None = None,
    ) -> None:
        self.name, self.scope = name, tuple(scope)
        self.utilities, self.otherwise, self.rows, self.test = tuple(utilities), otherwise, rows, test
        self._values: dict[tuple[int, ...], tuple[Number, ...]] | None = None

    @property
    def is_stochastic(self) -> bool:
        """Whether the scope has a chance variable."""
        return any(variable.is_chance for variable in self.scope)

    def utility(self, assignment: Mapping[int, Value]) -> tuple[Number, ...]:
        """Return the utility of each player under the assignment."""
        if self.test is not None:
            return self.utilities[0] if self.test.holds(assignment) else self.otherwise
        return self.utility_at(tuple(variable.positions[assignment[variable.index]] for variable in self.scope))

    def utility_at(self, positions: tuple[int, ...]) -> tuple[Number, ...]:
        """Return the utility of each player at these positions of the domains; for tables of utilities."""
        if self._values is None:
            rows = [] if self.rows is None else self.rows.tolist()
            self._values = {tuple(row): utility for row, utility in zip(rows, self.utilities, strict=True)}
        return self._values.get(positions, self.otherwise)

    def __repr__(self) -> str:
        if self.test is not None:
            return f"{self.test!r} -> {', '.join(map(str, self.utilities[0]))}"
        return f"{self.name}({', '.join(v.name for v in self.scope)}): {len(self.utilities)} utilities"


def read_unit(where: str, value: object) -> Number:
    """Return a number from 0 to 1; ModelError names the place."""
    number = read_share(value)
    if number is None:
        raise ModelError(f"{where}: {value!r} is not a number from 0 to 1")
    return number
