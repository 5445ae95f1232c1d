"""The search against the definition, on hundreds of small random problems; every certificate is checked."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from tests.unit.qcsp.brute import random_problem, winning_outer, wins

from woodstock.qcsp import check, posting, replay, solve, winning_assignments

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
