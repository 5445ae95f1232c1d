"""The names that the rules give to the parts of a fluent: `(cell ?row ?column ?piece)` says which way a board lies."""

from __future__ import annotations

from woodstock.gdl.ast import Atom, Function, Program
from woodstock.view.terms import fact


def variable_names(program: Program) -> dict[tuple[str, int], str]:
    """Return the first variable at each position of each fluent, by the fluent's name and the position."""
    names: dict[tuple[str, int], str] = {}
    for node in program.nodes():
        match node:
            case Atom(name="true" | "next" | "init" | "base", args=(Function() as term,)):
                one = fact(str(term))
                for position, symbol in enumerate(one.args):
                    if symbol.startswith("?"):
                        names.setdefault((one.name, position), symbol[1:])
    return names
