"""Why a move is not legal: which condition of which rule fails.

Each rule for `legal` whose head fits the move is tried condition by condition. The question "do the first k conditions
hold together" becomes a rule, which the interpreter answers; so the answer is that of the rules themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from woodstock.game.interpreter import Interpreter
from woodstock.game.spelling import respell, symbols
from woodstock.game.state import State
from woodstock.gdl.ast import And, Atom, Constant, Distinct, Formula, Not, Or, Program, Rule
from woodstock.gdl.parse import parse_term
from woodstock.gdl.source import Source
from woodstock.gdl.unify import Substitution, substitute, unify

_PROBE = "woodstock-probe"


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule that would make the move legal, and the first of its conditions that fails; none if it holds."""

    line: int
    rule: str
    condition: str | None


def why_illegal(state: State, role: str, move: str) -> tuple[Reason, ...]:
    """Return what each rule for this move lacks, the rule nearest to holding first; empty if no rule fits it."""
    game = state.game
    program = game.program
    source = Source(program.name, program.text)
    wanted = (Constant(game.roles[game.role_index(role)]), respell(parse_term(move), symbols(program)))
    found: list[tuple[int, Reason]] = []
    for rule in program.rules:
        if rule.head.name != "legal" or len(rule.head.args) != 2:
            continue
        values: Substitution = {}
        if not all(unify(a, b, values) for a, b in zip(rule.head.args, wanted, strict=True)):
            continue
        conditions = sorted((_apply(one, values) for one in rule.body), key=_is_filter)
        held = _longest_prefix(program, conditions, state.fluents)
        line = source.position(rule.span.start)[0]
        failing = None if held == len(conditions) else str(conditions[held])
        found.append((len(conditions) - held, Reason(line, str(rule), failing)))
    return tuple(reason for _, reason in sorted(found, key=lambda one: one[0]))


def _longest_prefix(program: Program, conditions: list[Formula], fluents: frozenset[str]) -> int:
    """Return how many of the conditions, from the first on, hold together."""
    counts = range(1, len(conditions) + 1)
    probes = tuple(Rule(Atom(_PROBE, (Constant(str(count)),)), tuple(conditions[:count])) for count in counts)
    rows = Interpreter(Program(program.rules + probes, program.text, program.name)).rows(_PROBE, 1, fluents)
    return max((int(row[0]) for row in rows), default=0)


def _is_filter(condition: Formula) -> bool:
    # Conditions that only test come last: their variables must be bound by then.
    return isinstance(condition, Not | Distinct)


def _apply(formula: Formula, values: Substitution) -> Formula:
    match formula:
        case Atom():
            return Atom(formula.name, tuple(substitute(arg, values) for arg in formula.args), formula.span)
        case Distinct():
            return Distinct(substitute(formula.left, values), substitute(formula.right, values), formula.span)
        case Not():
            return Not(_apply(formula.body, values), formula.span)
        case Or():
            return Or(tuple(_apply(part, values) for part in formula.parts), formula.span)
        case And():
            return And(tuple(_apply(part, values) for part in formula.parts), formula.span)
