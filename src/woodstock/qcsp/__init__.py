"""Quantified constraint problems: model, solve, replay a strategy, check its certificate.

    from woodstock.qcsp import Problem, solve, total

    problem = Problem("baker")
    w = problem.exists_array("w", 4, range(1, 41))            # buy four weights such that
    f = problem.forall("f", range(1, 41))                     # for each amount of flour
    c = problem.exists_array("c", 4, [-1, 0, 1])              # they go left, right, or nowhere
    problem.require(total(a * b for a, b in zip(w, c)) == f)
    result = solve(problem)
    result.is_winning, result.strategy.first_values()

`problem` says what restricted blocks (QCSP+) mean.
"""

from __future__ import annotations

from woodstock.constraint.expression import Expression, all_different, all_of, any_of, maximum, minimum, total
from woodstock.constraint.selection import choose, element, implies, in_table
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp.check import CertificateError, Checked, check
from woodstock.qcsp.drawing import draw
from woodstock.qcsp.guide import Guide
from woodstock.qcsp.problem import Block, Problem
from woodstock.qcsp.solve import Result, Winning, solve, winning_assignments
from woodstock.qcsp.strategy import Strategy, replay

__all__ = [
    "Block",
    "CertificateError",
    "Checked",
    "Expression",
    "Guide",
    "ModelError",
    "Problem",
    "Result",
    "Strategy",
    "Variable",
    "Winning",
    "all_different",
    "all_of",
    "any_of",
    "check",
    "choose",
    "draw",
    "element",
    "implies",
    "in_table",
    "maximum",
    "minimum",
    "replay",
    "solve",
    "total",
    "winning_assignments",
]
