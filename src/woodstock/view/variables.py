"""What the rules call the parts of a fluent: `(cell ?row ?column ?piece)` says which way a board lies."""

from __future__ import annotations

from collections.abc import Iterator

from woodstock.gdl.ast import And, Atom, Formula, Function, Not, Or, Program, Term
from woodstock.view.terms import fact


def variable_names(program: Program) -> dict[tuple[str, int], str]:
    """Return the first variable that stands in each position of each fluent, by the fluent's name and the position."""
    names: dict[tuple[str, int], str] = {}
    for rule in program.rules:
        for formula in (rule.head, *rule.body):
            for term in _fluent_terms(formula):
                one = fact(str(term))
                for position, symbol in enumerate(one.args):
                    if symbol.startswith("?"):
                        names.setdefault((one.name, position), symbol[1:])
    return names


def _fluent_terms(formula: Formula) -> Iterator[Term]:
    match formula:
        case Atom(name="true" | "next" | "init" | "base", args=(Function() as term,)):
            yield term
        case Not(body=body):
            yield from _fluent_terms(body)
        case Or(parts=parts) | And(parts=parts):
            for part in parts:
                yield from _fluent_terms(part)
        case _:
            return
