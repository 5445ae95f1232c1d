"""Which values an expression takes: under all assignments, or a superset of them; and the checks that rest on it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from woodstock.constraint.expression import Apply, Constant, Expression, Sum
from woodstock.constraint.plain import LARGEST, LEVELS, shown
from woodstock.constraint.selection import Element, IfThenElse
from woodstock.constraint.variable import INT_LIMIT, Variable, scope_of, space
from woodstock.errors import ModelError

VALUE_LIMIT = 100_000  # values of one term
_EVALUATED = 5_000  # assignments of a term that is evaluated under all of them
_PAIRS = 2_000_000  # pairs of values of two terms that are combined one by one
_ON_ARRAYS: dict[str, Any] = {"*": np.multiply, "//": np.floor_divide, "%": np.mod}


def evaluate_all(expression: Expression, scope: tuple[Variable, ...], what: str) -> Any:
    """Return an array of the values under all assignments of the scope, the last variable fastest.

    `what` opens an error message.
    """
    if all(variable.is_numeric for variable in scope) and _fits_64_bits(expression):
        grids = {}
        for axis, variable in enumerate(scope):
            shape = [1] * len(scope)
            shape[axis] = len(variable.domain)
            grids[variable.index] = np.array(variable.domain, dtype=np.int64).reshape(shape)
        try:
            with np.errstate(all="raise"):
                found = np.asarray(expression.evaluate(grids))
            return np.broadcast_to(found, [len(v.domain) for v in scope]).ravel()
        except (TypeError, ValueError, FloatingPointError):
            pass  # a table of several columns, an element of variables, a division by zero
    listed = []
    for row in itertools.product(*(variable.domain for variable in scope)):
        values = {variable.index: value for variable, value in zip(scope, row, strict=True)}
        try:
            listed.append(expression.evaluate(values))
        except (TypeError, ZeroDivisionError) as error:
            raise cannot_evaluate(expression, values, what, error) from error
    return np.array(listed)


def cannot_evaluate(expression: Expression, values: Mapping[int, Any], what: str, error: Exception) -> ModelError:
    """Return the error for an expression without a value under an assignment."""
    where = ", ".join(f"{v.name} = {values[v.index]!r}" for v in scope_of(expression))
    return ModelError(f"{what}: {shown(expression)} cannot be evaluated at {where}: {error}")


def _fits_64_bits(expression: Expression) -> bool:
    """Whether no term in it can become too large for the integers of arrays; Python's own have no limit."""
    if isinstance(expression, Sum | Apply):
        try:
            low, high = bounds(expression)
        except (TypeError, ValueError):
            return False  # not over integers
        if not -(2**62) < low <= high < 2**62:
            return False
    return all(map(_fits_64_bits, expression.parts))


def possible_values(expression: Expression, what: str, limit: int = VALUE_LIMIT) -> Any:
    """Return an ascending array of integers with all values of the expression, and perhaps others."""
    scope = scope_of(expression)
    try:
        low, high = bounds(expression)
    except (TypeError, ValueError):  # not over integers
        low, high = -math.inf, math.inf
    if high - low < math.inf and not -LARGEST <= low <= high <= LARGEST:
        raise _too_many(expression, what, low, high)
    if space(scope) <= _EVALUATED:
        found = np.unique(evaluate_all(expression, scope, what).astype(np.int64))
    else:
        found = _by_parts(expression, what, limit)
    if len(found) > limit or max(abs(found[0]), abs(found[-1])) >= INT_LIMIT:
        raise _too_many(expression, what, found[0], found[-1])
    return found


def _by_parts(expression: Expression, what: str, limit: int) -> Any:
    if isinstance(expression, Variable):
        return np.array(sorted(expression.codes), dtype=np.int64)
    if expression.is_condition:
        return np.array([0, 1], dtype=np.int64)
    if isinstance(expression, Sum):
        sums = np.array([expression.constant], dtype=np.int64)
        for factor, term in expression.terms:
            values = factor * possible_values(term, what, limit)
            if len(sums) * len(values) > _PAIRS:
                return _interval(expression, what, limit)
            sums = np.unique(np.add.outer(sums, values))
        return sums
    if isinstance(expression, IfThenElse):
        return np.union1d(*(possible_values(part, what, limit) for part in (expression.then, expression.otherwise)))
    if isinstance(expression, Element):
        if expression.numbers is not None:
            return np.unique(expression.numbers)
        return np.unique(np.concatenate([possible_values(entry, what, limit) for entry in expression.entries]))
    if isinstance(expression, Apply):
        columns = [possible_values(argument, what, limit) for argument in expression.arguments]
        if expression.op in ("min", "max", "abs"):
            found = np.unique(np.concatenate(columns))
            return np.unique(np.abs(found)) if expression.op == "abs" else found
        left, right = columns
        if expression.op != "*":
            right = right[right != 0]
        if len(left) * len(right) > _PAIRS:
            return _interval(expression, what, limit)
        return np.unique(_ON_ARRAYS[expression.op].outer(left, right))
    raise ModelError(f"{what}: {shown(expression)} is not a term over integers")


