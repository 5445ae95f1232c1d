"""Conditions: those that must hold, and the truth of those that are parts of others."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np

from woodstock._native import Solver
from woodstock.constraint.constraint import scope_of
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic
from woodstock.constraint.posting.literal import Literal, Truth, all_pairs, any_pairs, equals, negation
from woodstock.constraint.posting.tables import FREE, guarded, rows_of, rows_of_member, rows_with_value
from woodstock.constraint.posting.terms import TermPoster
from woodstock.constraint.selection import Element, IfThenElse, Member, parts_of
from woodstock.constraint.values import evaluate_all, integers, space
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

TABLE_LIMIT = 20_000  # rows of a table made of a condition that could be taken apart
HARD_LIMIT = 100_000  # and of one that has tables or elements in it
SET_LIMIT = 64  # values of a variable that a literal may list: one word of the kernel


class ConditionPoster(TermPoster):
    """Posts conditions."""

    def __init__(self, solver: Solver, what: str) -> None:
        super().__init__(solver, what)
        # Of conditions seen before, by identity; the condition itself is kept, so that no other one gets its number.
        self._literals: dict[int, tuple[Truth, Expression]] = {}

    def require(self, expression: Expression, guard: int | None = None) -> None:
        """Post the condition; with a guard, only for where that 0/1 variable is 1."""
        if isinstance(expression, Logic) and expression.op == "&":
            for part in expression.arguments:
                self.require(part, guard)
            return
        scope = scope_of(expression)
        if guard is None:
            self._post(expression, scope)
        elif _is_clause(expression):
            self.clause([*map(self.literal, expression.arguments), equals(guard, 0)])
        elif scope and space(scope) <= TABLE_LIMIT:
            rows = guarded(rows_of(expression, scope))
            self.solver.add_table([guard, *(self.ids[v.index] for v in scope)], rows, wildcard=FREE)
        else:
            self.clause([self.literal(expression), equals(guard, 0)])

    def _post(self, expression: Expression, scope: tuple[Variable, ...]) -> None:
        if not scope:
            if not expression.evaluate({}):
                self.solver.add_clause([], [])
        elif _is_clause(expression):
            self.clause([*map(self.literal, expression.arguments)])
        elif space(scope) <= (HARD_LIMIT if _is_hard(expression) else TABLE_LIMIT):
            self.solver.add_table([self.ids[v.index] for v in scope], rows_of(expression, scope))
        elif isinstance(expression, Logic):
            parts = expression.arguments if expression.op == "|" else (expression,)
            self.clause([*map(self.literal, parts)])
        elif isinstance(expression, Distinct):
            self.solver.add_all_different([self.name(part) for part in expression.arguments])
        elif isinstance(expression, Member):
            ids = [self.name(term) for term in expression.terms]
            self.solver.add_table(ids, rows_of_member(expression), is_allowed=expression.is_allowed)
        elif isinstance(expression, Compare):
            terms, constant = self.difference(expression)
            if expression.op != "==" or not self.sums.require_zero(terms, constant):
                self.solver.add_linear([v for _, v in terms], [f for f, _ in terms], expression.op, -constant)
        else:
            raise ModelError(f"{self.what}: {expression!r} is not a condition")

    def literal(self, expression: Expression) -> Truth:
        """Return a literal that is true exactly where the condition holds."""
        if id(expression) not in self._literals:
            self._literals[id(expression)] = (self._make_literal(expression), expression)
        return self._literals[id(expression)][0]

    def _make_literal(self, expression: Expression) -> Truth:
        scope = scope_of(expression)
        if not scope:
            return bool(expression.evaluate({}))
        if space(scope) <= TABLE_LIMIT:
            return self._small_literal(expression, scope)
        if isinstance(expression, Logic):
            return self._logic(expression)
        if isinstance(expression, Distinct):
            names = [self.name(part) for part in expression.arguments]
            pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
            return self.gate([negation(self.equality(a, b)) for a, b in pairs], is_all=True)
        truth = self.solver.add_variable([0, 1])
        if isinstance(expression, Member):
            self._reify_table(expression, truth)
        elif isinstance(expression, Compare):
            terms, constant = self.difference(expression)
            names, factors = [v for _, v in terms], [f for f, _ in terms]
            if not terms:
                return bool(Compare(expression.op, Constant(constant), Constant(0)).evaluate({}))
            self.solver.add_linear(names, factors, expression.op, -constant, reified=truth)
        else:
            raise ModelError(f"{self.what}: {expression!r} is not a condition")
        return equals(truth, 1)

    def gate(self, literals: list[Truth], *, is_all: bool) -> Truth:
        """Return a literal that is true where all of these are, or any."""
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

    def _small_literal(self, expression: Expression, scope: tuple[Variable, ...]) -> Truth:
        if len(scope) == 1:
            unary = self._unary_literal(expression, scope[0])
            if unary is not None:
                return unary
        elif isinstance(expression, Logic) and all(len(scope_of(part)) <= 1 for part in expression.arguments):
            return self._logic(expression)  # clauses are cheaper than a table
        rows = rows_with_value(expression, scope)
        holds = rows[:, -1]
        if holds.all() or not holds.any():
            return bool(holds[0])
        truth = self.solver.add_variable([0, 1])
        self.solver.add_table([*(self.ids[v.index] for v in scope), truth], rows)
        return equals(truth, 1)

    def _unary_literal(self, expression: Expression, variable: Variable) -> Truth | None:
        """Return the values for which the condition holds as a literal; none where they are too many to list."""
        holds = evaluate_all(expression, (variable,)).astype(bool).tolist()
        domain = integers(variable)
        inside = tuple(value for value, is_true in zip(domain, holds, strict=True) if is_true)
        outside = tuple(value for value, is_true in zip(domain, holds, strict=True) if not is_true)
        if not inside or not outside:
            return not outside
        name = self.ids[variable.index]
        if len(domain) <= SET_LIMIT:
            return Literal(name, inside, outside)
        if len(inside) == 1:
            return Literal(name, inside)
        return Literal(name, None, outside) if len(outside) == 1 else None

    def _reify_table(self, member: Member, truth: int) -> None:
        ids = [self.name(term) for term in member.terms]
        rows = rows_of_member(member)
        inside, outside = (1, 0) if member.is_allowed else (0, 1)
        free = np.full((1, len(ids) + 1), FREE, dtype=np.int64)
        free[0, -1] = outside
        listed = np.column_stack([rows, np.full(len(rows), inside)])
        self.solver.add_table([*ids, truth], np.vstack([listed, free]), wildcard=FREE)
        self.solver.add_table([*ids, truth], np.column_stack([rows, np.full(len(rows), outside)]), is_allowed=False)


def _is_clause(expression: Expression) -> TypeGuard[Logic]:
    """Whether it is an or of conditions on single variables: a clause then does what a table would."""
    if not isinstance(expression, Logic) or expression.op != "|":
        return False
    scopes = [scope_of(part) for part in expression.arguments]
    return all(len(scope) <= 1 and space(scope) <= SET_LIMIT for scope in scopes)


def _is_hard(expression: Expression) -> bool:
    """Whether taking it apart would lose much: elements, tables, minima, products of terms."""
    if isinstance(expression, Element | Member | IfThenElse | Apply):
        return True
    return any(_is_hard(part) for part in parts_of(expression))
