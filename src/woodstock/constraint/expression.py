"""Expressions over variables, written with Python's own operators.

In: variables and constants joined by ``+ - * // % ** abs() == != < <= > >= & | ~`` and by `total`, `minimum`,
`maximum`, `all_of`, `any_of`. Out: a small tree that can be evaluated, printed, compiled, and posted to a solver.
Building a node costs time linear in its number of arguments and computes nothing.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from woodstock.constraint.plain import exponent_of, extremum, plain, shown
from woodstock.errors import ModelError

if TYPE_CHECKING:
    from woodstock.constraint.variable import Variable

Value = Hashable

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_APPLY: dict[str, Callable[..., Any]] = {
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "abs": abs,
    "min": lambda *terms: extremum(terms, min, np.minimum),
    "max": lambda *terms: extremum(terms, max, np.maximum),
}


class Expression:
    """A term or a condition over variables; the module's docstring lists the operators."""

    __slots__ = ()

    @property
    def parts(self) -> tuple[Expression, ...]:
        """The expressions that this one is made of."""
        return ()

    def variables(self) -> Iterator[Variable]:
        """Yield every occurrence of a variable, from left to right."""
        for part in self.parts:
            yield from part.variables()

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        """Return the value if variable number i takes ``assignment[i]``.

        An assignment may also have arrays of integers for its variables: the result is then an array too.
        """
        raise NotImplementedError

    @property
    def is_condition(self) -> bool:
        """Whether the value is true or false, so that the expression can be a constraint."""
        return False

    def __add__(self, other: object) -> Expression:
        return total([self, other])

    def __radd__(self, other: object) -> Expression:
        return total([other, self])

    def __sub__(self, other: object) -> Expression:
        return total([self, _scale(-1, wrap(other))])

    def __rsub__(self, other: object) -> Expression:
        return total([other, _scale(-1, self)])

    def __neg__(self) -> Expression:
        return _scale(-1, self)

    def __mul__(self, other: object) -> Expression:
        left, right = self, wrap(other)
        if isinstance(right, Constant):
            return _scale(right.value, left)
        if isinstance(left, Constant):
            return _scale(left.value, right)
        return Apply("*", (left, right))

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Expression:
        return Apply("//", (self, wrap(other)))

    def __mod__(self, other: object) -> Expression:
        return Apply("%", (self, wrap(other)))

    def __pow__(self, exponent: object) -> Expression:
        return functools.reduce(operator.mul, [self] * exponent_of(exponent), Constant(1))

    def __abs__(self) -> Expression:
        return Apply("abs", (self,))

    def __eq__(self, other: object) -> Compare:  # type: ignore[override]  # a constraint, as in every modelling language
        return Compare("==", self, wrap(other))

    def __ne__(self, other: object) -> Compare:  # type: ignore[override]
        return Compare("!=", self, wrap(other))

    def __lt__(self, other: object) -> Compare:
        return Compare("<", self, wrap(other))

    def __le__(self, other: object) -> Compare:
        return Compare("<=", self, wrap(other))

    def __gt__(self, other: object) -> Compare:
        return Compare(">", self, wrap(other))

    def __ge__(self, other: object) -> Compare:
        return Compare(">=", self, wrap(other))

    def __and__(self, other: object) -> Expression:
        return _joined("&", condition(self), condition(other))

    __rand__ = __and__

    def __or__(self, other: object) -> Expression:
        return _joined("|", condition(self), condition(other))

    __ror__ = __or__

    def __invert__(self) -> Expression:
        return negate(condition(self))

    def __hash__(self) -> int:
        return id(self)

    def is_in(self, values: Iterable[Value]) -> Expression:
        """Return the condition that the term takes one of the values.

        >>> from woodstock.scsp import Network
        >>> x = Network().decision("x", [1, 2, 3])
        >>> x.is_in([1, 3])
        (x == 1) | (x == 3)
        """
        return any_of([Compare("==", self, wrap(value)) for value in values])

    def __bool__(self) -> bool:
        # Python asks for a truth value in `and`, `or`, `not`, `in`, in chains such as x == y == 2 and in `==` on lists.
        # Any answer would silently drop a part of the model.
        raise TypeError(
            f"{shown(self)} has no truth value before the model is solved: join conditions with & | ~ instead of and, "
            "or, not, each in brackets, (1 <= x) & (x <= 3) instead of 1 <= x <= 3; write x.is_in([1, 2]) instead of "
            "x in [1, 2], and x is y for the same variable"
        )


class Constant(Expression):
    """A value that is the same in every solution."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return self.value

    @property
    def is_condition(self) -> bool:
        return isinstance(self.value, bool)

    def __repr__(self) -> str:
        return repr(self.value)


class Sum(Expression):
    """A sum of terms with coefficients, and a constant."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: tuple[tuple[Any, Expression], ...], constant: Any = 0) -> None:
        self.terms, self.constant = terms, constant

    @property
    def parts(self) -> tuple[Expression, ...]:
        return tuple(term for _, term in self.terms)

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return sum((factor * term.evaluate(assignment) for factor, term in self.terms), self.constant)

    def __repr__(self) -> str:
        parts: list[str] = []
        for factor, term in self.terms:
            size = "" if abs(factor) == 1 else f"{abs(factor)}*"
            sign = "-" if factor < 0 else "+"
            lead = f" {sign} " if parts else ("-" if factor < 0 else "")
            parts.append(f"{lead}{size}{_inner(term)}")
        if self.constant or not parts:
            lead = (" - " if self.constant < 0 else " + ") if parts else ""
            parts.append(f"{lead}{abs(self.constant) if parts else self.constant}")
        return "".join(parts)


