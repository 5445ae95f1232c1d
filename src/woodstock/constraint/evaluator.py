"""Compile conditions for the native evaluator, which answers in a microsecond whether an assignment violates one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from woodstock._native import Evaluator
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum
from woodstock.constraint.plain import shown
from woodstock.constraint.selection import Element, IfThenElse, Member
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

# The numbers of native/constraint/evaluator.hpp.
CONSTANT, VARIABLE, ADD, MULTIPLY, DIVIDE, MODULO, ABSOLUTE, MINIMUM, MAXIMUM = range(9)
EQUAL, NOT_EQUAL, LESS, AT_MOST, AND, OR, NOT, CHOOSE, ELEMENT, MEMBER, DIFFERENT = range(9, 20)
_BINARY = {"*": MULTIPLY, "//": DIVIDE, "%": MODULO, "min": MINIMUM, "max": MAXIMUM, "&": AND, "|": OR}
_COMPARE = {"==": (EQUAL, False), "!=": (NOT_EQUAL, False), "<": (LESS, False), "<=": (AT_MOST, False)}
_COMPARE |= {">": (LESS, True), ">=": (AT_MOST, True)}


def compile_conditions(
    conditions: Iterable[Expression],
    places: Mapping[int, int],
    definitions: Mapping[int, Expression],
    *,
    keep_all: bool = False,
) -> Evaluator:
    """Return an evaluator with every condition that has a variable, or with all of them.

    `places` gives the place of each variable in an assignment. `definitions` has the terms of the variables that have
    no place of their own; each term uses only variables before it, and is evaluated once for all that use it.
    """
    compiler = _Compiler(places)
    wanted = list(conditions)
    used = _used([*wanted], definitions)
    for index, term in definitions.items():
        if index in used:
            compiler.define(index, term)
    for condition in wanted:
        code, scope = compiler.compile(condition)
        if scope or keep_all:
            compiler.evaluator.add_condition(code, scope)
    return compiler.evaluator


def _used(waiting: list[Expression], definitions: Mapping[int, Expression]) -> set[int]:
    """Return the numbers of the defined variables that the expressions use, also by other definitions."""
    found: set[int] = set()
    while waiting:
        for variable in waiting.pop().variables():
            if variable.index in definitions and variable.index not in found:
                found.add(variable.index)
                waiting.append(definitions[variable.index])
    return found


class _Compiler:
    def __init__(self, places: Mapping[int, int]) -> None:
        self.evaluator = Evaluator(len(places))
        self.places = dict(places)  # of defined variables too
        self.scopes: dict[int, int] = {index: 1 << place for index, place in places.items()}  # sets of places, as bits
        self.scope = 0  # of the expression at hand
        self.tables: dict[tuple[int, bytes], int] = {}  # by contents

    def define(self, index: int, term: Expression) -> None:
        """Add a definition."""
        code, scope = self.compile(term)
        self.scopes[index] = self.scope
        self.places[index] = self.evaluator.add_definition(code, scope)

    def compile(self, expression: Expression) -> tuple[list[int], list[int]]:
        """Return the code of an expression, and the places of the variables that it depends on."""
        self.scope = 0
        code = self.code(expression)
        return code, [place for place in range(self.scope.bit_length()) if self.scope >> place & 1]

    def code(self, expression: Expression) -> list[int]:
        """Return the code of an expression; collects the places of its variables in `scope`."""
        if isinstance(expression, Variable):
            self.scope |= self.scopes[expression.index]
            return [VARIABLE, self.places[expression.index]]
        if isinstance(expression, Constant):
            return [CONSTANT, int(expression.value)]  # type: ignore[call-overload]
        if isinstance(expression, Sum):
            code = [CONSTANT, expression.constant]
            for factor, term in expression.terms:
                code += self.code(term)
                code += [ADD] if factor == 1 else [CONSTANT, factor, MULTIPLY, ADD]
            return code
        if isinstance(expression, Compare):
            operation, is_turned = _COMPARE[expression.op]
            sides = (expression.right, expression.left) if is_turned else (expression.left, expression.right)
            return [*self.code(sides[0]), *self.code(sides[1]), operation]
        if isinstance(expression, Logic) and expression.op == "~":
            return [*self.code(expression.arguments[0]), NOT]
        if isinstance(expression, Apply) and expression.op == "abs":
            return [*self.code(expression.arguments[0]), ABSOLUTE]
        if isinstance(expression, Logic | Apply):
            if not expression.arguments:
                return [CONSTANT, int(expression.op == "&")]
            return self._joined(expression.arguments, _BINARY[expression.op])
        if isinstance(expression, Distinct):
            return [*self._all(expression.arguments), DIFFERENT, len(expression.arguments)]
        if isinstance(expression, IfThenElse):
            return [*self._all((expression.test, expression.then, expression.otherwise)), CHOOSE]
        if isinstance(expression, Element):
            return self._element(expression)
        if isinstance(expression, Member):
            table = self._table(len(expression.terms), expression.array)
            code = [*self._all(expression.terms), MEMBER, table]
            return code if expression.is_allowed else [*code, NOT]
        raise ModelError(f"{shown(expression)} cannot be compiled")

    def _element(self, expression: Element) -> list[int]:
        if expression.numbers is not None:
            table = self._table(1, expression.numbers)
            return [*self.code(expression.index), ELEMENT, table]
        code = self.code(expression.entries[-1])
        for number in range(len(expression.entries) - 2, -1, -1):
            test = [*self.code(expression.index), CONSTANT, number, EQUAL]
            code = [*test, *self.code(expression.entries[number]), *code, CHOOSE]
        return code

    def _table(self, columns: int, cells: Any) -> int:
        key = (columns, cells.astype(np.int64).tobytes())
        if key not in self.tables:
            self.tables[key] = self.evaluator.add_table(columns, cells.astype(np.int64).ravel())
        return self.tables[key]

    def _all(self, parts: Iterable[Expression]) -> list[int]:
        return [number for part in parts for number in self.code(part)]

    def _joined(self, parts: tuple[Expression, ...], operation: int) -> list[int]:
        code = self.code(parts[0])
        for part in parts[1:]:
            code += [*self.code(part), operation]
        return code
