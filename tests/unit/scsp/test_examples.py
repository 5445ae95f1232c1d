"""The worked examples of the papers, with their exact values."""

from __future__ import annotations

from fractions import Fraction

import pytest

from woodstock.scsp import Network, all_of, solve, total
from woodstock.scsp.sfc import chance_part, feasibility_constraint, hard_part


def two_stages() -> Network:
    """RIA, example 2."""
    network = Network("two stages")
    xd1, xs1 = network.decision("xd1", range(3)), network.chance("xs1", range(3))
    xd2, xs2 = network.decision("xd2", range(3)), network.chance("xs2", range(3))
    network.require(xd1 == xd2)
    network.chance_constraint(xd1 + xs1 > 1)
    network.chance_constraint(xd2 + xs2 > 1)
    network.threshold = "1/3"
    return network


def test_satisfaction_of_two_stages() -> None:
    network = two_stages()
    assert network.stages == 2
    assert [v.name for v in network.variables] == ["xd1", "xs1", "xd2", "xs2"]
    by_choice = {p.decisions["xd1"]: p.utility[0] for p in solve(network, "all", threshold=0, exact=True)}
    assert by_choice == {0: Fraction(1, 9), 1: Fraction(4, 9), 2: 1}
    solutions = [p.decisions["xd1"] for p in solve(network, "all", exact=True)]
    assert solutions == [1, 2]
    assert solve(network, "best", exact=True).utility == (1,)
    threshold = solve(network, "threshold", exact=True).policy
    assert threshold is not None
    assert threshold.is_solution


def test_soft_constraint_with_a_hard_one() -> None:
    """JFPC15, example 1."""
    network = Network("soft")
    x1, x2, y = network.decision("x1", range(3)), network.decision("x2", range(3)), network.chance("y", range(3))
    network.require(x1 == x2)
    network.prefer(x1 + y >= 1)
    network.threshold = Fraction(1, 2)
    found = {p.decisions["x1"]: p.utility[0] for p in solve(network, "all", exact=True)}
    assert found == {0: Fraction(2, 3), 1: 1, 2: 1}


def split_example() -> Network:
    """JFPC15, example 2."""
    network = Network("split")
    x, z = network.decision("x", [1, 2, 3]), network.decision("z", [0, 1, 2])
    y = network.chance("y", [0, 1, 2])
    network.chance_constraint(x + y > 1)
    network.chance_constraint(y + z > 1)
    network.require(x == z)
    network.threshold = "7/10"
    return network


@pytest.mark.parametrize("method", ["search", "sfc"])
def test_the_only_answer_is_two(method: str) -> None:
    result = solve(split_example(), "all", exact=True, method=method)
    assert [(p.decisions, p.utility) for p in result] == [({"x": 2, "z": 2}, (Fraction(1),))]
    assert result.is_complete


def test_split_into_hard_and_chance_part() -> None:
    network = split_example()
    assert [c.name for c in hard_part(network).hard] == ["c3"]
    part = chance_part(network)
    assert [v.name for v in part.variables] == ["x", "z", "y"]
    assert not part.hard
    assert len(part.chance_constraints) == 2
    cut = feasibility_constraint(network)
    assert sorted(cut.tuples()) == [(2, 2), (3, 2)]
    assert [v.name for v in cut.scope] == ["x", "z"]


def pennies() -> Network:
    """CONS, example 2: alice, bob, then chance; both win if all three agree."""
    network = Network("cooperative matching pennies", players=["alice", "bob"])
    coins = ["heads", "tails"]
    alice, bob = network.decision("alice", coins), network.decision("bob", coins)
    control = network.decision("control", [True, False])
    flip = network.chance(
        "flip",
        ["heads", "tails", "noop"],
        {True: {"heads": "1/2", "tails": "1/2"}, False: {"noop": 1}},
        given=[control],
    )
    network.require(control == True)  # noqa: E712  # an expression
    network.prefer((alice == bob) & (bob == flip), utility=(1, 1))
    network.threshold = (Fraction(1, 2), Fraction(1, 2))
    return network


def test_cooperative_matching_pennies() -> None:
    network = pennies()
    best = solve(network, "best", exact=True)
    assert best.utility == (Fraction(1, 2), Fraction(1, 2))
    assert best.policy is not None
    assert best.policy.decisions["alice"] == best.policy.decisions["bob"]
    agreed = [p.decisions for p in solve(network, "all", exact=True)]
    assert [(d["alice"], d["bob"]) for d in agreed] == [("heads", "heads"), ("tails", "tails")]
    network.threshold = (Fraction(1, 2), Fraction(51, 100))
    assert solve(network, "threshold", exact=True).policy is None


def test_matching_pennies_of_rivals_cannot_please_both() -> None:
    network = Network("matching pennies", players=["j1", "j2"])
    first, second = network.decision("retourne_j1", ["pile", "face"]), network.decision("retourne_j2", ["pile", "face"])
    network.prefer(first == second, utility={"j1": 1})
    network.prefer(first != second, utility={"j2": 1})
    assert solve(network, "best", exact=True, player="j2").utility == (0, 1)
    assert solve(network, "threshold", threshold=1, exact=True).policy is None


