"""Conditions written as text, with Python's syntax: ``w[0] * c[0] + w[1] * c[1] == f``, ``a <= b and not c == 1``.

Read by Python's own parser and built node by node; nothing is ever executed. Names are variables of the problem, named
lists or named tables.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from woodstock.constraint.expression import (
    Compare,
    Expression,
    all_different,
    all_of,
    any_of,
    maximum,
    minimum,
    total,
    wrap,
)
from woodstock.constraint.plain import shown
from woodstock.constraint.selection import choose, element, implies, in_table
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

TOO_DEEP = "too long or nested too deeply; use sum(...), or define variables for parts of it"
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
_FUNCTIONS: dict[str, Callable[..., Expression]] = {
    "abs": lambda term: abs(wrap(term)),
    "min": lambda *terms: minimum(terms),
    "max": lambda *terms: maximum(terms),
    "sum": lambda *terms: total(terms),
    "alldifferent": lambda *terms: all_different(terms),
    "implies": implies,
    "choose": choose,
}


_COUNTS = {"abs": 1, "implies": 2, "choose": 3}  # arguments; the others take any number


class Names:
    """What names in a text mean: variables of a problem, lists of numbers, tables of rows."""

    def __init__(
        self, problem: Problem, lists: Mapping[str, Sequence[int]] = {}, tables: Mapping[str, Sequence[Any]] = {}
    ) -> None:
        self.problem, self.lists, self.tables = problem, lists, tables


def parse(text: str, names: Names, where: str) -> Expression:
    """Return the expression of a text; `where` opens an error message."""
    quoted = f"{where}: '{shown(text)}'"
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (RecursionError, MemoryError):
        raise ModelError(f"{quoted}: {TOO_DEEP}") from None
    except (SyntaxError, ValueError) as error:
        column = getattr(error, "offset", None)
        place = f", column {column}" if column else ""
        raise ModelError(f"{quoted} is not an expression{place}: {getattr(error, 'msg', error)}") from None
    try:
        return wrap(_Builder(names).build(tree.body))
    except ModelError as error:
        raise ModelError(f"{quoted}: {error}") from None
    except TypeError as error:
        raise ModelError(f"{quoted}: wrong arguments: {error}") from None
    except RecursionError:
        raise ModelError(f"{quoted}: {TOO_DEEP}") from None


class _Builder:
    def __init__(self, names: Names) -> None:
        self.names = names

    def build(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            return node.value
        if isinstance(node, ast.Name):
            return self.names.problem.variable(node.id)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.BoolOp):
            parts = [self.build(value) for value in node.values]
            return all_of(parts) if isinstance(node.op, ast.And) else any_of(parts)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        if isinstance(node, ast.IfExp):
            return choose(self.build(node.test), self.build(node.body), self.build(node.orelse))
        if isinstance(node, ast.Call):
            return self._call(node)
        raise ModelError(f"{ast.unparse(node)} is not possible here")

    def _subscript(self, node: ast.Subscript) -> Any:
        name = ast.unparse(node.value)
        if name in self.names.lists:
            return element(self.names.lists[name], self.build(node.slice))
        if not re.fullmatch(r"(\[\d+\])+", ast.unparse(node)[len(name.partition("[")[0]) :]):
            raise ModelError(f"{ast.unparse(node)}: there is no list {name}; variables have fixed numbers, as in w[0]")
        return self.names.problem.variable(ast.unparse(node).replace(" ", ""))

    def _unary(self, node: ast.UnaryOp) -> Any:
        value = self.build(node.operand)
        if isinstance(node.op, ast.Not | ast.Invert):
            return ~wrap(value) if not isinstance(value, bool) else not value
        if isinstance(node.op, ast.USub):
            return -value
        if isinstance(node.op, ast.UAdd):
            return value
        raise ModelError(f"{ast.unparse(node)} is not possible here")

    def _binary(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.Add | ast.Sub):
            return self._sum(node)
        left, right = self.build(node.left), self.build(node.right)
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and isinstance(right, int) and right == 0:
            raise ModelError(f"{ast.unparse(node)} divides by zero")
        if type(node.op) not in _ARITHMETIC:
            raise ModelError(f"{ast.unparse(node)} is not possible here; there are + - * // % **")
        if isinstance(node.op, ast.Pow):
            return wrap(left) ** right
        return _ARITHMETIC[type(node.op)](wrap(left) if isinstance(right, Expression) else left, right)

    def _sum(self, node: ast.BinOp) -> Any:
        """Build a chain of + and -, which leans to the left, without recursion: it may be long."""
        terms: list[Any] = []
        at: ast.expr = node
        while isinstance(at, ast.BinOp) and isinstance(at.op, ast.Add | ast.Sub):
            term = self.build(at.right)
            terms.append(term if isinstance(at.op, ast.Add) else -term)
            at = at.left
        terms.append(self.build(at))
        return total(reversed(terms)) if any(isinstance(t, Expression) for t in terms) else sum(terms)

    def _compare(self, node: ast.Compare) -> Any:
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            return self._member(node)
        parts = []
        sides = [node.left, *node.comparators]
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            if type(op) not in _COMPARE:
                raise ModelError(f"{ast.unparse(node)} is not possible here")
            parts.append(Compare(_COMPARE[type(op)], wrap(self.build(left)), wrap(self.build(right))))
        return parts[0] if len(parts) == 1 else all_of(parts)

    def _member(self, node: ast.Compare) -> Any:
        table = ast.unparse(node.comparators[0])
        if len(node.ops) != 1 or table not in self.names.tables:
            raise ModelError(f"no table {table}; write (x, y) in NAME and give NAME under [tables]")
        terms = node.left.elts if isinstance(node.left, ast.Tuple) else [node.left]
        is_allowed = isinstance(node.ops[0], ast.In)
        return in_table([self.build(term) for term in terms], self.names.tables[table], is_allowed=is_allowed)

    def _call(self, node: ast.Call) -> Any:
        name = ast.unparse(node.func)
        if name not in _FUNCTIONS:
            raise ModelError(f"no function {name}; there are {', '.join(_FUNCTIONS)}")
        wanted = _COUNTS.get(name, len(node.args))
        if node.keywords or len(node.args) != wanted:
            plural = "" if wanted == 1 else "s"
            raise ModelError(f"{name} takes {wanted} argument{plural} without names, got {ast.unparse(node)}")
        return _FUNCTIONS[name](*(self.build(argument) for argument in node.args))
