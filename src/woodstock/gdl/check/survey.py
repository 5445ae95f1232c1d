"""One walk over a program that collects what all checks need.

Comes in: a `Program`. Goes out: a `Survey`: where each predicate is defined and used, with which sign, and which
predicates depend on which. Predicates are identified by name and arity, since public rulesheets overload names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from woodstock.gdl.ast import Atom, Function, Program, Rule, Signature, Span, Term, literals, signature
from woodstock.gdl.source import Source


@dataclass(frozen=True, slots=True)
class Use:
    """A literal of a body: the atom, its sign and its rule."""

    atom: Atom
    positive: bool
    rule: Rule


@dataclass(slots=True)
class Survey:
    """What is where in a program."""

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


def _note_functions(terms: tuple[Term, ...], functions: dict[Signature, Span]) -> None:
    for term in terms:
        if isinstance(term, Function):
            functions.setdefault(signature(term), term.span)
            _note_functions(term.args, functions)
