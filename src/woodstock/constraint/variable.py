"""A variable: a name, a finite domain of any hashable values, who sets it and in which stage.

A decision variable is set by the policy. A chance (stochastic) variable takes a value by itself, each with the
probability that its table gives under the values of the variables before it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from woodstock.constraint.expression import Expression, Value
from woodstock.errors import ModelError

DOMAIN_LIMIT = 4_000_000


class Variable(Expression):
    """One variable of one network; made by `Network.decision` and `Network.chance`."""

    __slots__ = ("domain", "index", "is_chance", "name", "positions", "stage")

    def __init__(self, name: str, domain: Iterable[Value], *, index: int, is_chance: bool, stage: int) -> None:
        self.name, self.index, self.is_chance, self.stage = name, index, is_chance, stage
        self.domain = _checked_domain(name, domain)
        self.positions = {value: position for position, value in enumerate(self.domain)}

    @property
    def order(self) -> tuple[int, bool, int]:
        """The place in the network's order: by stage, decisions before chance, then as declared."""
        return self.stage, self.is_chance, self.index

    @property
    def is_integer(self) -> bool:
        """Whether every value is an integer, so that arithmetic has propagators of its own."""
        return all(type(value) is int for value in self.domain)

    def variables(self) -> Iterator[Variable]:
        yield self

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return assignment[self.index]

    def __repr__(self) -> str:
        return self.name


def _checked_domain(name: str, domain: Iterable[Value]) -> tuple[Value, ...]:
    if isinstance(domain, str):
        raise ModelError(f"variable {name}: the domain is the text {domain!r}; give a list of values")
    try:
        # Counted before it is kept: range(10**12) must not fill the memory.
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
            raise ModelError(f"variable {name}: the value {value!r} stands twice in the domain")
        seen.add(value)
    return values
