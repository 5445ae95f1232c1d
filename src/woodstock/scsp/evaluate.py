"""The expected utility and the feasibility of a policy, on its graph.

A node that is reached again with the same states of the constraints has the same value, so each pair is computed once.
"""

from __future__ import annotations

import math
from typing import Any

from woodstock.scsp.compiled import CompiledNetwork, States
from woodstock.scsp.limits import room
from woodstock.scsp.policy import Choice, Node, Outcomes, Policy, check_shape
from woodstock.scsp.soft import Number


def evaluate(policy: Policy) -> tuple[tuple[Number, ...], bool]:
    """Return each player's expected utility, and whether every path keeps the hard constraints.

    The utility of a policy that is not feasible is minus infinity for every player.
    """
    check_shape(policy)
    network = CompiledNetwork(policy.network, exact=policy.exact)
    known: dict[tuple[int, int, States, bool], Any] = {}

    def value(node: Node, level: int, states: States, is_alive: bool) -> Any:
        if node is None:
            return network.end(is_alive)
        key = (id(node), level, states, is_alive)
        if key not in known:
            known[key] = mean(node, level, states, is_alive)
        return known[key]

    def mean(node: Choice | Outcomes, level: int, states: States, is_alive: bool) -> Any:
        """Return the mean over the branches; None if one of them can happen and is missing or not feasible."""
        children = dict(node.children)
        shares: dict[int, Any] = dict.fromkeys(children, 1)
        if node.variable.is_chance:
            shares = {position: p for position, p in enumerate(network.distribution(level, states)) if p}
        total = network.zero
        for position, share in shares.items():
            step = network.step(level, states, is_alive, position) if position in children else None
            rest = None if step is None else value(children[position], level + 1, step.states, step.is_alive)
            if step is None or rest is None:
                return None
            total = total + (step.gain + rest) * share
        return total

    start = network.initial
    with room(len(network.variables)):
        worth = None if network.is_impossible else value(policy.root, 0, start.states, start.is_alive)
    if worth is None:
        return (-math.inf,) * len(policy.network.players), False
    return tuple(start.gain + worth), True
