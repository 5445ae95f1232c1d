"""Terms as variables of the kernel: small ones by tables, larger ones by their parts."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from woodstock._native import Solver
from woodstock.constraint.expression import Apply, Compare, Constant, Expression, Sum
from woodstock.constraint.plain import shown
from woodstock.constraint.posting.literal import Literal, Truth, any_pairs, equals, negation
from woodstock.constraint.posting.options import PostingOptions
from woodstock.constraint.posting.sums import Sums, Terms
from woodstock.constraint.selection import Element, IfThenElse
from woodstock.constraint.values import evaluate_all, possible_values
from woodstock.constraint.variable import Variable, scope_of, space
from woodstock.errors import ModelError

FREE = -(2**31)  # a cell of a table that fits every value
QUOTIENT_ROWS = 50_000  # of a table for a quotient or remainder of negative numbers, which have no propagator
Scope = tuple[Variable, ...]
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
}


class CannotPost(ModelError):
    """A condition cannot be posted exactly: it is too large, or computes with values that are not integers."""


class TermPoster(ABC):
    """Posts terms. A derived class posts the conditions in them."""

    def __init__(self, variables: Sequence[Variable], options: PostingOptions, memory_mb: int = 4096) -> None:
        self.solver = Solver(memory_mb=memory_mb)
        self.options = options
        self.ids = {v.index: self.solver.add_variable(sorted(v.codes)) for v in variables}
        self.what = "the model"  # the part of the model that is being posted, for messages
        self.sums = Sums(self.solver, options.chain_limit)
        # Of terms seen before, by identity; the term is kept too, so that no other one gets its id.
        self._names: dict[int, tuple[int, Expression]] = {}

    @abstractmethod
    def literal(self, expression: Expression) -> Truth:
        """Return a literal that is true if and only if the condition holds."""

    def columns(self, scope: Sequence[Variable]) -> list[int]:
        """Return the kernel's variables of a scope."""
        return [self.ids[variable.index] for variable in scope]

    def rows_of(self, condition: Expression, scope: Scope) -> Any:
        """Return the assignments that satisfy the condition, in the kernel's values."""
        holds = evaluate_all(condition, scope, self.what).astype(bool)
        return _in_codes(scope, np.nonzero(holds.reshape([len(v.domain) for v in scope])))

    def rows_with_value(self, term: Expression, scope: Scope) -> Any:
        """Return every assignment, and in a last column the value of the term; 0 or 1 for a condition."""
        positions = np.indices([len(v.domain) for v in scope]).reshape(len(scope), -1)
        return np.column_stack([_in_codes(scope, positions), evaluate_all(term, scope, self.what).astype(np.int32)])

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
        """Return a literal that is true if two variables of the kernel are equal."""
        if x == y:
            return True
        truth = self.solver.add_variable([0, 1])
        self.solver.add_compare(x, "==", y, reified=truth)
        return equals(truth, 1)

    def name(self, term: Expression) -> int:
        """Return a kernel variable that equals the term; a condition counts as 0 or 1."""
        if isinstance(term, Variable):
            if not term.is_numeric:
                raise CannotPost(f"{self.what}: {term.name} has values that are not integers of 32 bits")
            return self.ids[term.index]
        if isinstance(term, Constant):
            return self.solver.add_variable([self.integer(term.value)])
        if id(term) not in self._names:
            if term.is_condition:
                name = self.truth_of(term)
            else:
                name = self.solver.add_variable(self._values_of(term))
                self.define(term, name)
            self._names[id(term)] = (name, term)
        return self._names[id(term)][0]

    def integer(self, value: Any) -> int:
        """Return a constant or a factor as an integer."""
        if not isinstance(value, int):
            raise CannotPost(f"{self.what}: {shown(value)} is not an integer")
        return int(value)

    def difference(self, compare: Compare) -> tuple[Terms, int]:
        """Return left - right as factors of kernel variables, outermost variables first, and a constant."""
        terms: dict[int, int] = {}
        constant = 0
        places: dict[int, int] = {}
        for sign, side in ((1, compare.left), (-1, compare.right)):
            whole = side if isinstance(side, Sum) else Sum(((1, side),))
            constant += sign * self.integer(whole.constant)
            for factor, term in whole.terms:
                scaled = sign * self.integer(factor)
                if isinstance(term, Constant):
                    constant += scaled * self.integer(term.value)
                    continue
                name = self.name(term)
                terms[name] = terms.get(name, 0) + scaled
                places.setdefault(name, min((v.index for v in term.variables()), default=0))
        kept = [(factor, name) for name, factor in terms.items() if factor]
        return sorted(kept, key=lambda pair: places[pair[1]]), constant

    def define(self, term: Expression, result: int) -> None:
        """Post result = term."""
        scope = scope_of(term)
        is_small = space(scope) <= self.options.term_limit
        if not scope:
            self.solver.add_clause([(result, int(term.evaluate({})))], [])
        elif is_small and isinstance(term, IfThenElse):
            values = evaluate_all(term, scope, self.what).reshape([len(v.domain) for v in scope])
            # The solver lists a variable's values in ascending order, whatever their order in the domain.
            values = values[np.ix_(*(np.argsort(v.codes) for v in scope))]
            self.solver.add_lookup(self.columns(scope), result, values.astype(np.int64).ravel().tolist())
        elif is_small:
            self.solver.add_table([*self.columns(scope), result], self.rows_with_value(term, scope))
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
            self.solver.add_compare(result, "==", self.name(term))
        else:
            raise CannotPost(f"{self.what}: {shown(term)} is not a term over integers")

    def _values_of(self, term: Expression) -> Any:
        if not is_number(term):
            raise CannotPost(f"{self.what}: {shown(term)} is not a term over integers")
        try:
            return possible_values(term, self.what, self.options.value_limit)
        except ModelError as error:
            raise CannotPost(str(error)) from None

    def _define_apply(self, term: Apply, result: int) -> None:
        names = [self.name(argument) for argument in term.arguments]
        if term.op == "abs":
            self.solver.add_absolute(names[0], result)
            return
        # Minimum and maximum of many are taken two by two.
        while len(names) > 2:
            values = {*self.solver.domain(names[0]), *self.solver.domain(names[1])}
            joined = self.solver.add_variable(sorted(values))
            self._function(term, names[0], names[1], joined)
            names[:2] = [joined]
        if len(names) == 1:
            self.solver.add_compare(result, "==", names[0])
        else:
            self._function(term, names[0], names[1], result)

    def _function(self, term: Apply, x: int, y: int, z: int) -> None:
        xs, ys = self.solver.domain(x), self.solver.domain(y)
        # The propagators of quotients and remainders are for numbers that are not negative.
        is_signed = term.op in ("//", "%") and (xs[0] < 0 or ys[0] < 0)
        limit = max(QUOTIENT_ROWS, self.options.pair_limit) if is_signed else self.options.pair_limit
        if len(xs) * len(ys) <= limit:
            function = _FUNCTIONS[term.op]
            pairs = [(a, b) for a in xs for b in ys if (b != 0 or term.op not in ("//", "%")) and (x != y or a == b)]
            rows = [(a, b, function(a, b)) for a, b in pairs]
            self.solver.add_table([x, y, z], np.array(rows, dtype=np.int64).reshape(len(rows), 3))
        elif is_signed:
            raise CannotPost(f"{self.what}: {shown(term)} may divide negative numbers and is too large for a table")
        else:
            post = {
                "*": self.solver.add_product,
                "//": self.solver.add_quotient,
                "%": self.solver.add_remainder,
                "min": self.solver.add_minimum,
                "max": self.solver.add_maximum,
            }
            post[term.op](x, y, z)

    def _define_element(self, term: Element, result: int) -> None:
        index = self.name(term.index)
        if term.numbers is not None:
            self.solver.add_element(index, [int(n) for n in term.numbers], result, is_constant=True)
        else:
            self.solver.add_element(index, [self.name(entry) for entry in term.entries], result)


def is_number(term: Expression) -> bool:
    """Whether a term is an integer under every assignment; the values under its conditions may be others."""
    if isinstance(term, Variable):
        return term.is_numeric
    if isinstance(term, Constant):
        return isinstance(term.value, int)
    return term.is_condition or all(map(is_number, term.parts))


def _in_codes(scope: Scope, positions: Any) -> Any:
    """Return rows in the kernel's values; `positions` has one line of positions for each variable."""
    columns = [np.array(v.codes, dtype=np.int32)[line] for v, line in zip(scope, positions, strict=True)]
    return np.column_stack(columns)
