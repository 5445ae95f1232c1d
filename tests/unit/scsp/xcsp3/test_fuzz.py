"""Damaged files are read or refused, never anything else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from woodstock.errors import ModelError
from woodstock.scsp import Network, xcsp3

PLAIN = """<instance format="XCSP3" type="CSP">
<variables> <array id="x" size="[2][3]"> <domain for="x[0][]"> 0..3 </domain>
<domain for="others"> -1 2 </domain> </array>
<var id="y"> 0..5 8 </var> <var id="z" as="y"/> </variables>
<constraints>
<group> <intension> or(lt(%0,%1),eq(mod(%0,3),dist(%1,2))) </intension>
<args> x[0][0] y </args> <args> y z </args> </group>
<extension> <list> x[0][] y </list> <supports> (0,*,2,3)(1,2,*,8) </supports> </extension>
<allDifferent> y z x[1][0] </allDifferent>
<sum> <list> x[][] </list> <coeffs> 1x5 -2 </coeffs> <condition> (in,0..9) </condition> </sum>
<element> <list> x[0][] </list> <index> y </index> <value> z </value> </element>
<cardinality> <list> x[][] </list> <values> 0 1 </values> <occurs> 1..3 0..2 </occurs> </cardinality>
</constraints>
</instance>
"""
SIGNS = [*"<>/()[],.*%-&\"'=x01239 \n", "..", "%...", "[]", "add(", "<list>", "</list>", "&amp;", "\0", "é"]


def damaged(text: str, draw: random.Random) -> str:
    """Return the text with a few pieces cut, doubled, moved or replaced."""
    for _ in range(draw.choice([1, 1, 2, 5])):
        start = draw.randrange(len(text))
        stop = min(len(text), start + draw.choice([0, 1, 1, 3, 20]))
        piece = draw.choice(["", draw.choice(SIGNS), text[start:stop] * 2])
        text = text[:start] + piece + text[stop:]
    return text


def attempt(path: Path) -> None:
    try:
        network = xcsp3.read(path, memory_mb=64).network
        xcsp3.count(network, nodes=200, seconds=1)
    except ModelError as error:
        assert str(error)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_instances(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    path = tmp_path / "fuzz.xml"
    for _ in range(150):
        path.write_text(damaged(PLAIN, draw), encoding="utf-8")
        attempt(path)


def test_an_instance_cut_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    for length in range(0, len(PLAIN) - 13, 17):
        path.write_text(PLAIN[:length], encoding="utf-8")
        with pytest.raises(xcsp3.InstanceError, match=r"cut\.xml:\d+:\d+: not well-formed XML"):
            xcsp3.read(path)


@pytest.mark.parametrize("seed", range(3))
def test_damaged_sidecars(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    network = Network("n", players=2)
    x, y = network.decision("x", ["a", "b"]), network.chance("y", {1: "1/3", 2: "2/3"})
    z = network.chance("z", [0, 1], {1: [0.5, 0.5], 2: [0.25, 0.75]}, given=[y])
    network.require((x == "a") | (y + z > 1))
    network.allow([x, y], [("a", 1), ("b", 2)])
    network.prefer([x, z], {("a", 1): [1, "1/2"]})
    network.chance_constraint(abs(y - z) <= 1)
    path = tmp_path / "n.xml"
    sidecar = xcsp3.write(network, path)
    assert sidecar is not None
    text = sidecar.read_text(encoding="utf-8")
    for _ in range(150):
        sidecar.write_text(damaged(text, draw), encoding="utf-8")
        attempt(path)
