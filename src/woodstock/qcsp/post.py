"""Post a quantified problem to the native solver, exactly: every constraint, with auxiliary variables for its parts.

A small condition becomes a table. A larger one is taken apart: sums into chains of x + y = z that are domain consistent
as a whole, because no two links share more than one variable; products and the like into tables of three columns;
conditions into truth values and clauses. What follows a restricted universal block is guarded: it holds by itself
where the universal player broke the restriction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from woodstock._native import Solver
from woodstock.errors import ModelError
from woodstock.qcsp.expression import Choice, Element, Member, parts_of
from woodstock.qcsp.problem import Problem
from woodstock.qcsp.values import evaluate_all, integers, possible_values, space
from woodstock.scsp.constraint import scope_of
from woodstock.scsp.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum
from woodstock.scsp.variable import Variable

TABLE_LIMIT = 20_000  # rows of a table made of a condition that could be taken apart
HARD_LIMIT = 100_000  # and of one that has tables or elements in it
TERM_LIMIT = 5_000  # assignments of a term that is tabulated as a whole
ROW_LIMIT = 50_000  # pairs of values of a product and the like
CHAIN_LIMIT = 4_096  # values of a partial sum; sums beyond it propagate by bounds
_FREE = -(2**31)
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

Prefix = list[tuple[int, bool, int | None]]


@dataclass(frozen=True)
class Literal:
    """A variable of the kernel has (or has not) a value."""

    variable: int
    value: int
    is_equal: bool = True

    def __invert__(self) -> Literal:
        return Literal(self.variable, self.value, not self.is_equal)


class Posting:
    """A native solver with all of a problem in it, and the prefix for the search."""

    def __init__(self, problem: Problem, memory_mb: int = 4096) -> None:
        self.problem = problem
        self.solver = Solver(memory_mb=memory_mb)
        self.ids: dict[int, int] = {}
        self.prefix: Prefix = []
        self._what = problem.name
        self._names: dict[int, int] = {}  # of terms seen before, by identity
        self._sums: dict[tuple[int, int], int] = {}
        for variable in problem.variables:
            self.ids[variable.index] = self.solver.add_variable(integers(variable))
        try:
            self._post_all()
        except MemoryError as error:
            raise ModelError(f"{self._what}: {error}") from error

    def _post_all(self) -> None:
        problem = self.problem
        for index, term in problem.definitions.items():
            self._what = f"definition of {problem.variables[index].name}"
            self._define(term, self.ids[index])
        active: int | None = None  # 1 where every universal player's choice so far counts
        for block in problem.blocks:
            guard: int | None = None
            if block.restrictions:
                self._what = f"restriction of {', '.join(v.name for v in block.variables)}"
                if block.is_universal:
                    guard = self._truth(self._conjunction(block.restrictions))
                    active = guard if active is None else self._both(active, guard)
                else:
                    for restriction in block.restrictions:
                        self._require(restriction, active)
            self.prefix += [(self.ids[v.index], block.is_universal, guard) for v in block.variables]
        for number, constraint in enumerate(problem.constraints, start=1):
            self._what = f"constraint {number}"
            self._require(constraint, active)

    # Conditions that must hold.

    def _require(self, expression: Expression, guard: int | None) -> None:
        if guard is None:
            self._post(expression)
            return
        scope = scope_of(expression)
        if scope and space(scope) <= TABLE_LIMIT:
            rows = self._rows(expression, scope)
            free = np.full((1, len(scope) + 1), _FREE, dtype=np.int64)
            free[0, 0] = 0
            guarded = np.column_stack([np.full(len(rows), _FREE), rows])
            ids = [guard, *(self.ids[v.index] for v in scope)]
            self.solver.add_table(ids, np.vstack([free, guarded]), wildcard=_FREE)
            return
        if isinstance(expression, Logic) and expression.op == "&":
            for part in expression.arguments:
                self._require(part, guard)
            return
        self._clause([self._literal(expression), Literal(guard, 0)])

    def _post(self, expression: Expression) -> None:
        scope = scope_of(expression)
        if not scope:
            if not expression.evaluate({}):
                self.solver.add_clause([], [])
            return
        if space(scope) <= (HARD_LIMIT if _is_hard(expression) else TABLE_LIMIT):
            self.solver.add_table([self.ids[v.index] for v in scope], self._rows(expression, scope))
        elif isinstance(expression, Logic):
            if expression.op == "&":
                for part in expression.arguments:
                    self._post(part)
            elif expression.op == "|":
                self._clause([self._literal(part) for part in expression.arguments])
            else:
                self._clause([self._literal(expression)])
        elif isinstance(expression, Distinct):
            self.solver.add_all_different([self._name(part) for part in expression.arguments])
        elif isinstance(expression, Member):
            ids = [self._name(term) for term in expression.terms]
            self.solver.add_table(ids, _table(expression), is_allowed=expression.is_allowed)
        elif isinstance(expression, Compare):
            self._compare(expression)
        else:
            raise ModelError(f"{self._what}: {expression!r} is not a condition")

    def _rows(self, expression: Expression, scope: tuple[Variable, ...]) -> np.ndarray:
        truth = evaluate_all(expression, scope).astype(bool)
        grid = np.indices([len(v.domain) for v in scope]).reshape(len(scope), -1).T[truth]
        columns = [np.array(v.domain, dtype=np.int64)[grid[:, column]] for column, v in enumerate(scope)]
        return np.column_stack(columns) if len(grid) else np.zeros((0, len(scope)), dtype=np.int64)

    def _clause(self, literals: list[Literal | bool]) -> None:
        if True in [literal for literal in literals if isinstance(literal, bool)]:
            return
        known = [literal for literal in literals if isinstance(literal, Literal)]
        self.solver.add_clause(*_pairs(known))

    def _compare(self, compare: Compare) -> None:
        terms, constant = self._difference(compare)
        if compare.op == "==" and self._equal_sum(terms, constant):
            return
        self.solver.add_linear([v for _, v in terms], [f for f, _ in terms], compare.op, -constant)

    def _difference(self, compare: Compare) -> tuple[list[tuple[int, int]], int]:
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
                name = self._name(term)
                terms[name] = terms.get(name, 0) + sign * factor
                places.setdefault(name, min((v.index for v in term.variables()), default=0))
        kept = [(factor, name) for name, factor in terms.items() if factor]
        return sorted(kept, key=lambda pair: places[pair[1]]), constant

    def _equal_sum(self, terms: list[tuple[int, int]], constant: int) -> bool:
        """Post sum + constant = 0 as a chain; false where the sums have too many values for that."""
        last = next((i for i in range(len(terms) - 1, -1, -1) if abs(terms[i][0]) == 1), None)
        if last is None or len(terms) < 2:
            return False
        factor, target = terms[last]
        # target = -factor * (the others + constant)
        others = [(-factor * f, v) for i, (f, v) in enumerate(terms) if i != last]
        names = [self._scaled(f, v) for f, v in others]
        if constant:
            names.append(self.solver.add_variable([-factor * constant]))
        while len(names) > 2:
            partial = self._plus(names[0], names[1])
            if partial is None:
                return False
            names[:2] = [partial]
        if len(names) == 1:
            self.solver.add_compare(names[0], "==", target)
        elif names[0] == names[1] or target in names:
            return False
        else:
            self.solver.add_plus(names[0], names[1], target)
        return True

    # Terms.

    def _name(self, term: Expression) -> int:
        """Return a kernel variable that equals the term; a condition counts as 0 or 1."""
        if isinstance(term, Variable):
            return self.ids[term.index]
        if id(term) in self._names:
            return self._names[id(term)]
        if term.is_condition:
            name = self._truth(term)
        else:
            name = self.solver.add_variable(possible_values(term, self._what))
            self._define(term, name)
        self._names[id(term)] = name
        return name

    def _define(self, term: Expression, result: int) -> None:
        """Post result = term."""
        scope = scope_of(term)
        if not scope:
            self.solver.add_clause([(result, int(term.evaluate({})))], [])
        elif space(scope) <= TERM_LIMIT:
            values = evaluate_all(term, scope).astype(np.int64)
            grid = np.indices([len(v.domain) for v in scope]).reshape(len(scope), -1).T
            columns = [np.array(v.domain, dtype=np.int64)[grid[:, column]] for column, v in enumerate(scope)]
            self.solver.add_table([*(self.ids[v.index] for v in scope), result], np.column_stack([*columns, values]))
        elif term.is_condition:
            self._equivalent(result, self._literal(term))
        elif isinstance(term, Sum):
            compare = Compare("==", term, Constant(0))
            terms, constant = self._difference(compare)
            if not self._equal_sum([*terms, (-1, result)], constant):
                names, factors = [v for _, v in terms], [f for f, _ in terms]
                self.solver.add_linear([*names, result], [*factors, -1], "==", -constant)
        elif isinstance(term, Apply):
            self._define_apply(term, result)
        elif isinstance(term, Choice):
            test = self._literal(term.test)
            self._clause([_negation(test), self._equality(result, self._name(term.then))])
            self._clause([test, self._equality(result, self._name(term.otherwise))])
        elif isinstance(term, Element):
            self._define_element(term, result)
        elif isinstance(term, Variable):
            self.solver.add_compare(result, "==", self.ids[term.index])
        else:
            raise ModelError(f"{self._what}: {term!r} is not a term over integers")

    def _define_apply(self, term: Apply, result: int) -> None:
        names = [self._name(argument) for argument in term.arguments]
        if term.op == "abs":
            self.solver.add_absolute(names[0], result)
            return
        functions: dict[str, Callable[[int, int], int]] = {
            "*": lambda a, b: a * b,
            "//": lambda a, b: a // b,
            "%": lambda a, b: a % b,
            "min": min,
            "max": max,
        }
        function = functions[term.op]
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
            raise ModelError(f"{self._what}: {term!r} has too many combinations ({len(xs)} by {len(ys)})")
        if x == y:
            self.solver.add_table([x, z], [(a, function(a, a)) for a in xs])
        else:
            self.solver.add_table([x, y, z], [(a, b, function(a, b)) for a in xs for b in ys])

    def _define_element(self, term: Element, result: int) -> None:
        index = self._name(term.index)
        if term.numbers is not None:
            self.solver.add_element(index, [int(n) for n in term.numbers], result, is_constant=True)
        else:
            self.solver.add_element(index, [self._name_entry(entry) for entry in term.entries], result)

    def _name_entry(self, entry: Expression) -> int:
        return self.solver.add_variable([int(entry.value)]) if isinstance(entry, Constant) else self._name(entry)  # type: ignore[call-overload]

    def _scaled(self, factor: int, name: int) -> int:
        if factor == 1:
            return name
        if (factor, -name - 1) in self._sums:
            return self._sums[factor, -name - 1]
        domain = self.solver.domain(name)
        scaled = self.solver.add_variable(sorted(factor * v for v in domain))
        self.solver.add_table([name, scaled], [(v, factor * v) for v in domain])
        self._sums[factor, -name - 1] = scaled
        return scaled

    def _plus(self, x: int, y: int) -> int | None:
        if (x, y) in self._sums:
            return self._sums[x, y]
        xs, ys = self.solver.domain(x), self.solver.domain(y)
        if x == y or len(xs) * len(ys) > 1000 * CHAIN_LIMIT:
            return None
        values: list[int] = np.unique(np.add.outer(xs, ys)).tolist()
        if len(values) > CHAIN_LIMIT or values[-1] - values[0] > 16 * CHAIN_LIMIT:
            return None
        name = self.solver.add_variable(values)
        self.solver.add_plus(x, y, name)
        self._sums[x, y] = name
        return name

    # Truth values.

    def _truth(self, expression: Expression) -> int:
        """Return a 0/1 variable that says whether the condition holds."""
        literal = self._literal(expression)
        truth = self.solver.add_variable([0, 1])
        self._equivalent(truth, literal)
        return truth

    def _equivalent(self, truth: int, literal: Literal | bool) -> None:
        self._clause([Literal(truth, 0), literal])
        self._clause([Literal(truth, 1), _negation(literal)])

    def _both(self, x: int, y: int) -> int:
        both = self.solver.add_variable([0, 1])
        self.solver.add_all_of(both, [(x, 1), (y, 1)])
        return both

    def _conjunction(self, conditions: list[Expression]) -> Expression:
        return conditions[0] if len(conditions) == 1 else Logic("&", tuple(conditions))

    def _literal(self, expression: Expression) -> Literal | bool:
        """Return a literal that is true exactly where the condition holds."""
        scope = scope_of(expression)
        if not scope:
            return bool(expression.evaluate({}))
        if space(scope) <= TABLE_LIMIT:
            return self._small_literal(expression, scope)
        if isinstance(expression, Logic):
            if expression.op == "~":
                return _negation(self._literal(expression.arguments[0]))
            return self._gate([self._literal(part) for part in expression.arguments], is_all=expression.op == "&")
        if isinstance(expression, Distinct):
            names = [self._name(part) for part in expression.arguments]
            pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
            return self._gate([_negation(self._equality(a, b)) for a, b in pairs], is_all=True)
        truth = self.solver.add_variable([0, 1])
        if isinstance(expression, Member):
            self._reify_table(expression, truth)
        elif isinstance(expression, Compare):
            terms, constant = self._difference(expression)
            names, factors = [v for _, v in terms], [f for f, _ in terms]
            if not terms:
                return bool(Compare(expression.op, Constant(constant), Constant(0)).evaluate({}))
            self.solver.add_linear(names, factors, expression.op, -constant, reified=truth)
        else:
            raise ModelError(f"{self._what}: {expression!r} is not a condition")
        return Literal(truth, 1)

    def _small_literal(self, expression: Expression, scope: tuple[Variable, ...]) -> Literal | bool:
        holds = evaluate_all(expression, scope).astype(bool)
        if holds.all() or not holds.any():
            return bool(holds[0])
        if len(scope) == 1:
            domain = integers(scope[0])
            name = self.ids[scope[0].index]
            if holds.sum() == 1:
                return Literal(name, domain[int(holds.argmax())])
            if (~holds).sum() == 1:
                return Literal(name, domain[int((~holds).argmax())], is_equal=False)
        if isinstance(expression, Logic) and all(len(scope_of(part)) == 1 for part in expression.arguments):
            # Clauses are cheaper than a table.
            if expression.op == "~":
                return _negation(self._literal(expression.arguments[0]))
            return self._gate([self._literal(part) for part in expression.arguments], is_all=expression.op == "&")
        truth = self.solver.add_variable([0, 1])
        grid = np.indices([len(v.domain) for v in scope]).reshape(len(scope), -1).T
        columns = [np.array(v.domain, dtype=np.int64)[grid[:, column]] for column, v in enumerate(scope)]
        self.solver.add_table([*(self.ids[v.index] for v in scope), truth], np.column_stack([*columns, holds]))
        return Literal(truth, 1)

    def _reify_table(self, member: Member, truth: int) -> None:
        ids = [self._name(term) for term in member.terms]
        rows = _table(member)
        inside, outside = (1, 0) if member.is_allowed else (0, 1)
        free = np.full((1, len(ids) + 1), _FREE, dtype=np.int64)
        free[0, -1] = outside
        listed = np.column_stack([rows, np.full(len(rows), inside)])
        self.solver.add_table([*ids, truth], np.vstack([listed, free]), wildcard=_FREE)
        self.solver.add_table([*ids, truth], np.column_stack([rows, np.full(len(rows), outside)]), is_allowed=False)

    def _gate(self, literals: list[Literal | bool], *, is_all: bool) -> Literal | bool:
        deciding = not is_all  # false decides an and, true an or
        if deciding in [literal for literal in literals if isinstance(literal, bool)]:
            return deciding
        known = list(dict.fromkeys(literal for literal in literals if isinstance(literal, Literal)))
        if not known:
            return is_all
        if len(known) == 1:
            return known[0]
        truth = self.solver.add_variable([0, 1])
        post = self.solver.add_all_of if is_all else self.solver.add_any_of
        post(truth, *_pairs(known))
        return Literal(truth, 1)

    def _equality(self, x: int, y: int) -> Literal | bool:
        if x == y:
            return True
        truth = self.solver.add_variable([0, 1])
        self.solver.add_compare(x, "==", y, reified=truth)
        return Literal(truth, 1)


def _pairs(literals: list[Literal]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the literals as the kernel takes them: x = v, and x != v."""
    positive = [(literal.variable, literal.value) for literal in literals if literal.is_equal]
    return positive, [(literal.variable, literal.value) for literal in literals if not literal.is_equal]


def _negation(literal: Literal | bool) -> Literal | bool:
    return not literal if isinstance(literal, bool) else ~literal


def _table(member: Member) -> np.ndarray:
    return np.array(sorted(member.rows), dtype=np.int64).reshape(len(member.rows), len(member.terms))


def _is_hard(expression: Expression) -> bool:
    """Whether taking it apart would lose much: elements, tables, minima, products of terms."""
    if isinstance(expression, Element | Member | Choice | Apply):
        return True
    return any(_is_hard(part) for part in parts_of(expression))
