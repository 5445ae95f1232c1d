"""The oracle: a quantified problem evaluated by its definition, and a generator of small random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from woodstock.qcsp import (
    Expression,
    Problem,
    Variable,
    all_different,
    all_of,
    any_of,
    choose,
    element,
    implies,
    in_table,
    maximum,
    minimum,
    total,
)


def wins(problem: Problem) -> bool:
    """Say whether the existential player wins, by trying everything."""
    return _value(problem, 0, {})


def winning_outer(problem: Problem) -> set[tuple[int, ...]]:
    """Return the assignments of the outermost existential variables that win."""
    outer = problem.outer
    count = next(i for i, block in enumerate(problem.blocks) if block.variables[-1] is outer[-1]) + 1
    found = set()
    restrictions = [restriction for block in problem.blocks[:count] for restriction in block.restrictions]
    for choice in _assignments(outer):
        values = _complete(problem, dict(choice))
        if all(r.evaluate(values) for r in restrictions) and _value(problem, count, values):
            found.add(tuple(values[v.index] for v in outer))
    return found


def _assignments(variables: list[Variable]) -> Iterator[dict[int, int]]:
    if not variables:
        yield {}
        return
    for rest in _assignments(variables[1:]):
        for value in variables[0].domain:
            yield {variables[0].index: value, **rest}  # type: ignore[dict-item]


def _complete(problem: Problem, values: dict[int, int]) -> dict[int, int]:
    for index, term in problem.definitions.items():
        if all(v.index in values for v in term.variables()):
            values[index] = int(term.evaluate(values))
    return values


def _value(problem: Problem, number: int, values: dict[int, int]) -> bool:
    if number == len(problem.blocks):
        return all(c.evaluate(values) for c in problem.constraints)
    block = problem.blocks[number]
    answers = []
    for choice in _assignments(block.variables):
        now = _complete(problem, {**values, **choice})
        if all(r.evaluate(now) for r in block.restrictions):
            answers.append(_value(problem, number + 1, now))
            if answers[-1] != block.is_universal:
                break
    return all(answers) if block.is_universal else any(answers)


def random_problem(
    seed: int, *, is_restricted: bool = False, has_definitions: bool = False, variables: int = 6
) -> Problem:
    """Return a problem small enough for the oracle, with every kind of expression over the seeds."""
    rng = random.Random(seed)
    problem = Problem(f"random{seed}")
    made: list[Variable] = []
    for number in range(rng.randint(3, variables)):
        low = rng.randint(-2, 2)
        domain = sorted(rng.sample(range(low, low + 5), rng.randint(1, 3)))
        add = problem.forall if rng.random() < 0.45 else problem.exists
        made.append(add(f"v{number}", domain))
        if has_definitions and rng.random() < 0.4:
            made.append(problem.define(f"d{number}", random_term(rng, made, 2)))
        if is_restricted and rng.random() < 0.5:
            problem.such_that(random_condition(rng, made, 1))
    for _ in range(rng.randint(1, 4)):
        problem.require(random_condition(rng, made, 2))
    return problem


def random_term(rng: random.Random, variables: list[Variable], depth: int) -> Any:
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(variables) if rng.random() < 0.85 else rng.randint(-3, 3)
    a, b = (random_term(rng, variables, depth - 1) for _ in range(2))
    x = rng.choice(variables)
    terms: list[Any] = [
        x + a,
        x - b,
        x * a,
        x // rng.choice([2, 3, -2]),
        x % rng.choice([2, 3, -3]),
        abs(x - 1),
        minimum([x, a, b]),
        maximum([x, a]),
        total([x, 2 * x, a]),
        choose(x > 0, a, b),
        element([3, 1, 2, 0, 5], abs(x) % 5),
        element([x, a, b, 1, 2], abs(x) % 5),
    ]
    return rng.choice(terms)


def random_condition(rng: random.Random, variables: list[Variable], depth: int) -> Expression:
    if depth and rng.random() < 0.6:
        a, b = (random_condition(rng, variables, depth - 1) for _ in range(2))
        made: list[Expression] = [a & b, a | b, ~a, implies(a, b), any_of([a, b]), all_of([a, b])]
        return rng.choice(made)
    x, y = rng.choice(variables), rng.choice(variables)
    term = random_term(rng, variables, 2)
    rows = [(rng.randint(-2, 4), rng.randint(-2, 4)) for _ in range(8)]
    conditions: list[Expression] = [
        x == term,
        x != term,
        x <= term,
        x < y + 1,
        x >= term,
        x > y - 2,
        all_different([x, y, x + y]),
        in_table([x, y], rows),
        in_table([x, y], rows, is_allowed=False),
    ]
    return rng.choice(conditions)


Qbf = tuple[list[tuple[str, list[int]]], list[list[int]]]


def random_qbf(seed: int, *, variables: int = 8, ratio: float = 2.2) -> Qbf:
    """Return blocks of numbered variables and clauses."""
    rng = random.Random(seed)
    count = rng.randint(4, variables)
    blocks: list[tuple[str, list[int]]] = []
    for number in range(1, count + 1):
        kind = rng.choice("ea")
        if blocks and blocks[-1][0] == kind:
            blocks[-1][1].append(number)
        else:
            blocks.append((kind, [number]))
    clauses = []
    for _ in range(int(ratio * count)):
        chosen = rng.sample(range(1, count + 1), min(count, rng.choice([2, 3, 3, 4])))
        clauses.append([rng.choice([-1, 1]) * v for v in chosen])
    return blocks, clauses
