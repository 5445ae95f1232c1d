"""Random quantified Boolean formulas in both searches, against a table of all assignments; certificates are checked.

`make test` runs a part; the marker `full` runs 100,000 formulas.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from woodstock.qcsp import Guide, Problem, check, solve
from woodstock.qcsp.formula import formula_search
from woodstock.qcsp.qdimacs import Formula
from woodstock.qcsp.strategy import from_native

CHUNK = 250


def fuzz_formula(seed: int) -> Formula:
    """Return a formula of up to eleven variables; some have free variables, tautologies or clauses without literals."""
    rng = random.Random(seed)
    count = rng.randint(1, 11)
    blocks: list[tuple[str, list[int]]] = []
    numbers = rng.sample(range(1, count + 1), count - (rng.random() < 0.2))
    kind = rng.choice("ea")
    while numbers:
        size = rng.randint(1, 4)
        blocks.append((kind, numbers[:size]))
        numbers = numbers[size:]
        kind = "a" if kind == "e" else "e"
    universal = {number for kind, block in blocks if kind == "a" for number in block}
    clauses: list[list[int]] = []
    for _ in range(rng.randint(0, 3 * count)):
        chosen = [rng.randint(1, count) for _ in range(rng.choice([1, 2, 3, 3, 3, 4, 5]))]
        # Clauses with few existential variables are lost too often.
        chosen += [n for n in rng.sample(range(1, count + 1), min(count, 2)) if n not in universal]
        clauses.append([rng.choice((-1, 1)) * number for number in chosen])
    if rng.random() < 0.01:
        clauses.append([])
    return Formula(count, blocks, clauses)


def formula_wins(formula: Formula) -> bool:
    """Say whether the existential player wins, from the table of all assignments."""
    quantified = {number for _, numbers in formula.blocks for number in numbers}
    order = [("e", number) for number in range(1, formula.variables + 1) if number not in quantified]
    order += [(kind, number) for kind, numbers in formula.blocks for number in numbers]
    place = {number: axis for axis, (_, number) in enumerate(order)}
    holds: Any = np.ones((2,) * len(order), dtype=bool)
    for clause in formula.clauses:
        if any(-literal in clause for literal in clause):
            continue
        at: list[int | slice] = [slice(None)] * len(order)
        for literal in clause:
            at[place[abs(literal)]] = int(literal < 0)  # the value that makes it false
        holds[tuple(at)] = False
    for kind, _ in reversed(order):
        holds = holds.all(-1) if kind == "a" else holds.any(-1)
    return bool(holds)


def _learn(problem: Problem, rng: random.Random) -> bool | None:
    """Run the search for formulas with restarts and forgetting at once, which small formulas never reach otherwise."""
    memory_mb = rng.choice([0, 1, 1024])
    search = formula_search(
        problem, memory_mb=memory_mb, lessons_between_restarts=rng.randint(1, 3), learned_limit=rng.randint(0, 9)
    )
    assert search is not None
    assert search.run() == "complete"
    found = search.strategy
    assert (found is not None) == search.is_won or memory_mb == 0
    if found is not None:
        check(problem, from_native(problem, found[0], found[1]))
    return search.is_won


def _compare(seed: int) -> bool:
    formula = fuzz_formula(seed)
    rng = random.Random(seed)
    problem = formula.problem()
    expected = formula_wins(formula)
    assert _learn(problem, rng) == expected, f"seed {seed}"
    guide = Guide(rng.choice(["none", "none", "tight", "mc", "frontier"]), seed=seed, patience=0)
    for learning in (True, False):
        result = solve(problem, guide=guide, learning=learning, check_limit=0)
        assert result.is_winning == expected, f"seed {seed}, learning {learning}"
        assert (result.strategy is not None) == expected
        if result.strategy is not None:
            check(problem, result.strategy)
    return expected


def _compare_all(first: int, count: int) -> None:
    answers = Counter(_compare(seed) for seed in range(first, first + count))
    assert min(answers[True], answers[False]) > count // 10  # both answers are tested


@pytest.mark.parametrize("first", range(0, 1000, CHUNK))
def test_formulas_of_every_kind(first: int) -> None:
    _compare_all(first, CHUNK)


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, 100_000, 5000))
def test_a_hundred_thousand_formulas(first: int) -> None:
    _compare_all(first, 5000)
