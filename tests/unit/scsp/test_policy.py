"""Policies: text, JSON, decisions, drawing."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from xml.etree import ElementTree

import pytest

from woodstock.errors import ModelError
from woodstock.scsp import Network, Policy, solve
from woodstock.scsp.policy import Choice, Outcomes


def umbrella() -> Network:
    network = Network("umbrella")
    forecast = network.chance("forecast", {"good": "2/3", "bad": "1/3"})
    take = network.decision("take", ["yes", "no"])
    rain = network.chance("rain", ["wet", "dry"], {"good": ["1/10", "9/10"], "bad": ["3/5", "2/5"]}, given=[forecast])
    network.prefer([take, rain], {("yes", "wet"): "3/4", ("yes", "dry"): "1/2", ("no", "dry"): 1}, name="comfort")
    return network


def best() -> Policy:
    policy = solve(umbrella(), "best", exact=True).policy
    assert policy is not None
    return policy


def test_best_umbrella() -> None:
    policy = best()
    # Leave it at home in good weather (9/10), take it in bad (3/4 * 3/5 + 1/2 * 2/5 = 13/20).
    assert policy.utility == (Fraction(2, 3) * Fraction(9, 10) + Fraction(1, 3) * Fraction(13, 20),)
    assert policy.decide("good") == "no"
    assert policy.decide("bad") == "yes"
    assert policy.decisions == {}
    assert repr(policy) == "<Policy of umbrella: expected utility 49/60>"


def test_text() -> None:
    assert str(best()).splitlines() == [
        "forecast = good (2/3)",
        "  take = no",
        "  rain = wet (1/10)",
        "    utility 0",
        "  rain = dry (9/10)",
        "    utility 1",
        "forecast = bad (1/3)",
        "  take = yes",
        "  rain = wet (3/5)",
        "    utility 3/4",
        "  rain = dry (2/5)",
        "    utility 1/2",
    ]


def test_json_round_trip() -> None:
    policy = best()
    text = policy.to_json()
    again = Policy.from_json(umbrella(), text)
    assert str(again) == str(policy)
    assert again.utility == policy.utility
    assert again.to_json() == text
    assert json.loads(text)["utility"] == {"player": "49/60"}


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("nodes"),
        lambda d: d.update(root=99),
        lambda d: d["nodes"][0].update(decision="unknown"),
        lambda d: d["nodes"][0]["outcomes"][0].update(value="snow"),
        lambda d: d["nodes"][0]["outcomes"][0].update(then=0),
        lambda d: d.update(root=None),
        lambda d: d.update(nodes=5),
    ],
)
def test_bad_json_is_refused(change: object) -> None:
    document = json.loads(best().to_json())
    change(document)  # type: ignore[operator]
    with pytest.raises(ModelError):
        Policy.from_json(umbrella(), json.dumps(document))
    with pytest.raises(ModelError, match="this is not a policy of network umbrella"):
        Policy.from_json(umbrella(), "{")


def test_paths_that_are_not_in_the_policy() -> None:
    policy = best()
    with pytest.raises(ModelError, match="no branch take = 'yes' here"):
        policy.decide("good", "yes")
    with pytest.raises(ModelError, match="after 2 values comes chance variable rain, not a decision"):
        policy.decide("good", "no")


def test_a_policy_that_breaks_a_hard_constraint_is_worth_minus_infinity() -> None:
    network = Network("broken")
    x, y = network.decision("x", range(2)), network.chance("y", range(2))
    network.require(x >= y)
    network.prefer(x == 0)
    wrong = Policy(network, Choice(x, 0, Outcomes(y, ((0, None), (1, None)))))
    assert not wrong.is_feasible
    assert wrong.utility == (-math.inf,)
    assert [path.is_feasible for path in wrong.paths()] == [True, False]
    right = Policy(network, Choice(x, 1, Outcomes(y, ((0, None), (1, None)))))
    assert right.is_feasible
    assert right.is_solution
    missing = Policy(network, Choice(x, 1, Outcomes(y, ((0, None),))))
    assert not missing.is_feasible


def test_shared_subtrees_are_evaluated_once() -> None:
    network = Network("long")
    for stage in range(40):
        x = network.decision(f"x{stage}", range(2))
        y = network.chance(f"y{stage}", range(2))
        network.prefer(x == y, utility=Fraction(1, 40))
    result = solve(network, "best", exact=True)
    # 2^40 paths, 80 nodes.
    assert result.utility == (Fraction(1, 2),)
    assert result.statistics["nodes"] <= 200
    assert result.policy is not None
    assert len(json.loads(result.policy.to_json())["nodes"]) == 80
    assert str(result.policy).endswith("...")
    again = Policy.from_json(network, result.policy.to_json())
    assert again.utility == (Fraction(1, 2),)


def test_drawings_are_well_formed() -> None:
    policy = best()
    root = ElementTree.fromstring(policy.svg())
    assert root.tag.endswith("svg")
    labels = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert labels.count("rain") == 2
    assert "good (2/3)" in labels
    assert policy._repr_svg_() == policy.svg()
