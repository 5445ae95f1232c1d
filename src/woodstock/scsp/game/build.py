"""A template as a `woodstock.scsp.Network`, for printing, solving and export.

Without a state: the µSCSP of the papers, with the conditional table of chance. With a state: the state is injected and
the network preprocessed. Singleton arc consistency removes values that are in no solution; variables with one value and
universal ones are dropped from scopes; unary constraints and those that always hold are dropped; tables of equal scope
are merged.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from woodstock.constraint.constraint import WILDCARD, Table
from woodstock.constraint.expression import Expression, all_of, any_of
from woodstock.constraint.variable import Variable
from woodstock.errors import GameError
from woodstock.gdl.chance import without_chance
from woodstock.scsp.game.chance import after_actions, chance_table
from woodstock.scsp.game.explain import constraint_names
from woodstock.scsp.game.stage import TableStage
from woodstock.scsp.game.template import ANY_OF, CLAUSE, TABLE, Template, TemplateConstraint
from woodstock.scsp.network import Network

Rows = NDArray[np.int32]
# (variable, positions that make it true)
_Literal = tuple[int, frozenset[int]]
# And/or become short tables up to this many rows, else conditions.
_MOST_ROWS = 500
_WIDE_DOMAIN = 60


def build_network(template: Template, packed: bytes | None = None) -> Network:
    """Return the network of the template, or of one state."""
    names, domains = template.variable_names, template.domains
    kept = [list(range(len(domain))) for domain in domains]
    if packed is not None:
        kept = TableStage(template).domains(packed)
        if not kept:
            raise GameError(f"{template.name}: the stage of this state has no solution; it is over or a role is stuck")
    players = without_chance(template.ground.roles) or ("player",)
    network = Network(template.name, players=players)
    chance = None if template.random_role is None else template.first_action + template.random_role
    after_chance = set() if chance is None else after_actions(template)
    variables: list[Variable] = []
    for number, (name, domain, positions) in enumerate(zip(names, domains, kept, strict=True)):
        values = [domain[position] for position in positions]
        if number == chance and packed is not None:
            variables.append(network.chance(name, values))
        elif number == chance:
            variables.append(network.chance(name, values, stage=1))
        elif number in after_chance:
            # Fluents at t+1 and what they are computed from are propagated, not decided [CONS, 3.3].
            variables.append(network.consequence(name, values, stage=2))
        else:
            variables.append(network.decision(name, values, stage=1))
    if chance is not None and packed is None:
        network.probabilities[variables[chance].index] = chance_table(template, chance, variables)
    for name, part in _parts(template, variables, kept, is_injected=packed is not None):
        if isinstance(part, Table):
            network.add(Table(name, part.scope, part.rows))
        else:
            network.require(*part, name=name)
    _add_utilities(template, network, variables)
    return network


def _add_utilities(template: Template, network: Network, variables: Sequence[Variable]) -> None:
    """Add the goals as soft constraints: at the end, a role's utility is a hundredth of its score."""
    terminal = variables[template.terminal]
    for role, name in enumerate(template.ground.roles):
        score = variables[template.first_score + role]
        worth = {
            (True, value): {name: Fraction(value, 100)}
            for value in score.domain
            if isinstance(value, int) and 0 <= value <= 100 and True in terminal.domain
        }
        if role != template.random_role and worth:
            network.prefer([terminal, score], worth, name=f"utility({name})")


# A table over the kept domains, or conditions.
_Part = Table | list[Expression]


def _parts(
    template: Template, variables: Sequence[Variable], kept: list[list[int]], *, is_injected: bool
) -> list[tuple[str, _Part]]:
    """Return the constraints by their names, tables of equal scope merged."""
    names = constraint_names(template)
    parts: list[tuple[str, _Part]] = []
    merged: dict[tuple[int, ...], int] = {}
    for number in _open_constraints(template, kept) if is_injected else range(template.constraint_count):
        constraint = template.constraint(number)
        part: _Part | None
        if constraint.kind != TABLE:
            is_wide = not is_injected and any(len(kept[x]) > _WIDE_DOMAIN for x in constraint.scope)
            part = plain_logic(constraint, variables) if is_wide else _restrict_logic(constraint, variables, kept)
        elif is_injected:
            part = _restrict_table(constraint, variables, kept)
        else:
            part = _table(constraint.scope, _rows(constraint), variables)
        if not part:
            continue
        if isinstance(part, Table) and not part.is_short:
            same = merged.setdefault(tuple(sorted(v.index for v in part.scope)), len(parts))
            if same < len(parts):
                name, known = parts[same]
                assert isinstance(known, Table)
                parts[same] = name, _intersection(known, part)
                continue
        parts.append((names[number], part))
    return parts


