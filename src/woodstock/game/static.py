"""What `base` and `input` declare: the fluents and moves that the author of the rules listed.

They may be defined by rules of their own, so the interpreter derives them: asked for the initial state of a game
whose `init` is just what they say.
"""

from __future__ import annotations

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.ast import Atom, Constant, Program, Rule, Variable


def declared_base(program: Program) -> frozenset[str] | None:
    """Return the fluents that `base` lists, or None where the rules have no such relation."""
    if not _defines(program, "base", 1):
        return None
    fluent = Variable("f")
    rule = Rule(Atom("init", (fluent,)), (Atom("base", (fluent,)),))
    return frozenset(Interpreter(_with_init(program, rule)).initial())


def declared_inputs(program: Program) -> frozenset[tuple[int, str]] | None:
    """Return the moves that `input` lists, with the index of their role, or None where the rules have none."""
    if not _defines(program, "input", 2):
        return None
    found: set[tuple[int, str]] = set()
    for index, role in enumerate(program.roles()):
        moves = _moves_of(program, role)
        found.update((index, move) for move in moves)
    return frozenset(found)


def _moves_of(program: Program, role: str) -> frozenset[str]:
    move = Variable("m")
    rule = Rule(Atom("init", (move,)), (Atom("input", (Constant(role), move)),))
    return frozenset(Interpreter(_with_init(program, rule)).initial())


def _defines(program: Program, name: str, arity: int) -> bool:
    return any(rule.head.name == name and len(rule.head.args) == arity for rule in program.rules)


def _with_init(program: Program, rule: Rule) -> Program:
    kept = tuple(r for r in program.rules if r.head.name != "init")
    return Program((*kept, rule), program.text, program.name)
