"""What was written is read back: the same network, with names, values, probabilities and expressions."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from woodstock.constraint.constraint import Condition, Constraint, Table
from woodstock.scsp import (
    ANY,
    ModelError,
    Network,
    all_different,
    all_of,
    any_of,
    choose,
    element,
    in_table,
    maximum,
    minimum,
    solve,
    xcsp3,
)
from woodstock.scsp.probability import conditional
from woodstock.scsp.soft import Soft


def shape(constraint: Constraint | Soft) -> Any:
    """Return everything about a constraint as plain values."""
    scope = [v.name for v in constraint.scope]
    if isinstance(constraint, Soft):
        test = None if constraint.test is None else shape(constraint.test)
        rows = None if constraint.rows is None else constraint.rows.tolist()
        return constraint.name, scope, constraint.utilities, constraint.otherwise, rows, test
    if isinstance(constraint, Table):
        return constraint.name, scope, constraint.rows.tolist(), constraint.is_allowed
    assert isinstance(constraint, Condition)
    return constraint.name, scope, repr(constraint.expression)


def picture(network: Network) -> Any:
    """Return everything about a network as plain values; equal pictures are equal networks."""
    return {
        "name": network.name,
        "players": network.players,
        "threshold": network.threshold,
        "variables": [(v.name, v.domain, list(map(type, v.domain)), v.is_chance, v.stage) for v in network.declared],
        "hard": [shape(c) for c in network.hard],
        "chance": [shape(c) for c in network.chance_constraints],
        "soft": [shape(c) for c in network.soft],
        "probabilities": [
            (network.declared[index].name, [g.name for g in table.given], table.rows)
            for index, table in network.probabilities.items()
        ],
    }


def back(network: Network, folder: Path) -> xcsp3.Instance:
    xcsp3.write(network, folder / "n.xml")
    return xcsp3.read(folder / "n.xml")


def example() -> Network:
    """A network with one of everything."""
    network = Network('one of <everything> & "more"', players=["x player", "o"])
    x = network.decision("x", [3, 1, 2])
    odd = network.decision("(cell 1 2)", ["b", None, ("t", 1), Fraction(1, 3), 2.5, frozenset(["q", "r"]), True])
    same = network.decision("cell_1_2", ["b", "c"])
    large, wide = network.decision("eq", range(-60, 60)), network.decision("7", range(200))
    coin = network.chance("coin", {"heads": "1/3", "tails": "2/3"})
    rain = network.chance("rain", [0, 1], {1: [0.1, 0.9], 2: ["1/2", "1/2"]}, given=[x], otherwise=["1/4", "3/4"])
    last = network.decision("last", [False, True])
    free = network.decision("free", [0, 4])
    network.require(x + rain >= 1, name="small sum")
    network.require(abs(large * wide - 3) + large // 7 + wide % 5 <= 2000, name="large")
    network.require((odd == same) | (last == True), name="equal values")  # noqa: E712
    network.require(any_of([~all_of([large > 2, wide != 3]), minimum([large, wide]) == maximum([x, 2])]))
    network.require(all_different([x, large, wide]))
    network.all_different([x, large, wide, free])
    network.allow([odd, coin], [("b", "heads"), (ANY, "tails"), (("t", 1), ANY)])
    network.forbid([x, last], [(3, True)])
    network.forbid([x], [1])
    network.forbid([x, same, free], [(1, ANY, 4), (ANY, "c", ANY), (1, ANY, 4)])
    network.forbid([large, wide, x, free], [(i, ANY, ANY, 0) for i in range(-60, 60)] + [(0, ANY, ANY, 4)] * 200)
    network.allow([x, same], [(2, "b"), (3, "b"), (2, "b"), (2, "c")])
    network.allow([last], [(ANY,)])
    network.forbid([last, x], [])
    network.chance_constraint((coin == "heads") | (rain == 1))
    network.chance_table([x, rain], [(2, ANY)], is_allowed=False)
    network.prefer(last == True, {"x player": "1/3"}, otherwise=[0, 0.25])  # noqa: E712
    network.prefer([x, coin], {(1, "heads"): ["1/2", 1], (2, "tails"): 0.5}, otherwise="1/7")
    network.threshold = ["1/9", 0.125]
    return network


def test_everything_comes_back(tmp_path: Path) -> None:
    network = example()
    instance = back(network, tmp_path)
    assert instance.has_sidecar
    assert picture(instance.network) == picture(network)
    again = tmp_path / "again.xml"
    xcsp3.write(instance.network, again)
    assert again.read_bytes() == (tmp_path / "n.xml").read_bytes()


def test_the_plain_instance_has_the_same_number_of_solutions(tmp_path: Path) -> None:
    network = example()
    xcsp3.write(network, tmp_path / "n.xml")
    plain = xcsp3.read(tmp_path / "n.xml", with_sidecar=False)
    assert not plain.has_sidecar
    wanted = xcsp3.count(network, limit=100_000)
    assert xcsp3.count(plain.network, limit=100_000).count == wanted.count > 0


def test_large_conditions_over_text(tmp_path: Path) -> None:
    """Order and equality of values that are no integers, alone and inside of others."""
    network = Network("text")
    words = [f"w{i:02}" for i in range(60)]
    a, b, c = (network.decision(name, words[shift:]) for name, shift in (("a", 0), ("b", 3), ("c", 50)))
    network.require((a < b) | (c == a), (a == b) | (b != c) | (a > c), ~((a == "w01") & (b == "w07") & (c != "w55")))
    wanted = 0
    for x, y, z in itertools.product(a.domain, b.domain, c.domain):
        wanted += all(k.holds({a.index: x, b.index: y, c.index: z}) for k in network.hard)
    assert xcsp3.count(network).count == wanted
    xcsp3.write(network, tmp_path / "n.xml")
    assert xcsp3.count(xcsp3.read(tmp_path / "n.xml", with_sidecar=False).network).count == wanted


def test_probabilities_may_depend_on_what_is_declared_later(tmp_path: Path) -> None:
    network = Network("order")
    late = network.chance("late", [0, 1], stage=2)
    early = network.decision("early", ["a", "b"], stage=1)
    network.probabilities[late.index] = conditional(late, [early], {"a": ["1/3", "2/3"], "b": [0.5, 0.5]})
    assert picture(back(network, tmp_path).network) == picture(network)


def test_where_it_came_from_comes_back(tmp_path: Path) -> None:
    network = Network("g")
    network.decision("x", [0, 1])
    network.allow(["x"], [0], name="rule one")
    game = {"name": "nim", "state": ["(heap a 3)"]}
    xcsp3.write(network, tmp_path / "n.xml", game=game, notes={"rule one": {"rules": ["nim.kif:3"]}})
    instance = xcsp3.read(tmp_path / "n.xml")
    assert instance.game == game
    assert instance.notes == {"rule one": {"rules": ["nim.kif:3"]}}


def test_a_solved_network_keeps_its_solution(tmp_path: Path) -> None:
    network = Network("pennies")
    x, y = network.decision("x", [0, 1, 2]), network.chance("y", [0, 1, 2])
    network.chance_constraint(x + y >= 2)
    assert solve(back(network, tmp_path).network, exact=True).utility == (Fraction(1),)


def test_a_value_that_json_cannot_hold(tmp_path: Path) -> None:
    network = Network("n")
    network.decision("x", [1j])
    with pytest.raises(ModelError, match=r"variable x: 1j of type complex cannot be written"):
        xcsp3.write(network, tmp_path / "n.xml")


def test_no_variables(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="network n: it has no variables"):
        xcsp3.write(Network("n"), tmp_path / "n.xml")


@pytest.mark.parametrize("seed", range(30))
def test_random_networks_keep_their_solutions(seed: int, tmp_path: Path) -> None:
    """All assignments are tried on the network as modelled; the file, read plainly, has as many solutions."""
    draw = random.Random(seed)
    network = Network(f"random {seed}")
    kinds: list[list[Any]] = [[0, 1, 2], [5, -3, 2], ["a", "b", "c"], [False, True], [("p", 1), ("p", 2)]]
    variables = [network.decision(f"v {i}", draw.choice(kinds)) for i in range(6)]
    for _ in range(5):
        scope = draw.sample(variables, draw.choice([1, 2, 3]))
        rows = [tuple(draw.choice([*v.domain, ANY]) for v in scope) for _ in range(draw.choice([0, 2, 5, 9]))]
        (network.allow if draw.random() < 0.6 and rows else network.forbid)(scope, rows)
    a, b = draw.sample(variables, 2)
    network.require((a != b) | (a == a.domain[0]))
    ours = xcsp3.count(network).count
    grid = np.stack(np.meshgrid(*(range(len(v.domain)) for v in variables), indexing="ij"), -1).reshape(-1, 6)
    named = ({v.index: v.domain[p] for v, p in zip(variables, row, strict=True)} for row in grid.tolist())
    assert ours == sum(all(c.holds(values) for c in network.hard) for values in named)
    xcsp3.write(network, tmp_path / "n.xml")
    plain = xcsp3.read(tmp_path / "n.xml", with_sidecar=False).network
    assert xcsp3.count(plain).count == ours
    found = list(xcsp3.enumerate_solutions(xcsp3.read(tmp_path / "n.xml").network))
    assert len(found) == ours
    for solution in found:
        assert all(c.holds({v.index: solution[v.name] for v in variables}) for c in network.hard)


def test_selections_come_back(tmp_path: Path) -> None:
    """If-then-else, elements and tables inside of conditions, small and too large for a table."""
    for size in (4, 60):
        network = Network("selections")
        x, y, z = (network.decision(name, range(size)) for name in "xyz")
        network.require(choose(x < y, x + 1, z) == y, name="if")
        network.require(in_table([x + y], [(4,), (5,)]) | (z == 1), name="member")
        network.require(element([1, 0, 3], x % 3) == y % 4, name="element")
        xcsp3.write(network, tmp_path / "n.xml")
        again = xcsp3.read(tmp_path / "n.xml").network
        assert [repr(constraint) for constraint in again.hard] == [repr(constraint) for constraint in network.hard]
        wanted = sum(
            1
            for a, b, c in itertools.product(range(size), repeat=3)
            if (a + 1 if a < b else c) == b and (a + b in (4, 5) or c == 1) and [1, 0, 3][a % 3] == b % 4
        )
        plain = xcsp3.read(tmp_path / "n.xml", with_sidecar=False).network
        assert {xcsp3.count(which).count for which in (network, again, plain)} == {wanted}
