"""Models: what can be written, and the error for each mistake."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from woodstock.errors import ModelError, WoodstockError
from woodstock.scsp import ANY, Network, Table, maximum, minimum, solve, total


def small() -> Network:
    network = Network("small")
    network.decision("x", [1, 2, 3])
    network.decision("colour", ["red", "green"])
    network.chance("y", [0, 1])
    return network


def test_order_is_by_stage_with_decisions_first() -> None:
    network = Network("order")
    network.decision("a", [0])
    network.chance("b", [0])
    network.decision("c", [0])
    network.decision("late", [0], stage=1)
    network.chance("d", [0], stage=1)
    assert [v.name for v in network.variables] == ["a", "late", "b", "d", "c"]
    assert network.stages == 2
    assert [v.stage for v in network.variables] == [1, 1, 1, 1, 2]


def test_values_are_any_hashable() -> None:
    network = Network("values")
    cell = network.decision("cell", [(1, 1), (1, 2), "off", None, 2.5, frozenset({3})])
    network.allow([cell], [(1, 2), None, ("off",)])
    network.require((cell != "off") & ~(cell == None))  # noqa: E711  # an expression
    assert [p.decisions["cell"] for p in solve(network, "all")] == [(1, 2)]


def test_short_tuples_and_forbidden_tuples() -> None:
    network = Network("tables")
    x, y, z = (network.decision(name, range(3)) for name in "xyz")
    network.allow([x, y, z], [(0, ANY, 1), (ANY, 2, 2)])
    network.forbid([x, z], [(0, 1), (2, ANY)])
    found = {tuple(p.decisions.values()) for p in solve(network, "all")}
    allowed = {t for t in itertools.product(range(3), repeat=3) if (t[0] == 0 and t[2] == 1) or t[1:] == (2, 2)}
    assert found == {t for t in allowed if (t[0], t[2]) != (0, 1) and t[0] != 2}


def test_expressions_mean_what_they_say() -> None:
    network = Network("expressions")
    x, y = network.decision("x", range(-3, 4)), network.decision("y", range(1, 4))
    network.require(x * y + 2 * x - 1 >= abs(x) % 3, minimum([x, y]) >= 0, maximum([x, y, 2]) != 3, 5 - x > x // y)
    found = {(p.decisions["x"], p.decisions["y"]) for p in solve(network, "all")}
    assert found == {
        (a, b)
        for a, b in itertools.product(range(-3, 4), range(1, 4))
        if a * b + 2 * a - 1 >= abs(a) % 3 and min(a, b) >= 0 and max(a, b, 2) != 3 and 5 - a > a // b
    }


def test_all_different() -> None:
    network = Network("different")
    variables = [network.decision(f"x{i}", range(4)) for i in range(4)]
    network.all_different(variables)
    assert sum(1 for _ in solve(network, "all")) == 24


def test_sets_and_dictionaries_know_variables_by_identity() -> None:
    network = small()
    x, colour = network["x"], network["colour"]
    assert x in {colour, x}
    assert {colour: 0, x: 1}[x] == 1
    assert len({x, colour}) == 2


def test_repr_and_description_name_everything() -> None:
    network = small()
    x, y = network["x"], network["y"]
    network.require(x + 2 * y <= 3, name="budget")
    network.chance_constraint((x == 1) | ~(y == 0))
    network.prefer([x], {1: "1/2"})
    network.threshold = "1/4"
    assert repr(network) == (
        "<Network small: 2 decision and 1 chance variables, 1 stage, 1 hard, 1 chance and 1 soft constraints>"
    )
    assert network.describe().splitlines()[1:] == [
        "  stage 1 decision x: 3 values",
        "  stage 1 decision colour: 2 values",
        "  stage 1 chance   y: 2 values  P(y): 1 rows",
        "  hard   budget: x + 2*y <= 3",
        "  chance s2: (x == 1) | (y != 0)",
        "  soft   u3(x): 1 utilities",
        "  threshold player >= 1/4",
    ]


def test_conditional_probabilities_by_function_and_by_default() -> None:
    network = Network("conditional")
    a, b = network.decision("a", range(2)), network.decision("b", range(2))
    y = network.chance(
        "y", "n s".split(), lambda a, b: {"n": Fraction(a + b, 2), "s": Fraction(2 - a - b, 2)}, given=[a, b]
    )
    z = network.chance("z", range(2), {(1, 1): [1, 0]}, given=[a, b], otherwise=["1/3", "2/3"])
    network.prefer((y == "n") & (z == 1))
    assert solve(network, "best", exact=True).utility == (Fraction(1, 3),)


def test_floats_are_read_as_decimals_when_exact() -> None:
    network = Network("floats")
    y = network.chance("y", {0: 0.1, 1: 0.2, 2: 0.7})
    network.prefer(y >= 1, utility=0.5)
    assert solve(network, "best", exact=True).utility == (Fraction(9, 20),)


def _probability(table: object, **options: object) -> Callable[[Network], object]:
    return lambda n: n.chance("p", ["a", "b"], table, **options)  # type: ignore[arg-type]


MISTAKES: list[tuple[Callable[[Network], object], str]] = [
    (lambda n: n.decision("e", []), "variable e: the domain is empty; give at least one value"),
    (lambda n: n.decision("e", [1, 2, 1]), "variable e: the value 1 is twice in the domain"),
    (lambda n: n.decision("e", [[1]]), "variable e: the value [1] is not hashable"),  # type: ignore[list-item]
    (lambda n: n.decision("e", "abc"), "variable e: the domain is the text 'abc'; give a list of values"),
    (lambda n: n.decision("e", 5), "variable e: the domain 5 is not a collection of values"),  # type: ignore[arg-type]
    (lambda n: n.decision("x", [1]), "variable x: the name is taken by another variable"),
    (lambda n: n.decision("e", [1], stage=0), "variable e: the stage is 0; stages count from 1"),
    (lambda n: n.decision("e", range(10**12)), "variable e: the domain has more than 4,000,000 values"),
    (lambda n: n["colur"], "network small: no variable colur; did you mean colour?"),
    (lambda n: n.allow(["x", "yy"], []), "constraint c1: no variable yy; did you mean y?"),
    (lambda n: n.allow([], []), "constraint c1: the scope is empty"),
    (lambda n: n.allow(["x", "x"], []), "constraint c1: variable x is twice in the scope"),
    (
        lambda n: n.allow(["x", "y"], [(1, 0), (1, 0, 0)], name="pair"),
        "constraint pair: tuple 2 (1, 0, 0) has 3 values for 2 variables (x, y)",
    ),
    (
        lambda n: n.forbid(["x", "y"], [(1, 7)]),
        "constraint c1: tuple 1 has 7, which is not in the domain of variable y (0, 1)",
    ),
    (
        lambda n: n.require(small()["x"] == 1),
        "constraint c1: variable x belongs to another network",
    ),
    (
        lambda n: n.require(n["x"] + 1),
        "constraint c1: x + 1 is not a condition: compare it with something, for example x + 1 == 1",
    ),
    (
        lambda n: n.add(Table("t", [n["x"], n["y"]], np.zeros((4, 3), dtype=np.int32))),
        "constraint t: rows of shape (4, 3) for 2 variables (x, y)",
    ),
    (
        lambda n: n.add(Table("t", [n["x"], n["y"]], np.array([[2, 1], [-1, 2]], dtype=np.int32))),
        "constraint t: tuple 2 has position 2, but variable y has 2 values",
    ),
    (
        lambda n: n.allow(["x"], [1], name="t") and n.forbid(["x"], [1], name="t"),
        "constraint t: the name is taken by another constraint",
    ),
    (lambda n: n.require(False), "constraint c1: it is false whatever the variables are"),
    (lambda n: n.require(), "constraint c1: give a condition"),
    (lambda n: n.prefer(n["x"] == 1, utility=2), "constraint u1: 2 is not a number from 0 to 1"),
    (lambda n: n.prefer(n["x"] == 1, utility=(1, 0)), "constraint u1: 2 utilities for 1 players (player)"),
    (lambda n: n.prefer(n["x"] == 1, utility={"bob": 1}), "constraint u1: no player 'bob'; the players are player"),
    (lambda n: n.prefer(["x"], 1), "constraint u1: give the utilities as a dict from tuples of values"),
    (
        lambda n: n.prefer(["x"], {ANY: 1}),
        "constraint u1: tuple 1 has ANY, which a table of utilities cannot have",
    ),
    (_probability(["1/2", "1/3"]), "variable p: the probabilities sum to 5/6, not to 1"),
    (_probability([0.5, 0.4]), "variable p: the probabilities sum to 0.9, not to 1"),
    (_probability([2, -1]), "variable p: the probability of 'a' is 2, not a number from 0 to 1"),
    (_probability(["1/0", 1]), "variable p: the probability of 'a' is '1/0', not a number from 0 to 1"),
    (_probability([1]), "variable p: 1 probabilities for 2 values"),
    (_probability({"c": 1}), "variable p: a probability for 'c', which is not in its domain ('a', 'b')"),
    (
        _probability({1: [1, 0], 2: [1, 0]}, given=["x"]),
        "variable p: no probabilities where x = 3",
    ),
    (
        _probability({1: [1, 0], 2: ["1/2", "1/4"]}, given=["x"], otherwise=[1, 0]),
        "variable p: the probabilities where x = 2 sum to 3/4, not to 1",
    ),
    (
        _probability({(1, 0): [1, 0]}, given=["x"]),
        "variable p: the condition (1, 0) has 2 values for 1 variables (x)",
    ),
    (
        _probability({9: [1, 0]}, given=["x"]),
        "variable p: the condition (9,) has 9, which is not in the domain of variable x (1, 2, 3)",
    ),
    (_probability(None, given=["x"]), "variable p: given x, but no probabilities"),
    (_probability(["1/2", "1/2"], given=["r"]), "variable p: no variable r"),
]


@pytest.mark.parametrize(("mistake", "message"), MISTAKES, ids=[message[:50] for _, message in MISTAKES])
def test_mistakes_are_named(mistake: Callable[[Network], object], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        mistake(small())
    assert str(caught.value) == message
    assert isinstance(caught.value, WoodstockError)


def test_probabilities_look_back_only() -> None:
    network = Network("back")
    later = network.decision("later", [0, 1], stage=2)
    with pytest.raises(ModelError, match="depend on later, which does not come before it"):
        network.chance("y", [0, 1], {0: [1, 0], 1: [0, 1]}, given=[later], stage=1)
    assert "y" not in network


def test_truth_values_are_refused() -> None:
    network = small()
    x = network["x"]
    with pytest.raises(TypeError, match="has no truth value before the model is solved"):
        network.require(1 <= x <= 2)
    with pytest.raises(ModelError, match="'red' is not a number"):
        network.require(x + "red" == 1)


def test_an_expression_that_cannot_be_evaluated_is_named() -> None:
    network = small()
    network.require(network["colour"] + network["x"] > 2, name="mixed")
    with pytest.raises(ModelError, match=r"constraint mixed: .* cannot be evaluated at x = 1, colour = 'red'"):
        solve(network)
    network = small()
    network.require(network["x"] // network["y"] > 2, name="ratio")
    with pytest.raises(ModelError, match=r"constraint ratio: .* cannot be evaluated at x = 1, y = 0"):
        solve(network)


def test_huge_tables_stop_at_the_memory_limit() -> None:
    network = Network("huge", memory_mb=1)
    variables = [network.decision(f"x{i}", range(100)) for i in range(10)]
    endless = itertools.product(range(100), repeat=10)
    with pytest.raises(ModelError, match=r"constraint c1: more than 26,214 tuples of 10 values exceed the network's"):
        network.allow(variables, endless)
    with pytest.raises(ModelError, match=r"more than 1,000,000 conditions"):
        network.chance("y", [0, 1], lambda *_: [1, 0], given=variables)


def test_a_condition_too_large_for_a_table_is_still_exact() -> None:
    network = Network("wide")
    variables = [network.decision(f"x{i}", range(30)) for i in range(5)]
    network.require(variables[0] * variables[1] * variables[2] * variables[3] * variables[4] == 29**5)
    network.require(total(variables) >= 140)
    policy = solve(network, "feasible", seconds=60).policy
    assert policy is not None
    assert list(policy.decisions.values()) == [29] * 5


def test_unknown_goals_and_players() -> None:
    network = small()
    with pytest.raises(ModelError, match="no goal 'fastest'; the goals are feasible, threshold, best, all"):
        solve(network, "fastest")
    with pytest.raises(ModelError, match="no player 'bob'"):
        solve(network, player="bob")
    with pytest.raises(ModelError, match="no method 'magic'"):
        solve(network, "all", method="magic")
    with pytest.raises(ModelError, match="network empty: it has no variables"):
        solve(Network("empty"))
    with pytest.raises(ModelError, match="at least one player"):
        Network("nobody", players=[])
