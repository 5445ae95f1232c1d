"""Write expressions in the functional notation of XCSP3.

Division rounds down in Python and towards 0 there: if a number may be negative, the difference is written out.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from woodstock.constraint.expression import Apply, Compare, Constant, Distinct, Expression, Logic, Sum, all_of
from woodstock.constraint.selection import IfThenElse
from woodstock.constraint.values import bounds
from woodstock.constraint.variable import Variable
from woodstock.scsp.xcsp3.functional import COMPARES

_NAMES = {text: name for name, text in COMPARES.items()}
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


class NotExpressible(Exception):
    """An expression has no counterpart in the notation."""


class FunctionalWriter:
    """Writes expressions over the variables of `ids`.

    `codes` are the integers that stand for the values of variables that are not integers.
    """

    def __init__(self, ids: Mapping[int, str], codes: Mapping[int, Mapping[Any, int]]) -> None:
        self.ids, self.codes = ids, codes

    def write(self, term: Expression) -> str:
        """Return an expression in the notation."""
        if isinstance(term, Constant):
            if isinstance(term.value, bool):
                return "eq(0,0)" if term.value else "eq(0,1)"
            if type(term.value) is not int:
                raise NotExpressible(repr(term.value))
            return str(term.value)
        if isinstance(term, Variable):
            if term.index in self.codes:
                raise NotExpressible(term.name)
            return self.ids[term.index]
        if isinstance(term, Sum):
            return self._sum(term)
        if isinstance(term, Compare):
            return self._compare(term)
        if isinstance(term, Logic):
            if not term.arguments:
                return self.write(Constant(term.op == "&"))
            if term.op != "~" and len(term.arguments) == 1:
                return self.write(term.arguments[0])
            return _call({"&": "and", "|": "or", "~": "not"}[term.op], map(self.write, term.arguments))
        if isinstance(term, Apply):
            return self._apply(term)
        if isinstance(term, IfThenElse):
            return _call("if", map(self.write, term.parts))
        if isinstance(term, Distinct):
            pairs = itertools.combinations(term.arguments, 2)
            return self.write(all_of([Compare("!=", a, b) for a, b in pairs]))
        raise NotExpressible(repr(term))

    def _sum(self, term: Sum) -> str:
        parts = []
        for factor, part in term.terms:
            if type(factor) is not int:
                raise NotExpressible(repr(factor))
            inner = self.write(part)
            parts.append({1: inner, -1: f"neg({inner})"}.get(factor, f"mul({factor},{inner})"))
        if term.constant or not parts:
            parts.append(self.write(Constant(term.constant)))
        return parts[0] if len(parts) == 1 else _call("add", parts)

    def _compare(self, term: Compare) -> str:
        left, right, op = term.left, term.right, term.op
        if isinstance(right, Variable) and not isinstance(left, Variable):
            left, right, op = right, left, _MIRRORED.get(op, op)
        for own, other in ((left, right), (right, left)):
            if isinstance(own, Variable) and own.index in self.codes:
                # Equality with a value, or with another variable value by value; there is no order on codes.
                if op not in ("==", "!="):
                    raise NotExpressible(repr(term))
                positive = self._equal(own, other)
                return positive if op == "==" else _negated(positive)
        return _call(_NAMES[op], [self.write(left), self.write(right)])

    def _equal(self, variable: Variable, other: Expression) -> str:
        own, name = self.codes[variable.index], self.ids[variable.index]
        if isinstance(other, Constant):
            code = own.get(other.value)
            return "eq(0,1)" if code is None else f"eq({name},{code})"
        if not isinstance(other, Variable):
            raise NotExpressible(repr(other))
        theirs = self.codes.get(other.index) or dict(zip(other.domain, other.codes, strict=True))
        pairs = [(code, theirs[value]) for value, code in own.items() if value in theirs]
        if len(pairs) == len(own) == len(theirs) and all(a == b for a, b in pairs):
            return f"eq({name},{self.ids[other.index]})"
        equal = [f"and(eq({name},{a}),eq({self.ids[other.index]},{b}))" for a, b in pairs]
        return "eq(0,1)" if not equal else equal[0] if len(equal) == 1 else _call("or", equal)

    def _apply(self, term: Apply) -> str:
        parts = [self.write(argument) for argument in term.arguments]
        if term.op in ("min", "max"):
            return parts[0] if len(parts) == 1 else _call(term.op, parts)
        if term.op in ("abs", "*"):
            return _call({"*": "mul"}.get(term.op, term.op), parts)
        x, y = parts
        if min(bounds(argument)[0] for argument in term.arguments) >= 0:
            return f"{'div' if term.op == '//' else 'mod'}({x},{y})"
        floor = f"sub(div({x},{y}),and(ne(mod({x},{y}),0),xor(lt({x},0),lt({y},0))))"
        return floor if term.op == "//" else f"sub({x},mul({y},{floor}))"


def _negated(text: str) -> str:
    return f"ne({text[3:]}" if text.startswith("eq(") else f"not({text})"


def _call(name: str, arguments: Iterable[str]) -> str:
    return f"{name}({','.join(arguments)})"
