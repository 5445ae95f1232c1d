"""Write a network as an XCSP3 instance of the core format, with its sidecar.

In: a `Network`. Out: `FILE.xml`, whose solutions are the assignments that break no hard constraint, for any XCSP3
solver; and `FILE.scsp.json`, which has the rest (see `sidecar`). Small conditions become tables, larger
ones are written as expressions. Cost: linear in the tables, and in the tuples tried to tabulate conditions.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, Table, tabulate
from woodstock.constraint.expression import Distinct
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.xcsp3.functional_writer import FunctionalWriter, NotExpressible
from woodstock.scsp.xcsp3.names import make_ids
from woodstock.scsp.xcsp3.sidecar import encode_expression, encode_sidecar, sidecar_path, write_sidecar
from woodstock.scsp.xcsp3.tuples import write_tuples

TABLE_LIMIT = 5_000  # a condition with no more tuples to try becomes a table
EXPANDED_LIMIT = 100_000  # forbidden short tuples are written out up to here
LAST_LIMIT = 1_000_000  # so does one that cannot be written as an expression, up to here


def write(
    network: Network,
    path: str | Path,
    *,
    game: Mapping[str, Any] | None = None,
    notes: Mapping[str, Mapping[str, Any]] | None = None,
    with_sidecar: bool = True,
) -> Path | None:
    """Write a network to `path` and its sidecar next to it; return the path of the sidecar.

    `game` describes the game that the network came from, and `notes` has facts about constraints by their names, such
    as their rules; both are written to the sidecar unchanged.
    """
    target = Path(path)
    if not network.declared:
        raise ModelError(f"network {network.name}: it has no variables")
    # Variables and constraints share one space of ids.
    made = make_ids([*(v.name for v in network.declared), *(c.name for c in network.hard)])
    ids = {v.index: name for v, name in zip(network.declared, made, strict=False)}
    names = made[len(ids) :]
    bodies = [(name, constraint, _body(constraint, ids)) for name, constraint in zip(names, network.hard, strict=True)]
    with target.open("w", encoding="utf-8") as stream:
        _write_instance(stream, network, ids, bodies)
    if not with_sidecar:
        return None
    hard = []
    for name, constraint, _ in bodies:
        entry: dict[str, Any] = {"id": name, "name": constraint.name}
        if isinstance(constraint, Condition):
            entry["expression"] = encode_expression(constraint.expression, ids, f"constraint {constraint.name}")
        elif isinstance(constraint, Table) and _is_changed(constraint):
            scope = [ids[v.index] for v in constraint.scope]
            entry |= {"scope": scope, "rows": constraint.rows.tolist(), "is_allowed": constraint.is_allowed}
        hard.append(entry | dict((notes or {}).get(constraint.name, {})))
    beside = sidecar_path(target)
    write_sidecar(beside, encode_sidecar(network, ids, hard, instance=target.name, game=game))
    return beside


# A constraint as it will be written: a table, or the tag and the text of an element.
_Body = Table | tuple[str, str]


def _body(constraint: Constraint, ids: dict[int, str]) -> _Body:
    if isinstance(constraint, Table):
        return constraint
    if not isinstance(constraint, Condition):
        raise ModelError(f"constraint {constraint.name}: a {type(constraint).__name__} cannot be written")
    if constraint.scope and constraint.space() <= TABLE_LIMIT:
        return Table(constraint.name, constraint.scope, tabulate(constraint, TABLE_LIMIT))
    expression = constraint.expression
    coded = [v for v in constraint.scope if not (v.is_integer and v.is_numeric)]
    codes = {v.index: dict(zip(v.domain, v.codes, strict=True)) for v in coded}
    if isinstance(expression, Distinct) and not codes:
        parts = expression.arguments
        if len(constraint.scope) == len(parts) > 1 and all(isinstance(part, Variable) for part in parts):
            return "allDifferent", " ".join(ids[v.index] for v in constraint.scope)
    try:
        return "intension", escape(FunctionalWriter(ids, codes).write(constraint.expression))
    except NotExpressible as error:
        if constraint.scope and constraint.space() <= LAST_LIMIT:
            return Table(constraint.name, constraint.scope, tabulate(constraint, LAST_LIMIT))
        raise ModelError(
            f"constraint {constraint.name}: {error} has no counterpart in XCSP3, and a table would have "
            f"{constraint.space():,} tuples to try; the limit is {LAST_LIMIT:,}"
        ) from None


def _write_instance(
    stream: TextIO, network: Network, ids: dict[int, str], bodies: Sequence[tuple[str, Constraint, _Body]]
) -> None:
    stream.write(f'<instance format="XCSP3" type="CSP"{_note(network.name, "")}>\n<variables>\n')
    for variable in network.declared:
        name = ids[variable.index]
        note = _note(variable.name, name)
        stream.write(f'<var id="{name}"{note}>{_domain_text(sorted(variable.codes))}</var>\n')
    stream.write("</variables>\n<constraints>\n")
    for name, constraint, body in bodies:
        tag, text = _table(body, ids) if isinstance(body, Table) else body
        stream.write(f'<{tag} id="{name}"{_note(constraint.name, name)}>{text}</{tag}>\n')
    # Solvers ignore a variable without constraints and then count too few solutions: give it one.
    mentioned = {v.index for _, constraint, _ in bodies for v in constraint.scope}
    # A variable with one value makes no difference, but an instance must have a constraint.
    alone = [v for v in network.declared if v.index not in mentioned and len(v.domain) > 1]
    for variable in alone if alone or bodies else network.declared[:1]:
        stream.write(f"<intension>eq({ids[variable.index]},{ids[variable.index]})</intension>\n")
    stream.write("</constraints>\n</instance>\n")


def _table(table: Table, ids: dict[int, str]) -> tuple[str, str]:
    if _is_trivial(table):
        # The format does not define such a list of tuples: write an expression instead.
        op = "eq" if table.is_allowed == bool(len(table.rows)) else "ne"
        parts = [f"{op}({ids[v.index]},{ids[v.index]})" for v in table.scope]
        return "intension", parts[0] if len(parts) == 1 else f"and({','.join(parts)})"
    table = _without_repeats(table)
    if table.is_short and not table.is_allowed:
        # Solvers read * in supports only.
        if _expanded_size(table) > EXPANDED_LIMIT:
            return "intension", _clauses(table, ids)
        table = _expanded(table)
    scope = " ".join(ids[v.index] for v in table.scope)
    kind = "supports" if table.is_allowed else "conflicts"
    tuples = write_tuples(table.rows, [v.codes for v in table.scope])
    return "extension", f"\n<list>{scope}</list>\n<{kind}>{tuples}</{kind}>\n"


def _is_trivial(table: Table) -> bool:
    """Return whether the table has no rows, or one column that it leaves free."""
    return not len(table.rows) or (table.arity == 1 and table.is_short)


def _is_changed(table: Table) -> bool:
    """Return whether the rows in the instance differ from the table, so that the sidecar must have them."""
    if _is_trivial(table) or (table.is_short and not table.is_allowed):
        return True
    return len(np.unique(table.rows, axis=0)) < len(table.rows)


def _without_repeats(table: Table) -> Table:
    _, first = np.unique(table.rows, axis=0, return_index=True)
    if len(first) == len(table.rows):
        return table
    return Table(table.name, table.scope, table.rows[np.sort(first)], is_allowed=table.is_allowed)


def _expanded_size(table: Table) -> int:
    sizes = np.array([len(v.domain) for v in table.scope], dtype=np.float64)
    return int(min(np.where(table.rows == WILDCARD, sizes, 1.0).prod(axis=1).sum(), 2.0**60))


def _expanded(table: Table) -> Table:
    """Return the table with each wildcard written out."""
    found: set[tuple[int, ...]] = set()
    for row in table.rows.tolist():
        columns = [range(len(v.domain)) if p == WILDCARD else (p,) for v, p in zip(table.scope, row, strict=True)]
        found.update(itertools.product(*columns))
    rows = np.array(sorted(found), dtype=np.int32)
    return Table(table.name, table.scope, rows, is_allowed=table.is_allowed)


def _clauses(table: Table, ids: dict[int, str]) -> str:
    """Return forbidden short tuples as an expression: from each tuple, some variable differs."""
    codes = [v.codes for v in table.scope]
    clauses = []
    for row in table.rows.tolist():
        parts = [
            f"ne({ids[v.index]},{column[p]})"
            for v, column, p in zip(table.scope, codes, row, strict=True)
            if p != WILDCARD
        ]
        clauses.append(f"or({','.join(parts)})" if len(parts) > 1 else parts[0] if parts else "eq(0,1)")
    return f"and({','.join(clauses)})" if len(clauses) > 1 else clauses[0]


def _domain_text(codes: Sequence[int]) -> str:
    """Return a domain with runs as ranges.

    >>> _domain_text([0, 1, 2, 5, 7, 8])
    '0..2 5 7 8'
    """
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][-1] == code - 1:
            runs[-1].append(code)
        else:
            runs.append([code])
    parts = [f"{run[0]}..{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs]
    return " ".join(parts)


def _note(name: str, known: str) -> str:
    if name == known:
        return ""
    # XML cannot have control characters, escaped or not; the sidecar has the exact name.
    shown = "".join(character if character.isprintable() else "?" for character in name)
    return f" note={quoteattr(shown)}"
