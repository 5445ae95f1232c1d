"""Read XCSP3 instances: plain ones of the core format, and ours with their sidecars.

In: a file. Out: an `Instance` with a `Network`; without a sidecar all variables are decisions of one stage, named by
their ids. What is wrong is an `InstanceError` with file and line; memory stays within `memory_mb`, whatever the file
says. Cost: linear in the file with its arrays and groups expanded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from woodstock.constraint.constraint import Condition, Constraint, Table
from woodstock.constraint.expression import Compare
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.network import Network
from woodstock.scsp.probability import conditional
from woodstock.scsp.soft import Soft
from woodstock.scsp.xcsp3.constraints import Constraints
from woodstock.scsp.xcsp3.error import Budget, InstanceError
from woodstock.scsp.xcsp3.markup import parse_markup
from woodstock.scsp.xcsp3.scope import Arrays
from woodstock.scsp.xcsp3.sidecar import SidecarReader, sidecar_path

_HARD_KEYS = {"id", "name", "expression", "scope", "rows", "is_allowed"}


@dataclass(frozen=True)
class Instance:
    """The contents of a file: the network, whether it has a sidecar, and the game that it came from."""

    path: Path
    network: Network
    has_sidecar: bool = False
    game: Mapping[str, Any] | None = None
    notes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read(path: str | Path, *, memory_mb: float = 2048, with_sidecar: bool | None = None) -> Instance:
    """Read an instance, and its sidecar if there is one, unless `with_sidecar` is false."""
    source = Path(path)
    budget = Budget(memory_mb)
    plain = _read_plain(source, budget)
    beside = sidecar_path(source)
    if with_sidecar is None:
        with_sidecar = beside.exists()
    if not with_sidecar:
        return Instance(source, plain)
    return _join(source, plain, SidecarReader(beside, budget))


def _read_plain(path: Path, budget: Budget) -> Network:
    root = parse_markup(path, budget)
    if root.tag != "instance":
        raise root.error('the file is no XCSP3 instance; it starts with <instance format="XCSP3" type="CSP">')
    if root.attributes.get("format", "XCSP3") != "XCSP3":
        raise root.error(f"the format is {root.attributes['format']!r}; only XCSP3 is read")
    kind = root.attributes.get("type", "CSP")
    if kind != "CSP":
        raise root.error(f"a problem of type {kind}; only CSP is read")
    network = Network(path.stem)
    arrays = Arrays(network, budget)
    for element in root.need("variables").children:
        if element.tag not in ("var", "array"):
            raise element.error("only <var> and <array> are read inside <variables>")
        arrays.declare(element)
    if not network.declared:
        raise root.need("variables").error("there is no variable")
    constraints = Constraints(arrays)
    part = root.child("constraints")
    for element in part.children if part is not None else ():
        constraints.read(element)
    return network


def _join(path: Path, plain: Network, sidecar: SidecarReader) -> Instance:
    """Return the network as modelled, from the plain one and its sidecar."""
    content = sidecar.content
    players = sidecar.get(content, "players", list, "")
    if not players or not all(isinstance(player, str) for player in players):
        raise sidecar.error("players", "a list of names is expected")
    probabilities = {
        sidecar.get(entry, "variable", str, f"probabilities[{number}]"): (number, entry)
        for number, entry in enumerate(sidecar.get(content, "probabilities", list, ""))
    }
    try:
        network = Network(sidecar.get(content, "name", str, ""), players=players)
        variables: dict[str, Variable] = {}
        for number, entry in enumerate(sidecar.get(content, "variables", list, "")):
            _add_variable(sidecar, network, plain, variables, probabilities, entry, f"variables[{number}]")
        missing = [v.name for v in plain.declared if v.name not in variables]
        if missing:
            raise sidecar.error("variables", f"{missing[0]} of the instance is missing")
        for number, entry in probabilities.values():
            _add_probabilities(sidecar, network, variables, number, entry)
        notes = _add_hard(sidecar, network, plain, variables)
        for number, entry in enumerate(sidecar.get(content, "chance", list, "")):
            network.chance_constraints.append(_constraint(sidecar, network, variables, entry, f"chance[{number}]"))
        for number, entry in enumerate(sidecar.get(content, "soft", list, "")):
            network.add(_soft(sidecar, network, variables, entry, f"soft[{number}]"))
        threshold = sidecar.get(content, "threshold", list, "")
        network.threshold = [sidecar.number(t, "threshold") for t in threshold]
    except InstanceError:
        raise
    except ModelError as error:
        raise sidecar.error("", str(error)) from None
    game = content.get("game")
    return Instance(path, network, True, game if isinstance(game, dict) else None, notes)


def _add_variable(
    sidecar: SidecarReader,
    network: Network,
    plain: Network,
    variables: dict[str, Variable],
    probabilities: Mapping[str, tuple[int, Any]],
    entry: Any,
    place: str,
) -> None:
    name = sidecar.get(entry, "id", str, place)
    if name not in plain:
        raise sidecar.error(place, f"the instance has no variable {name}")
    if name in variables:
        raise sidecar.error(place, f"{name} is listed twice")
    domain = [sidecar.value(value, f"{place}.values") for value in sidecar.get(entry, "values", list, place)]
    label, stage = sidecar.get(entry, "name", str, place), sidecar.get(entry, "stage", int, place)
    kind = sidecar.get(entry, "kind", str, place)
    if kind == "decision":
        variable = network.decision(label, domain, stage=stage)
    elif kind != "chance":
        raise sidecar.error(f"{place}.kind", f"is {kind!r}; decision or chance is expected")
    elif name not in probabilities:
        raise sidecar.error(place, f"{name} is a chance variable without probabilities")
    else:
        # Uniform for now: what its probabilities depend on may be declared after it.
        variable = network.chance(label, domain, stage=stage)
    if sorted(variable.codes) != sorted(plain[name].codes):
        raise sidecar.error(f"{place}.values", f"do not fit the domain of {name} in the instance")
    variables[name] = variable


def _add_probabilities(
    sidecar: SidecarReader, network: Network, variables: Mapping[str, Variable], number: int, table: Any
) -> None:
    where = f"probabilities[{number}]"
    variable = sidecar.variable(sidecar.get(table, "variable", str, where), variables, where)
    if not variable.is_chance:
        raise sidecar.error(where, f"{variable.name} is not a chance variable")
    given = sidecar.scope(table, "given", variables, where)
    rows: dict[tuple[Any, ...], list[Any]] = {}
    for row_number, row in enumerate(sidecar.get(table, "rows", list, where)):
        spot = f"{where}.rows[{row_number}]"
        when = sidecar.rows([sidecar.get(row, "when", list, spot)], given, f"{spot}.when", with_wildcards=False)[0]
        key = tuple(v.domain[position] for v, position in zip(given, when, strict=True))
        rows[key] = [sidecar.number(p, spot) for p in sidecar.get(row, "p", list, spot)]
    if not given and len(rows) != 1:
        raise sidecar.error(where, "without given variables there is one row")
    shares: Any = rows if given else rows[()]
    network.probabilities[variable.index] = conditional(variable, given, shares)


def _add_hard(
    sidecar: SidecarReader, network: Network, plain: Network, variables: Mapping[str, Variable]
) -> dict[str, Mapping[str, Any]]:
    by_name = {constraint.name: constraint for constraint in plain.hard}
    notes: dict[str, Mapping[str, Any]] = {}
    listed = sidecar.get(sidecar.content, "hard", list, "")
    for number, entry in enumerate(listed):
        place = f"hard[{number}]"
        name, label = sidecar.get(entry, "id", str, place), sidecar.get(entry, "name", str, place)
        if name not in by_name:
            raise sidecar.error(place, f"the instance has no constraint {name}")
        more = {key: value for key, value in entry.items() if key not in _HARD_KEYS}
        if more:
            notes[label] = more
        if "expression" in entry:
            expression = sidecar.expression(entry["expression"], variables, f"{place}.expression")
            network.add(Condition(label, expression))
        else:
            network.add(_translated(sidecar, by_name[name], label, variables, place, entry))
    known = {entry["id"] for entry in listed}
    for constraint in plain.hard:
        if constraint.name not in known and not _only_mentions(constraint):
            raise sidecar.error("hard", f"{constraint.name} of the instance is missing")
    return notes


def _only_mentions(constraint: Constraint) -> bool:
    """Say whether a constraint is eq(x,x), by which the writer mentions a variable without constraints."""
    expression = constraint.expression if isinstance(constraint, Condition) else None
    return isinstance(expression, Compare) and expression.op == "==" and expression.left is expression.right


def _translated(
    sidecar: SidecarReader,
    constraint: Constraint,
    label: str,
    variables: Mapping[str, Variable],
    place: str,
    entry: Any,
) -> Table:
    """Return a table of the plain network over the variables as modelled."""
    if "rows" in entry:
        # What solvers do not read, such as an empty table, is in the instance in other words.
        scope = [sidecar.variable(name, variables, place) for name in sidecar.get(entry, "scope", list, place)]
        rows = sidecar.rows(sidecar.get(entry, "rows", list, place), scope, f"{place}.rows")
        is_allowed = sidecar.get(entry, "is_allowed", bool, place)
        return Table(label, scope, np.array(rows, dtype=np.int32).reshape(len(rows), len(scope)), is_allowed=is_allowed)
    if not isinstance(constraint, Table):
        raise sidecar.error(place, f"{constraint.name} is not a table in the instance, and has no expression here")
    scope = [variables[v.name] for v in constraint.scope]
    rows_ = np.empty_like(constraint.rows)
    for column, (before, after) in enumerate(zip(constraint.scope, scope, strict=True)):
        place_of = {code: position for position, code in enumerate(after.codes)}
        # One entry more at the end: the wildcard is position -1.
        lookup = np.array([*(place_of[code] for code in before.codes), -1], dtype=np.int32)
        rows_[:, column] = lookup[constraint.rows[:, column]]
    return Table(label, scope, rows_, is_allowed=constraint.is_allowed)


def _constraint(
    sidecar: SidecarReader, network: Network, variables: Mapping[str, Variable], entry: Any, place: str
) -> Constraint:
    label = sidecar.get(entry, "name", str, place)
    if "expression" in entry:
        expression = sidecar.expression(entry["expression"], variables, f"{place}.expression")
        if not expression.is_condition:
            raise sidecar.error(f"{place}.expression", "is not a condition")
        return Condition(label, expression)
    kind = "allowed" if "allowed" in entry else "forbidden"
    scope = sidecar.scope(entry, "scope", variables, place)
    rows = sidecar.rows(sidecar.get(entry, kind, list, place), scope, f"{place}.{kind}")
    table = np.array(rows, dtype=np.int32).reshape(len(rows), len(scope))
    return Table(label, scope, table, is_allowed=kind == "allowed")


def _soft(sidecar: SidecarReader, network: Network, variables: Mapping[str, Variable], entry: Any, place: str) -> Soft:
    label = sidecar.get(entry, "name", str, place)
    scope = sidecar.scope(entry, "scope", variables, place)
    count = len(network.players)

    def utility(numbers: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(numbers, list) or len(numbers) != count:
            raise sidecar.error(where, f"{json.dumps(numbers)[:40]}: expected {count} utilities, one for each player")
        return network.utility_of([sidecar.number(number, where) for number in numbers])

    utilities = [
        utility(numbers, f"{place}.utilities[{number}]")
        for number, numbers in enumerate(sidecar.get(entry, "utilities", list, place))
    ]
    otherwise = utility(sidecar.get(entry, "otherwise", list, place), f"{place}.otherwise")
    if "test" in entry:
        test = _constraint(sidecar, network, variables, entry["test"], f"{place}.test")
        if len(utilities) != 1:
            raise sidecar.error(f"{place}.utilities", "a test has one utility")
        return Soft(label, test.scope, utilities, otherwise, test=test)
    rows = sidecar.rows(sidecar.get(entry, "rows", list, place), scope, f"{place}.rows", with_wildcards=False)
    if len(rows) != len(utilities):
        raise sidecar.error(place, f"{len(rows)} rows, but {len(utilities)} utilities")
    table = np.array(rows, dtype=np.int32).reshape(len(rows), len(scope))
    return Soft(label, scope, utilities, otherwise, rows=table)
