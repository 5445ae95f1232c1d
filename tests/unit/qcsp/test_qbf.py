"""Quantified Boolean formulas: the reader, and answers against the definition and against DepQBF."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.unit.qcsp.brute import random_qbf

from woodstock.errors import ModelError
from woodstock.qcsp import Problem, any_of, check, solve
from woodstock.qcsp.formula import clauses_of
from woodstock.qcsp.qdimacs import Formula, parse


def _formula(seed: int, variables: int, ratio: float = 2.2) -> Formula:
    blocks, clauses = random_qbf(seed, variables=variables, ratio=ratio)
    return Formula(sum(len(numbers) for _, numbers in blocks), blocks, clauses)


def _holds(blocks: list[tuple[str, list[int]]], clauses: list[list[int]], values: dict[int, bool]) -> bool:
    order = [(kind, number) for kind, numbers in blocks for number in numbers]
    if len(values) == len(order):
        return all(any(values[abs(n)] == (n > 0) for n in clause) for clause in clauses)
    kind, number = order[len(values)]
    answers = (_holds(blocks, clauses, {**values, number: value}) for value in (False, True))
    return all(answers) if kind == "a" else any(answers)


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_random_formulas_by_definition(first: int) -> None:
    for seed in range(first, first + 50):
        formula = _formula(seed, 9)
        problem = formula.problem()
        answer = _holds(formula.blocks, formula.clauses, {})
        for learning in (True, False):
            result = solve(problem, learning=learning)
            assert result.is_winning == answer, f"seed {seed}"
            assert (result.strategy is not None) == answer
            if result.strategy is not None:
                check(problem, result.strategy)


def test_many_restarts_and_lessons() -> None:
    """Formulas of three blocks near the change from won to lost: the two searches agree, and strategies are right."""
    lessons, answers = 0, set()
    for seed in range(12):
        rng = random.Random(seed)
        outer, universal, inner = [*range(1, 9)], [*range(9, 15)], [*range(15, 31)]
        clauses = []
        for _ in range(90 + 4 * seed):
            chosen = [rng.choice(universal), rng.choice(outer), *rng.sample(inner, 2)]
            clauses.append([rng.choice((-1, 1)) * variable for variable in chosen])
        problem = Formula(30, [("e", outer), ("a", universal), ("e", inner)], clauses).problem()
        result = solve(problem)
        lessons += result.statistics["cubes"] + result.statistics["failures"]
        answers.add(result.is_winning)
        assert result.statistics["plain_lessons"] == 0
        assert result.is_winning == solve(problem, learning=False, strategy=False).is_winning, f"seed {seed}"
        if result.strategy is not None:
            check(problem, result.strategy)
    assert lessons > 500
    assert answers == {True, False}


@pytest.mark.parametrize("is_linked", [False, True])
def test_many_alternations(is_linked: bool) -> None:
    """Each answer depends on the last few variables only: a cube must not depend on all choices before it."""
    blocks: list[tuple[str, list[int]]] = []
    clauses: list[list[int]] = []
    for number in range(1, 81, 2):
        asked, answer, before = number, number + 1, number - 1
        blocks += [("a", [asked]), ("e", [answer])]
        if is_linked and before:  # the answer is whether an odd number of questions was 1
            clauses += [[-answer, asked, before], [-answer, -asked, -before], [answer, -asked, before]]
            clauses += [[answer, asked, -before]]
        else:
            clauses += [[asked, -answer], [-asked, answer]]
    result = solve(Formula(80, blocks, clauses).problem())
    assert result.is_winning and result.is_checked
    assert result.statistics["nodes"] < 500


def test_what_is_a_formula() -> None:
    problem = Problem("clauses")
    x, y = problem.exists("x", (0, 1)), problem.forall("y", (0, 1))
    problem.require(any_of([x == 1, y != 0]), any_of([x == 0, y == 0, any_of([x != 0])]))
    assert clauses_of(problem) == [[1, 3], [0, 2, 1]]
    problem.require(x + y <= 1)
    assert clauses_of(problem) is None
    wide = Problem("wide")
    wide.exists("x", (0, 1, 2))
    assert clauses_of(wide) is None
    restricted = Problem("restricted")
    restricted.such_that(restricted.exists("x", (0, 1)) == 1)
    assert clauses_of(restricted) is None


def test_limits_of_a_formula() -> None:
    rng = random.Random(1)
    outer, universal, inner = [*range(1, 21)], [*range(21, 41)], [*range(41, 81)]
    clauses = []
    for _ in range(240):
        chosen = [rng.choice(universal), rng.choice(outer), *rng.sample(inner, 2)]
        clauses.append([rng.choice((-1, 1)) * variable for variable in chosen])
    problem = Formula(80, [("e", outer), ("a", universal), ("e", inner)], clauses).problem()
    assert solve(problem, nodes=3).status == "nodes"
    result = solve(problem, seconds=0.0)
    assert (result.status, result.is_winning, result.strategy) == ("seconds", None, None)
    assert solve(problem, memory_mb=1).is_complete


def test_random_formulas_against_depqbf(tmp_path: Path) -> None:
    solver = shutil.which("depqbf")
    if solver is None:
        pytest.skip("depqbf is not installed (apt-get install depqbf)")
    answers = set()
    for seed in range(120):
        formula = _formula(10_000 + seed, 24, ratio=1.2 + seed % 5 * 0.5)
        path = tmp_path / "formula.qdimacs"
        path.write_text(formula.text(), encoding="utf-8")
        code = subprocess.run([solver, str(path)], capture_output=True, check=False, timeout=60).returncode
        assert code in (10, 20)
        assert solve(formula.problem(), strategy=False).is_winning == (code == 10), f"seed {seed}"
        answers.add(code)
    assert answers == {10, 20}


def test_what_is_read_is_written() -> None:
    formula = _formula(5, 8)
    again = parse(formula.text().splitlines())
    assert (again.blocks, again.clauses) == (formula.blocks, formula.clauses)


def test_variables_without_quantifier_are_outermost() -> None:
    problem = parse(["c comment", "p cnf 2 2", "a 2 0", "1 2 0", "1 -2 0"]).problem()
    assert [(v.name, u) for v, u in problem.prefix] == [("x1", False), ("x2", True)]
    assert solve(problem).is_winning


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 2 0"], "f:1: expected 'p cnf"),
        (["p cnf x 1"], "f:1: expected 'p cnf"),
        (["p cnf 1 1", "p cnf 1 1"], "f:2: a second line 'p'"),
        (["p cnf 1 1", "3 0"], "f:2: variable 3"),
        (["p cnf 1 1", "e 1", "1 0"], "f:2: a quantifier line ends in 0"),
        (["p cnf 1 1", "e 1 0", "a 1 0", "1 0"], "f:3: variable 1 is quantified twice"),
        (["p cnf 1 1", "e -1 0", "1 0"], "f:2: -1 in a quantifier line"),
        (["p cnf 2 2", "1 0", "a 2 0", "2 0"], "f:3: quantifier 'a' after a clause"),
        (["p cnf 1 1", "one 0"], "f:2: 'one' is not a number"),
        (["p cnf 1 1", "1"], "does not end in 0"),
        (["p cnf 1 2", "1 0"], "1 clauses, the header promises 2"),
        (["p cnf 1 1", "1 0", "-1 0"], "f:3: more clauses"),
        ([], "this is not QDIMACS"),
    ],
)
def test_bad_files_are_told_by_line(lines: list[str], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse(lines, "f")
    assert message in str(caught.value)
