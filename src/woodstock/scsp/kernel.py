"""Post constraints of a network to the native solver.

A variable of integers keeps its values there, so that sums propagate; any other variable is known by positions in its
domain. A condition becomes a table when it is small, else a linear propagator or clauses over such; a part that has
neither is left out, which is sound wherever the caller checks complete assignments itself: `is_complete` tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from woodstock._native import Solver
from woodstock.scsp.automaton import linear_form
from woodstock.scsp.constraint import WILDCARD, Condition, Constraint, Rows, Table, tabulate
from woodstock.scsp.expression import Compare, Expression, Logic, negate
from woodstock.scsp.variable import Variable

TABULATE_LIMIT = 100_000
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
        if isinstance(constraint, Table):
            self._post_rows(constraint.scope, constraint.rows, constraint.is_allowed)
        elif isinstance(constraint, Condition) and not self._post_condition(constraint, constraint.expression):
            self.is_complete = False

    def positions(self, variable: Variable) -> list[int]:
        """Return what is left of the domain, as positions in ascending order."""
        lookup = self._positions[variable.index]
        return sorted(lookup[value] for value in self.solver.domain(self.ids[variable.index]))

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
        return isinstance(expression, Compare) and self._post_linear(expression, part.scope, None)

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
        if isinstance(expression, Compare) and self._post_linear(expression, part.scope, truth):
            return truth, 1
        if isinstance(expression, Logic) and expression.op in "&|":
            parts = [self._literal(origin, argument) for argument in expression.arguments]
            known = [literal for literal in parts if literal is not None]
            if len(known) == len(parts):
                (self.solver.add_all_of if expression.op == "&" else self.solver.add_any_of)(truth, known)
                return truth, 1
        return None

    def _post_linear(self, compare: Compare, scope: Sequence[Variable], reified: int | None) -> bool:
        form = linear_form(compare)
        if form is None or not all(v.is_integer for v in scope):
            return False
        op, coefficients, constant = form
        if not all(type(number) is int and abs(number) < _INT_LIMIT for number in (*coefficients.values(), constant)):
            return False
        add_linear = getattr(self.solver, "add_linear", None)
        if add_linear is None:
            return False
        add_linear(
            [self.ids[v.index] for v in scope], [coefficients[v.index] for v in scope], op, -constant, reified=reified
        )
        return True


def _kernel_values(variable: Variable) -> list[int]:
    if variable.is_integer:
        values = [int(value) for value in variable.domain]  # type: ignore[call-overload]
        if all(abs(value) < _INT_LIMIT for value in values):
            return values
    return list(range(len(variable.domain)))
