"""The conditional probability table of a chance variable.

It has one distribution over the domain for each tuple of values of the variables that it depends on. Probabilities are
fractions or floats, as the modeller wrote them; `exact` reads a float as the decimal that it prints as, and scales the
distribution to sum to 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from woodstock.constraint.constraint import preview
from woodstock.constraint.expression import Value
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.soft import Number, exact_fraction, read_share

CONDITION_LIMIT = 1_000_000
_TOLERANCE = 1e-9
Distribution = Mapping[Value, Number | str] | Sequence[Number | str]


class ProbabilityTable:
    """P(variable | given): one distribution for each tuple over `given`, by positions in the domains."""

    __slots__ = ("_shared", "given", "rows", "variable")

    def __init__(
        self, variable: Variable, given: Sequence[Variable], rows: Mapping[tuple[int, ...], tuple[Number, ...]]
    ) -> None:
        self.variable, self.given, self.rows = variable, tuple(given), dict(rows)
        self._shared: dict[tuple[Number, ...], tuple[Fraction, ...]] = {}

    def at(self, condition: tuple[int, ...]) -> tuple[Number, ...]:
        """Return the distribution as written, for these positions of the given variables."""
        return self.rows[condition]

    def exact(self, condition: tuple[int, ...]) -> tuple[Fraction, ...]:
        """Return the distribution in fractions that sum to exactly 1."""
        row = self.rows[condition]
        if row not in self._shared:
            fractions = [exact_fraction(p) for p in row]
            whole = sum(fractions)
            self._shared[row] = tuple(p / whole for p in fractions)
        return self._shared[row]

    def probability(self, value: Value, assignment: Mapping[int, Value]) -> Number:
        """Return the probability of `value` under an assignment of the given variables."""
        condition = tuple(v.positions[assignment[v.index]] for v in self.given)
        return self.rows[condition][self.variable.positions[value]]

    def __repr__(self) -> str:
        bar = f" | {', '.join(v.name for v in self.given)}" if self.given else ""
        return f"P({self.variable.name}{bar}): {len(self.rows)} rows"


def uniform(variable: Variable) -> ProbabilityTable:
    """Return the table that gives each value the same probability."""
    share = Fraction(1, len(variable.domain))
    return ProbabilityTable(variable, (), {(): (share,) * len(variable.domain)})


def conditional(
    variable: Variable,
    given: Sequence[Variable],
    table: Mapping[Any, Any] | Sequence[Number | str] | Callable[..., Distribution],
    otherwise: Distribution | None = None,
) -> ProbabilityTable:
    """Check a table as written: a distribution, one for each condition, or a function of the condition."""
    for other in given:
        if not other.order < variable.order:
            raise ModelError(
                f"variable {variable.name}: its probabilities depend on {other.name}, which does not come before it"
            )
    if not given:
        if callable(table):
            table = table()
        return ProbabilityTable(variable, (), {(): _distribution(variable, "", table)})
    if math.prod(len(v.domain) for v in given) > CONDITION_LIMIT:
        raise ModelError(
            f"variable {variable.name}: the probability table over {', '.join(v.name for v in given)} has more than "
            f"{CONDITION_LIMIT:,} conditions; make them depend on fewer variables"
        )
    if not callable(table) and not isinstance(table, Mapping):
        raise ModelError(f"variable {variable.name}: give a distribution for each value of {given[0].name}, as a dict")
    find = _from_function(table) if callable(table) else _from_mapping(variable, given, table, otherwise)
    rows = {}
    for positions in itertools.product(*(range(len(v.domain)) for v in given)):
        values = tuple(v.domain[p] for v, p in zip(given, positions, strict=True))
        where = " where " + ", ".join(f"{v.name} = {value!r}" for v, value in zip(given, values, strict=True))
        rows[positions] = _distribution(variable, where, find(values, where))
    return ProbabilityTable(variable, given, rows)


def _from_function(table: Callable[..., Distribution]) -> Callable[[tuple[Value, ...], str], Distribution]:
    return lambda values, _: table(*values)


def _from_mapping(
    variable: Variable, given: Sequence[Variable], table: Mapping[Any, Distribution], otherwise: Distribution | None
) -> Callable[[tuple[Value, ...], str], Distribution]:
    # A single condition may be written as the value alone.
    single = len(given) == 1
    known = {key if isinstance(key, tuple) and not (single and key in given[0].positions) else (key,) for key in table}
    for key in known:
        if len(key) != len(given):
            raise ModelError(
                f"variable {variable.name}: the condition {key!r} has {len(key)} values for {len(given)} variables "
                f"({', '.join(v.name for v in given)})"
            )
        for v, value in zip(given, key, strict=True):
            if value not in v.positions:
                raise ModelError(
                    f"variable {variable.name}: the condition {key!r} has {value!r}, which is not in the domain of "
                    f"variable {v.name} ({preview(v.domain)})"
                )

    def find(values: tuple[Value, ...], where: str) -> Distribution:
        for key in (values, values[0]) if single else (values,):
            if key in table:
                return table[key]
        if otherwise is None:
            raise ModelError(f"variable {variable.name}: no probabilities{where}")
        return otherwise

    return find


def _distribution(variable: Variable, where: str, given: object) -> tuple[Number, ...]:
    name = f"variable {variable.name}"
    if isinstance(given, Mapping):
        for value in given:
            if value not in variable.positions:
                known = preview(variable.domain)
                raise ModelError(f"{name}: a probability for {value!r}{where}, which is not in its domain ({known})")
        listed = [given.get(value, 0) for value in variable.domain]
    elif isinstance(given, Sequence) and not isinstance(given, str):
        listed = list(given)
        if len(listed) != len(variable.domain):
            raise ModelError(f"{name}: {len(listed)} probabilities for {len(variable.domain)} values{where}")
    else:
        raise ModelError(f"{name}: {given!r} is not a distribution{where}; give a dict from values to probabilities")
    row = tuple(_probability(name, where, value, p) for value, p in zip(variable.domain, listed, strict=True))
    whole: Any = sum(row)
    is_exact = not any(isinstance(p, float) for p in row)
    if whole != 1 and (is_exact or abs(whole - 1) > _TOLERANCE):
        raise ModelError(f"{name}: the probabilities{where} sum to {whole}, not to 1")
    return row


def _probability(name: str, where: str, value: Value, given: object) -> Number:
    p = read_share(given)
    if p is None:
        raise ModelError(f"{name}: the probability of {value!r}{where} is {given!r}, not a number from 0 to 1")
    return p
