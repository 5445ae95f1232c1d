"""Random models of many blocks with restrictions of every kind, against the definition; every certificate is checked.

`make test` runs a part; the marker `full` runs 100,000 models.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

import pytest
from tests.unit.qcsp.brute import random_condition, random_term, winning_outer, wins

from woodstock.qcsp import (
    Expression,
    Guide,
    Problem,
    Variable,
    all_different,
    check,
    element,
    implies,
    in_table,
    maximum,
    solve,
    total,
    winning_assignments,
)

LEAVES = 600  # plays of one model at most, so that the definition can be evaluated
CHUNK = 500


def fuzz_problem(seed: int) -> Problem:
    """Return a model of two to five blocks of one to four variables, most of them restricted."""
    rng = random.Random(seed)
    problem = Problem(f"fuzz{seed}")
    made: list[Variable] = []
    leaves, is_universal = 1, rng.random() < 0.4
    for number in range(rng.randint(2, 5)):
        block: list[Variable] = []
        for place in range(rng.randint(1, 4)):
            low = rng.choice([-1, 0, 0, 1])
            domain = range(low, low + rng.choice([1, 2, 2, 3]))
            if leaves * len(domain) > LEAVES:
                break
            leaves *= len(domain)
            add = problem.forall if is_universal else problem.exists
            block.append(add(f"b{number}v{place}", domain))
        if not block:
            break
        made += block
        if rng.random() < 0.3:
            made.append(problem.define(f"d{number}", random_term(rng, made, 2)))
        for _ in range(rng.choice([0, 1, 1, 1, 2])):
            problem.such_that(_restriction(rng, block, made))
        if rng.random() < 0.15:
            problem.begin_block()  # two blocks of one quantifier
        else:
            is_universal = not is_universal
    for _ in range(rng.randint(1, 3)):
        problem.require(_restriction(rng, made, made) if rng.random() < 0.4 else random_condition(rng, made, 2))
    return problem


def _restriction(rng: random.Random, block: list[Variable], earlier: list[Variable]) -> Expression:
    """Return a condition that often forbids some choices of the block, and sometimes all or none."""
    bound, x, y = rng.randint(-1, 4), rng.choice(block), rng.choice(earlier)
    rows = [tuple(rng.randint(-1, 3) for _ in range(2)) for _ in range(rng.randint(0, 6))]
    kinds: list[Any] = [
        lambda: total(block) <= bound,
        lambda: total(block) >= bound,
        lambda: total(block) + y != bound,
        lambda: total(rng.randint(-2, 2) * v for v in block) == rng.randint(-1, 2),
        lambda: all_different(block),
        lambda: maximum(block) <= y,
        lambda: in_table([x, y], rows, is_allowed=rng.random() < 0.5),
        lambda: implies(x == y, total(block) <= bound),
        lambda: element([2, 0, 1, 3], abs(x) % 4) >= y,
        lambda: x * y <= bound,
        lambda: (x > y) | (x + y == bound),
        lambda: random_condition(rng, earlier, 1),
    ]
    return rng.choice(kinds)()  # type: ignore[no-any-return]


def _compare(seed: int) -> bool:
    problem = fuzz_problem(seed)
    rng = random.Random(seed)
    parts: dict[str, Any] = {}
    if rng.random() < 0.5:
        parts = {"probing": rng.random() < 0.5, "memo": rng.random() < 0.5}
    if rng.random() < 0.3:
        name = rng.choice(["tight", "tight", "tight", "mc", "frontier"])
        parts["guide"] = Guide(name, seed=seed, patience=0, restarts=rng.random() < 0.5)
    if rng.random() < 0.1:
        parts["published"] = True
    if rng.random() < 0.1:
        variable, _ = problem.prefix[0]
        problem.begin_with({variable.name: rng.choice(variable.codes)})
    expected = wins(problem)
    result = solve(problem, check_limit=0, **parts)
    assert result.is_complete
    assert result.is_winning == expected, f"seed {seed}, {parts}"
    assert (result.strategy is not None) == expected, f"seed {seed}, {parts}"
    if result.strategy is not None:
        check(problem, result.strategy)
    if problem.outer and rng.random() < 0.2:
        rows = [tuple(row.values()) for row in winning_assignments(problem)]
        assert len(rows) == len(set(rows)) and set(rows) == winning_outer(problem), f"seed {seed}"
    return expected


def _compare_all(first: int, count: int) -> None:
    answers = Counter(_compare(seed) for seed in range(first, first + count))
    assert min(answers[True], answers[False]) > count // 10  # both answers are tested


@pytest.mark.parametrize("first", range(0, 1000, CHUNK))
def test_models_of_every_kind(first: int) -> None:
    _compare_all(first, CHUNK)


@pytest.mark.full
@pytest.mark.parametrize("first", range(0, 100_000, 5000))
def test_a_hundred_thousand_models(first: int) -> None:
    _compare_all(first, 5000)


def test_small_strategies_are_always_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    from woodstock.qcsp import CertificateError, models
    from woodstock.qcsp import strategy as strategies

    problem = models.baker(3, 13)
    assert solve(problem).is_checked
    assert not solve(problem, check_limit=5).is_checked

    def forged(*arguments: Any) -> strategies.Strategy:
        true = strategies.from_native(*arguments)
        nodes = tuple(
            strategies.Setting({"w[0]": 2}, node.next)
            if isinstance(node, strategies.Setting) and "w[0]" in node.values
            else node
            for node in true.nodes
        )
        return strategies.Strategy(true.problem_name, true.fingerprint, nodes, true.root)

    monkeypatch.setattr(sys.modules["woodstock.qcsp.solve"], "from_native", forged)
    with pytest.raises(CertificateError, match="please report this"):
        solve(problem)
