"""Terms as variables of the kernel: small ones by tables, larger ones by their parts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from woodstock._native import Solver
from woodstock.constraint.constraint import scope_of
from woodstock.constraint.expression import Apply, Compare, Constant, Expression, Sum
from woodstock.constraint.posting.literal import Literal, Truth, any_pairs, equals, negation
from woodstock.constraint.posting.sums import Sums, Terms
from woodstock.constraint.posting.tables import rows_with_value
from woodstock.constraint.selection import Element, IfThenElse
from woodstock.constraint.values import evaluate_all, possible_values, space
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

TERM_LIMIT = 5_000  # assignments of a term that is tabulated as a whole
ROW_LIMIT = 50_000  # pairs of values of a product and the like
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
}


class TermPoster(ABC):
    """Posts terms. What they need of conditions, their truth, comes from a class derived from this one."""

    def __init__(self, solver: Solver, what: str) -> None:
        self.solver = solver
        self.ids: dict[int, int] = {}  # of the model's variables, by their number in it
        self.what = what  # the part of the model at work, for messages
        self.sums = Sums(solver)
        # Of terms seen before, by identity; the term itself is kept, so that no other one gets its number.
        self._names: dict[int, tuple[int, Expression]] = {}

    @abstractmethod
    def literal(self, expression: Expression) -> Truth:
        """Return a literal that is true exactly where the condition holds."""

    def clause(self, literals: list[Truth]) -> None:
        """Require one of the literals."""
        if any(literal is True for literal in literals):
            return
        self.solver.add_clause(*any_pairs([literal for literal in literals if isinstance(literal, Literal)]))

    def equivalent(self, truth: int, literal: Truth) -> None:
        """Require that a 0/1 variable says whether the literal is true."""
        self.clause([equals(truth, 0), literal])
        self.clause([equals(truth, 1), negation(literal)])

    def truth_of(self, expression: Expression) -> int:
        """Return a 0/1 variable that says whether the condition holds."""
        literal = self.literal(expression)
        truth = self.solver.add_variable([0, 1])
        self.equivalent(truth, literal)
        return truth

    def equality(self, x: int, y: int) -> Truth:
        """Return a literal that is true where two variables of the kernel are equal."""
        if x == y:
            return True
        truth = self.solver.add_variable([0, 1])
        self.solver.add_compare(x, "==", y, reified=truth)
        return equals(truth, 1)

    def name(self, term: Expression) -> int:
        """Return a kernel variable that equals the term; a condition counts as 0 or 1."""
        if isinstance(term, Variable):
            return self.ids[term.index]
        if id(term) in self._names:
            return self._names[id(term)][0]
        if term.is_condition:
            name = self.truth_of(term)
        else:
            name = self.solver.add_variable(possible_values(term, self.what))
            self.define(term, name)
        self._names[id(term)] = (name, term)
        return name

    def difference(self, compare: Compare) -> tuple[Terms, int]:
        """Return left - right as factors of kernel variables, outermost variables first, and a constant."""
        terms: dict[int, int] = {}
        constant = 0
        places: dict[int, int] = {}
        for sign, side in ((1, compare.left), (-1, compare.right)):
            parts = side.terms if isinstance(side, Sum) else ((1, side),)
            constant += sign * (side.constant if isinstance(side, Sum) else 0)
            for factor, term in parts:
                if isinstance(term, Constant):
                    constant += sign * factor * int(term.value)  # type: ignore[call-overload]
                    continue
                name = self.name(term)
                terms[name] = terms.get(name, 0) + sign * factor
                places.setdefault(name, min((v.index for v in term.variables()), default=0))
        kept = [(factor, name) for name, factor in terms.items() if factor]
        return sorted(kept, key=lambda pair: places[pair[1]]), constant

    def define(self, term: Expression, result: int) -> None:
        """Post result = term."""
        scope = scope_of(term)
        if not scope:
            self.solver.add_clause([(result, int(term.evaluate({})))], [])
        elif isinstance(term, IfThenElse) and space(scope) <= TERM_LIMIT:
            values = evaluate_all(term, scope).astype(np.int64).tolist()
            self.solver.add_lookup([self.ids[v.index] for v in scope], result, values)
        elif space(scope) <= TERM_LIMIT:
            self.solver.add_table([*(self.ids[v.index] for v in scope), result], rows_with_value(term, scope))
        elif term.is_condition:
            self.equivalent(result, self.literal(term))
        elif isinstance(term, Sum):
            terms, constant = self.difference(Compare("==", term, Constant(0)))
            if not self.sums.require_zero([*terms, (-1, result)], constant):
                names, factors = [v for _, v in terms], [f for f, _ in terms]
                self.solver.add_linear([*names, result], [*factors, -1], "==", -constant)
        elif isinstance(term, Apply):
            self._define_apply(term, result)
        elif isinstance(term, IfThenElse):
            test = self.literal(term.test)
            self.clause([negation(test), self.equality(result, self.name(term.then))])
            self.clause([test, self.equality(result, self.name(term.otherwise))])
        elif isinstance(term, Element):
            self._define_element(term, result)
        elif isinstance(term, Variable):
            self.solver.add_compare(result, "==", self.ids[term.index])
        else:
            raise ModelError(f"{self.what}: {term!r} is not a term over integers")

    def _define_apply(self, term: Apply, result: int) -> None:
        names = [self.name(argument) for argument in term.arguments]
        if term.op == "abs":
            self.solver.add_absolute(names[0], result)
            return
        function = _FUNCTIONS[term.op]
        while len(names) > 2:
            columns = [self.solver.domain(name) for name in names[:2]]
            joined = self.solver.add_variable(sorted({function(a, b) for a in columns[0] for b in columns[1]}))
            self._function(function, names[0], names[1], joined, term)
            names[:2] = [joined]
        if len(names) == 1:
            self.solver.add_compare(result, "==", names[0])
        else:
            self._function(function, names[0], names[1], result, term)

    def _function(self, function: Callable[[int, int], int], x: int, y: int, z: int, term: Expression) -> None:
        xs, ys = self.solver.domain(x), self.solver.domain(y)
        if len(xs) * len(ys) > ROW_LIMIT:
            raise ModelError(f"{self.what}: {term!r} has too many combinations ({len(xs)} by {len(ys)})")
        if x == y:
            self.solver.add_table([x, z], [(a, function(a, a)) for a in xs])
        else:
            self.solver.add_table([x, y, z], [(a, b, function(a, b)) for a in xs for b in ys])

    def _define_element(self, term: Element, result: int) -> None:
        index = self.name(term.index)
        if term.numbers is not None:
            self.solver.add_element(index, [int(n) for n in term.numbers], result, is_constant=True)
        else:
            self.solver.add_element(index, [self._name_entry(entry) for entry in term.entries], result)

    def _name_entry(self, entry: Expression) -> int:
        return self.solver.add_variable([int(entry.value)]) if isinstance(entry, Constant) else self.name(entry)  # type: ignore[call-overload]
