"""Winning strategies: a graph of settings and questions, saved as JSON, replayed against any universal player.

A node either sets existential variables and goes on, or asks for a universal variable and goes on by its value. Node 0
is the end: whatever comes now, the play is won. Equal parts are one node. An existential variable that no node on the
way sets may take any value; a value of a universal variable without a case is one that its restriction forbids.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from woodstock.constraint.selection import Element, Member
from woodstock.errors import ModelError

if TYPE_CHECKING:
    from woodstock.qcsp.problem import Problem

FORMAT = "woodstock-qcsp-certificate"
VERSION = 1


@dataclass(frozen=True)
class Setting:
    """Set these variables, then continue with node `next`."""

    values: Mapping[str, int]
    next: int


@dataclass(frozen=True)
class Question:
    """Ask for a universal variable; `cases` leads from its value to a node."""

    variable: str
    cases: Mapping[int, int]


Node = Setting | Question


@dataclass(frozen=True)
class Strategy:
    """A strategy for the existential player of the problem with this fingerprint."""

    problem_name: str
    fingerprint: str
    nodes: tuple[Node, ...]
    root: int

    def __repr__(self) -> str:
        return f"<Strategy for {self.problem_name}: {len(self.nodes)} nodes>"

    def settings(self, node: int) -> tuple[dict[str, int], int]:
        """Return everything set from this node to the next question or the end, and that node."""
        found: dict[str, int] = {}
        for _ in self.nodes:
            at = self.nodes[node]
            if not node or isinstance(at, Question):
                return found, node
            found.update(at.values)
            node = at.next
        raise ModelError(f"certificate: node {node} leads back to itself")

    def first_values(self) -> dict[str, int]:
        """Return the values that are set before the first question."""
        return self.settings(self.root)[0]

    def to_json(self) -> dict[str, Any]:
        """Return the strategy as a JSON object; `docs/qcsp.md` has the format."""
        nodes: list[dict[str, Any]] = []
        for node in self.nodes:
            if isinstance(node, Setting):
                nodes.append({"set": dict(node.values), "next": node.next})
            else:
                # Values that lead to the same node share a line.
                groups: dict[int, list[int]] = {}
                for value, target in node.cases.items():
                    groups.setdefault(target, []).append(value)
                cases = [{"values": values, "next": target} for target, values in groups.items()]
                nodes.append({"ask": node.variable, "cases": cases})
        head = {"format": FORMAT, "version": VERSION, "problem": self.problem_name, "fingerprint": self.fingerprint}
        return {**head, "root": self.root, "nodes": nodes}

    def dumps(self) -> str:
        """Return the strategy as text."""
        return json.dumps(self.to_json(), separators=(",", ":")) + "\n"


def fingerprint(problem: Problem) -> str:
    """Return a hash of the whole problem: names, domains, quantifiers, constraints."""
    digest = hashlib.sha256()
    for block in problem.blocks:
        digest.update(b"forall" if block.is_universal else b"exists")
        for variable in block.variables:
            digest.update(f"{variable.name}:{variable.domain}".encode())
        for restriction in block.restrictions:
            digest.update(_text(restriction).encode())
    for index, term in problem.definitions.items():
        digest.update(f"{problem.variables[index].name}={_text(term)}".encode())
    for constraint in problem.constraints:
        digest.update(_text(constraint).encode())
    return digest.hexdigest()[:32]


def loads(text: str, where: str = "certificate") -> Strategy:
    """Read a strategy; a damaged one raises `ModelError`."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ModelError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ModelError(f"{where}: not a certificate: expected an object with format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise ModelError(f"{where}: version {data.get('version')!r} is not known, expected {VERSION}")
    nodes = data.get("nodes")
    if not isinstance(nodes, list) or not nodes:
        raise ModelError(f"{where}: 'nodes' must be a list with at least one node")
    read = tuple(_node(entry, number, len(nodes), where) for number, entry in enumerate(nodes))
    root = _target(data.get("root"), len(nodes), f"{where}: root")
    return Strategy(str(data.get("problem", "")), str(data.get("fingerprint", "")), read, root)


