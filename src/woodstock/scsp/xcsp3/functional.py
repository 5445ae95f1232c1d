"""Read expressions in the functional notation of XCSP3, such as ``or(eq(x,y),lt(add(x,2),z))``.

Division rounds towards 0 there and down in Python: if a number may be negative, the difference is written out. A
condition counts as 0 or 1 if a number is expected, and a number other than 0 as true.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

from woodstock.constraint.expression import (
    Apply,
    Compare,
    Constant,
    Expression,
    all_of,
    any_of,
    negate,
    total,
)
from woodstock.constraint.selection import IfThenElse
from woodstock.constraint.values import bounds

DEPTH_LIMIT = 150
_TOKEN = re.compile(r"\s*(?:([A-Za-z][A-Za-z0-9_]*(?:\[\d+\])*)|([+-]?\d+)|(%\d+|%\.\.\.)|([(),]))")
COMPARES = {"lt": "<", "le": "<=", "ge": ">=", "gt": ">", "ne": "!=", "eq": "=="}
# Each operator and how many arguments it takes, at least and at most.
ARITIES: dict[str, tuple[int, int]] = {
    "neg": (1, 1), "abs": (1, 1), "sqr": (1, 1), "add": (2, 9999), "sub": (2, 2), "mul": (2, 9999), "div": (2, 2),
    "mod": (2, 2), "pow": (2, 2), "dist": (2, 2), "min": (1, 9999), "max": (1, 9999), "lt": (2, 9999),
    "le": (2, 9999), "ge": (2, 9999), "gt": (2, 9999), "ne": (2, 2), "eq": (2, 9999), "set": (0, 99999),
    "in": (2, 2), "notin": (2, 2), "not": (1, 1), "and": (1, 99999), "or": (1, 99999), "xor": (1, 9999),
    "iff": (2, 9999), "imp": (2, 2), "if": (3, 3),
}  # fmt: skip


class NotationError(Exception):
    """The text is not an expression; `offset` is the place of the mistake."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class _Set:
    def __init__(self, members: Sequence[Expression]) -> None:
        self.members = members


def parse_functional(text: str, find: Callable[[str], Expression]) -> Expression:
    """Read an expression; `find` gives the variable of a name, or the argument of %0."""
    offset = 0
    # Open calls: operator, its offset, arguments so far.
    calls: list[tuple[str, int, list[Any]]] = []
    done: Any = None
    wants_term = True
    text = text.rstrip()
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise NotationError(f"unexpected {text[offset : offset + 20].strip()!r}", offset)
        start, offset = match.start(match.lastindex or 0), match.end()
        name, number, parameter, sign = match.groups()
        if done is not None and not calls:
            raise NotationError(f"unexpected {text[start : start + 20]!r} after the expression", start)
        if sign == ")" and calls and (not wants_term or not calls[-1][2]):
            op, place, arguments = calls.pop()
            value = _build(op, arguments, place)
        elif sign == "," and calls and not wants_term:
            wants_term = True
            continue
        elif sign is not None or not wants_term:
            raise NotationError(f"unexpected {text[start : start + 20]!r}", start)
        elif name is not None and text[offset:].lstrip()[:1] == "(":
            if name not in ARITIES:
                raise NotationError(f"no operator {name}; the operators are {', '.join(sorted(ARITIES))}", start)
            if len(calls) >= DEPTH_LIMIT:
                raise NotationError(f"nested deeper than {DEPTH_LIMIT} levels", start)
            offset = text.index("(", offset) + 1
            calls.append((name, start, []))
            continue
        elif number is not None:
            if len(number) > 18:
                raise NotationError(f"the integer {number[:20]} is too large", start)
            value = Constant(int(number))
        else:
            value = find(name or parameter)
        wants_term = False
        if calls:
            calls[-1][2].append(value)
        else:
            done = value
    if calls:
        raise NotationError(f"the bracket of {calls[-1][0]} is not closed", calls[-1][1])
    if done is None:
        raise NotationError("an expression is missing", 0)
    if isinstance(done, _Set):
        raise NotationError("a set is not an expression", 0)
    return done  # type: ignore[no-any-return]