def _interval(expression: Expression, what: str, limit: int) -> Any:
    low, high = bounds(expression)
    if not high - low <= limit:
        raise _too_many(expression, what, low, high)
    return np.arange(int(low), int(high) + 1)


def _too_many(expression: Expression, what: str, low: float, high: float) -> ModelError:
    return ModelError(f"{what}: {shown(expression)} can take too many values ({low:.10g} to {high:.10g})")


def bounds(term: Expression) -> tuple[float, float]:
    """Return numbers between which the value of a term lies; they may be infinite."""
    if isinstance(term, Constant):
        value: Any = term.value
        return float(value), float(value)
    if isinstance(term, Variable):
        numbers: Any = term.domain
        return float(min(numbers)), float(max(numbers))
    if term.is_condition:
        return 0.0, 1.0
    if isinstance(term, Sum):
        low = high = float(term.constant)
        for factor, part in term.terms:
            ends = [float(factor) * end for end in bounds(part)]
            low, high = low + min(ends), high + max(ends)
        return low, high
    if isinstance(term, Apply):
        return _bounds_of_apply(term.op, [bounds(argument) for argument in term.arguments])
    if isinstance(term, IfThenElse | Element):
        options = term.entries if isinstance(term, Element) else (term.then, term.otherwise)
        ends = [end for option in options for end in bounds(option)]
        return min(ends), max(ends)
    return -math.inf, math.inf


def _bounds_of_apply(op: str, parts: list[tuple[float, float]]) -> tuple[float, float]:
    if op == "*":
        ends = [a * b for a in parts[0] for b in parts[1]]
        return min(ends), max(ends)
    if op == "abs":
        low, high = parts[0]
        return 0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high))
    if op in ("min", "max"):
        pick = min if op == "min" else max
        return pick(part[0] for part in parts), pick(part[1] for part in parts)
    # No quotient is larger than the dividend, no remainder as large as the divisor.
    size = max(map(abs, parts[0 if op == "//" else 1]))
    if min(part[0] for part in parts) >= 0:
        return 0.0, min(size, parts[0][1])
    return -size, size


def check_terms(expression: Expression, what: str) -> None:
    """Refuse what has no value under some assignment, and what is not about integers."""
    _check_levels(expression, what)
    _check_parts(expression, what)


def _check_levels(expression: Expression, what: str) -> None:
    level: list[Expression] = [expression]
    for _ in range(LEVELS):
        level = list({id(part): part for above in level for part in above.parts}.values())
        if not level:
            return
    raise ModelError(f"{what}: nested more than {LEVELS} levels deep; define variables for parts of it")


def _check_parts(expression: Expression, what: str) -> None:
    for part in expression.parts:
        _check_parts(part, what)
    numbers: tuple[Any, ...] = ()
    if isinstance(expression, Constant):
        numbers = (expression.value,)
        if type(expression.value) not in (bool, int):
            raise ModelError(f"{what}: {expression.value!r} is not an integer")
    if isinstance(expression, Sum):
        numbers = (expression.constant, *(factor for factor, _ in expression.terms))
    if isinstance(expression, Element) and expression.numbers is not None:
        numbers = tuple(expression.numbers.tolist())
        if not all(type(number) in (bool, int) for number in numbers):
            raise ModelError(f"{what}: the list {shown(expression)} has an entry that is not an integer")
    for number in numbers:
        if abs(number) > LARGEST:
            raise ModelError(f"{what}: the number {shown(number)} has more than 53 bits")
    if isinstance(expression, Apply) and expression.op in ("//", "%"):
        divisor = expression.arguments[1]
        if 0 in possible_values(divisor, what):
            raise ModelError(f"{what}: {shown(expression)} divides by {shown(divisor)}, which can be 0")
    if isinstance(expression, Apply) and not expression.arguments:
        raise ModelError(f"{what}: {expression.op} of nothing")
    if isinstance(expression, Element):
        indices = possible_values(expression.index, what)
        if indices[0] < 0 or indices[-1] >= len(expression.entries):
            raise ModelError(
                f"{what}: the index {shown(expression.index)} runs from {indices[0]} to {indices[-1]}, the list has "
                f"{len(expression.entries)} entries, counted from 0"
            )
