"""Rules of an open game as a GDL-II server sends them: with a rule by which every role sees every move.

The Dresden server adds `(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))` and sends `(did x (mark 1 1))` for each
role. Without that rule the game is open again, and any player of open games can play it.
"""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.gdl.ast import Atom, Function, Program, Rule, Variable
from woodstock.gdl.kif import split_term
from woodstock.gdl.parse import parse


def without_told_moves(program: Program) -> Program:
    """Return the rules without such a rule, if that is their only one for `sees`; else the rules themselves.

    >>> rules = "(role x) (<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))"
    >>> without_told_moves(parse(rules, "rules", "kif")).text
    '(role x) '
    """
    sees = [rule for rule in program.rules if rule.head.name.lower() == "sees"]
    if len(sees) != 1 or not _tells_all_moves(sees[0]):
        return program
    span = sees[0].span
    return parse(program.text[: span.start] + program.text[span.end :], program.name, "kif")


def told_moves(terms: Sequence[str], roles: tuple[str, ...]) -> list[str]:
    """Return the joint move in role order, from the moves themselves or from what such a rule makes of them.

    >>> told_moves(["(did o noop)", "(did x (mark 1 1))"], ("x", "o"))
    ['(mark 1 1)', 'noop']
    >>> told_moves(["(mark 1 1)", "noop"], ("x", "o"))
    ['(mark 1 1)', 'noop']
    """
    parts = [split_term(term) for term in terms]
    # A scrambled name is as good as `did`.
    if all(len(part) == 3 for part in parts) and len({part[0].lower() for part in parts}) == 1:
        by_role = {part[1].lower(): part[2] for part in parts}
        if len(by_role) == len(terms) == len(roles) and all(role.lower() in by_role for role in roles):
            return [by_role[role.lower()] for role in roles]
    return list(terms)


def _tells_all_moves(rule: Rule) -> bool:
    """Return whether a rule for `sees` shows every move to every role, and who made it."""
    head = rule.head.args
    if len(head) != 2 or not isinstance(head[1], Function) or len(rule.body) != 2:
        return False
    shown = (head[0], *head[1].args)
    names = {one.name for one in shown if isinstance(one, Variable)}
    body = {(one.name.lower(), one.args) for one in rule.body if isinstance(one, Atom)}
    return len(shown) == len(names) == 3 and body == {("role", shown[:1]), ("does", shown[1:])}
