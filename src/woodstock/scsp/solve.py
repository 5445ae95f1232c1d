"""Solve a network: one call for every goal.

`goal` says what is asked for:

* ``feasible``: one policy that breaks no hard constraint on any path;
* ``threshold``: one that also reaches the threshold of every player;
* ``best``: among those, one with the greatest expected utility (of one player, or summed over the players);
* ``all``: every policy that reaches the thresholds; iterate over the result.

Limits never raise: `status` of the result is then ``seconds`` or ``nodes``, and the result has what was found so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from woodstock.errors import ModelError
from woodstock.scsp.best import Best, Found, Need
from woodstock.scsp.compiled import CompiledNetwork
from woodstock.scsp.enumerate import Enumeration
from woodstock.scsp.frontier import Frontier
from woodstock.scsp.limits import Interrupted, Limits, each_in_room, room
from woodstock.scsp.network import Network, Utility
from woodstock.scsp.policy import Node, Policy
from woodstock.scsp.sfc import policy_of, solutions
from woodstock.scsp.soft import Number
from woodstock.scsp.store import Stores

GOALS = ("feasible", "threshold", "best", "all")


@dataclass
class Result:
    """The result of a solve.

    `status` is ``complete`` if the answer is final: `policy` is what was asked for, or None if there is none. Otherwise
    it is the limit that was reached (``seconds``, ``nodes``), and `policy` is the best known. For the goal ``all`` the
    result is an iterator of policies that can be used once, and `status` is final at its end.
    """

    network: Network
    goal: str
    limits: Limits
    exact: bool
    status: str = "running"
    policy: Policy | None = None
    upper: Number | None = None
    thresholds: list[Number] = field(default_factory=list)
    _policies: Iterator[Policy] | None = None

    @property
    def utility(self) -> tuple[Number, ...] | None:
        """The expected utility of each player under the policy found."""
        return None if self.policy is None else self.policy.utility

    @property
    def is_complete(self) -> bool:
        """Whether the answer is final."""
        return self.status == "complete"

    @property
    def statistics(self) -> dict[str, float]:
        """Nodes searched, positions cut by bounds, positions recalled from memory, seconds."""
        limits = self.limits
        return {
            "nodes": limits.nodes,
            "pruned": limits.pruned,
            "recalled": limits.recalled,
            "seconds": limits.finished or limits.elapsed,
        }

    def __iter__(self) -> Iterator[Policy]:
        if self._policies is not None:
            return self._policies
        return iter([] if self.policy is None else [self.policy])

    def __repr__(self) -> str:
        found = "no policy" if self.policy is None else repr(self.policy)
        if self._policies is not None:
            found = "policies to iterate over"
        return f"<Result {self.goal}, {self.status}: {found}>"


def solve(
    network: Network,
    goal: str = "best",
    *,
    threshold: Utility | None = None,
    player: str | None = None,
    exact: bool = False,
    seconds: float | None = None,
    nodes: int | None = None,
    memory_mb: float = 1024,
    method: str | None = None,
) -> Result:
    """Solve `network`; see the module's text for the goals.

    `threshold` replaces the network's own. `player` names the player whose utility ``best`` maximises; by default it
    is the sum over all. With `exact`, probabilities and utilities are fractions. `memory_mb` bounds the memory of the
    search. For ``all``, `method` is ``search`` or ``sfc`` (the split of one-stage networks, the default for them).
    """
    if goal not in GOALS:
        raise ModelError(f"no goal {goal!r}; the goals are {', '.join(GOALS)}")
    if player is not None and player not in network.players:
        raise ModelError(f"network {network.name}: no player {player!r}; the players are {', '.join(network.players)}")
    if not network.declared:
        raise ModelError(f"network {network.name}: it has no variables")
    need = network.threshold if threshold is None else network.utility_of(threshold)
    limits = Limits(seconds=seconds, node_limit=nodes, memory_mb=memory_mb)
    result = Result(network, goal, limits, exact)
    if goal == "all":
        result._policies = _all_policies(result, need, method)
        return result
    with room(len(network.declared)):
        try:
            _solve_one(result, need, player)
            result.status = "complete"
        except Interrupted as interrupted:
            result.status = interrupted.reason
    limits.finished = limits.elapsed
    return result


def _solve_one(result: Result, need: Sequence[Number], player: str | None) -> None:
    network, exact = result.network, result.exact
    if not network.stochastic and not network.soft and not network.chance_constraints:
        # A plain constraint network: every solution is worth 0, and the kernel's own search is the fastest.
        if result.goal == "feasible" or not any(need):
            for decisions in solutions(network, threshold=(0,) * len(need), exact=exact, limits=result.limits):
                result.policy = Policy(network, policy_of(network, decisions), exact=exact)
                break
            result.upper = 0
        return
    bound_players = [number for number, t in enumerate(need) if t > 0] if result.goal != "feasible" else []
    target = [network.players.index(player)] if player is not None else list(range(len(network.players)))
    # One number is enough if the only threshold is on what is maximised.
    is_scalar = not bound_players or (
        len(bound_players) == 1 and (bound_players == target or result.goal == "threshold")
    )
    if not is_scalar:
        _solve_frontier(result, need, target)
        return
    if result.goal == "threshold" and bound_players:
        target = bound_players
    weights = [int(number in target) for number in range(len(network.players))]
    compiled = CompiledNetwork(network, exact=exact, weights=weights)

    def on_better(value: Any, node: Node) -> None:
        if not result.thresholds or value > result.thresholds[-1]:
            result.thresholds.append(value)
            result.policy = Policy(network, node, exact=exact)

    search = Best(compiled, Stores(compiled), result.limits, on_better if result.goal == "best" else None)
    floor = compiled.number(need[bound_players[0]]) if bound_players else None
    if result.goal == "feasible":
        _take(result, search.run(Need(None, False, compiled.zero)))
    elif result.goal == "threshold":
        _take(result, search.run(Need(floor, False, compiled.zero if floor is None else floor)))
    else:
        first = search.run(Need(floor, False, compiled.zero if floor is None else floor))
        if first.has_policy:
            on_better(first.value, first.node)
            # The first policy is known: from here on only better ones count.
            last = search.run(Need(first.value, True, None))
            if last.has_policy and last.value > first.value:
                on_better(last.value, last.node)
            result.upper = result.thresholds[-1]


def _take(result: Result, found: Found) -> None:
    result.upper = found.upper
    if found.has_policy:
        result.policy = Policy(result.network, found.node, exact=result.exact)


def _solve_frontier(result: Result, need: Sequence[Number], target: Sequence[int]) -> None:
    compiled = CompiledNetwork(result.network, exact=result.exact)
    search = Frontier(compiled, Stores(compiled), result.limits, need)
    try:
        search.run()
    finally:
        # An interrupted search has found something so far.
        if search.found:
            value, node = max(search.found, key=lambda point: sum(point[0][number] for number in target))
            result.upper = sum(value[number] for number in target)
            result.policy = Policy(result.network, node, exact=result.exact)


def _all_policies(result: Result, need: Sequence[Number], method: str | None) -> Iterator[Policy]:
    network, exact, limits = result.network, result.exact, result.limits
    if method not in (None, "search", "sfc"):
        raise ModelError(f"no method {method!r}; the methods are search and sfc")
    if method == "sfc" and any(v.is_propagated for v in network.declared):
        raise ModelError(
            f"network {network.name}: the method sfc gives decisions, not policies, of a network with propagated "
            "variables; use search, or woodstock.scsp.sfc.solutions"
        )
    is_one_stage = not any(
        later.is_chance < earlier.is_chance
        for earlier, later in zip(network.variables, network.variables[1:], strict=False)
    )

    def trees() -> Iterator[Node]:
        if method == "sfc" or (method is None and is_one_stage):
            for decisions in solutions(network, threshold=need, exact=exact, limits=limits):
                yield policy_of(network, decisions)
        else:
            compiled = CompiledNetwork(network, exact=exact)
            for _, node in Enumeration(compiled, Stores(compiled), limits, need).run():
                yield node

    def run() -> Iterator[Policy]:
        try:
            for node in each_in_room(len(network.declared), trees()):
                result.policy = Policy(network, node, exact=exact)
                yield result.policy
            result.status = "complete"
        except Interrupted as interrupted:
            result.status = interrupted.reason
        limits.finished = limits.elapsed

    return run()
