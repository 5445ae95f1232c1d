"""Time and memory limits hold in every part of a solve: posting, guides, search."""

from __future__ import annotations

import itertools
import time

import pytest

from woodstock.errors import ModelError
from woodstock.qcsp import Guide, Problem, all_different, in_table, models, solve, winning_assignments
from woodstock.qcsp.solve import evaluator_of


def _chain(links: int) -> Problem:
    """Return a problem whose definitions use each other twice: inlined, they would be exponentially large."""
    problem = Problem("chain")
    x, y = problem.exists_array("x", 3, range(3)), problem.forall("y", range(3))
    value = y
    for number in range(links):
        value = problem.define(f"d{number}", (value + abs(value) + x[number % 3]) % 7)
    problem.require(value != 3, all_different(x))
    return problem


@pytest.mark.parametrize("guide", ["none", "mc", "frontier"])
def test_chained_definitions_are_evaluated_once(guide: str) -> None:
    answers = {links: solve(_chain(links), guide=Guide(guide, patience=0)).is_winning for links in (3, 4, 600)}
    assert answers == {3: True, 4: False, 600: True}


def test_the_evaluator_of_a_chain_agrees_with_its_definition() -> None:
    problem = _chain(40)
    evaluator = evaluator_of(problem)
    for row in ((0, 1, 2, 0), (2, 1, 0, 2), (1, 1, 1, 1)):
        values = dict(enumerate(row))
        for index, term in problem.definitions.items():
            values[index] = term.evaluate(values)
        for number, constraint in enumerate(problem.constraints):
            assert evaluator.holds(number, row) == constraint.evaluate(values)


@pytest.mark.parametrize("guide", ["none", "mc", "frontier"])
def test_the_time_limit_counts_posting_and_guides(guide: str) -> None:
    problem = models.connect_four(6, 5)
    for seconds in (0.0, 0.2):
        begun = time.perf_counter()
        result = solve(problem, guide=Guide(guide, patience=0), seconds=seconds)
        assert result.status == "seconds" and result.is_winning is None
        assert time.perf_counter() - begun < seconds + 3.0  # a busy machine
    assert solve(problem, seconds=0.0).statistics["nodes"] == 0
    assert winning_assignments(problem, seconds=0.0).status == "seconds"


def test_the_memory_limit_counts_the_posted_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("woodstock.qcsp.posting.LEAST_MEMORY_MB", 1)
    problem = Problem("large table")
    x = problem.exists_array("x", 3, range(60))
    problem.require(in_table(x, [row for row in itertools.product(range(60), repeat=3) if sum(row) % 2]))
    with pytest.raises(ModelError, match=r"constraint 1: .*limit"):
        solve(problem, memory_mb=1)
    assert solve(problem, memory_mb=64).is_winning


@pytest.mark.parametrize("guide", ["none", "tight"])
def test_the_time_limit_holds_within_a_node_of_many_values(guide: str) -> None:
    problem = Problem("many values")
    x, y = problem.exists("x", range(50_000)), problem.forall("y", range(50_000))
    problem.such_that(x >= 1, of=x)
    problem.require(x >= y)
    begun = time.process_time()
    assert solve(problem, guide=Guide(guide, patience=0), seconds=0.05).status == "seconds"
    assert time.process_time() - begun < 1.5  # one node alone takes several seconds
