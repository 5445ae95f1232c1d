"""The expected utility and the feasibility of a policy, on its graph.

A node that is reached with the same states of the constraints has the same value: each such pair is computed once.
"""

from __future__ import annotations

import math
from typing import Any

from woodstock.scsp.compiled import CompiledNetwork, States
from woodstock.scsp.limits import room
from woodstock.scsp.policy import Choice, Node, Policy, check_shape
from woodstock.scsp.soft import Number


def evaluate(policy: Policy) -> tuple[tuple[Number, ...], bool]:
    """Return each player's expected utility, hard constraints aside, and whether every path keeps those.

    The utility of a policy that is not feasible is minus infinity for every player.
    """
    check_shape(policy)
    compiled = CompiledNetwork(policy.network, exact=policy.exact)
    known: dict[tuple[int, int, States, bool], Any] = {}

    def value(node: Node, level: int, states: States, is_alive: bool) -> Any:
        if node is None:
            return compiled.end(is_alive)
        key = (id(node), level, states, is_alive)
        if key not in known:
            if isinstance(node, Choice):
                known[key] = follow(node.child, level, states, is_alive, node.position)
            else:
                row = compiled.distribution(level, states)
                children = dict(node.children)
                total = compiled.zero
                for position, share in enumerate(row):
                    if not share:
                        continue
                    if position not in children:
                        total = None
                        break
                    part = follow(children[position], level, states, is_alive, position)
                    if part is None:
                        total = None
                        break
                    total = total + part * share
                known[key] = total
        return known[key]

    def follow(child: Node, level: int, states: States, is_alive: bool, position: int) -> Any:
        step = compiled.step(level, states, is_alive, position)
        if step is None:
            return None
        rest = value(child, level + 1, step.states, step.is_alive)
        return None if rest is None else step.gain + rest

    start = compiled.initial
    with room(len(compiled.variables)):
        worth = None if compiled.is_impossible else value(policy.root, 0, start.states, start.is_alive)
    if worth is None:
        return (-math.inf,) * len(policy.network.players), False
    return tuple(start.gain + worth), True
