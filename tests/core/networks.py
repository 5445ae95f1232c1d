"""Random small networks and the slow, obvious answer to them: what the native kernel is compared with."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from woodstock._native import Solver

Row = tuple[int, ...]


@dataclass
class Rule:
    """One constraint: which variables, how to add it to a solver, and its definition."""

    scope: tuple[int, ...]
    post: Callable[[Solver], None]
    holds: Callable[[Row], bool]
    text: str = ""


@dataclass
class Network:
    domains: list[list[int]]
    rules: list[Rule] = field(default_factory=list)

    def solver(self) -> Solver:
        solver = Solver()
        for values in self.domains:
            solver.add_variable(values)
        for rule in self.rules:
            rule.post(solver)
        return solver

    def solutions(self, domains: Sequence[Sequence[int]] | None = None) -> set[Row]:
        """Every assignment, one by one."""
        rows = itertools.product(*(self.domains if domains is None else domains))
        return {row for row in rows if all(r.holds(tuple(row[x] for x in r.scope)) for r in self.rules)}

    def __str__(self) -> str:
        return f"{self.domains} " + " ".join(f"{r.text}{r.scope}" for r in self.rules)


def array(rows: Iterable[Row], arity: int) -> NDArray[np.int32]:
    return np.array(sorted(rows), dtype=np.int32).reshape(-1, arity)


def as_set(rows: NDArray[np.int32] | None) -> set[Row]:
    """The rows as tuples; fails if one is there twice."""
    assert rows is not None and rows.dtype == np.int32
    found = {tuple(row) for row in rows.tolist()}
    assert len(found) == len(rows), "a solution is reported twice"
    return found


def random_domain(dice: random.Random, most: int = 5) -> list[int]:
    return sorted(dice.sample(range(-3, 7), dice.randint(1, most)))


def random_scope(dice: random.Random, count: int, arity: int) -> tuple[int, ...]:
    """Mostly different variables, now and then one twice."""
    if dice.random() < 0.15:
        return tuple(dice.randrange(count) for _ in range(arity))
    return tuple(dice.sample(range(count), min(arity, count)))


def random_table(dice: random.Random, domains: list[list[int]], algorithm: str = "compact-table") -> Rule:
    """Allowed or forbidden rows, some with values that no domain has, some with wildcards."""
    scope = random_scope(dice, len(domains), dice.randint(1, 4))
    any_value = 99 if dice.random() < 0.4 else None
    share = dice.choice([0.1, 0.3, 0.5, 0.8])
    rows = {row for row in itertools.product(*(domains[x] for x in scope)) if dice.random() < share}
    if any_value is not None:
        rows = {tuple(any_value if dice.random() < 0.25 else v for v in row) for row in rows if dice.random() < 0.5}
    if rows and dice.random() < 0.3:
        rows.add(tuple(dice.choice([-9, 50, domains[x][0]]) for x in scope))
    is_allowed = dice.random() < 0.6

    def holds(values: Row) -> bool:
        fits = any(all(a in (v, any_value) for a, v in zip(row, values, strict=True)) for row in rows)
        return fits == is_allowed

    def post(solver: Solver) -> None:
        solver.add_table(scope, array(rows, len(scope)), is_allowed, any_value, algorithm)

    return Rule(scope, post, holds, f"table({'allowed' if is_allowed else 'forbidden'}, {algorithm}, {sorted(rows)})")


def random_clause(dice: random.Random, domains: list[list[int]]) -> Rule:
    literals = [(x := dice.randrange(len(domains)), dice.choice([*domains[x], 9])) for _ in range(dice.randint(1, 5))]
    split = dice.randint(0, len(literals))
    positive, negative = literals[:split], literals[split:]
    scope = tuple(range(len(domains)))

    def holds(values: Row) -> bool:
        return any(values[x] == v for x, v in positive) or any(values[x] != v for x, v in negative)

    return Rule(scope, lambda solver: solver.add_clause(positive, negative), holds, f"clause({positive}, {negative})")


def random_gate(dice: random.Random, domains: list[list[int]]) -> Rule:
    literals = [(x := dice.randrange(len(domains)), dice.choice(domains[x])) for _ in range(dice.randint(0, 4))]
    split = dice.randint(0, len(literals))
    positive, negative = literals[:split], literals[split:]
    result = (y := dice.randrange(len(domains)), dice.choice(domains[y]))
    is_all = dice.random() < 0.5
    scope = tuple(range(len(domains)))

    def holds(values: Row) -> bool:
        truths = [values[x] == v for x, v in positive] + [values[x] != v for x, v in negative]
        return (values[result[0]] == result[1]) == (all(truths) if is_all else any(truths))

    def post(solver: Solver) -> None:
        (solver.add_all_of if is_all else solver.add_any_of)(result, positive, negative)

    return Rule(scope, post, holds, f"{'all' if is_all else 'any'}({result}, {positive}, {negative})")
