"""The tree of variations of a match: every turn that was ever played in it, also those that were taken back.

A node is the state after one joint move; node 0 is where the match began. Nodes are only added, so a number always
means the same state.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from woodstock.errors import GameError
from woodstock.game.state import State

ROOT = 0
MOST_NODES = 20_000
_KEPT_STATES = 2048


@dataclass(frozen=True, slots=True)
class Node:
    """One turn: the joint move that leads to a state, and what is known about it."""

    number: int
    parent: int
    moves: tuple[str, ...]
    errors: tuple[str, ...] = ()
    seconds: tuple[float, ...] = ()
    thoughts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the node for the store and for browsers."""
        found: dict[str, Any] = {"node": self.number, "parent": self.parent, "moves": list(self.moves)}
        if any(self.errors):
            found["errors"] = list(self.errors)
        if any(self.seconds):
            found["seconds"] = [round(one, 3) for one in self.seconds]
        if self.thoughts:
            found["thoughts"] = dict(self.thoughts)
        return found

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Node:
        """Return the node that `as_json` gave."""
        texts = {name: tuple(value.get(name, ())) for name in ("moves", "errors", "seconds")}
        return cls(value["node"], value["parent"], **texts, thoughts=value.get("thoughts", {}))


class Tree:
    """The nodes of one match and their states; any thread may read."""

    def __init__(self, root: State, nodes: list[Node] | None = None) -> None:
        self._root = root
        self.nodes: list[Node] = [Node(ROOT, -1, ()), *(nodes or [])]
        self._children: dict[tuple[int, tuple[str, ...]], int] = {}
        self._states: OrderedDict[int, State] = OrderedDict()
        self._lock = threading.Lock()
        for node in self.nodes[1:]:
            self._children.setdefault((node.parent, node.moves), node.number)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(self.nodes)

    def add(self, parent: int, state: State, node: Node) -> tuple[Node, bool]:
        """Add a turn after `parent`; return its node and whether it is new. The same joint move is the same node."""
        with self._lock:
            known = self._children.get((parent, node.moves))
            if known is not None:
                return self.nodes[known], False
            if len(self.nodes) >= MOST_NODES:
                raise GameError(f"the match has {MOST_NODES} positions; begin another one")
            self.nodes.append(node)
            self._children[parent, node.moves] = node.number
            self._remember(node.number, state)
            return node, True

    def child(self, parent: int, moves: tuple[str, ...]) -> int | None:
        """Return the node of a joint move, if it was played."""
        return self._children.get((parent, moves))

    def path(self, number: int) -> list[int]:
        """Return the nodes from the root to this one."""
        found = []
        while number != ROOT:
            found.append(number)
            number = self.nodes[number].parent
        return [ROOT, *reversed(found)]

    def state(self, number: int) -> State:
        """Return the state of a node; states that were forgotten are played again from the last known one."""
        with self._lock:
            missing = []
            at = number
            while at != ROOT and at not in self._states:
                missing.append(at)
                at = self.nodes[at].parent
            found = self._root if at == ROOT else self._states[at]
            for one in reversed(missing):
                found = found.next(self.nodes[one].moves)
                self._remember(one, found)
            return found

    def _remember(self, number: int, state: State) -> None:
        self._states[number] = state
        self._states.move_to_end(number)
        while len(self._states) > _KEPT_STATES:
            self._states.popitem(last=False)
