"""Constraints as programs for the native evaluator, which the Monte Carlo guide runs on whole assignments."""

from __future__ import annotations

from collections.abc import Iterable

from woodstock._native import QcspEvaluator
from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum
from woodstock.constraint.selection import Element, IfThenElse, Member
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

# The numbers of native/qcsp/evaluator.hpp.
CONSTANT, VARIABLE, ADD, MULTIPLY, DIVIDE, MODULO, ABSOLUTE, MINIMUM, MAXIMUM = range(9)
EQUAL, NOT_EQUAL, LESS, AT_MOST, AND, OR, NOT, CHOOSE, ELEMENT, MEMBER, DIFFERENT = range(9, 20)
_BINARY = {"*": MULTIPLY, "//": DIVIDE, "%": MODULO, "min": MINIMUM, "max": MAXIMUM, "&": AND, "|": OR}
_COMPARE = {"==": (EQUAL, False), "!=": (NOT_EQUAL, False), "<": (LESS, False), "<=": (AT_MOST, False)}
_COMPARE |= {">": (LESS, True), ">=": (AT_MOST, True)}


def evaluator_of(problem: Problem) -> QcspEvaluator:
    """Return all constraints and restrictions as programs over the variables of the prefix."""
    evaluator = QcspEvaluator()
    compiler = _Compiler(problem, evaluator)
    for expression in [*problem.constraints, *(r for block in problem.blocks for r in block.restrictions)]:
        code = compiler.compile(expression)
        if compiler.scope:
            evaluator.add_program(code, sorted(compiler.scope))
    return evaluator


class _Compiler:
    def __init__(self, problem: Problem, evaluator: QcspEvaluator) -> None:
        self.problem, self.evaluator = problem, evaluator
        self.place = {variable.index: number for number, (variable, _) in enumerate(problem.prefix)}
        self.scope: set[int] = set()

    def compile(self, expression: Expression) -> list[int]:
        self.scope = set()
        return self._code(expression)

    def _code(self, expression: Expression) -> list[int]:
        if isinstance(expression, Variable):
            if expression.index in self.problem.definitions:
                return self._code(self.problem.definitions[expression.index])
            self.scope.add(self.place[expression.index])
            return [VARIABLE, self.place[expression.index]]
        if isinstance(expression, Constant):
            return [CONSTANT, int(expression.value)]  # type: ignore[call-overload]
        if isinstance(expression, Sum):
            code = [CONSTANT, expression.constant]
            for factor, term in expression.terms:
                code += self._code(term)
                code += [ADD] if factor == 1 else [CONSTANT, factor, MULTIPLY, ADD]
            return code
        if isinstance(expression, Compare):
            operation, is_turned = _COMPARE[expression.op]
            sides = (expression.right, expression.left) if is_turned else (expression.left, expression.right)
            return [*self._code(sides[0]), *self._code(sides[1]), operation]
        if isinstance(expression, Logic) and expression.op == "~":
            return [*self._code(expression.arguments[0]), NOT]
        if isinstance(expression, Apply) and expression.op == "abs":
            return [*self._code(expression.arguments[0]), ABSOLUTE]
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
            cells = [value for row in sorted(expression.rows) for value in row]
            table = self.evaluator.add_table(len(expression.terms), cells)
            code = [*self._all(expression.terms), MEMBER, table]
            return code if expression.is_allowed else [*code, NOT]
        raise ModelError(f"{expression!r} cannot be evaluated by a guide")

    def _element(self, expression: Element) -> list[int]:
        if expression.numbers is not None:
            table = self.evaluator.add_table(1, [int(n) for n in expression.numbers])
            return [*self._code(expression.index), ELEMENT, table]
        code = self._code(expression.entries[-1])
        for number in range(len(expression.entries) - 2, -1, -1):
            test = [*self._code(expression.index), CONSTANT, number, EQUAL]
            code = [*test, *self._code(expression.entries[number]), *code, CHOOSE]
        return code

    def _all(self, parts: Iterable[Expression]) -> list[int]:
        return [number for part in parts for number in self._code(part)]

    def _joined(self, parts: tuple[Expression, ...], operation: int) -> list[int]:
        code = self._code(parts[0])
        for part in parts[1:]:
            code += [*self._code(part), operation]
        return code