def replay(
    problem: Problem, strategy: Strategy, answer: Callable[[str, tuple[int, ...], dict[str, int]], int]
) -> dict[str, int]:
    """Play one scenario and return the whole assignment.

    `answer(name, values, assignment)` gives the value of a universal variable; `values` are those with a case.
    A play that the universal player can no longer go on with ends early: the result lacks the rest.
    """
    from woodstock.qcsp.check import complete_definitions

    assignment: dict[str, int] = {}
    set_now, node = strategy.settings(strategy.root)
    for variable, is_universal in problem.prefix:
        if not is_universal:
            assignment[variable.name] = set_now.get(variable.name, variable.codes[0])
            continue
        complete_definitions(problem, assignment)
        at = strategy.nodes[node]
        is_asked = isinstance(at, Question) and at.variable == variable.name
        cases = dict(at.cases) if isinstance(at, Question) and is_asked else {}
        values = tuple(sorted(cases) if is_asked else variable.codes)
        if not values:
            return assignment
        value = answer(variable.name, values, dict(assignment))
        if value not in values:
            raise ModelError(f"{variable.name} = {value} is not one of {', '.join(map(str, values))}")
        assignment[variable.name] = value
        if is_asked:
            more, node = strategy.settings(cases[value])
            set_now.update(more)
    complete_definitions(problem, assignment)
    return assignment


def from_native(problem: Problem, root: int, nodes: Iterator[Any] | list[Any]) -> Strategy:
    """Turn the result of the native search into a strategy with names and values."""
    prefix = [variable for variable, _ in problem.prefix]
    made: list[Node] = []
    for universal, pairs, target in nodes:
        if universal is None:
            values = {prefix[position].name: prefix[position].codes[index] for position, index in pairs}
            made.append(Setting(values, target))
        else:
            variable = prefix[universal]
            domain = variable.codes
            made.append(Question(variable.name, {domain[index]: to for index, to in pairs}))
    return Strategy(problem.name, fingerprint(problem), tuple(made), root)


def _text(expression: Any) -> str:
    # The printed form of long lists is shortened, which a fingerprint must not be.
    parts = [repr(expression)]
    waiting = [expression]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Member):
            parts.append(hashlib.sha256(at.array.tobytes()).hexdigest())
        if isinstance(at, Element):
            parts.append(",".join(map(repr, at.entries)))
        waiting.extend(at.parts)
    return "|".join(parts)


def _target(value: object, count: int, what: str) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise ModelError(f"{what}: {value!r} is not the number of a node, 0 to {count - 1}")
    return value


def _node(entry: object, number: int, count: int, where: str) -> Node:
    what = f"{where}: node {number}"
    if not isinstance(entry, dict):
        raise ModelError(f"{what}: {entry!r} is not an object")
    if "set" in entry:
        values = entry["set"]
        if not isinstance(values, dict) or not all(type(v) is int for v in values.values()):
            raise ModelError(f"{what}: 'set' must lead from names to integers")
        return Setting(values, _target(entry.get("next"), count, f"{what}: next"))
    if not isinstance(entry.get("ask"), str) or not isinstance(entry.get("cases"), list):
        raise ModelError(f"{what}: expected 'set' and 'next', or 'ask' and 'cases'")
    cases: dict[int, int] = {}
    for case in entry["cases"]:
        if not isinstance(case, dict) or not isinstance(case.get("values"), list):
            raise ModelError(f"{what}: a case needs 'values' and 'next'")
        target = _target(case.get("next"), count, f"{what}: next")
        for value in case["values"]:
            if type(value) is not int:
                raise ModelError(f"{what}: {value!r} is not an integer")
            if value in cases:
                raise ModelError(f"{what}: two cases for {entry['ask']} = {value}")
            cases[value] = target
    return Question(entry["ask"], cases)
