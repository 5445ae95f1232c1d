"""Post a network to the native solver, whole, to count and enumerate the solutions of its hard constraints.

`Kernel` may leave parts out, because its callers check what they find; here nothing is checked afterwards. A large
condition becomes propagators over auxiliary variables, one for each inner term and one Boolean for each inner
condition, all determined by the network's own variables. Solutions over those are therefore counted once each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from woodstock._native import Solver
from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, Rows, Table, scope_of, tabulate
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum, negate
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.xcsp3.constraints import ElementOf
from woodstock.scsp.xcsp3.functional import bounds, pairwise_distinct
from woodstock.scsp.xcsp3.names import codes_of

TABLE_LIMIT = 100_000
REIFIED_LIMIT = 2_000
TERM_VALUES = 2_000_000
_FREE = -(2**31)  # the wildcard as the solver sees it; no value is that small

Literal = tuple[int, int]


class NetworkSolver:
    """A native solver with all variables and hard constraints of a network."""

    def __init__(self, network: Network, *, memory_mb: int = 4096) -> None:
        self.network = network
        self.solver = Solver(memory_mb=memory_mb)
        self._values = {v.index: codes_of(v) for v in network.declared}
        self.ids = {v.index: self.solver.add_variable(sorted(self._values[v.index])) for v in network.declared}
        self.columns = [self.ids[variable.index] for variable in network.declared]
        for constraint in network.hard:
            self.post(constraint)

    def decode(self, rows: np.ndarray[Any, np.dtype[np.int32]]) -> Rows:
        """Turn rows of the solver's values into rows of positions in the domains."""
        result = np.empty_like(rows)
        for column, variable in enumerate(self.network.declared):
            values = np.array(self._values[variable.index], dtype=np.int64)
            order = np.argsort(values)
            result[:, column] = order[np.searchsorted(values[order], rows[:, column])]
        return result

    def post(self, constraint: Constraint) -> None:
        """Post one hard constraint."""
        if isinstance(constraint, ElementOf):
            self._post_element(constraint)
        elif isinstance(constraint, Table):
            self._post_rows(constraint.scope, constraint.rows, constraint.is_allowed)
        elif isinstance(constraint, Condition):
            self._require(constraint.name, constraint.expression)
        else:
            raise ModelError(f"constraint {constraint.name}: a {type(constraint).__name__} cannot be solved")

    def _post_rows(self, scope: Sequence[Variable], rows: Rows, is_allowed: bool) -> None:
        values = np.empty(rows.shape, dtype=np.int32)
        for column, variable in enumerate(scope):
            # One entry more at the end: the wildcard is position -1.
            lookup = np.array([*self._values[variable.index], _FREE], dtype=np.int32)
            values[:, column] = lookup[rows[:, column]]
        wildcard = _FREE if bool((rows == WILDCARD).any()) else None
        self.solver.add_table([self.ids[v.index] for v in scope], values, is_allowed=is_allowed, wildcard=wildcard)

    def _post_element(self, constraint: ElementOf) -> None:
        index = self.ids[constraint.index.index]
        if constraint.start:
            places = range(len(constraint.entries))
            shifted = self.solver.add_variable(list(places))
            self.solver.add_linear([index, shifted], [1, -1], "==", constraint.start)
            index = shifted
        self.solver.add_element(
            index, [self.ids[v.index] for v in constraint.entries], self.ids[constraint.value.index]
        )

    def _require(self, name: str, expression: Expression) -> None:
        """Post a condition that must hold."""
        if isinstance(expression, Constant):
            if not expression.value:
                self.solver.add_clause([], [])
            return
        part = Condition(name, expression)
        if not part.scope:
            self._require(name, Constant(part.holds({})))
        elif isinstance(expression, Distinct) and part.arity > 2 and self._is_numeric(expression):
            self.solver.add_all_different([self._term(name, argument) for argument in expression.arguments])
        elif isinstance(expression, Logic) and expression.op == "&":
            for argument in expression.arguments:
                self._require(name, argument)
        elif isinstance(expression, Logic) and expression.op == "|" and self._are_equalities(expression):
            self.solver.add_clause(*self._literals(name, expression.arguments))
        elif part.space() <= self._table_limit(expression) and part.arity <= 8:
            self._post_rows(part.scope, tabulate(part, TABLE_LIMIT), True)
        elif isinstance(expression, Compare) and not _is_logical(expression) and self._is_numeric(expression):
            self._post_compare(name, expression, None)
        elif isinstance(expression, Distinct):
            self._require(name, pairwise_distinct(expression))
        elif isinstance(expression, Logic) and expression.op == "|":
            positive, negative = self._literals(name, expression.arguments)
            self.solver.add_clause(positive, negative)
        else:
            self.solver.add_clause([self._truth(name, expression)])

    def _literals(self, name: str, parts: Iterable[Expression]) -> tuple[list[Literal], list[Literal]]:
        """Return literals for conditions; a negated equality is a negative literal, without a variable of its own."""
        positive, negative = [], []
        for part in parts:
            simple = self._equality(part)
            if simple is None:
                positive.append(self._truth(name, part))
            elif simple[0] == "==":
                positive.append(simple[1])
            else:
                negative.append(simple[1])
        return positive, negative

    def _table_limit(self, expression: Expression) -> int:
        """Return up to how many tuples are tried: a comparison of values that are no integers has no other way."""
        is_quick = self._is_numeric(expression)
        return TABLE_LIMIT if is_quick or isinstance(expression, Compare) else REIFIED_LIMIT

    def _reified_limit(self, expression: Expression) -> int:
        if isinstance(expression, Logic):
            return 0 if self._are_equalities(expression) else REIFIED_LIMIT
        return REIFIED_LIMIT if self._is_numeric(expression) else TABLE_LIMIT

    def _are_equalities(self, expression: Logic) -> bool:
        """Say whether all parts are of the form ``x == value`` or ``x != value``: that needs no table."""
        return expression.op != "~" and all(self._equality(part) is not None for part in expression.arguments)

    def _equality(self, expression: Expression) -> tuple[str, Literal] | None:
        """Return ``x == value`` or ``x != value`` as a literal."""
        if not isinstance(expression, Compare) or expression.op not in ("==", "!="):
            return None
        left, right = expression.left, expression.right
        if isinstance(left, Constant):
            left, right = right, left
        if not isinstance(left, Variable) or not isinstance(right, Constant):
            return None
        position = left.positions.get(right.value)
        if position is None:
            return None
        return expression.op, (self.ids[left.index], self._values[left.index][position])

    def _truth(self, name: str, expression: Expression) -> Literal:
        """Return a literal that is true exactly where the condition holds."""
        part = Condition(name, expression)
        simple = self._equality(expression)
        if simple is not None and simple[0] == "==":
            return simple[1]
        truth = self.solver.add_variable([0, 1])
        if not part.scope:
            self.solver.assign(truth, int(part.holds({})))
        elif part.space() <= self._reified_limit(expression):
            blocks = []
            for value, side in ((1, expression), (0, negate(expression))):
                rows = tabulate(Condition(name, side), TABLE_LIMIT)
                values = [np.array(self._values[v.index], dtype=np.int32)[rows[:, i]] for i, v in enumerate(part.scope)]
                blocks.append(np.column_stack([*values, np.full(len(rows), value, dtype=np.int32)]))
            self.solver.add_table([*(self.ids[v.index] for v in part.scope), truth], np.vstack(blocks))
        elif isinstance(expression, Logic) and expression.op == "~":
            self.solver.add_all_of((truth, 0), [self._truth(name, expression.arguments[0])])
        elif isinstance(expression, Logic):
            positive, negative = self._literals(name, expression.arguments)
            add = self.solver.add_all_of if expression.op == "&" else self.solver.add_any_of
            add(truth, positive, negative)
        elif isinstance(expression, Compare):
            self._post_compare(name, expression, truth)
        elif isinstance(expression, Distinct):
            return self._truth(name, pairwise_distinct(expression))
        else:
            raise ModelError(f"constraint {name}: {expression!r} cannot be solved")
        return truth, 1

    def _is_numeric(self, expression: Expression) -> bool:
        return all(self._values[v.index] == list(v.domain) for v in scope_of(expression))

    def _post_compare(self, name: str, expression: Compare, truth: int | None) -> None:
        if not self._is_numeric(expression):
            return self._post_values(name, expression, truth)
        # left - right op 0, over the variables of both sides.
        factors: dict[int, int] = {}
        constant = 0
        for sign, side in ((1, expression.left), (-1, expression.right)):
            for factor, variable in self._linear(name, side):
                if variable is None:
                    constant += sign * factor
                else:
                    factors[variable] = factors.get(variable, 0) + sign * factor
        kept = [(variable, factor) for variable, factor in factors.items() if factor]
        if not kept:
            # Both sides are the same terms: what is left is a comparison of constants.
            holds = bool(Compare(expression.op, Constant(constant), Constant(0)).evaluate({}))
            if truth is not None:
                self.solver.assign(truth, int(holds))
            elif not holds:
                self.solver.add_clause([], [])
            return None
        variables, numbers = [variable for variable, _ in kept], [factor for _, factor in kept]
        self.solver.add_linear(variables, numbers, expression.op, -constant, reified=truth)
        return None

    def _post_values(self, name: str, expression: Compare, truth: int | None) -> None:
        """Equality of two variables of any values: they are equal at a value that both have."""
        left, right = expression.left, expression.right
        if expression.op not in ("==", "!=") or not isinstance(left, Variable) or not isinstance(right, Variable):
            raise ModelError(f"constraint {name}: {expression!r} is too large for a table and not over integers")
        same = []
        for value, position in left.positions.items():
            if value in right.positions:
                both = self.solver.add_variable([0, 1])
                mine = (self.ids[left.index], self._values[left.index][position])
                theirs = (self.ids[right.index], self._values[right.index][right.positions[value]])
                self.solver.add_all_of(both, [mine, theirs])
                same.append((both, 1))
        if truth is not None:
            self.solver.add_any_of((truth, int(expression.op == "==")), same)
        elif expression.op == "==":
            self.solver.add_clause(same)
        else:
            for literal in same:
                self.solver.add_clause([], [literal])

    def _linear(self, name: str, term: Expression) -> list[tuple[int, int | None]]:
        """Return a term as factors of solver variables; none stands for a constant."""
        if isinstance(term, Constant):
            return [(_integer(name, term.value), None)]
        if isinstance(term, Sum):
            parts = [(_integer(name, f), self._term(name, t)) for f, t in term.terms if not isinstance(t, Constant)]
            fixed = sum(_integer(name, f) * _integer(name, t.value) for f, t in term.terms if isinstance(t, Constant))
            return [*parts, (_integer(name, term.constant) + fixed, None)]
        return [(1, self._term(name, term))]

    def _term(self, name: str, term: Expression) -> int:
        """Return a solver variable that equals the term."""
        if isinstance(term, Variable):
            return self.ids[term.index]
        if isinstance(term, Constant):
            return self.solver.add_variable([_integer(name, term.value)])
        if term.is_condition:
            variable, value = self._truth(name, term)
            if value == 1 and self.solver.domain(variable) == [0, 1]:
                return variable
            truth = self.solver.add_variable([0, 1])
            self.solver.add_all_of(truth, [(variable, value)])
            return truth
        result = self._new_term(name, term)
        if isinstance(term, Sum):
            parts = self._linear(name, term)
            variables = [variable for _, variable in parts if variable is not None]
            factors = [factor for factor, variable in parts if variable is not None]
            constant = sum(factor for factor, variable in parts if variable is None)
            self.solver.add_linear([*variables, result], [*factors, -1], "==", -constant)
            return result
        assert isinstance(term, Apply)
        arguments = [self._term(name, argument) for argument in term.arguments]
        if term.op == "abs":
            self.solver.add_absolute(arguments[0], result)
            return result
        if term.op in ("//", "%") and min(bounds(argument)[0] for argument in term.arguments) < 0:
            raise ModelError(f"constraint {name}: {term!r} may divide negative numbers and is too large for a table")
        add = {
            "*": self.solver.add_product,
            "//": self.solver.add_quotient,
            "%": self.solver.add_remainder,
            "min": self.solver.add_minimum,
            "max": self.solver.add_maximum,
        }[term.op]
        # Minimum and maximum of many are taken two by two.
        so_far = arguments[0]
        for number, argument in enumerate(arguments[1:], start=2):
            is_last = number == len(arguments)
            target = result if is_last else self._new_term(name, Apply(term.op, term.arguments[:number]))
            add(so_far, argument, target)
            so_far = target
        if len(arguments) == 1:
            self.solver.add_compare(so_far, "==", result)
        return result

    def _new_term(self, name: str, term: Expression) -> int:
        low, high = bounds(term)
        if not math.isfinite(low + high) or high - low > TERM_VALUES or max(abs(low), abs(high)) > 2**31 - 2:
            raise ModelError(f"constraint {name}: {term!r} can take values from {low:.6g} to {high:.6g}: too many")
        return self.solver.add_variable(np.arange(int(low), int(high) + 1))


def _integer(name: str, value: object) -> int:
    if not isinstance(value, int):
        raise ModelError(f"constraint {name}: {value!r} is no integer")
    return int(value)


def _is_logical(expression: Compare) -> bool:
    return expression.left.is_condition and expression.right.is_condition
