"""Drawings of networks are well-formed, complete, bounded, and always the same."""

from __future__ import annotations

from xml.etree import ElementTree

from woodstock.scsp import Network, total
from woodstock.scsp.draw import NODE_LIMIT, network_svg


def network() -> Network:
    result = Network("a <b> & c")
    x, y = result.decision("x<1>", range(3)), result.decision('y "two"', range(3))
    z = result.chance("z", range(2), {value: ["1/2", "1/2"] for value in range(3)}, given=[x])
    w = result.decision("w", range(2))
    result.require(x != y)
    result.require(total([x, y, w]) <= 4)
    result.chance_constraint(z == w)
    result.prefer(w == 1)
    return result


def test_graph_has_every_variable_and_constraint() -> None:
    root = ElementTree.fromstring(network_svg(network()))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert sorted(t for t in texts if t) == ["w", "x<1>", 'y "two"', "z"]
    lines = [element.get("class") for element in root.iter() if element.tag.endswith("line")]
    assert lines.count("hard") == 1 + 3
    assert lines.count("soft") == 1
    assert lines.count("given") == 1
    assert network_svg(network()) == network_svg(network())


def test_html_for_notebooks() -> None:
    html = network()._repr_html_()
    assert "&lt;Network a &lt;b&gt; &amp; c" in html
    ElementTree.fromstring(html)


def test_large_networks_are_counted_not_drawn() -> None:
    large = Network("large")
    variables = [large.decision(f"x{i}", range(2)) for i in range(NODE_LIMIT + 50)]
    large.require(variables[0] != variables[-1])
    root = ElementTree.fromstring(network_svg(large))
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts[-1] == "51 more not drawn"
    assert len(texts) == NODE_LIMIT + 1


def test_a_network_of_one_variable() -> None:
    one = Network("one")
    one.decision("x", [0])
    ElementTree.fromstring(network_svg(one))
