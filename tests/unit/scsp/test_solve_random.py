"""Small random networks against a definition in a few lines: every policy, every path."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from woodstock.constraint.expression import Expression
from woodstock.constraint.posting import PostingOptions
from woodstock.constraint.variable import Variable
from woodstock.scsp import ANY, Network, any_of, solve, total
from woodstock.scsp.best import Best, Need
from woodstock.scsp.compiled import CompiledNetwork
from woodstock.scsp.limits import Limits
from woodstock.scsp.store import Stores

Leaves = list[tuple[Fraction, dict[int, Any]]]
POLICY_LIMIT = 3000
SHARES = st.sampled_from(sorted({Fraction(part, whole) for whole in range(1, 5) for part in range(whole + 1)}))


def all_policies(network: Network, values: dict[int, Any]) -> Iterator[Leaves]:
    """Yield every policy as its list of paths: (probability, assignment)."""
    left = [v for v in network.variables if v.index not in values]
    if not left:
        yield [(Fraction(1), values)]
    elif not left[0].is_chance:
        for value in left[0].domain:
            yield from all_policies(network, {**values, left[0].index: value})
    else:
        table = network.probabilities[left[0].index]
        rows = [(value, Fraction(table.probability(value, values))) for value in left[0].domain]
        branches = [
            [
                [(p * q, path) for q, path in leaves]
                for leaves in all_policies(network, {**values, left[0].index: value})
            ]
            for value, p in rows
            if p
        ]
        for combination in itertools.product(*branches):
            yield [leaf for leaves in combination for leaf in leaves]


def utility(network: Network, leaves: Leaves) -> tuple[Fraction, ...] | None:
    """Return the expected utility of each player; none if the policy is not feasible."""
    if not all(c.holds(values) for _, values in leaves for c in network.hard):
        return None
    result = [Fraction(0)] * len(network.players)
    for p, values in leaves:
        met = int(bool(network.chance_constraints) and all(c.holds(values) for c in network.chance_constraints))
        for player in range(len(result)):
            worth = met + sum(Fraction(soft.utility(values)[player]) for soft in network.soft)
            result[player] += p * worth
    return tuple(result)


@st.composite
def conditions(draw: st.DrawFn, variables: list[Variable]) -> Expression:
    chosen = draw(st.lists(st.sampled_from(variables), min_size=1, max_size=3, unique_by=lambda v: v.index))
    factors = draw(st.lists(st.integers(-2, 2), min_size=len(chosen), max_size=len(chosen)))
    left = total(f * v for f, v in zip(factors, chosen, strict=True))
    right = draw(st.integers(-2, 4))
    compare = draw(st.sampled_from([left <= right, left >= right, left != right, left == right, left > right]))
    if draw(st.booleans()):
        return compare
    other = draw(st.sampled_from(variables))
    return draw(st.sampled_from([compare | (other == 1), compare & ~(other == 0), ~(compare & (other != 1))]))


@st.composite
def networks(draw: st.DrawFn, *, one_stage: bool = False, players: int | None = None) -> Network:
    network = Network("random", players=players or draw(st.integers(1, 2)))
    variables: list[Variable] = []
    kinds = draw(st.lists(st.booleans(), min_size=2, max_size=4))
    if one_stage:
        kinds.sort()
    for number, is_chance in enumerate(kinds):
        domain = range(draw(st.integers(1 if number else 2, 3)))
        if not is_chance:
            variables.append(network.decision(f"x{number}", domain))
            continue
        weights = st.lists(st.integers(0, 3), min_size=len(domain), max_size=len(domain)).filter(any)
        before = draw(st.lists(st.sampled_from(variables), max_size=1)) if variables else []

        def row(weights: Any = weights) -> list[Fraction]:
            parts = draw(weights)
            return [Fraction(part, sum(parts)) for part in parts]

        if before:
            table: Any = {value: row() for value in before[0].domain}
            variables.append(network.chance(f"y{number}", domain, table, given=before))
        else:
            variables.append(network.chance(f"y{number}", domain, row()))
    for _ in range(draw(st.integers(0, 2))):
        if draw(st.booleans()):
            network.require(draw(conditions(variables)))
        else:
            scope = draw(st.lists(st.sampled_from(variables), min_size=1, max_size=3, unique_by=lambda v: v.index))
            cells = [st.sampled_from([*v.domain, ANY]) for v in scope]
            rows = draw(st.lists(st.tuples(*cells), max_size=5))
            draw(st.sampled_from([network.allow, network.forbid]))(scope, rows)
    for _ in range(draw(st.integers(0, 2))):
        network.chance_constraint(draw(conditions(variables)))
    for _ in range(draw(st.integers(0, 2))):
        scope = draw(st.lists(st.sampled_from(variables), min_size=1, max_size=2, unique_by=lambda v: v.index))
        keys = list(itertools.product(*(v.domain for v in scope)))
        worth = {key: [draw(SHARES) for _ in network.players] for key in keys if draw(st.booleans())}
        network.prefer(scope, worth)
    network.threshold = [draw(SHARES) for _ in network.players]
    return network


def known(network: Network) -> list[tuple[Fraction, ...]]:
    """Return the utilities of all feasible policies by definition."""
    policies = list(itertools.islice(all_policies(network, {}), POLICY_LIMIT + 1))
    assume(len(policies) <= POLICY_LIMIT)
    return [worth for worth in (utility(network, leaves) for leaves in policies) if worth is not None]


SETTINGS = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@SETTINGS
@given(networks())
def test_best_policy_is_the_best_of_all(network: Network) -> None:
    feasible = known(network)
    result = solve(network, "best", threshold=0, exact=True)
    assert result.is_complete
    if not feasible:
        assert result.policy is None
        return
    assert result.policy is not None
    assert result.policy.is_feasible
    assert sum(result.policy.utility) == max(map(sum, feasible)) == result.upper
    assert result.thresholds == sorted(result.thresholds)
    rough = solve(network, "best", threshold=0)
    assert rough.policy is not None
    assert sum(rough.policy.utility) == pytest.approx(float(max(map(sum, feasible))))


@SETTINGS
@given(networks())
def test_threshold_is_met_where_it_can_be(network: Network) -> None:
    feasible = known(network)
    meets = [u for u in feasible if all(a >= b for a, b in zip(u, network.threshold, strict=True))]
    result = solve(network, "threshold", exact=True)
    assert result.is_complete
    assert (result.policy is not None) == bool(meets)
    assert result.policy is None or result.policy.is_solution
    best = solve(network, "best", exact=True)
    assert (best.policy is not None) == bool(meets)
    if best.policy is not None:
        assert best.policy.is_solution
        assert sum(best.policy.utility) == max(map(sum, meets))
    for number, player in enumerate(network.players):
        own = solve(network, "best", exact=True, player=player)
        assert own.policy is None if not meets else own.policy is not None
        if own.policy is not None:
            assert own.policy.is_solution
            assert own.policy.utility[number] == max(u[number] for u in meets)


@SETTINGS
@given(networks())
def test_all_policies_are_all(network: Network) -> None:
    feasible = known(network)
    result = solve(network, "all", threshold=0, exact=True, method="search")
    found = list(result)
    assert result.is_complete
    assert sorted(policy.utility for policy in found) == sorted(feasible)
    assert len({str(policy) for policy in found}) == len(found)
    any_policy = solve(network, "feasible", exact=True).policy
    assert (any_policy is not None) == bool(feasible)
    assert any_policy is None or any_policy.is_feasible
    meets = [u for u in feasible if all(a >= b for a, b in zip(u, network.threshold, strict=True))]
    assert sorted(policy.utility for policy in solve(network, "all", exact=True)) == sorted(meets)


@SETTINGS
@given(networks(one_stage=True))
def test_split_finds_the_same_policies(network: Network) -> None:
    by_split = {str(policy): policy.utility for policy in solve(network, "all", exact=True, method="sfc")}
    by_search = {str(policy): policy.utility for policy in solve(network, "all", exact=True, method="search")}
    assert by_split == by_search


@SETTINGS
@given(networks(players=1))
def test_propagation_changes_nothing_but_the_work(network: Network) -> None:
    compiled = CompiledNetwork(network, exact=True, weights=[1])
    need = Need(None, False, None)
    plain = Best(compiled, Stores(compiled, propagate=False), Limits()).run(need)
    pruned = Best(compiled, Stores(compiled), Limits()).run(need)
    assert (plain.has_policy, plain.value, plain.upper) == (pruned.has_policy, pruned.value, pruned.upper)


@SETTINGS
@given(networks())
def test_paths_agree_with_the_evaluation(network: Network) -> None:
    policy = solve(network, "feasible", exact=True).policy
    assume(policy is not None)
    assert policy is not None
    paths = list(policy.paths())
    assert sum(path.probability for path in paths) == 1
    assert all(path.is_feasible for path in paths)
    expected = [sum(path.probability * path.utility[p] for path in paths) for p in range(len(network.players))]
    assert list(policy.utility) == expected


@SETTINGS
@given(networks())
def test_sums_and_propagators_in_place_of_tables(network: Network) -> None:
    feasible = known(network)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "woodstock.constraint.posting.poster.DEFAULT",
            PostingOptions(table_limit=1, parts_limit=1, slow_limit=1, truth_limit=1),
        )
        patch.setattr("woodstock.scsp.automaton.TABULATE_LIMIT", 1)
        best = solve(network, "best", threshold=0, exact=True).policy
        found = sorted(policy.utility for policy in solve(network, "all", threshold=0, exact=True))
        rough = solve(network, "threshold").policy
    assert found == sorted(feasible)
    assert (best is None) == (not feasible)
    assert best is None or sum(best.utility) == max(map(sum, feasible))
    assert rough is None or rough.is_solution


def test_disjunctions_of_large_sums_are_exact() -> None:
    network = Network("large")
    x = [network.decision(f"x{i}", range(40)) for i in range(4)]
    y = network.chance("y", range(4))
    network.require(any_of([total(x) == 7, total(x) == 150]), x[0] >= 35)
    network.chance_constraint((total(x) + y >= 153) | (y == 0))
    result = solve(network, "best", exact=True)
    assert result.utility == (Fraction(1, 2),)
    assert result.policy is not None
    assert sum(int(str(value)) for value in result.policy.decisions.values()) == 150
