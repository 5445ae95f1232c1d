"""Which values an expression can take, and the checks that rest on it: division by zero, indices outside a list."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from woodstock.constraint.constraint import scope_of
from woodstock.constraint.expression import Apply, Constant, Expression, Sum
from woodstock.constraint.selection import Element, IfThenElse, parts_of
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

VALUE_LIMIT = 100_000
INT_LIMIT = 2**31 - 1


def integers(variable: Variable) -> list[int]:
    """Return the domain, which a problem has checked to be of integers."""
    return [value for value in variable.domain if isinstance(value, int)]


def possible_values(expression: Expression, what: str) -> list[int]:
    """Return a superset of the values that the expression takes, ascending; `what` opens an error message."""
    scope = scope_of(expression)
    if space(scope) <= VALUE_LIMIT // 20:
        found = sorted({int(value) for value in evaluate_all(expression, scope)})
    else:
        found = sorted(_by_parts(expression, what))
    if len(found) > VALUE_LIMIT or max(abs(found[0]), abs(found[-1])) >= INT_LIMIT:
        raise ModelError(f"{what}: {expression!r} can take too many values ({found[0]} to {found[-1]})")
    return found


def space(scope: tuple[Variable, ...]) -> int:
    """Return the number of assignments of the variables."""
    result = 1
    for variable in scope:
        result *= len(variable.domain)
    return result


def evaluate_all(expression: Expression, scope: tuple[Variable, ...]) -> Any:
    """Return the values under all assignments of the scope, the last variable fastest."""
    try:
        grids = {}
        for axis, variable in enumerate(scope):
            shape = [1] * len(scope)
            shape[axis] = len(variable.domain)
            grids[variable.index] = np.array(variable.domain, dtype=np.int64).reshape(shape)
        with np.errstate(all="raise"):
            found = np.asarray(expression.evaluate(grids))
        return np.broadcast_to(found, [len(v.domain) for v in scope]).ravel()
    except (TypeError, ValueError, FloatingPointError):
        # min, max and tables are Python's own and take no arrays.
        rows = itertools.product(*(variable.domain for variable in scope))
        indices = [variable.index for variable in scope]
        return np.array([int(expression.evaluate(dict(zip(indices, row, strict=True)))) for row in rows])


def check_terms(expression: Expression, what: str) -> None:
    """Refuse what has no value under some assignment, and what is not about integers."""
    for part in parts_of(expression):
        check_terms(part, what)
    if isinstance(expression, Constant) and type(expression.value) not in (bool, int):
        raise ModelError(f"{what}: {expression.value!r} is not an integer")
    if isinstance(expression, Apply) and expression.op in ("//", "%"):
        divisor = expression.arguments[1]
        if 0 in possible_values(divisor, what):
            raise ModelError(f"{what}: {expression!r} divides by {divisor!r}, which can be 0")
    if isinstance(expression, Apply) and not expression.arguments:
        raise ModelError(f"{what}: {expression.op} of nothing")
    if isinstance(expression, Element):
        indices = possible_values(expression.index, what)
        if indices[0] < 0 or indices[-1] >= len(expression.entries):
            raise ModelError(
                f"{what}: the index {expression.index!r} runs from {indices[0]} to {indices[-1]}, the list has "
                f"{len(expression.entries)} entries, counted from 0"
            )


def _by_parts(expression: Expression, what: str) -> set[int]:
    if isinstance(expression, Variable):
        return set(integers(expression))
    if expression.is_condition:
        return {0, 1}
    if isinstance(expression, Sum):
        sums = {int(expression.constant)}
        for factor, term in expression.terms:
            values = possible_values(term, what)
            if len(sums) * len(values) > 20 * VALUE_LIMIT:
                low = min(sums) + min(factor * v for v in values)
                high = max(sums) + max(factor * v for v in values)
                if high - low > VALUE_LIMIT:
                    raise ModelError(f"{what}: {expression!r} can take too many values ({low} to {high})")
                sums = set(range(low, high + 1))
            else:
                sums = {s + factor * v for s in sums for v in values}
        return sums
    if isinstance(expression, IfThenElse):
        return set(possible_values(expression.then, what)) | set(possible_values(expression.otherwise, what))
    if isinstance(expression, Element):
        if expression.numbers is not None:
            return {int(v) for v in np.unique(expression.numbers)}
        return {v for entry in expression.entries for v in possible_values(entry, what)}
    if isinstance(expression, Apply):
        columns = [possible_values(argument, what) for argument in expression.arguments]
        if expression.op in ("min", "max", "abs"):
            return {abs(v) if expression.op == "abs" else v for column in columns for v in column}
        left, right = columns
        if len(left) * len(right) > 20 * VALUE_LIMIT:
            raise ModelError(f"{what}: {expression!r} has too many combinations ({len(left)} by {len(right)})")
        functions = {"*": lambda a, b: a * b, "//": lambda a, b: a // b, "%": lambda a, b: a % b}
        return {functions[expression.op](a, b) for a in left for b in right}
    raise ModelError(f"{what}: {expression!r} is not a term over integers")
