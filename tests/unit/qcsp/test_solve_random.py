"""The search against the definition, on hundreds of small random problems; every certificate is checked."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest
from tests.unit.qcsp.brute import random_problem, winning_outer, wins

from woodstock.qcsp import Problem, any_of, check, posting, replay, solve, total, winning_assignments

PLAIN, RESTRICTED, DEFINED = range(300), range(1000, 1150), range(2000, 2100)


def _check(seed: int, **kinds: bool) -> None:
    problem = random_problem(seed, **kinds)
    result = solve(problem)
    assert result.is_complete
    assert result.is_winning == wins(problem), f"seed {seed}"
    if result.is_winning:
        assert result.strategy is not None
        check(problem, result.strategy)
        scenario = replay(problem, result.strategy, lambda name, values, known: values[-1])
        quantified = {v.name for v, _ in problem.prefix}
        if quantified <= set(scenario) and not problem.is_restricted:
            values = {problem.variable(name).index: value for name, value in scenario.items()}
            assert all(c.evaluate(values) for c in problem.constraints)
    else:
        assert result.strategy is None


@pytest.mark.parametrize("first", PLAIN[::50])
def test_plain_problems(first: int) -> None:
    for seed in range(first, first + 50):
        _check(seed)


@pytest.mark.parametrize("first", RESTRICTED[::50])
def test_restricted_quantification(first: int) -> None:
    for seed in range(first, first + 50):
        _check(seed, is_restricted=True)


@pytest.mark.parametrize("first", DEFINED[::50])
def test_defined_variables(first: int) -> None:
    for seed in range(first, first + 50):
        _check(seed, has_definitions=True, is_restricted=seed % 2 == 0)


@pytest.mark.parametrize("probing", [False, True])
@pytest.mark.parametrize("memo", [False, True])
def test_probing_and_memo_change_no_answer(probing: bool, memo: bool) -> None:
    for seed in range(3000, 3040):
        problem = random_problem(seed, is_restricted=seed % 2 == 0)
        assert solve(problem, probing=probing, memo=memo).is_winning == wins(problem), f"seed {seed}"


def test_all_outermost_winning_assignments() -> None:
    compared = 0
    for seed in range(4000, 4120):
        problem = random_problem(seed)
        if not problem.outer:
            continue
        compared += 1
        found = winning_assignments(problem)
        rows = [tuple(row.values()) for row in found]
        assert len(rows) == len(set(rows))
        assert set(rows) == winning_outer(problem), f"seed {seed}"
    assert compared > 50


def test_the_same_search_twice_takes_the_same_nodes() -> None:
    for seed in range(5000, 5010):
        first, second = (solve(random_problem(seed)) for _ in range(2))
        assert first.statistics["nodes"] == second.statistics["nodes"]
        assert first.certificate == second.certificate


def _take_apart(limit: int, monkeypatch: pytest.MonkeyPatch, **changes: int) -> None:
    names = ("table_limit", "parts_limit", "truth_limit", "term_limit", "set_limit")
    limits: dict[str, Any] = dict.fromkeys(names, limit) | changes
    monkeypatch.setattr(posting, "OPTIONS", dataclasses.replace(posting.OPTIONS, **limits))


@pytest.mark.parametrize("limit", [1, 4])
def test_expressions_taken_apart(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small conditions are tables as a rule; here even they become sums, products, truth values and clauses."""
    _take_apart(limit, monkeypatch)
    for seed in range(6000, 6150):
        _check(seed, is_restricted=seed % 3 == 0, has_definitions=seed % 2 == 0)


def test_long_sums_by_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    _take_apart(1, monkeypatch, chain_limit=1)
    for seed in range(7000, 7060):
        _check(seed)


def _restricted_block(seed: int) -> Problem:
    """Return a problem with a restricted universal block of several variables, and constraints that often fail."""
    rng = random.Random(seed)
    problem = Problem(f"restricted{seed}")
    x = problem.exists("x", range(3))
    y = problem.forall_array("y", rng.randint(2, 4), [0, 1])
    count = problem.define("count", total(y)) if rng.random() < 0.3 else total(y)
    problem.such_that(count <= rng.randint(0, 2) if rng.random() < 0.7 else count + x != 2)
    z = problem.exists("z", range(3))
    if rng.random() < 0.5:
        w = problem.forall_array("w", 2, [0, 1])
        problem.such_that(w[0] + w[1] >= x)
        problem.require(any_of([w[0] == w[1], z + x <= 3]))
    problem.require(x + z + count <= rng.randint(0, 5))
    if rng.random() < 0.4:
        problem.require(z >= y[0] + y[-1])
    return problem


def test_a_forced_guard_is_no_broken_restriction() -> None:
    """Constraints that cannot hold must not count as the universal player breaking a rule."""
    problem = Problem("late start")
    start = problem.exists("start", range(3))
    problem.such_that(total(problem.forall_array("delay", 4, [0, 1])) <= 1)
    problem.require(start + 5 <= 4)
    assert not solve(problem).is_winning
    assert list(winning_assignments(problem)) == []
    answers = set()
    for seed in range(250):
        problem = _restricted_block(seed)
        answer = wins(problem)
        answers.add(answer)
        for parts in ({}, {"memo": False, "probing": False}):
            result = solve(problem, **parts)  # type: ignore[arg-type]
            assert result.is_winning == answer, f"seed {seed}"
            if result.strategy is not None:
                check(problem, result.strategy)
        rows = [tuple(row.values()) for row in winning_assignments(problem)]
        assert set(rows) == winning_outer(problem), f"seed {seed}"
    assert answers == {True, False}


def test_a_broken_restriction_is_noticed_before_the_block_is_set() -> None:
    problem = Problem("delays")
    delays = problem.forall_array("delay", 16, [0, 1])
    problem.such_that(total(delays) <= 1)
    x = problem.exists("x", range(17))
    problem.require(x == total(number * delay for number, delay in enumerate(delays)))
    result = solve(problem)
    assert result.is_winning
    assert result.statistics["nodes"] < 1000  # not 2 ** 16
