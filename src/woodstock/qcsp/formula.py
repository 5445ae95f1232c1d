"""Problems that are quantified Boolean formulas: clauses over variables with the values 0 and 1, nothing else.

They have a search of their own, which learns clauses and cubes.
"""

from __future__ import annotations

from typing import Any

from woodstock._native import FormulaSearch
from woodstock.constraint.expression import Compare, Constant, Expression, Logic
from woodstock.constraint.variable import Variable
from woodstock.qcsp.problem import Problem

Clauses = list[list[int]]


def formula_search(problem: Problem, **options: Any) -> FormulaSearch | None:
    """Return the search for a formula, none if the problem is not one; the options are those of `FormulaSearch`."""
    clauses = clauses_of(problem)
    if clauses is None:
        return None
    return FormulaSearch([is_universal for _, is_universal in problem.prefix], clauses, **options)


def clauses_of(problem: Problem) -> Clauses | None:
    """Return the clauses of a formula, none if the problem is not one.

    A literal is twice the position of its variable in the prefix, plus the value that makes it true.
    """
    if problem.definitions or problem.is_restricted:
        return None
    if any(tuple(variable.codes) != (0, 1) for variable, _ in problem.prefix):
        return None
    places = {variable.index: place for place, (variable, _) in enumerate(problem.prefix)}
    clauses: Clauses = []
    for constraint in problem.constraints:
        clause: list[int] = []
        if not _add_literals(constraint, places, clause):
            return None
        if _ALWAYS not in clause:
            clauses.append(clause)
    return clauses


_ALWAYS = -1


def _add_literals(expression: Expression, places: dict[int, int], clause: list[int]) -> bool:
    """Add the literals of a disjunction; false if it is something else."""
    if isinstance(expression, Logic) and expression.op == "|":
        return all(_add_literals(part, places, clause) for part in expression.arguments)
    if isinstance(expression, Constant):
        if expression.value:
            clause.append(_ALWAYS)
        return True
    if not isinstance(expression, Compare) or expression.op not in ("==", "!="):
        return False
    left, right = expression.left, expression.right
    if not isinstance(left, Variable) or not isinstance(right, Constant) or right.value not in (0, 1):
        return False
    clause.append(2 * places[left.index] + (int(right.value) if expression.op == "==" else 1 - int(right.value)))
    return True