def _table(scope: Sequence[int], rows: Sequence[Sequence[int]] | Rows, variables: Sequence[Variable]) -> Table:
    cells = np.ascontiguousarray(rows, dtype=np.int32).reshape(len(rows), len(scope))
    return Table("", [variables[x] for x in scope], cells)


def _intersection(known: Table, other: Table) -> Table:
    place = {v.index: column for column, v in enumerate(other.scope)}
    common = set(map(tuple, other.rows[:, [place[v.index] for v in known.scope]].tolist()))
    is_common = np.array([tuple(row) in common for row in known.rows.tolist()], dtype=bool)
    return Table("", known.scope, known.rows[is_common])


def plain_logic(constraint: TemplateConstraint, variables: Sequence[Variable]) -> list[Expression]:
    """Return and/or or a clause over variables with many values, literal by literal."""
    literals = [
        variables[x] == variables[x].domain[value] if is_equal else variables[x] != variables[x].domain[value]
        for x, value, is_equal in constraint.literals
    ]
    if constraint.kind == CLAUSE:
        return [any_of(literals)]
    head, *rest = literals
    if constraint.kind == ANY_OF:
        return [any_of([head, ~literal]) for literal in rest] + [any_of([~head, *rest])]
    return [any_of([~head, literal]) for literal in rest] + [any_of([head, *[~r for r in rest]])]


def _open_constraints(template: Template, kept: list[list[int]]) -> list[int]:
    """Return the constraints over two or more open variables."""
    is_open = np.array([len(positions) > 1 for positions in kept])
    offsets = template.arrays["literal_offsets"]
    counts = np.concatenate(([0], np.cumsum(is_open[template.arrays["variables"]])))
    found: list[int] = np.flatnonzero(counts[offsets[1:]] - counts[offsets[:-1]] > 1).tolist()
    return found


def _rows(constraint: TemplateConstraint) -> Rows:
    assert constraint.rows is not None
    return constraint.rows


def _restrict_table(
    constraint: TemplateConstraint, variables: Sequence[Variable], kept: list[list[int]]
) -> Table | None:
    scope, rows = list(constraint.scope), _rows(constraint)
    for column, x in enumerate(scope):
        place = np.full(max(kept[x]) + 2, -2, dtype=np.int32)
        place[kept[x]] = np.arange(len(kept[x]))
        place[-1] = WILDCARD
        cells = rows[:, column]
        known = np.where(cells < len(place) - 1, cells, len(place) - 2)
        moved = np.where(cells == WILDCARD, WILDCARD, np.where(cells < len(place) - 1, place[known], -2))
        rows = np.column_stack((rows[:, :column], moved, rows[:, column + 1 :])).astype(np.int32)[moved != -2]
    open_columns = [column for column, x in enumerate(scope) if len(kept[x]) > 1]
    scope = [scope[column] for column in open_columns]
    rows = np.unique(rows[:, open_columns], axis=0) if scope else rows[:0]
    if not (rows == WILDCARD).any():
        scope, rows = _without_universal(scope, rows, kept)
    if len(scope) < 2:
        return None  # Arc consistency has removed the values that a unary constraint forbids.
    return _table(scope, rows, variables)


def _without_universal(scope: list[int], rows: Rows, kept: list[list[int]]) -> tuple[list[int], Rows]:
    column = 0
    while column < len(scope):
        others = np.delete(rows, column, axis=1)
        size = len(kept[scope[column]])
        if len(rows) % size == 0:
            distinct = np.unique(others, axis=0) if others.shape[1] else others[:1]
            if len(distinct) * size == len(rows):
                scope, rows = scope[:column] + scope[column + 1 :], distinct
                continue
        column += 1
    return scope, rows


