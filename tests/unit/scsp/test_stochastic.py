"""The native forward checking for stochastic constraints against all policies of small random networks."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.scsp.test_solve_random import SETTINGS, all_policies, networks, utility

from woodstock.errors import ModelError
from woodstock.scsp import Network, solve, total
from woodstock.scsp.limits import Interrupted, Limits
from woodstock.scsp.sfc import feasibility_constraint
from woodstock.scsp.stochastic import forward_check


def first_decisions(network: Network) -> list[tuple[int, ...]]:
    """Return the positions of every combination of the decisions before chance."""
    leading = list(itertools.takewhile(lambda v: not v.is_chance, network.variables))
    return list(itertools.product(*(range(len(v.domain)) for v in leading)))


def expected(network: Network) -> dict[tuple[int, ...], tuple[Fraction, ...]]:
    """Return what each combination of first decisions is worth under its best policy, where one is feasible."""
    leading = list(itertools.takewhile(lambda v: not v.is_chance, network.variables))
    worth = {}
    for row in first_decisions(network):
        fixed: dict[int, Any] = {v.index: v.domain[p] for v, p in zip(leading, row, strict=True)}
        found = [u for leaves in all_policies(network, fixed) if (u := utility(network, leaves)) is not None]
        if found:
            worth[row] = max(found)
    return worth


@settings(SETTINGS, max_examples=70)
@given(networks(one_stage=True), st.sampled_from(["fc", "mac"]))
def test_decisions_of_one_stage(network: Network, consistency: str) -> None:
    worth = expected(network)
    meets = {d: u for d, u in worth.items() if all(a >= b for a, b in zip(u, network.threshold, strict=True))}
    for exact in (True, False):
        found = forward_check(network, network.threshold, exact=exact, limits=Limits(), consistency=consistency)
        assert found is not None
        assert found.status == "complete"
        assert list(map(tuple, found.rows.tolist())) == sorted(meets)
        for row, value in zip(found.rows.tolist(), found.values, strict=True):
            assert value == (meets[tuple(row)] if exact else pytest.approx(tuple(map(float, meets[tuple(row)]))))


def stock(quarters: int, most: int) -> Network:
    """Print before each demand, at most so many; the demand of all quarters so far must be met in each of them."""
    network = Network("stock")
    printed, demands = [], []
    for quarter in range(quarters):
        printed.append(network.decision(f"print{quarter}", range(100, most + 1)))
        demands.append(network.chance(f"demand{quarter}", range(100, 106)))
        network.chance_constraint(total(printed) >= total(demands))
    return network


@pytest.mark.parametrize(
    ("most", "values"),
    [
        (104, [Fraction(5, 6), Fraction(29, 36), Fraction(43, 54)]),
        (103, [Fraction(2, 3), Fraction(7, 12), Fraction(29, 54)]),
    ],
)
def test_book_production(most: int, values: list[Fraction]) -> None:
    assert [solve(stock(quarters, most), exact=True).utility for quarters in (1, 2, 3)] == [
        (value,) for value in values
    ]


def test_limits_interrupt() -> None:
    network = Network("many decisions")
    x = [network.decision(f"x{number}", range(10)) for number in range(6)]
    network.chance_constraint(total(x) >= network.chance("y", range(20, 30)))
    with pytest.raises(Interrupted, match="nodes"):
        feasibility_constraint(network, limits=Limits(node_limit=50))
    with pytest.raises(Interrupted, match="seconds"):
        feasibility_constraint(network, limits=Limits(seconds=0))


def test_what_the_kernel_cannot_take_goes_the_other_way() -> None:
    """Weights of 2^200 in common: exact numbers beyond the kernel's, so the search over policies answers."""
    network = Network("wide")
    x = network.decision("x", range(2))
    share = Fraction(1, 3**140)
    y = network.chance("y", [0, 1], [share, 1 - share])
    network.chance_constraint(x + y == 1)
    assert forward_check(network, [0], exact=True, limits=Limits()) is None
    assert feasibility_constraint(network, threshold=[Fraction(1, 2)]).rows.tolist() == [[0]]


def test_decisions_after_chance_are_for_the_general_search() -> None:
    with pytest.raises(ModelError, match="comes after chance"):
        feasibility_constraint(stock(2, 104))
