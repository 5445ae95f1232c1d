"""A variable: a name, a finite domain of hashable values, its kind and its stage.

The policy sets a decision variable. One that is propagated follows from the variables before it: there is nothing to
decide. A chance (stochastic) variable takes each value with the probability that its
table gives, which may depend on the variables before it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from woodstock.constraint.expression import Expression, Value
from woodstock.errors import ModelError

DOMAIN_LIMIT = 4_000_000
INT_LIMIT = 2**31 - 1


class Variable(Expression):
    """One variable of one network; made by `Network.decision` and `Network.chance`."""

    __slots__ = ("_codes", "domain", "index", "is_chance", "is_propagated", "name", "positions", "stage")

    def __init__(
        self,
        name: str,
        domain: Iterable[Value],
        *,
        index: int,
        is_chance: bool,
        stage: int,
        is_propagated: bool = False,
    ) -> None:
        self.name, self.index, self.is_chance, self.stage = name, index, is_chance, stage
        self.is_propagated = is_propagated
        self.domain = _checked_domain(name, domain)
        self.positions = {value: position for position, value in enumerate(self.domain)}
        self._codes: list[int] | None = None

    def restrict_to(self, value: Value) -> None:
        """Leave only this value in the domain."""
        self.domain, self.positions, self._codes = (value,), {value: 0}, None

    @property
    def order(self) -> tuple[int, bool, int]:
        """The place in the order of the model: by stage, decisions before chance, then as declared."""
        return self.stage, self.is_chance, self.index

    @property
    def is_integer(self) -> bool:
        """Whether every value is an integer."""
        return all(type(value) is int for value in self.domain)

    @property
    def codes(self) -> list[int]:
        """The integers that stand for the values: integers of 32 bits for themselves, other values by position."""
        if self._codes is None:
            values: Any = self.domain
            is_itself = self.is_integer and all(abs(value) < INT_LIMIT for value in values)
            self._codes = list(values) if is_itself else list(range(len(values)))
        return self._codes

    @property
    def is_numeric(self) -> bool:
        """Whether the codes equal the values, so that arithmetic on the values can be posted."""
        return self.codes == list(self.domain)

    def variables(self) -> Iterator[Variable]:
        yield self

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return assignment[self.index]

    def __repr__(self) -> str:
        return self.name


def scope_of(expression: Expression) -> tuple[Variable, ...]:
    """Return the variables of an expression, each once, in the order of the model."""
    unique = {variable.index: variable for variable in expression.variables()}
    return tuple(sorted(unique.values(), key=lambda variable: variable.order))


def space(scope: tuple[Variable, ...]) -> int:
    """Return the number of assignments of the variables."""
    return math.prod(len(variable.domain) for variable in scope)


def _checked_domain(name: str, domain: Iterable[Value]) -> tuple[Value, ...]:
    if isinstance(domain, str):
        raise ModelError(f"variable {name}: the domain is the text {domain!r}; give a list of values")
    try:
        # Counted while reading: range(10**12) must not fill the memory.
        values = tuple(itertools.islice(domain, DOMAIN_LIMIT + 1))
    except TypeError:
        raise ModelError(f"variable {name}: the domain {domain!r} is not a collection of values") from None
    if len(values) > DOMAIN_LIMIT:
        raise ModelError(f"variable {name}: the domain has more than {DOMAIN_LIMIT:,} values")
    if not values:
        raise ModelError(f"variable {name}: the domain is empty; give at least one value")
    seen: set[Value] = set()
    for value in values:
        if isinstance(value, Expression):
            raise ModelError(f"variable {name}: {value!r} is an expression, not a value")
        try:
            known = value in seen
        except TypeError:
            raise ModelError(f"variable {name}: the value {value!r} is not hashable") from None
        if known:
            raise ModelError(f"variable {name}: the value {value!r} is twice in the domain")
        seen.add(value)
    return values