class Operation(Expression):
    """An operator and its arguments."""

    __slots__ = ("arguments", "op")

    def __init__(self, op: str, arguments: tuple[Expression, ...]) -> None:
        self.op, self.arguments = op, arguments

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.arguments


class Apply(Operation):
    """A product, a quotient, a remainder, an absolute value, a minimum or a maximum."""

    __slots__ = ()

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return _APPLY[self.op](*(argument.evaluate(assignment) for argument in self.arguments))

    def __repr__(self) -> str:
        if self.op in ("*", "//", "%"):
            return f" {self.op} ".join(_inner(argument) for argument in self.arguments)
        return f"{self.op}({', '.join(map(repr, self.arguments))})"


class Predicate(Expression):
    """An expression whose value is true or false."""

    __slots__ = ()

    @property
    def is_condition(self) -> bool:
        return True


class Compare(Predicate):
    """Two terms compared; a condition."""

    __slots__ = ("left", "op", "right")

    def __init__(self, op: str, left: Expression, right: Expression) -> None:
        self.op, self.left, self.right = op, left, right

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.left, self.right

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        return _COMPARE[self.op](self.left.evaluate(assignment), self.right.evaluate(assignment))

    def __repr__(self) -> str:
        return f"{self.left!r} {self.op} {self.right!r}"


class Logic(Operation, Predicate):
    """Conditions joined by and, or, or one negated: ``&``, ``|``, ``~``."""

    __slots__ = ()

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        if self.op == "~":
            # Exclusive or, because ~True is -2; it works for arrays of truth values too.
            return True ^ self.arguments[0].evaluate(assignment)
        is_and = self.op == "&"
        result: Any = is_and
        for argument in self.arguments:
            value = argument.evaluate(assignment)
            result = result & value if is_and else result | value
        return result

    def __repr__(self) -> str:
        if self.op == "~":
            return f"~({self.arguments[0]!r})"
        return f" {self.op} ".join(f"({argument!r})" for argument in self.arguments)


class Distinct(Predicate):
    """No two of the terms are equal; a condition."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: tuple[Expression, ...]) -> None:
        self.arguments = arguments

    @property
    def parts(self) -> tuple[Expression, ...]:
        return self.arguments

    def evaluate(self, assignment: Mapping[int, Any]) -> Any:
        values = [argument.evaluate(assignment) for argument in self.arguments]
        if not any(isinstance(value, np.ndarray) for value in values):
            return len(set(values)) == len(values)
        pairs = itertools.combinations(values, 2)
        return functools.reduce(operator.and_, (a != b for a, b in pairs), True)

    def __repr__(self) -> str:
        return f"all_different({', '.join(map(repr, self.arguments))})"


def wrap(value: object) -> Expression:
    """Return an expression as it is, any other value as a constant."""
    if isinstance(value, Expression):
        return value
    if not isinstance(value, Hashable):
        raise ModelError(f"{shown(value)} cannot be part of an expression: it is not hashable")
    return Constant(plain(value))


def condition(value: object) -> Expression:
    """Return `value` as a condition, or raise if it is not one."""
    wrapped = wrap(value)
    if not wrapped.is_condition:
        text = shown(wrapped)
        raise ModelError(f"{text} is not a condition: compare it with something, for example {text} == 1")
    return wrapped


def negate(expression: Expression) -> Expression:
    """Return the condition that holds if and only if `expression` does not."""
    if isinstance(expression, Compare):
        return Compare(OPPOSITE[expression.op], expression.left, expression.right)
    if isinstance(expression, Logic) and expression.op == "~":
        return expression.arguments[0]
    return Logic("~", (expression,))


def total(terms: Iterable[object]) -> Expression:
    """Return the sum of the terms, nested sums taken apart."""
    flat: list[tuple[Any, Expression]] = []
    constant: Any = 0
    for term in map(wrap, terms):
        if isinstance(term, Sum):
            flat.extend(term.terms)
            constant += term.constant
        elif isinstance(term, Constant):
            constant += _number(term.value)
        else:
            flat.append((1, term))
    return Sum(tuple(flat), constant)


def minimum(terms: Iterable[object]) -> Expression:
    """Return the least of the terms."""
    return Apply("min", tuple(map(wrap, terms)))


def maximum(terms: Iterable[object]) -> Expression:
    """Return the greatest of the terms."""
    return Apply("max", tuple(map(wrap, terms)))


def all_of(conditions: Iterable[object]) -> Expression:
    """Return the condition that all of them hold."""
    return Logic("&", tuple(map(condition, conditions)))


def any_of(conditions: Iterable[object]) -> Expression:
    """Return the condition that at least one of them holds."""
    return Logic("|", tuple(map(condition, conditions)))


def all_different(terms: Iterable[object]) -> Expression:
    """Return the condition that no two of the terms are equal."""
    return Distinct(tuple(map(wrap, terms)))


def _scale(factor: object, term: Expression) -> Expression:
    number = _number(factor)
    if isinstance(term, Constant):
        return Constant(number * _number(term.value))
    if isinstance(term, Sum):
        return Sum(tuple((number * f, t) for f, t in term.terms), number * term.constant)
    return Sum(((number, term),))


def _number(value: object) -> Any:
    if isinstance(value, bool) or not hasattr(value, "__add__") or isinstance(value, str | bytes | tuple):
        raise ModelError(f"{value!r} is not a number: sums and products are for numbers")
    return value


def _joined(op: str, left: Expression, right: Expression) -> Expression:
    # A chain of the same operator stays flat, however long it is.
    first = left.arguments if isinstance(left, Logic) and left.op == op else (left,)
    return Logic(op, (*first, right))


def _inner(term: Expression) -> str:
    return f"({term!r})" if isinstance(term, Sum | Compare | Logic) else repr(term)
