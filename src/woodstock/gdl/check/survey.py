"""One walk over a program that gathers what all the checks ask for.

Comes in: a `Program`. Goes out: a `Survey`: who is defined where, who is used where and under which sign, and which
predicates depend on which. Predicates are told apart by name and arity, since public rulesheets overload names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from woodstock.gdl.ast import And, Atom, Distinct, Formula, Function, Not, Or, Program, Rule, Span, Term
from woodstock.gdl.source import Source

Signature = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Use:
    """A literal of a body: the atom, its sign and the rule that it stands in."""

    atom: Atom
    positive: bool
    rule: Rule


@dataclass(slots=True)
class Survey:
    """What stands where in a program."""

    program: Program
    source: Source
    heads: dict[Signature, list[Rule]] = field(default_factory=dict)
    uses: dict[Signature, list[Use]] = field(default_factory=dict)
    edges: dict[Signature, dict[Signature, list[Use]]] = field(default_factory=dict)
    functions: dict[Signature, Span] = field(default_factory=dict)

    def line(self, span: Span) -> int:
        """Return the line that a span starts in."""
        return self.source.position(span.start)[0]

    def shown(self, span: Span, otherwise: object) -> str:
        """Return the source of a span on one line, as the user wrote it."""
        text = " ".join(self.source.text[span.start : span.end].split())
        return text if 0 < len(text) <= 60 else str(otherwise)[:60]


def survey(program: Program) -> Survey:
    """Return the survey of a program."""
    found = Survey(program, Source(program.name, program.text))
    for rule in program.rules:
        head = signature(rule.head)
        found.heads.setdefault(head, []).append(rule)
        _note_functions(rule.head.args, found.functions)
        below = found.edges.setdefault(head, {})
        for atom, positive in literals(rule.body):
            use = Use(atom, positive, rule)
            called = signature(atom)
            found.uses.setdefault(called, []).append(use)
            below.setdefault(called, []).append(use)
            _note_functions(atom.args, found.functions)
    return found


def counted(arguments: int) -> str:
    """Return a number of arguments in words."""
    return {0: "no arguments", 1: "1 argument"}.get(arguments, f"{arguments} arguments")


def signature(atom: Atom) -> Signature:
    """Return the name and arity of an atom."""
    return atom.name, len(atom.args)


def literals(body: tuple[Formula, ...], positive: bool = True) -> Iterator[tuple[Atom, bool]]:
    """Yield the atoms of a body, each with its sign."""
    for formula in body:
        if isinstance(formula, Atom):
            yield formula, positive
        elif isinstance(formula, Not):
            yield from literals((formula.body,), not positive)
        elif isinstance(formula, Or | And):
            yield from literals(formula.parts, positive)


def distincts(body: tuple[Formula, ...]) -> Iterator[Distinct]:
    """Yield the `distinct` conditions of a body at any depth."""
    for formula in body:
        if isinstance(formula, Distinct):
            yield formula
        elif isinstance(formula, Not):
            yield from distincts((formula.body,))
        elif isinstance(formula, Or | And):
            yield from distincts(formula.parts)


def _note_functions(terms: tuple[Term, ...], functions: dict[Signature, Span]) -> None:
    for term in terms:
        if isinstance(term, Function):
            functions.setdefault((term.name, len(term.args)), term.span)
            _note_functions(term.args, functions)
