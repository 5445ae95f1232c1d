"""What `base` and `input` declare: the fluents and moves that the author of the rules listed.

Rules may define them. The interpreter derives them: they are the initial state of the game if they replace its `init`.
A relation with an unbound variable, such as `(base (step ?n))`, lists nothing that could be checked.
"""

from __future__ import annotations

from dataclasses import dataclass

from woodstock.game.interpreter import Interpreter
from woodstock.gdl.ast import Atom, Function, Program, Rule, Variable
from woodstock.gdl.bind_calls import unbound_rules

_RELATIONS = {"base": (Variable("f"),), "input": (Variable("r"), Variable("m"))}


@dataclass(frozen=True, slots=True)
class Declared:
    """The fluents of `base`, the moves of `input` with the index of their role; None without such a relation."""

    base: frozenset[str] | None
    inputs: frozenset[tuple[int, str]] | None


def declared(program: Program) -> Declared:
    """Return what the rules declare."""
    kept = tuple(rule for rule in program.rules if rule.head.name != "init")
    shown = {name: _shown(name, *variables) for name, variables in _RELATIONS.items() if _defines(program, name)}
    if shown:
        asked = Program((*kept, *shown.values()), program.text, program.name)
        unbound = {asked.rules[index].head.name for index in unbound_rules(asked)}
        shown = {name: rule for name, rule in shown.items() if name not in unbound}
    if not shown:
        return Declared(None, None)
    facts = Interpreter(Program((*kept, *shown.values()), program.text, program.name)).initial()
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
    return Declared(frozenset(base) if "base" in shown else None, frozenset(inputs) if "input" in shown else None)


def _shown(name: str, *arguments: Variable) -> Rule:
    """Return the rule that makes a relation visible: `(init (input ?r ?m))` if `(input ?r ?m)`."""
    return Rule(Atom("init", (Function(name, arguments),)), (Atom(name, arguments),))


def _defines(program: Program, name: str) -> bool:
    arity = len(_RELATIONS[name])
    return any(rule.head.name == name and len(rule.head.args) == arity for rule in program.rules)
