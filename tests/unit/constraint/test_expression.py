"""Conditions have no truth value: Python's `and`, `or`, `not` and `in` must not drop a part of a model."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from woodstock import qcsp, scsp
from woodstock.constraint.expression import Expression
from woodstock.constraint.variable import Variable


def scsp_variables() -> tuple[Variable, Variable]:
    network = scsp.Network()
    return network.decision("x", [1, 2, 3]), network.decision("y", [1, 2, 3])


def qcsp_variables() -> tuple[Variable, Variable]:
    problem = qcsp.Problem()
    return problem.exists("x", [1, 2, 3]), problem.forall("y", [1, 2, 3])


WRONG: dict[str, Callable[[Variable, Variable], object]] = {
    "and": lambda x, y: x == 1 and y == 2,
    "or": lambda x, y: x != 1 or y == 2,
    "chain": lambda x, y: x == y == 2,
    "in a list": lambda x, y: x in [1, 2],
    "in a list of variables": lambda x, y: x in [y, x],
    "not": lambda x, y: not x == 1,  # noqa: SIM201
    "not in": lambda x, y: x not in [1, 2],
    "interval": lambda x, y: 1 <= x <= 2,
    "if": lambda x, y: 1 if x < y else 2,
    "a term": lambda x, y: bool(x + y),
    "a variable": lambda x, y: x and y,
    "lists": lambda x, y: [x] == [y],
}


@pytest.mark.parametrize("variables", [scsp_variables, qcsp_variables])
@pytest.mark.parametrize("write", WRONG.values(), ids=WRONG.keys())
def test_no_truth_value(
    write: Callable[[Variable, Variable], object], variables: Callable[[], tuple[Variable, Variable]]
) -> None:
    with pytest.raises(TypeError, match=r"no truth value.* & \| ~ .*is_in"):
        write(*variables())


@pytest.mark.parametrize("variables", [scsp_variables, qcsp_variables])
def test_what_to_write_instead(variables: Callable[[], tuple[Variable, Variable]]) -> None:
    x, y = variables()
    pairs = [(a, b) for a in (1, 2, 3) for b in (1, 2, 3)]
    right: list[tuple[Expression, Callable[[int, int], bool]]] = [
        ((x == 1) & (y == 2), lambda a, b: a == 1 and b == 2),
        ((x == y) & (y == 2), lambda a, b: a == b == 2),
        (x.is_in([1, 2]), lambda a, b: a in [1, 2]),
        ((x + y).is_in(range(3, 5)), lambda a, b: a + b in range(3, 5)),
        (x.is_in([]), lambda a, b: False),
        (~(x == 1), lambda a, b: a != 1),
        (~x.is_in([1, 3]), lambda a, b: a == 2),
        ((x >= 1) & (x <= 2), lambda a, b: 1 <= a <= 2),
    ]
    for expression, meaning in right:
        found = [bool(expression.evaluate({x.index: a, y.index: b})) for a, b in pairs]
        assert found == [meaning(a, b) for a, b in pairs], expression
    assert any(x is other for other in [y, x])


def test_solvers_take_is_in() -> None:
    network = scsp.Network()
    colour = network.decision("colour", ["red", "green", "blue"])
    network.require(colour.is_in(["red", "blue"]))
    assert [policy.decisions["colour"] for policy in scsp.solve(network, "all")] == ["red", "blue"]
    problem = qcsp.Problem()
    y = problem.forall("y", range(4))
    x = problem.exists("x", range(4))
    problem.require((x + y).is_in([3, 5]))
    assert qcsp.solve(problem).is_winning
