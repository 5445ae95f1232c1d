"""Conditions: those that must hold, and the truth values of those inside others."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic
from woodstock.constraint.plain import shown
from woodstock.constraint.posting.literal import Literal, Truth, all_pairs, any_pairs, equals, negation
from woodstock.constraint.posting.options import PostingOptions
from woodstock.constraint.posting.terms import FREE, CannotPost, Scope, TermPoster, is_number
from woodstock.constraint.selection import Element, IfThenElse, Member
from woodstock.constraint.values import evaluate_all
from woodstock.constraint.variable import Variable, scope_of, space


class ConditionPoster(TermPoster):
    """Posts conditions."""

    def __init__(self, variables: Sequence[Variable], options: PostingOptions, memory_mb: int = 4096) -> None:
        super().__init__(variables, options, memory_mb)
        # Of conditions seen before, by identity; the condition is kept too, so that no other one gets its id.
        self._literals: dict[int, tuple[Truth, Expression]] = {}

    def conjuncts(self, expression: Expression) -> list[Expression]:
        """Return the conditions that are posted one by one: the parts of an and, unless it becomes one table."""
        if not isinstance(expression, Logic) or expression.op != "&":
            return [expression]
        if self.options.has_joint_tables and self._is_table(expression, scope_of(expression)):
            return [expression]
        return [part for argument in expression.arguments for part in self.conjuncts(argument)]

    def require(self, expression: Expression, guard: int | None = None) -> None:
        """Post the condition; with a guard, it must hold only if that 0/1 variable is 1."""
        for part in self.conjuncts(expression):
            scope = scope_of(part)
            if guard is None:
                self._post(part, scope)
            elif self._is_clause(part):
                self.clause([*map(self.literal, part.arguments), equals(guard, 0)])
            elif scope and space(scope) <= self.options.parts_limit:
                rows = _guarded(self.rows_of(part, scope))
                self.solver.add_table([guard, *self.columns(scope)], rows, wildcard=FREE)
            else:
                self.clause([self.literal(part), equals(guard, 0)])

    def _post(self, expression: Expression, scope: Scope) -> None:
        if not scope:
            if not expression.evaluate({}):
                self.solver.add_clause([], [])
        elif self._is_clause(expression):
            self.clause([*map(self.literal, expression.arguments)])
        elif isinstance(expression, Distinct) and len(expression.arguments) > 2 and _is_one_domain(expression):
            self.solver.add_all_different([self.ids[v.index] for v in expression.variables()])
        elif self._is_table(expression, scope):
            self.solver.add_table(self.columns(scope), self.rows_of(expression, scope))
        elif isinstance(expression, Logic):
            parts = expression.arguments if expression.op == "|" else (expression,)
            self.clause([*map(self.literal, parts)])
        elif isinstance(expression, Distinct) and all(map(is_number, expression.parts)):
            self.solver.add_all_different([self.name(part) for part in expression.arguments])
        elif isinstance(expression, Member):
            ids = [self.name(term) for term in expression.terms]
            self.solver.add_table(ids, expression.array, is_allowed=expression.is_allowed)
        elif isinstance(expression, Compare) and all(map(is_number, expression.parts)):
            terms, constant = self.difference(expression)
            if expression.op != "==" or not self.sums.require_zero(terms, constant):
                self.solver.add_linear([v for _, v in terms], [f for f, _ in terms], expression.op, -constant)
        else:
            self.clause([self.literal(expression)])

    def literal(self, expression: Expression) -> Truth:
        """Return a literal that is true if and only if the condition holds."""
        if id(expression) not in self._literals:
            self._literals[id(expression)] = (self._make_literal(expression), expression)
        return self._literals[id(expression)][0]

    def _make_literal(self, expression: Expression) -> Truth:
        literal = self._equality_with_value(expression)
        if literal is not None:
            return literal
        scope = scope_of(expression)
        if not scope:
            return bool(expression.evaluate({}))
        literal = self._unary_literal(expression, scope)
        if literal is not None:
            return literal
        if isinstance(expression, Logic) and (
            _is_shallow(expression, scope) or not self._has_truth_table(expression, scope)
        ):
            return self._logic(expression)
        if self._has_truth_table(expression, scope):
            return self._tabulated_truth(expression, scope)
        if isinstance(expression, Distinct):
            pairs = itertools.combinations(expression.arguments, 2)
            return self.gate([negation(self._equality(a, b)) for a, b in pairs], is_all=True)
        if isinstance(expression, Compare):
            return self._compare(expression)
        if isinstance(expression, Member):
            return self._reified_table(expression)
        raise CannotPost(f"{self.what}: {shown(expression)} is not a condition")

    def gate(self, literals: list[Truth], *, is_all: bool) -> Truth:
        """Return a literal that is true if all of these are, or if any is."""
        deciding = not is_all  # false decides an and, true an or
        if any(literal is deciding for literal in literals):
            return deciding
        known = list(dict.fromkeys(literal for literal in literals if isinstance(literal, Literal)))
        if not known:
            return is_all
        if len(known) == 1:
            return known[0]
        truth = self.solver.add_variable([0, 1])
        if is_all:
            self.solver.add_all_of(truth, *all_pairs(known))
        else:
            self.solver.add_any_of(truth, *any_pairs(known))
        return equals(truth, 1)

    def _logic(self, expression: Logic) -> Truth:
        if expression.op == "~":
            return negation(self.literal(expression.arguments[0]))
        return self.gate([*map(self.literal, expression.arguments)], is_all=expression.op == "&")

    def _tabulated_truth(self, expression: Expression, scope: Scope) -> Truth:
        rows = self.rows_with_value(expression, scope)
        holds = rows[:, -1]
        if holds.all() or not holds.any():
            return bool(holds[0])
        truth = self.solver.add_variable([0, 1])
        self.solver.add_table([*self.columns(scope), truth], rows)
        return equals(truth, 1)

    def _unary_literal(self, expression: Expression, scope: Scope) -> Truth | None:
        """Return a condition on one variable as a literal; none if its values are too many to list."""
        if len(scope) > 1:
            return None
        name, codes = self.ids[scope[0].index], scope[0].codes
        if len(codes) > self.options.truth_limit:
            return None
        holds = evaluate_all(expression, scope, self.what).astype(bool).tolist()
        inside = tuple(code for code, is_true in zip(codes, holds, strict=True) if is_true)
        outside = tuple(code for code, is_true in zip(codes, holds, strict=True) if not is_true)
        if not inside or not outside:
            return not outside
        if len(codes) <= self.options.set_limit:
            return Literal(name, inside, outside)
        if len(inside) == 1:
            return Literal(name, inside)
        return Literal(name, None, outside) if len(outside) == 1 else None

    def _equality_with_value(self, expression: Expression) -> Truth | None:
        pair = _compared_value(expression)
        if pair is None:
            return None
        variable, value = pair
        position = variable.positions.get(value.value)
        literal: Truth = position is not None
        if position is not None and len(variable.domain) > 1:
            literal = equals(self.ids[variable.index], variable.codes[position])
        return negation(literal) if isinstance(expression, Compare) and expression.op == "!=" else literal

    def _compare(self, expression: Compare) -> Truth:
        if not all(map(is_number, expression.parts)):
            if expression.op not in ("==", "!="):
                raise CannotPost(f"{self.what}: {shown(expression)} is too large for a table and not over integers")
            equality = self._equality(expression.left, expression.right)
            return equality if expression.op == "==" else negation(equality)
        terms, constant = self.difference(expression)
        if not terms:
            return bool(Compare(expression.op, Constant(constant), Constant(0)).evaluate({}))
        truth = self.solver.add_variable([0, 1])
        names, factors = [v for _, v in terms], [f for f, _ in terms]
        self.solver.add_linear(names, factors, expression.op, -constant, reified=truth)
        return equals(truth, 1)

    def _equality(self, left: Expression, right: Expression) -> Truth:
        """Return a literal for the equality of two terms, or of two variables of any values."""
        if isinstance(left, Variable) and isinstance(right, Variable):
            if left.domain == right.domain or (left.is_numeric and right.is_numeric):
                return self.equality(self.ids[left.index], self.ids[right.index])
            shared = [value for value in left.positions if value in right.positions]
            pairs = [[self.literal(left == value), self.literal(right == value)] for value in shared]
            return self.gate([self.gate(pair, is_all=True) for pair in pairs], is_all=False)
        return self.equality(self.name(left), self.name(right))

    def _reified_table(self, member: Member) -> Truth:
        truth = self.solver.add_variable([0, 1])
        ids = [self.name(term) for term in member.terms]
        rows = member.array
        inside, outside = (1, 0) if member.is_allowed else (0, 1)
        free = np.full((1, len(ids) + 1), FREE, dtype=np.int64)
        free[0, -1] = outside
        listed = np.column_stack([rows, np.full(len(rows), inside)])
        self.solver.add_table([*ids, truth], np.vstack([listed, free]), wildcard=FREE)
        self.solver.add_table([*ids, truth], np.column_stack([rows, np.full(len(rows), outside)]), is_allowed=False)
        return equals(truth, 1)

    def _is_clause(self, expression: Expression) -> TypeGuard[Logic]:
        """Whether it is an or of conditions on single variables: a clause then does what a table would."""
        if not isinstance(expression, Logic) or expression.op != "|":
            return False
        for part in expression.arguments:
            if _compared_value(part) is None:
                scope = scope_of(part)
                if len(scope) > 1 or space(scope) > self.options.set_limit:
                    return False
        return True

    def _is_table(self, expression: Expression, scope: Scope) -> bool:
        """Whether a condition that must hold becomes one table."""
        options, size = self.options, space(scope)
        if not 0 < len(scope) <= options.arity_limit or size > options.table_limit:
            return False
        if not all(variable.is_numeric for variable in scope):
            return size <= options.slow_limit or not isinstance(expression, Logic | Distinct)
        return size <= options.parts_limit or _is_hard(expression)

    def _has_truth_table(self, expression: Expression, scope: Scope) -> bool:
        """Whether the truth of a condition is a column of a table."""
        options = self.options
        # There is no other way to post an order on values that are not integers.
        is_slow = isinstance(expression, Compare) and not all(map(is_number, expression.parts))
        return space(scope) <= (options.table_limit if is_slow else options.truth_limit)


def _compared_value(expression: Expression) -> tuple[Variable, Constant] | None:
    """Return the two sides of ``x == value`` and ``x != value``, none for other conditions."""
    if not isinstance(expression, Compare) or expression.op not in ("==", "!="):
        return None
    left, right = expression.left, expression.right
    if isinstance(left, Constant):
        left, right = right, left
    return (left, right) if isinstance(left, Variable) and isinstance(right, Constant) else None


def _is_shallow(expression: Logic, scope: Scope) -> bool:
    """Whether it joins conditions on single variables: clauses are cheaper than a table."""
    others = [part for part in expression.arguments if _compared_value(part) is None]
    return not others if len(scope) == 1 else all(len(scope_of(part)) <= 1 for part in others)


def _is_one_domain(expression: Distinct) -> bool:
    """Whether it is about variables whose values have the same codes."""
    variables = [part for part in expression.arguments if isinstance(part, Variable)]
    if len(variables) < len(expression.arguments):
        return False
    return all(v.is_numeric for v in variables) or len({v.domain for v in variables}) == 1


def _is_hard(expression: Expression) -> bool:
    """Whether taking it apart would lose much: elements, tables, minima, products of terms."""
    if isinstance(expression, Element | Member | IfThenElse | Apply):
        return True
    return any(_is_hard(part) for part in expression.parts)


def _guarded(rows: np.ndarray) -> np.ndarray:
    """Return the rows behind a first column, the guard: if it is 0, everything fits."""
    free = np.full((1, rows.shape[1] + 1), FREE, dtype=np.int64)
    free[0, 0] = 0
    return np.vstack([free, np.column_stack([np.full(len(rows), FREE), rows])])
