"""Policies: trees with one child at a decision and one for each outcome of positive probability at a chance variable.

Subtrees may be shared: a policy with exponentially many paths can be a small graph. Feasibility and expected utility
are computed on the graph, not path by path.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from woodstock.constraint.expression import Value
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.limits import each_in_room, room
from woodstock.scsp.network import Network
from woodstock.scsp.soft import Number

PRINT_LIMIT = 200


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The policy sets `variable` to the value at `position` of its domain."""

    variable: Variable
    position: int
    child: Node

    @property
    def children(self) -> tuple[tuple[int, Node], ...]:
        """The one child, with its position."""
        return ((self.position, self.child),)


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """Chance sets `variable`; one child for each position of its domain that can happen."""

    variable: Variable
    children: tuple[tuple[int, Node], ...]


Node = Choice | Outcomes | None


@dataclass(frozen=True, slots=True)
class Path:
    """One path through a policy: the values in the network's order, its probability, each player's utility."""

    values: tuple[Value, ...]
    probability: Number
    utility: tuple[Number, ...]
    is_feasible: bool


class Policy:
    """A policy of one network; `root` is its tree."""

    def __init__(self, network: Network, root: Node, *, exact: bool = True) -> None:
        self.network, self.root, self.exact = network, root, exact
        self._evaluation: tuple[tuple[Number, ...], bool] | None = None

    # Meaning

    @property
    def utility(self) -> tuple[Number, ...]:
        """The expected utility of each player: the sum of soft constraints, plus 1 if all chance constraints hold."""
        return self._evaluated()[0]

    @property
    def is_feasible(self) -> bool:
        """Whether no path breaks a hard constraint."""
        return self._evaluated()[1]

    @property
    def is_solution(self) -> bool:
        """Whether the policy is feasible and every player's expected utility reaches the network's threshold."""
        margin = 0 if self.exact else 1e-9
        return self.is_feasible and all(
            u >= t - margin for u, t in zip(self.utility, self.network.threshold, strict=True)
        )

    def _evaluated(self) -> tuple[tuple[Number, ...], bool]:
        if self._evaluation is None:
            from woodstock.scsp.evaluate import evaluate

            self._evaluation = evaluate(self)
        return self._evaluation

    def paths(self) -> Iterator[Path]:
        """Yield every path; there may be exponentially many."""
        network = self.network

        def walk(node: Node, values: dict[int, Value], probability: Number) -> Iterator[Path]:
            if node is None:
                ordered = tuple(values[v.index] for v in network.variables)
                feasible = all(constraint.holds(values) for constraint in network.hard)
                yield Path(ordered, probability, path_utility(network, values), feasible)
                return
            row = distribution(network, node.variable, values, exact=self.exact) if node.variable.is_chance else None
            for position, child in node.children:
                reached = {**values, node.variable.index: node.variable.domain[position]}
                yield from walk(child, reached, probability if row is None else probability * row[position])

        yield from each_in_room(len(network.declared), walk(self.root, {}, Fraction(1) if self.exact else 1.0))

    def decide(self, *values: Value) -> Value:
        """Return the policy's choice after `values`: those of all variables before it, in the network's order."""
        node = self._descend(values)
        if not isinstance(node, Choice):
            what = "the end" if node is None else f"chance variable {node.variable.name}"
            raise ModelError(f"after {len(values)} values comes {what}, not a decision")
        return node.variable.domain[node.position]

    @property
    def decisions(self) -> dict[str, Value]:
        """The decisions before the first chance variable, by name."""
        found: dict[str, Value] = {}
        node = self.root
        while isinstance(node, Choice):
            found[node.variable.name] = node.variable.domain[node.position]
            node = node.child
        return found

    # For drawings: the tree seen from paths of values

    def node_at(self, path: Sequence[object]) -> Variable | None:
        """Return the variable that is set after `path`; None at a leaf."""
        node = self._descend(path)
        return None if node is None else node.variable

    def branches_at(self, path: Sequence[object]) -> list[tuple[Value, str]]:
        """Return the values that can follow `path`, each with the label of its edge."""
        node = self._descend(path)
        if node is None:
            return []
        values = [node.variable.domain[position] for position, _ in node.children]
        if not node.variable.is_chance:
            return [(value, str(value)) for value in values]
        assignment = {v.index: value for v, value in zip(self.network.variables, path, strict=False)}
        row = distribution(self.network, node.variable, assignment, exact=self.exact)
        return [(value, f"{value} ({_short(row[p])})") for value, (p, _) in zip(values, node.children, strict=True)]

    def leaf_label(self, path: Sequence[object]) -> str:
        """Return the utility at the end of a path as text."""
        assignment: dict[int, Any] = {v.index: value for v, value in zip(self.network.variables, path, strict=False)}
        return ", ".join(map(_short, path_utility(self.network, assignment)))

    def _descend(self, path: Sequence[object]) -> Node:
        node = self.root
        for value in path:
            if node is None:
                raise ModelError("the path is longer than the policy")
            children = {node.variable.domain[position]: child for position, child in node.children}
            if value not in children:
                raise ModelError(f"the policy has no branch {node.variable.name} = {value!r} here")
            node = children[value]
        return node

    # Text

    def __repr__(self) -> str:
        return f"<Policy of {self.network.name}: expected utility {', '.join(map(_short, self.utility))}>"

    def __str__(self) -> str:
        lines: list[str] = []

        def walk(path: tuple[Value, ...], indent: str) -> None:
            variable = self.node_at(path)
            if variable is None:
                lines.append(f"{indent}utility {self.leaf_label(path)}")
                return
            for value, label in self.branches_at(path):
                if len(lines) >= PRINT_LIMIT:
                    break
                lines.append(f"{indent}{variable.name} = {label}")
                walk((*path, value), indent + ("  " if variable.is_chance else ""))

        with room(len(self.network.declared)):
            walk((), "")
        if len(lines) >= PRINT_LIMIT:
            lines = [*lines[:PRINT_LIMIT], "..."]
        return "\n".join(lines)

    def svg(self) -> str:
        """Return the tree as SVG."""
        from woodstock.scsp.draw import policy_svg

        return policy_svg(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    # JSON: the shared nodes in a list, children before parents

    def to_json(self) -> str:
        """Return the policy as JSON; each value is its position in the domain and its text."""
        numbers: dict[int, int] = {}
        nodes: list[dict[str, Any]] = []

        def number(node: Node) -> int | None:
            if node is None:
                return None
            if id(node) not in numbers:
                domain = node.variable.domain
                if isinstance(node, Choice):
                    entry: dict[str, Any] = {
                        "decision": node.variable.name,
                        "position": node.position,
                        "value": str(domain[node.position]),
                        "then": number(node.child),
                    }
                else:
                    entry = {
                        "chance": node.variable.name,
                        "outcomes": [
                            {"position": p, "value": str(domain[p]), "then": number(child)}
                            for p, child in node.children
                        ],
                    }
                numbers[id(node)] = len(nodes)
                nodes.append(entry)
            return numbers[id(node)]

        with room(len(self.network.declared)):
            root = number(self.root)
        utility = dict(zip(self.network.players, map(str, self.utility), strict=True))
        document = {"network": self.network.name, "exact": self.exact, "utility": utility, "nodes": nodes, "root": root}
        return json.dumps(document, indent=1)

    @classmethod
    def from_json(cls, network: Network, text: str) -> Policy:
        """Read what `to_json` wrote; the network must have the same variables."""
        try:
            document = json.loads(text)
            nodes: list[Node] = []
            for entry in document["nodes"]:
                nodes.append(_read_node(network, entry, nodes))
            root = None if document["root"] is None else nodes[document["root"]]
            policy = cls(network, root, exact=bool(document["exact"]))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ModelError(
                f"this is not a policy of network {network.name}: {type(error).__name__} {error}"
            ) from error
        check_shape(policy)
        return policy


def _read_node(network: Network, entry: Mapping[str, Any], nodes: Sequence[Node]) -> Node:
    def child(number: int | None) -> Node:
        return None if number is None else nodes[number]

    if "decision" in entry:
        variable = network[entry["decision"]]
        return Choice(variable, _read_position(variable, entry), child(entry["then"]))
    variable = network[entry["chance"]]
    outcomes = entry["outcomes"]
    return Outcomes(variable, tuple((_read_position(variable, o), child(o["then"])) for o in outcomes))


def _read_position(variable: Variable, entry: Mapping[str, Any]) -> int:
    position = int(entry["position"])
    if not 0 <= position < len(variable.domain) or str(variable.domain[position]) != entry["value"]:
        raise ModelError(f"variable {variable.name}: its domain has no {entry['value']} at position {position}")
    return position


def check_shape(policy: Policy) -> None:
    """Check that every path sets every variable once, in the network's order."""
    variables = policy.network.variables
    seen: set[tuple[int, int]] = set()
    stack: list[tuple[Node, int]] = [(policy.root, 0)]
    while stack:
        node, level = stack.pop()
        if (id(node), level) in seen:
            continue
        seen.add((id(node), level))
        expected = variables[level].name if level < len(variables) else "the end"
        found = "the end" if node is None else node.variable.name
        if expected != found:
            raise ModelError(
                f"network {policy.network.name}: a path of the policy has {found} where {expected} comes next"
            )
        if node is not None:
            stack += [(child, level + 1) for _, child in node.children]


def distribution(
    network: Network, variable: Variable, assignment: Mapping[int, Any], *, exact: bool
) -> Sequence[Number]:
    """Return the probabilities of a chance variable under an assignment of the variables that they depend on."""
    table = network.probabilities[variable.index]
    condition = tuple(v.positions[assignment[v.index]] for v in table.given)
    return table.exact(condition) if exact else tuple(map(float, table.at(condition)))


def path_utility(network: Network, assignment: Mapping[int, Value]) -> tuple[Number, ...]:
    """Return each player's utility of a complete assignment, hard constraints aside."""
    utilities = [soft.utility(assignment) for soft in network.soft]
    if network.chance_constraints:
        met = int(all(constraint.holds(assignment) for constraint in network.chance_constraints))
        utilities.append((met,) * len(network.players))
    return tuple(sum(column, start=Fraction(0)) for column in zip(*utilities, strict=True)) or (Fraction(0),) * len(
        network.players
    )


def _short(number: Number) -> str:
    return f"{number:.6g}" if isinstance(number, float) else str(number)
