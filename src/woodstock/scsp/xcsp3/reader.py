"""Read XCSP3 instances: plain ones of the core format, and ours with their sidecars.

In: a file. Out: an `Instance` with a `Network`; without a sidecar all variables are decisions of one stage, named by
their ids. What is wrong is an `InstanceError` with file and line; memory stays within `memory_mb`, whatever the file
says. Cost: linear in the file with its arrays and groups expanded.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from woodstock.constraint.constraint import Condition, Constraint, Table
from woodstock.constraint.expression import Compare
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
    sidecar = SidecarReader(beside, budget)
    try:
        joiner = _Joiner(plain, sidecar)
        joiner.run()
    except InstanceError:
        raise
    except ModelError as error:
        raise sidecar.error("", str(error)) from None
    game = sidecar.content.get("game")
    return Instance(source, joiner.network, True, game if isinstance(game, dict) else None, joiner.notes)


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


class _Joiner:
    """Makes the network as modelled from the plain one and its sidecar."""

    def __init__(self, plain: Network, sidecar: SidecarReader) -> None:
        self.plain, self.sidecar = plain, sidecar
        players = sidecar.get(sidecar.content, "players", list, "")
        if not players or not all(isinstance(player, str) for player in players):
            raise sidecar.error("players", "a list of names is expected")
        self.network = Network(sidecar.get(sidecar.content, "name", str, ""), players=players)
        self.notes: dict[str, Mapping[str, Any]] = {}

    def run(self) -> None:
        sidecar, network = self.sidecar, self.network
        tables = {sidecar.get(entry, "variable", str, place) for entry, place in sidecar.entries("probabilities")}
        for entry, place in sidecar.entries("variables"):
            self._add_variable(entry, place, tables)
        missing = [v.name for v in self.plain.declared if v.name not in sidecar.variables]
        if missing:
            raise sidecar.error("variables", f"{missing[0]} of the instance is missing")
        for entry, place in sidecar.entries("probabilities"):
            self._add_probabilities(entry, place)
        self._add_hard()
        for entry, place in sidecar.entries("chance"):
            network.chance_constraints.append(self._constraint(entry, place))
        for entry, place in sidecar.entries("soft"):
            network.add(self._soft(entry, place))
        threshold = sidecar.get(sidecar.content, "threshold", list, "")
        network.threshold = [sidecar.number(t, "threshold") for t in threshold]

    def _add_variable(self, entry: Any, place: str, with_tables: Container[str]) -> None:
        sidecar, network = self.sidecar, self.network
        name = sidecar.get(entry, "id", str, place)
        if name not in self.plain:
            raise sidecar.error(place, f"the instance has no variable {name}")
        if name in sidecar.variables:
            raise sidecar.error(place, f"{name} is listed twice")
        domain = [sidecar.value(value, f"{place}.values") for value in sidecar.get(entry, "values", list, place)]
        label, stage = sidecar.get(entry, "name", str, place), sidecar.get(entry, "stage", int, place)
        kind = sidecar.get(entry, "kind", str, place)
        if kind == "decision":
            variable = network.decision(label, domain, stage=stage)
        elif kind != "chance":
            raise sidecar.error(f"{place}.kind", f"is {kind!r}; decision or chance is expected")
        elif name not in with_tables:
            raise sidecar.error(place, f"{name} is a chance variable without probabilities")
        else:
            # Uniform for now: what its probabilities depend on may be declared after it.
            variable = network.chance(label, domain, stage=stage)
        if sorted(variable.codes) != sorted(self.plain[name].codes):
            raise sidecar.error(f"{place}.values", f"do not fit the domain of {name} in the instance")
        sidecar.variables[name] = variable

    def _add_probabilities(self, table: Any, place: str) -> None:
        sidecar = self.sidecar
        variable = sidecar.variable(table["variable"], place)
        if not variable.is_chance:
            raise sidecar.error(place, f"{variable.name} is not a chance variable")
        given = sidecar.scope(table, "given", place)
        rows: dict[tuple[Any, ...], list[Any]] = {}
        for number, row in enumerate(sidecar.get(table, "rows", list, place)):
            spot = f"{place}.rows[{number}]"
            when = sidecar.rows(
                {"when": [sidecar.get(row, "when", list, spot)]}, "when", given, spot, with_wildcards=False
            )
            key = tuple(v.domain[position] for v, position in zip(given, when[0].tolist(), strict=True))
            rows[key] = [sidecar.number(p, spot) for p in sidecar.get(row, "p", list, spot)]
        if not given and len(rows) != 1:
            raise sidecar.error(place, "without given variables there is one row")
        shares: Any = rows if given else rows[()]
        self.network.probabilities[variable.index] = conditional(variable, given, shares)

    def _add_hard(self) -> None:
        sidecar = self.sidecar
        by_name = {constraint.name: constraint for constraint in self.plain.hard}
        known = set()
        for entry, place in sidecar.entries("hard"):
            name, label = sidecar.get(entry, "id", str, place), sidecar.get(entry, "name", str, place)
            if name not in by_name:
                raise sidecar.error(place, f"the instance has no constraint {name}")
            known.add(name)
            more = {key: value for key, value in entry.items() if key not in _HARD_KEYS}
            if more:
                self.notes[label] = more
            if "expression" in entry:
                expression = sidecar.expression(entry["expression"], f"{place}.expression")
                self.network.add(Condition(label, expression))
            elif "rows" in entry:
                # What solvers do not read, such as an empty table, is in the instance in other words.
                scope = sidecar.scope(entry, "scope", place)
                is_allowed = sidecar.get(entry, "is_allowed", bool, place)
                rows = sidecar.rows(entry, "rows", scope, place)
                self.network.add(Table(label, scope, rows, is_allowed=is_allowed))
            else:
                self.network.add(self._translated(by_name[name], label, place))
        for constraint in self.plain.hard:
            if constraint.name not in known and not _only_mentions(constraint):
                raise sidecar.error("hard", f"{constraint.name} of the instance is missing")

    def _translated(self, constraint: Constraint, label: str, place: str) -> Table:
        """Return a table of the plain network over the variables as modelled."""
        if not isinstance(constraint, Table):
            message = f"{constraint.name} is not a table in the instance, and has no expression here"
            raise self.sidecar.error(place, message)
        scope = [self.sidecar.variables[v.name] for v in constraint.scope]
        rows = np.empty_like(constraint.rows)
        for column, (before, after) in enumerate(zip(constraint.scope, scope, strict=True)):
            place_of = {code: position for position, code in enumerate(after.codes)}
            # One entry more at the end: the wildcard is position -1.
            lookup = np.array([*(place_of[code] for code in before.codes), -1], dtype=np.int32)
            rows[:, column] = lookup[constraint.rows[:, column]]
        return Table(label, scope, rows, is_allowed=constraint.is_allowed)

    def _constraint(self, entry: Any, place: str) -> Constraint:
        sidecar = self.sidecar
        label = sidecar.get(entry, "name", str, place)
        if "expression" in entry:
            expression = sidecar.expression(entry["expression"], f"{place}.expression")
            if not expression.is_condition:
                raise sidecar.error(f"{place}.expression", "is not a condition")
            return Condition(label, expression)
        kind = "allowed" if "allowed" in entry else "forbidden"
        scope = sidecar.scope(entry, "scope", place)
        return Table(label, scope, sidecar.rows(entry, kind, scope, place), is_allowed=kind == "allowed")

    def _soft(self, entry: Any, place: str) -> Soft:
        sidecar = self.sidecar
        label = sidecar.get(entry, "name", str, place)
        scope = sidecar.scope(entry, "scope", place)
        utilities = [
            self._utility(numbers, f"{place}.utilities[{number}]")
            for number, numbers in enumerate(sidecar.get(entry, "utilities", list, place))
        ]
        otherwise = self._utility(sidecar.get(entry, "otherwise", list, place), f"{place}.otherwise")
        if "test" in entry:
            test = self._constraint(entry["test"], f"{place}.test")
            if len(utilities) != 1:
                raise sidecar.error(f"{place}.utilities", "a test has one utility")
            return Soft(label, test.scope, utilities, otherwise, test=test)
        rows = sidecar.rows(entry, "rows", scope, place, with_wildcards=False)
        if len(rows) != len(utilities):
            raise sidecar.error(place, f"{len(rows)} rows, but {len(utilities)} utilities")
        return Soft(label, scope, utilities, otherwise, rows=rows)

    def _utility(self, numbers: Any, place: str) -> tuple[Any, ...]:
        count = len(self.network.players)
        if not isinstance(numbers, list) or len(numbers) != count:
            shown = json.dumps(numbers)[:40]
            raise self.sidecar.error(place, f"{shown}: expected {count} utilities, one for each player")
        return self.network.utility_of([self.sidecar.number(number, place) for number in numbers])


def _only_mentions(constraint: Constraint) -> bool:
    """Say whether a constraint is eq(x,x), by which the writer mentions a variable without constraints."""
    expression = constraint.expression if isinstance(constraint, Condition) else None
    return isinstance(expression, Compare) and expression.op == "==" and expression.left is expression.right
