"""Limits: an interrupted solve says so and returns what it has."""

from __future__ import annotations

import itertools
import random
import sys
import time
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import pytest

from woodstock.scsp import Network, Policy, all_different, solve, total


def hard_network(size: int = 14, seed: int = 1) -> Network:
    """Many soft constraints over all pairs: bounds are loose, the search is long, and policies are found early."""
    rng = random.Random(seed)
    network = Network("long search")
    variables = [network.decision(f"x{i}", range(4)) for i in range(size)]
    chance = network.chance("y", range(3))
    for i in range(size):
        for j in range(i):
            worth = {(a, b): Fraction(rng.randint(0, 9), 1000) for a in range(4) for b in range(4)}
            network.prefer([variables[i], variables[j]], worth)
    network.prefer([variables[0], chance], {(0, 0): "1/2", (1, 1): "1/3"})
    network.require(total(variables) >= 3)
    return network


def test_node_limit() -> None:
    result = solve(hard_network(), "best", nodes=500)
    assert result.status == "nodes"
    assert not result.is_complete
    assert result.policy is not None
    assert result.policy.is_feasible
    assert result.thresholds
    assert abs(float(result.thresholds[-1]) - float(result.policy.utility[0])) < 1e-9
    longer = solve(hard_network(), "best", nodes=3000)
    assert longer.thresholds[-1] >= result.thresholds[-1]


def let_a_second_pass_at_every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count(time.monotonic())
    # A clock of its own: other threads look at the real one.
    monkeypatch.setattr("woodstock.scsp.limits.time", SimpleNamespace(monotonic=lambda: next(ticks)))


def test_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    let_a_second_pass_at_every_look(monkeypatch)
    result = solve(hard_network(18), "best", seconds=20)
    assert result.status == "seconds"
    assert result.statistics["nodes"] < 64 * 25
    assert result.policy is not None
    assert "seconds" in repr(result)


def test_an_interrupted_search_for_several_players_keeps_what_it_has() -> None:
    network = Network("rivals", players=2)
    x = [network.decision(f"x{i}", range(6)) for i in range(6)]
    y = [network.chance(f"y{i}", range(3)) for i in range(2)]
    rng = random.Random(5)
    for a in x:
        for b in y:
            worth = {key: [Fraction(rng.randint(0, 9), 100) for _ in range(2)] for key in product(range(6), range(3))}
            network.prefer([a, b], worth)
    network.threshold = ("1/10", "1/10")
    whole = solve(network, "best", exact=True, nodes=300)
    assert whole.status == "nodes"
    assert whole.policy is not None
    assert whole.policy.is_solution


def test_enumeration_can_be_interrupted_and_abandoned(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network("many")
    for stage in range(4):
        network.decision(f"x{stage}", range(3))
        network.chance(f"y{stage}", range(3))
    result = solve(network, "all", nodes=200)
    found = list(result)
    assert result.status == "nodes"
    assert found
    depth = sys.getrecursionlimit()
    lazy = solve(network, "all")
    first = next(iter(lazy))
    assert sys.getrecursionlimit() == depth
    assert first.is_feasible
    assert lazy.status == "running"
    one_stage = Network("one stage")
    for number in range(12):
        one_stage.decision(f"x{number}", range(4))
    let_a_second_pass_at_every_look(monkeypatch)
    split = solve(one_stage, "all", seconds=100)
    assert 0 < sum(1 for _ in split) <= 64 * 100
    assert split.status == "seconds"


def test_memory_limit_only_costs_time() -> None:
    network = Network("memory")
    printed, demand = [], []
    for quarter in range(4):
        printed.append(network.decision(f"x{quarter}", range(95, 105)))
        demand.append(network.chance(f"y{quarter}", range(100, 106)))
        network.chance_constraint(total(printed) >= total(demand))
    roomy = solve(network, "best", exact=True)
    tight = solve(network, "best", exact=True, memory_mb=0.01)
    assert tight.utility == roomy.utility == (Fraction(1027, 1296),)
    assert tight.statistics["nodes"] > roomy.statistics["nodes"]


def test_networks_of_many_variables() -> None:
    network = Network("deep")
    previous = network.decision("x0", range(2))
    for number in range(1, 600):
        current = network.decision(f"x{number}", range(2))
        network.require(previous == current)
        previous = current
    result = solve(network, "best")
    assert result.is_complete
    assert result.policy is not None
    assert result.policy.utility == (0,)
    assert len(list(result.policy.paths())) == 1
    assert Policy.from_json(network, result.policy.to_json()).is_feasible
    assert result.policy.svg()
    assert str(result.policy).endswith("...")
    assert sum(1 for _ in solve(network, "all", method="search")) == 2


def test_plain_networks_go_to_the_kernel() -> None:
    network = Network("queens")
    rows = [network.decision(f"row {i}", range(12)) for i in range(12)]
    network.all_different(rows)
    network.require(all_different([row + i for i, row in enumerate(rows)]))
    network.require(all_different([row - i for i, row in enumerate(rows)]))
    result = solve(network, "feasible", seconds=60)
    assert result.is_complete
    assert result.policy is not None
    assert result.policy.is_feasible
    assert sum(1 for _ in solve(network, "all", seconds=60)) == 14200
    network.require(rows[0] == rows[1])
    assert solve(network, "feasible").policy is None
    assert solve(network, "threshold", threshold="1/2").policy is None
