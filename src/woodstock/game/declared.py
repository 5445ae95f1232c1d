"""What `base` and `input` declare: the fluents and moves that the author of the rules listed.

Rules may define them. The interpreter derives them: they are the initial state of the game if they replace its `init`.
"""

from __future__ import annotations

from dataclasses import dataclass

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.ast import Atom, Function, Program, Rule, Variable


@dataclass(frozen=True, slots=True)
class Declared:
    """The fluents of `base`, the moves of `input` with the index of their role; None without such a relation."""

    base: frozenset[str] | None
    inputs: frozenset[tuple[int, str]] | None


def declared(program: Program) -> Declared:
    """Return what the rules declare."""
    has_base, has_input = _defines(program, "base", 1), _defines(program, "input", 2)
    if not has_base and not has_input:
        return Declared(None, None)
    rules = []
    if has_base:
        rules.append(_shown("base", Variable("f")))
    if has_input:
        rules.append(_shown("input", Variable("r"), Variable("m")))
    kept = tuple(rule for rule in program.rules if rule.head.name != "init")
    facts = Interpreter(Program((*kept, *rules), program.text, program.name)).initial()
    base: set[str] = set()
    inputs: set[tuple[int, str]] = set()
    roles = {role: index for index, role in enumerate(program.roles())}
    for fact in facts:
        relation, rest = fact[1:-1].split(" ", 1)
        if relation.lower() == "base":
            base.add(rest)
            continue
        role, move = rest.split(" ", 1)
        if role in roles:
            inputs.add((roles[role], move))
    return Declared(frozenset(base) if has_base else None, frozenset(inputs) if has_input else None)


def _shown(name: str, *arguments: Variable) -> Rule:
    """Return the rule that makes a relation visible: `(init (input ?r ?m))` if `(input ?r ?m)`."""
    return Rule(Atom("init", (Function(name, arguments),)), (Atom(name, arguments),))


def _defines(program: Program, name: str, arity: int) -> bool:
    return any(rule.head.name == name and len(rule.head.args) == arity for rule in program.rules)
