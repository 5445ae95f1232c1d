"""The abstract syntax of a rulesheet: one tree for both concrete syntaxes.

Comes in: tokens, from `kif` or `infix`. Goes out: a `Program`, read by the checker, the writers, the grounder
and the interpreter. Every node is immutable and hashable, and has the span of the source it was read from. Equality
ignores spans, so two ways of writing one rule compare equal.

Symbols are case-insensitive, as in KIF: the parser gives every occurrence the spelling that comes first in the file,
so the rest of the code can compare names with `==`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

Signature = tuple[str, int]
"""Name and arity. Together they identify a predicate, since public sheets use one name with several arities."""

KEYWORDS = frozenset("role init true does next legal terminal goal base input sees random distinct not or and".split())

# The number of arguments of each keyword that is a relation.
KEYWORD_ARITY = {
    "role": 1,
    "init": 1,
    "true": 1,
    "does": 2,
    "next": 1,
    "legal": 2,
    "terminal": 0,
    "goal": 2,
    "base": 1,
    "input": 2,
    "sees": 2,
}
# The state and the moves give these relations; rules only read them.
GIVEN: frozenset[Signature] = frozenset({("true", 1), ("does", 2)})
# Engines ask for these one role at a time, so a first argument that nothing binds ranges over the roles.
ASKED_OF_ROLES: frozenset[Signature] = frozenset({("legal", 2), ("goal", 2), ("sees", 2)})


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of character offsets into the source text."""

    start: int
    end: int


NOWHERE = Span(0, 0)


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


def _list(*items: object) -> str:
    return "(" + " ".join(map(str, items)) + ")"


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant: `b`, `1`, `noop`. The application `(noop)` without arguments is a constant too."""

    name: str
    span: Span = _span()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; `name` has no leading question mark."""

    name: str
    span: Span = _span()

    def __str__(self) -> str:
        return "?" + self.name


@dataclass(frozen=True, slots=True)
class Function:
    """A function applied to one or more terms: `(cell 1 1 b)`."""

    name: str
    args: tuple[Term, ...]
    span: Span = _span()

    def __str__(self) -> str:
        return _list(self.name, *self.args)


Term = Constant | Variable | Function


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate applied to zero or more terms: `terminal`, `(true (control ?p))`."""

    name: str
    args: tuple[Term, ...] = ()
    span: Span = _span()

    def __str__(self) -> str:
        return _list(self.name, *self.args) if self.args else self.name


@dataclass(frozen=True, slots=True)
class Distinct:
    left: Term
    right: Term
    span: Span = _span()

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


@dataclass(frozen=True, slots=True)
class Not:
    body: Formula
    span: Span = _span()

    def __str__(self) -> str:
        return f"(not {self.body})"


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]
    span: Span = _span()

    def __str__(self) -> str:
        return _list("or", *self.parts)


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]
    span: Span = _span()

    def __str__(self) -> str:
        return _list("and", *self.parts)


Formula = Atom | Distinct | Not | Or | And


@dataclass(frozen=True, slots=True)
class Rule:
    """`head` holds whenever every formula of `body` does; a fact has an empty body."""

    head: Atom
    body: tuple[Formula, ...] = ()
    span: Span = _span()

    def __str__(self) -> str:
        return _list("<=", self.head, *self.body) if self.body else str(self.head)


@dataclass(frozen=True, slots=True)
class Comment:
    """A `;` or `%` comment, kept for the formatter; `text` has neither marker nor line end."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed rulesheet. `text` is the source that the spans point into, `name` is its name in messages."""

    rules: tuple[Rule, ...]
    text: str = field(default="", compare=False, repr=False)
    name: str = field(default="<rules>", compare=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)

    def roles(self) -> tuple[str, ...]:
        """Return the roles in the order of their facts."""
        seen = dict.fromkeys(str(r.head.args[0]) for r in self.rules if r.head.name == "role" and len(r.head.args) == 1)
        return tuple(seen)

    def nodes(self) -> Iterator[Term | Formula]:
        """Yield every term and formula of all rules, in the order of the text."""
        for rule in self.rules:
            yield from walk(rule.head, *rule.body)


def children(node: Term | Formula) -> tuple[Term | Formula, ...]:
    """Return the terms or formulas directly inside a node, left to right."""
    match node:
        case Function() | Atom():
            return node.args
        case Constant() | Variable():
            return ()
        case Distinct():
            return (node.left, node.right)
        case Not():
            return (node.body,)
        case Or() | And():
            return node.parts


def walk(*nodes: Term | Formula) -> Iterator[Term | Formula]:
    """Yield every term and formula inside the nodes, and the nodes themselves: parents first, left to right."""
    for node in nodes:
        yield node
        if node.__class__ is not Constant and node.__class__ is not Variable:  # several times as fast as isinstance
            yield from walk(*children(node))


def literals(body: tuple[Formula, ...], positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield the atoms of a body, each with its sign."""
    for formula in body:
        if isinstance(formula, Atom):
            yield formula, positive
        elif isinstance(formula, Not):
            yield from literals((formula.body,), not positive)
        elif isinstance(formula, Or | And):
            yield from literals(formula.parts, positive)


def variables(*nodes: Term | Formula) -> Iterator[Variable]:
    """Yield the variables of terms or formulas, left to right, repeats included."""
    for node in nodes:
        if isinstance(node, Variable):
            yield node
        elif not isinstance(node, Constant):
            yield from variables(*children(node))


def variable_names(*nodes: Term | Formula) -> set[str]:
    """Return the names of the variables of terms or formulas."""
    return {variable.name for variable in variables(*nodes)}


def signature(node: Atom | Function) -> Signature:
    """Return the name and arity of an atom or a function."""
    return node.name, len(node.args)
