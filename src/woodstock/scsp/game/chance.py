"""What chance does in the network of a game: its probabilities, and what is settled only after it has moved."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from woodstock.constraint.variable import Variable
from woodstock.scsp.game.template import ALWAYS, LEGAL, TABLE, Template, TemplateConstraint
from woodstock.scsp.probability import ProbabilityTable
from woodstock.scsp.soft import Number

_MOST_CHANCE_ROWS = 100_000


def after_actions(template: Template) -> set[int]:
    """Return the variables that depend on the actions: they are settled after chance has moved."""
    actions = range(template.first_action, template.terminal)
    depends: dict[int, list[int]] = {}
    for number in range(template.constraint_count):
        constraint = template.constraint(number)
        if constraint.origin == LEGAL:
            continue
        head = constraint.scope[-1] if constraint.kind == TABLE else constraint.scope[0]
        for x in constraint.scope:
            if x != head:
                depends.setdefault(x, []).append(head)
    found = set(range(template.first_next, template.first_auxiliary))
    work = list(actions)
    while work:
        for head in depends.get(work.pop(), ()):
            if head not in found:
                found.add(head)
                work.append(head)
    # What fluents at t+1 are computed from was reached through the actions; they themselves lead nowhere.
    return found


class _UniformRows(dict[tuple[int, ...], tuple[Number, ...]]):
    """The uniform distribution over the legal values under each condition, computed at first use."""

    def __init__(self, is_legal: Callable[[tuple[int, ...]], list[bool]]) -> None:
        super().__init__()
        self._is_legal = is_legal

    def __missing__(self, condition: tuple[int, ...]) -> tuple[Number, ...]:
        is_legal = self._is_legal(condition)
        # If nothing is legal, the stage has no solution and the distribution no meaning.
        share = Fraction(1, sum(is_legal) or len(is_legal))
        row = self[condition] = tuple(share if legal or not any(is_legal) else Fraction(0) for legal in is_legal)
        return row


def _legal_table(
    variable: Variable, given: Sequence[Variable], is_legal: Callable[[tuple[int, ...]], list[bool]]
) -> ProbabilityTable:
    """Return P(action of random | the variables of its legality); rows are listed up to a limit."""
    table = ProbabilityTable(variable, given, {})
    table.rows = rows = _UniformRows(is_legal)
    if math.prod(len(other.domain) for other in given) <= _MOST_CHANCE_ROWS:
        for condition in itertools.product(*(range(len(other.domain)) for other in given)):
            _ = rows[condition]
    return table


def chance_table(template: Template, chance: int, variables: Sequence[Variable]) -> ProbabilityTable:
    """Return the table of the action of `random`: uniform over what is legal, given the variables of its legality."""
    role = chance - template.first_action
    moves = len(template.ground.moves[role])
    table = next(_legal_tables(template, role), None)
    if table is not None and table.rows is not None:
        allowed = set(map(tuple, table.rows.tolist()))
        given = [variables[x] for x in table.scope[:-1]]
        return _legal_table(
            variables[chance], given, lambda condition: [(*condition, move) in allowed for move in range(moves)]
        )
    # Legality by one literal for each move, over Boolean variables or single values.
    first = sum(len(names) for names in template.ground.moves[:role])
    legal = template.arrays["legal"][first : first + moves].tolist()
    scope = sorted({x for x, _value, _negated in legal if x >= 0})

    def is_legal(condition: tuple[int, ...]) -> list[bool]:
        at = dict(zip(scope, condition, strict=True))
        return [x == ALWAYS if x < 0 else (at[x] == value) != bool(negated) for x, value, negated in legal]

    return _legal_table(variables[chance], [variables[x] for x in scope], is_legal)


def _legal_tables(template: Template, role: int) -> Iterator[TemplateConstraint]:
    for number in range(template.constraint_count):
        if template.arrays["origins"][number] == LEGAL and template.arrays["origin_indices"][number] == role:
            constraint = template.constraint(number)
            if constraint.kind == TABLE:
                yield constraint


def gated(table: ProbabilityTable, ended: Variable) -> ProbabilityTable:
    """Return the table for a turn that may not take place: then the first value is certain."""
    certain = (Fraction(1), *[Fraction(0)] * (len(table.variable.domain) - 1))
    inner = table.rows
    made = ProbabilityTable(table.variable, (ended, *table.given), {})
    made.rows = _GatedRows(lambda condition: certain if condition[0] else inner[condition[1:]])
    if 2 * math.prod(len(other.domain) for other in table.given) <= _MOST_CHANCE_ROWS:
        for condition in itertools.product(*(range(len(other.domain)) for other in made.given)):
            _ = made.rows[condition]
    return made


class _GatedRows(dict[tuple[int, ...], tuple[Number, ...]]):
    """Distributions that are computed at first use."""

    def __init__(self, compute: Callable[[tuple[int, ...]], tuple[Number, ...]]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, condition: tuple[int, ...]) -> tuple[Number, ...]:
        row = self[condition] = self._compute(condition)
        return row