def _restrict_logic(constraint: TemplateConstraint, variables: Sequence[Variable], kept: list[list[int]]) -> _Part:
    """Return and/or and clauses over the open variables, as a short table if that is small."""
    literals = [_kept_literal(literal, kept) for literal in constraint.literals]
    if constraint.kind == CLAUSE:
        return _clauses([literals], variables, kept)
    head, *rest = literals
    if constraint.kind == ANY_OF:
        # head <-> OR  is  not head <-> AND of complements.
        head, rest = _complement(head, kept), [_complement(literal, kept) for literal in rest]
    joined: dict[int, frozenset[int]] = {}
    for x, holds in rest:
        joined[x] = joined.get(x, holds) & holds
    rest = list(joined.items())
    table = _gate_table(head, rest, variables, kept)
    if table is not None:
        return table
    clauses = [[_complement(head, kept), literal] for literal in rest]
    clauses.append([head, *[_complement(literal, kept) for literal in rest]])
    return _clauses(clauses, variables, kept)


def _gate_table(
    head: _Literal, rest: list[_Literal], variables: Sequence[Variable], kept: list[list[int]]
) -> Table | None:
    """Return head <-> AND of the others as a short table; None if it is large or has a fixed variable."""
    x, holds = head
    if any(len(kept[y]) == 1 for y, _ in [head, *rest]) or any(y == x for y, _ in rest):
        return None
    place = {y: {position: i for i, position in enumerate(kept[y])} for y, _ in [head, *rest]}
    true_sets = [[place[y][p] for p in kept[y] if p in inside] for y, inside in rest]
    false_sets = [[place[y][p] for p in kept[y] if p not in inside] for y, inside in rest]
    head_true = [place[x][p] for p in kept[x] if p in holds]
    head_false = [place[x][p] for p in kept[x] if p not in holds]
    size = len(head_true)
    for inside in true_sets:
        size *= len(inside)
        if size > _MOST_ROWS:
            return None
    if size + len(head_false) * sum(map(len, false_sets)) > _MOST_ROWS:
        return None
    rows = [[h, *combination] for h in head_true for combination in itertools.product(*true_sets)]
    for column, outside in enumerate(false_sets, start=1):
        for h, value in itertools.product(head_false, outside):
            row = [WILDCARD] * (len(rest) + 1)
            row[0], row[column] = h, value
            rows.append(row)
    return _table([x, *[y for y, _ in rest]], rows, variables)


def _clauses(
    clauses: Sequence[Sequence[_Literal]], variables: Sequence[Variable], kept: list[list[int]]
) -> list[Expression]:
    """Return the clauses that do not always hold, without literals that never hold."""
    left = []
    for clause in clauses:
        joined: dict[int, frozenset[int]] = {}
        for x, holds in clause:
            joined[x] = joined.get(x, frozenset()) | holds
        if any(len(holds) == len(kept[x]) for x, holds in joined.items()):
            continue
        left.append(any_of([_expression(variables[x], kept[x], holds) for x, holds in joined.items() if holds]))
    return left


def _expression(variable: Variable, positions: list[int], holds: frozenset[int]) -> Expression:
    inside = [value for value, position in zip(variable.domain, positions, strict=True) if position in holds]
    outside = [value for value, position in zip(variable.domain, positions, strict=True) if position not in holds]
    is_inside = len(inside) <= len(outside)
    parts = [variable == value for value in inside] if is_inside else [variable != value for value in outside]
    return parts[0] if len(parts) == 1 else (any_of if is_inside else all_of)(parts)


def _kept_literal(literal: tuple[int, int, bool], kept: list[list[int]]) -> _Literal:
    x, value, is_equal = literal
    return x, frozenset(position for position in kept[x] if (position == value) == is_equal)


def _complement(literal: _Literal, kept: list[list[int]]) -> _Literal:
    x, holds = literal
    return x, frozenset(position for position in kept[x] if position not in holds)