def truth(term: Expression) -> Expression:
    """Return a term as a condition: a number is true if it is not 0."""
    if isinstance(term, Constant) and isinstance(term.value, int):
        return Constant(bool(term.value))
    return term if term.is_condition else Compare("!=", term, Constant(0))


def _build(op: str, arguments: list[Any], place: int) -> Any:
    low, high = ARITIES[op]
    if not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"at least {low}"
        raise NotationError(f"{op} has {len(arguments)} arguments; it takes {wanted}", place)
    if op == "set":
        return _Set(arguments)
    if op in ("in", "notin"):
        if not isinstance(arguments[1], _Set):
            raise NotationError(f"the second argument of {op} must be a set(...)", place)
        member = arguments[0].is_in(arguments[1].members)
        return member if op == "in" else negate(member)
    if any(isinstance(argument, _Set) for argument in arguments):
        raise NotationError(f"a set is only allowed in in(...), not in {op}", place)
    return _BUILD[op](*arguments)


def _chain(op: str) -> Callable[..., Expression]:
    def build(*terms: Expression) -> Expression:
        pairs = [Compare(COMPARES[op], a, b) for a, b in itertools.pairwise(terms)]
        return pairs[0] if len(pairs) == 1 else all_of(pairs)

    return build


def _product(*terms: Expression) -> Expression:
    result = terms[0]
    for term in terms[1:]:
        result = _times(result, term)
    return result


def _times(a: Expression, b: Expression) -> Expression:
    if isinstance(a, Constant) or isinstance(b, Constant):
        return a * b
    return Apply("*", (a, b))


def _power(base: Expression, exponent: Expression) -> Expression:
    if not isinstance(exponent, Constant) or not isinstance(exponent.value, int) or not 0 <= exponent.value <= 16:
        raise NotationError("pow is read with constant exponents from 0 to 16 only", 0)
    return _product(*[base] * exponent.value) if exponent.value else Constant(1)


def _quotient(x: Expression, y: Expression) -> Expression:
    floor = Apply("//", (x, y))
    if bounds(x)[0] >= 0 and bounds(y)[0] >= 0:
        return floor
    # Rounded down it is one too small if the signs differ and there is a remainder.
    differ = Compare("!=", x < 0, y < 0)
    return total([floor, all_of([Apply("%", (x, y)) != 0, differ])])


def _remainder(x: Expression, y: Expression) -> Expression:
    if bounds(x)[0] >= 0 and bounds(y)[0] >= 0:
        return Apply("%", (x, y))
    return total([x, -_times(y, _quotient(x, y))])


def _parity(*terms: Expression) -> Expression:
    result = truth(terms[0])
    for term in terms[1:]:
        result = Compare("!=", result, truth(term))
    return result


def _same(*terms: Expression) -> Expression:
    truths = list(map(truth, terms))
    return _chain("eq")(*truths)


def _choice(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    test = truth(test)
    if then.is_condition and otherwise.is_condition:
        return any_of([all_of([test, then]), all_of([negate(test), otherwise])])
    return IfThenElse(test, then, otherwise)


_BUILD: dict[str, Callable[..., Expression]] = {
    "neg": lambda x: -x,
    "abs": lambda x: Apply("abs", (x,)),
    "sqr": lambda x: _product(x, x),
    "add": lambda *terms: total(terms),
    "sub": lambda x, y: total([x, -y]),
    "mul": _product,
    "div": _quotient,
    "mod": _remainder,
    "pow": _power,
    "dist": lambda x, y: Apply("abs", (total([x, -y]),)),
    "min": lambda *terms: terms[0] if len(terms) == 1 else Apply("min", terms),
    "max": lambda *terms: terms[0] if len(terms) == 1 else Apply("max", terms),
    **{op: _chain(op) for op in COMPARES},
    "not": lambda x: negate(truth(x)),
    "and": lambda *terms: all_of(map(truth, terms)),
    "or": lambda *terms: any_of(map(truth, terms)),
    "xor": _parity,
    "iff": _same,
    "imp": lambda x, y: any_of([negate(truth(x)), truth(y)]),
    "if": _choice,
}