def book_production(limit: int, quarters: int) -> Network:
    """Print at most `limit` a quarter, then see the demand; stock and print must cover all demand so far."""
    network = Network(f"book production, {quarters} quarters")
    printed, demand = [], []
    for quarter in range(1, quarters + 1):
        printed.append(network.decision(f"print {quarter}", range(limit + 1)))
        demand.append(network.chance(f"demand {quarter}", range(100, 106)))
        network.chance_constraint(total(printed) >= total(demand))
    return network


BEST = {
    104: ["5/6", "29/36", "43/54", "1027/1296", "1537/1944", "2047/2592"],
    103: ["2/3", "7/12", "29/54", "659/1296", "1901/3888", "3691/7776"],
}


@pytest.mark.parametrize("limit", [104, 103])
@pytest.mark.parametrize("quarters", range(1, 7))
def test_book_production(limit: int, quarters: int) -> None:
    network = book_production(limit, quarters)
    expected = Fraction(BEST[limit][quarters - 1])
    result = solve(network, "best", exact=True)
    assert result.is_complete
    assert result.utility == (expected,)
    assert result.upper == expected
    # Brute force would see 105 * 6 children at each quarter; equal futures are one position here.
    assert result.statistics["nodes"] < 200
    rough = solve(network, "best")
    assert rough.utility is not None
    assert rough.utility[0] == pytest.approx(float(expected), abs=1e-12)


def test_a_threshold_just_above_the_best_is_out_of_reach() -> None:
    network = book_production(104, 4)
    network.threshold = "1027/1296"
    assert solve(network, "threshold", exact=True).utility == (Fraction(1027, 1296),)
    network.threshold = Fraction(1027, 1296) + Fraction(1, 10**12)
    assert solve(network, "threshold", exact=True).policy is None


def test_hard_constraints_must_hold_whatever_chance_does() -> None:
    network = Network("hard chance")
    x, y = network.decision("x", range(4)), network.chance("y", range(3))
    network.require(x >= y)
    assert [p.decisions["x"] for p in solve(network, "all", exact=True)] == [2, 3]
    network.require(all_of([x <= 2, y <= 1]))
    result = solve(network, "feasible")
    assert result.policy is None
    assert result.is_complete


def test_an_outcome_of_probability_zero_binds_nobody() -> None:
    network = Network("zero")
    x, y = network.decision("x", range(3)), network.chance("y", {0: "1/2", 1: "1/2", 2: 0})
    network.require(x == 0, y <= 1)
    policy = solve(network, "feasible", exact=True).policy
    assert policy is not None
    assert [path.values for path in policy.paths()] == [(0, 0), (0, 1)]


def as_printed() -> Network:
    """CONS, example 2: both rounds; what was placed in the first stays in the second."""
    network = Network("cooperative matching pennies in two rounds", players=["alice", "bob"])
    coins = ["H", "T"]
    first_a, first_b = network.decision("x1a", coins), network.decision("x1b", coins)
    network.chance("y1", ["U"])
    second_a, second_b = network.decision("x2a", coins), network.decision("x2b", coins)
    flip = network.chance("y2", coins)
    network.require(first_a == second_a)
    network.require(first_b == second_b)
    network.prefer((second_a == second_b) & (second_b == flip), utility=(1, 1))
    network.threshold = (Fraction(1, 2), Fraction(1, 2))
    return network


def test_two_rounds_as_printed() -> None:
    network = as_printed()
    assert network.stages == 2
    feasible = list(solve(network, "all", threshold=0, exact=True))
    assert len(feasible) == 4, "one for each pair of first choices"
    solutions = [(p.decisions["x1a"], p.decisions["x1b"], p.utility) for p in solve(network, "all", exact=True)]
    half = (Fraction(1, 2), Fraction(1, 2))
    assert solutions == [("H", "H", half), ("T", "T", half)]


def third_example() -> Network:
    """CONS, example 3: variables, threshold, c_s and answer are printed; the tables of c1 to c3 are only in a figure.

    These are ours: the simplest with the printed projection.
    """
    network = Network("resolution of a stage")
    x1, x2 = network.decision("x1", [1, 2, 3]), network.decision("x2", [0, 1, 2])
    y = network.chance("y", [0, 1, 2])
    network.chance_constraint((x1 == 2) | (y == 0))
    network.chance_constraint(x2 + y >= 1)
    network.require(x1 == x2)
    network.threshold = "3/4"
    return network


@pytest.mark.parametrize("method", ["search", "sfc"])
def test_two_policies_of_the_chance_part_and_one_answer(method: str) -> None:
    network = third_example()
    assert sorted(feasibility_constraint(network).tuples()) == [(2, 1), (2, 2)]
    assert [v.name for v in feasibility_constraint(network).scope] == ["x1", "x2"]
    assert [c.name for c in hard_part(network).hard] == ["c3"]
    found = [(p.decisions, p.utility) for p in solve(network, "all", exact=True, method=method)]
    assert found == [({"x1": 2, "x2": 2}, (Fraction(1),))]


def test_a_network_is_a_sequence_of_stages() -> None:
    """RIA, example 3: example 2 as a 2-SCSP with the stages {xd1, xs1} and {xd2, xs2}; c1 links them."""
    network = two_stages()
    assert network.stages == 2
    assert [[v.name for v in network.variables if v.stage == stage] for stage in (1, 2)] == [
        ["xd1", "xs1"],
        ["xd2", "xs2"],
    ]
    linking = [c for c in network.hard if len({v.stage for v in c.scope}) > 1]
    assert [[v.name for v in c.scope] for c in linking] == [["xd1", "xd2"]]
