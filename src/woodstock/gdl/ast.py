"""The abstract syntax of a rulesheet: one tree for both concrete syntaxes.

Comes in: tokens, from `kif` or `infix`. Goes out: a `Program`, read by the checker, the writers, the grounder
and the interpreter. Every node is immutable, hashable and carries the span of the source it was read from;
spans take no part in equality, so two ways of writing one rule compare equal.

Symbols are case-insensitive, as KIF has it: the parser gives every occurrence the spelling that stands first in
the file, so plain `==` on names is right everywhere downstream.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of character offsets into the source text."""

    start: int
    end: int


NOWHERE = Span(0, 0)


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant: `b`, `1`, `noop`. A 0-ary application `(noop)` is read as this too."""

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
        return "(" + " ".join([self.name, *map(str, self.args)]) + ")"


Term = Constant | Variable | Function


@dataclass(frozen=True, slots=True)
class Atom:
    """A predicate applied to zero or more terms: `terminal`, `(true (control ?p))`."""

    name: str
    args: tuple[Term, ...] = ()
    span: Span = _span()

    def __str__(self) -> str:
        return "(" + " ".join([self.name, *map(str, self.args)]) + ")" if self.args else self.name


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
        return "(" + " ".join(["or", *map(str, self.parts)]) + ")"


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]
    span: Span = _span()

    def __str__(self) -> str:
        return "(" + " ".join(["and", *map(str, self.parts)]) + ")"


Formula = Atom | Distinct | Not | Or | And


@dataclass(frozen=True, slots=True)
class Rule:
    """`head` holds whenever every formula of `body` does; a fact has an empty body."""

    head: Atom
    body: tuple[Formula, ...] = ()
    span: Span = _span()

    def __str__(self) -> str:
        if not self.body:
            return str(self.head)
        return "(" + " ".join(["<=", str(self.head), *map(str, self.body)]) + ")"


@dataclass(frozen=True, slots=True)
class Comment:
    """A `;` or `%` comment, kept for the formatter; `text` has neither marker nor line end."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Program:
    """A parsed rulesheet. `text` is the source that the spans point into, `name` what to call it in messages."""

    rules: tuple[Rule, ...]
    text: str = field(default="", compare=False, repr=False)
    name: str = field(default="<rules>", compare=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)

    def roles(self) -> tuple[str, ...]:
        """Return the roles in the order of their facts."""
        seen = dict.fromkeys(str(r.head.args[0]) for r in self.rules if r.head.name == "role" and len(r.head.args) == 1)
        return tuple(seen)


def variables(node: Term | Formula) -> Iterator[Variable]:
    """Yield the variables of a term or formula, left to right, repeats included."""
    match node:
        case Variable():
            yield node
        case Constant():
            return
        case Function() | Atom():
            for arg in node.args:
                yield from variables(arg)
        case Distinct():
            yield from variables(node.left)
            yield from variables(node.right)
        case Not():
            yield from variables(node.body)
        case Or() | And():
            for part in node.parts:
                yield from variables(part)
