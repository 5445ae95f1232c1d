"""Post constraints of a network to the native solver.

A variable of integers keeps its values there, so that sums propagate; any other variable is known by positions in its
domain. A condition becomes a table when it is small, else a linear propagator or clauses over such; a part that has
neither is left out, which is sound wherever the caller checks complete assignments itself: `is_complete` tells.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from woodstock._native import Solver
from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, Rows, Table, tabulate
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum, negate
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

TABULATE_LIMIT = 100_000
TERM_LIMIT = 100_000  # values of a term within an expression
_INT_LIMIT = 2**31 - 1
_FREE = -(2**31)  # the wildcard as the kernel sees it; no domain value is that small


class Kernel:
    """A native solver with the variables of a network and some of its constraints."""

    def __init__(self, variables: Sequence[Variable], constraints: Iterable[Constraint], memory_mb: int = 4096) -> None:
        self.solver = Solver(memory_mb=memory_mb)
        self.ids: dict[int, int] = {}
        self.is_complete = True
        self._values: dict[int, list[int]] = {}
        self._positions: dict[int, dict[int, int]] = {}
        for variable in variables:
            values = _kernel_values(variable)
            self._values[variable.index] = values
            self._positions[variable.index] = {value: position for position, value in enumerate(values)}
            self.ids[variable.index] = self.solver.add_variable(sorted(values))
        for constraint in constraints:
            self.post(constraint)

    def post(self, constraint: Constraint) -> None:
        """Post one hard constraint."""
        try:
            if isinstance(constraint, Table):
                self._post_rows(constraint.scope, constraint.rows, constraint.is_allowed)
            elif isinstance(constraint, Condition) and not self._post_condition(constraint, constraint.expression):
                self.is_complete = False
        except MemoryError as error:
            raise ModelError(f"constraint {constraint.name}: {error}") from error

    def positions(self, variable: Variable) -> list[int]:
        """Return what is left of the domain, as positions in ascending order."""
        lookup = self._positions[variable.index]
        return sorted(lookup[value] for value in self.solver.domain(self.ids[variable.index]))

    def values_of(self, variable: Variable) -> list[int]:
        """Return the numbers that stand for the values of a variable, in the order of its domain."""
        return self._values[variable.index]

    def assign(self, variable: Variable, position: int) -> bool:
        """Set a variable and propagate; false where no solution is left."""
        return self.solver.assign(self.ids[variable.index], self._values[variable.index][position])

    def decode(self, variables: Sequence[Variable], rows: np.ndarray[Any, np.dtype[np.int32]]) -> Rows:
        """Turn rows of kernel values into rows of positions."""
        result = np.empty_like(rows)
        for column, variable in enumerate(variables):
            values = np.array(self._values[variable.index], dtype=np.int64)
            order = np.argsort(values)
            result[:, column] = order[np.searchsorted(values[order], rows[:, column])]
        return result

    def _post_rows(self, scope: Sequence[Variable], rows: Rows, is_allowed: bool) -> None:
        values = np.empty(rows.shape, dtype=np.int32)
        for column, variable in enumerate(scope):
            # One entry more at the end: the wildcard is position -1.
            lookup = np.array([*self._values[variable.index], _FREE], dtype=np.int32)
            values[:, column] = lookup[rows[:, column]]
        wildcard = _FREE if bool((rows == WILDCARD).any()) else None
        self.solver.add_table([self.ids[v.index] for v in scope], values, is_allowed=is_allowed, wildcard=wildcard)

    def _post_condition(self, origin: Condition, expression: Expression) -> bool:
        part = Condition(origin.name, expression)
        if not part.scope:
            if part.holds({}):
                return True
            self.solver.add_clause([], [])
            return True
        if part.space() <= TABULATE_LIMIT:
            self._post_rows(part.scope, tabulate(part, TABULATE_LIMIT), True)
            return True
        if isinstance(expression, Logic):
            if expression.op == "&":
                posted = [self._post_condition(origin, argument) for argument in expression.arguments]
                return all(posted)
            if expression.op == "|":
                literals = [self._literal(origin, argument) for argument in expression.arguments]
                if any(literal is None for literal in literals):
                    return False
                self.solver.add_clause([literal for literal in literals if literal is not None], [])
                return True
            return self._post_negation(origin, expression.arguments[0])
        if isinstance(expression, Distinct):
            return self._post_distinct(expression)
        return isinstance(expression, Compare) and self._post_compare(expression, None)

    def _post_negation(self, origin: Condition, expression: Expression) -> bool:
        if isinstance(expression, Logic) and expression.op in "&|":
            swapped = "|" if expression.op == "&" else "&"
            return self._post_condition(origin, Logic(swapped, tuple(negate(a) for a in expression.arguments)))
        return False

    def _literal(self, origin: Condition, expression: Expression) -> tuple[int, int] | None:
        """Return a literal that is true only where the condition holds, none where there is no way to say so."""
        part = Condition(origin.name, expression)
        truth = self.solver.add_variable([0, 1])
        if part.scope and part.space() <= TABULATE_LIMIT:
            rows = tabulate(part, TABULATE_LIMIT)
            columns = [
                np.array(self._values[v.index], dtype=np.int32)[rows[:, column]] for column, v in enumerate(part.scope)
            ]
            table = np.column_stack([*columns, np.ones(len(rows), dtype=np.int32)])
            table = np.vstack([table, np.array([[_FREE] * part.arity + [0]], dtype=np.int32)])
            scope = [self.ids[v.index] for v in part.scope]
            self.solver.add_table([*scope, truth], table, is_allowed=True, wildcard=_FREE)
            return truth, 1
        if isinstance(expression, Compare) and self._post_compare(expression, truth):
            return truth, 1
        if isinstance(expression, Logic) and expression.op in "&|":
            parts = [self._literal(origin, argument) for argument in expression.arguments]
            known = [literal for literal in parts if literal is not None]
            if len(known) == len(parts):
                (self.solver.add_all_of if expression.op == "&" else self.solver.add_any_of)(truth, known)
                return truth, 1
        return None

    def _post_distinct(self, expression: Distinct) -> bool:
        terms = [self._linear(argument) for argument in expression.arguments]
        known = [self._name(*term) for term in terms if term is not None]
        if len(known) < len(terms) or None in known:
            return False
        self.solver.add_all_different([name for name in known if name is not None])
        return True

    def _post_compare(self, compare: Compare, reified: int | None) -> bool:
        left, right = self._linear(compare.left), self._linear(compare.right)
        if left is None or right is None:
            return False
        factors = dict(left[0])
        for name, factor in right[0].items():
            factors[name] = factors.get(name, 0) - factor
        constant = right[1] - left[1]
        if not all(abs(number) < _INT_LIMIT for number in (*factors.values(), constant)):
            return False
        self.solver.add_linear(list(factors), list(factors.values()), compare.op, constant, reified=reified)
        return True

    def _linear(self, expression: Expression) -> tuple[dict[int, int], int] | None:
        """Write a term as a sum over kernel variables, new ones for products and the like; none where it cannot be."""
        if isinstance(expression, Variable):
            return ({self.ids[expression.index]: 1}, 0) if self._is_plain(expression) else None
        if isinstance(expression, Constant):
            return ({}, expression.value) if type(expression.value) is int else None
        if isinstance(expression, Apply):
            name = self._apply(expression)
            return None if name is None else ({name: 1}, 0)
        if not isinstance(expression, Sum) or type(expression.constant) is not int:
            return None
        factors: dict[int, int] = {}
        constant = expression.constant
        for factor, term in expression.terms:
            inner = self._linear(term)
            if inner is None or type(factor) is not int:
                return None
            constant += factor * inner[1]
            for name, own in inner[0].items():
                factors[name] = factors.get(name, 0) + factor * own
        return factors, constant

    def _is_plain(self, variable: Variable) -> bool:
        return variable.is_integer and self._values[variable.index] == list(variable.domain)

    def _apply(self, expression: Apply) -> int | None:
        """Return a kernel variable that equals a product, quotient, remainder, absolute value, minimum or maximum."""
        names = []
        for argument in expression.arguments:
            term = self._linear(argument)
            name = None if term is None else self._name(*term)
            if name is None:
                return None
            names.append(name)
        result = names[0]
        if expression.op == "abs":
            return self._define(sorted({abs(v) for v in self.solver.domain(result)}), self.solver.add_absolute, result)
        for name in names[1:]:
            joined = self._join(expression.op, result, name)
            if joined is None:
                return None
            result = joined
        return result

    def _join(self, op: str, x: int, y: int) -> int | None:
        xs, ys = self.solver.domain(x), self.solver.domain(y)
        choices: dict[str, tuple[Callable[..., None], Callable[[int, int], int]]] = {
            "*": (self.solver.add_product, operator.mul),
            "//": (self.solver.add_quotient, operator.floordiv),
            "%": (self.solver.add_remainder, operator.mod),
            "min": (self.solver.add_minimum, min),
            "max": (self.solver.add_maximum, max),
        }
        post, function = choices[op]
        # Signs and division by zero have rules of their own: such terms are left to the check of whole assignments.
        if op in ("//", "%") and (xs[0] < 0 or ys[0] <= 0):
            return None
        if len(xs) * len(ys) > TERM_LIMIT:
            return None
        return self._define(sorted({function(a, b) for a in xs for b in ys}), post, x, y)

    def _define(self, values: list[int], post: Callable[..., None], *arguments: int) -> int | None:
        if max(map(abs, values)) >= _INT_LIMIT:
            return None
        result = self.solver.add_variable(values)
        post(*arguments, result)
        return result

    def _name(self, factors: dict[int, int], constant: int) -> int | None:
        """Return a kernel variable that equals the sum."""
        if not constant and list(factors.values()) == [1]:
            return next(iter(factors))
        low = high = constant
        for name, factor in factors.items():
            domain = self.solver.domain(name)
            ends = (factor * domain[0], factor * domain[-1])
            low, high = low + min(ends), high + max(ends)
        if high - low > TERM_LIMIT or max(abs(low), abs(high)) >= _INT_LIMIT:
            return None
        result = self.solver.add_variable(range(low, high + 1))
        self.solver.add_linear([*factors, result], [*factors.values(), -1], "==", -constant)
        return result


def _kernel_values(variable: Variable) -> list[int]:
    if variable.is_integer:
        values = [int(value) for value in variable.domain]  # type: ignore[call-overload]
        if all(abs(value) < _INT_LIMIT for value in values):
            return values
    return list(range(len(variable.domain)))
