"""Random quantified problems: linear constraints, or tables. Each seed is another problem."""

from __future__ import annotations

import random

from woodstock.constraint.expression import Compare, total, wrap
from woodstock.constraint.selection import in_table
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem


def random_linear(seed: int = 0, variables: int = 24, constraints: int = 22, values: int = 4) -> Problem:
    """Return sums of four variables, with small factors, compared with numbers; every fourth variable is universal."""
    problem, made, rng = _variables("linear", seed, variables, constraints, values)
    for _ in range(constraints):
        terms = [rng.choice((-2, -1, 1, 2)) * variable for variable in _scope(rng, made)]
        operator = rng.choice(("<=", "!="))
        bound = rng.randint(0, 2 * values) if operator == "<=" else rng.randint(-values, values)
        problem.require(Compare(operator, total(terms), wrap(bound)))
    return problem


def random_table(seed: int = 0, variables: int = 24, constraints: int = 40, values: int = 4) -> Problem:
    """Return tables over three variables that forbid a fifth of the rows; every fourth variable is universal."""
    problem, made, rng = _variables("table", seed, variables, constraints, values)
    for _ in range(constraints):
        scope = _scope(rng, made)[1:]
        rows = {tuple(rng.randrange(values) for _ in scope) for _ in range(values**3 // 5)}
        problem.require(in_table(scope, sorted(rows), is_allowed=False))
    return problem


def _variables(
    kind: str, seed: int, variables: int, constraints: int, values: int
) -> tuple[Problem, list[Variable], random.Random]:
    if variables < 4 or constraints < 1 or not 2 <= values <= 100:
        raise ModelError(f"random-{kind}: at least 4 variables, 1 constraint and 2 to 100 values")
    problem = Problem(f"random-{kind}-{seed}")
    made = [(problem.forall if n % 4 == 3 else problem.exists)(f"x[{n}]", range(values)) for n in range(variables)]
    return problem, made, random.Random(seed)


def _scope(rng: random.Random, made: list[Variable]) -> list[Variable]:
    """Return four variables, at most one of them universal: with two, the universal player nearly always wins."""
    universal = [variable for number, variable in enumerate(made) if number % 4 == 3]
    existential = [variable for number, variable in enumerate(made) if number % 4 != 3]
    return [*rng.sample(existential, 3), rng.choice(universal)]
