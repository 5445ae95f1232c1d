"""Wrong files: each has an error with file and line, and none takes more memory than it may."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from woodstock.scsp import ModelError, Network, xcsp3

HEAD = '<instance format="XCSP3" type="CSP">\n<variables>\n<var id="x">0..2</var>\n<var id="y">0..2</var>\n'
BOMB = "<!DOCTYPE b [<!ENTITY a 'ha'>" + "".join(f"<!ENTITY a{i} '&a{i - 1};&a{i - 1};'>" for i in range(1, 30)) + "]>"


def body(constraint: str) -> str:
    return f"{HEAD}</variables>\n<constraints>\n{constraint}\n</constraints>\n</instance>\n"


def domain(declaration: str) -> str:
    return f"{HEAD}{declaration}\n</variables></instance>\n"


# The text of a file, the line of the error, and a part of its message.
BAD: dict[str, tuple[str, int, str]] = {
    "empty": ("", 1, "no element found"),
    "no XML": ("(role x)", 1, "not well-formed XML"),
    "cut short": (body("<extension><list>x y</list><supports>(0,1)")[:-32], 7, "the file ends inside <supports>"),
    "cut in a tag": (HEAD + "<var id=", 5, "unclosed token"),
    "wrong tag closed": (HEAD + "</constraints>", 5, "mismatched tag"),
    "binary": ("<instance>\x00\x01</instance>", 1, "not well-formed XML"),
    "entities": (BOMB + "<instance/>", 1, "a document type declaration"),
    "outside entity": (
        '<!DOCTYPE i [<!ENTITY x SYSTEM "file:///etc/passwd">]><instance>&x;</instance>', 1, "document type"),
    "undeclared entity": ("<instance>&x;</instance>", 1, "undefined entity"),
    "too deep": ("<a>" * 100 + "</a>" * 100, 1, "nested deeper than 64 levels"),
    "other root": ("<network/>", 1, "no XCSP3 instance"),
    "other format": ('<instance format="XCSP2" type="CSP"/>', 1, "only XCSP3 is read"),
    "other type": ('<instance format="XCSP3" type="COP"/>', 1, "only CSP is read"),
    "no variables": ('<instance format="XCSP3" type="CSP"/>', 1, "a <variables> inside is missing"),
    "empty variables": ('<instance format="XCSP3" type="CSP"><variables/></instance>', 1, "there is no variable"),
    "empty domain": (domain('<var id="z"></var>'), 5, "the domain of z is empty"),
    "empty range": (domain('<var id="z">3..1</var>'), 5, "the range 3..1 is empty"),
    "not a number": (domain('<var id="z">0 one</var>'), 5, "'one' is not an integer"),
    "huge number": (domain(f'<var id="z">{"9" * 5000}</var>'), 5, "is not an integer"),
    "beyond 32 bits": (domain('<var id="z">0 99999999999</var>'), 5, "beyond the 32 bits"),
    "huge domain": (domain('<var id="z">0..2000000000</var>'), 5, "MiB that the file may take"),
    "value twice": (domain('<var id="z">1 2 1</var>'), 5, "the value 1 is twice"),
    "id twice": (domain('<var id="x">1</var>'), 5, "the id x is taken"),
    "bad id": (domain('<var id="a b">1</var>'), 5, "'a b' is not an identifier"),
    "no id": (domain("<var>1</var>"), 5, "the attribute id is missing"),
    "symbolic": (domain('<var id="z" type="symbolic">a b</var>'), 5, "only integer variables"),
    "unknown as": (domain('<var id="z" as="q"/>'), 5, "as='q' names no variable"),
    "no such kind": (domain('<set id="z"/>'), 5, "only <var> and <array>"),
    "array without size": (domain('<array id="a">0 1</array>'), 5, "the attribute size is missing"),
    "array of odd size": (domain('<array id="a" size="3,4">0 1</array>'), 5, "not of the form [3][4]"),
    "huge array": (domain('<array id="a" size="[99999999][999999]">0 1</array>'), 5, "MiB that the file may take"),
    "array of none": (domain('<array id="a" size="[0]">0 1</array>'), 5, "leaves no variable"),
    "domain outside": (
        domain('<array id="a" size="[2]"><domain for="a[5]">0</domain></array>'), 5, "outside the array"),
    "unknown variable": (body("<intension>eq(x,zz)</intension>"), 7, "no variable zz"),
    "near variable": (
        body("<intension>eq(x,yy)</intension>"), 7, "no variable yy; did you mean y?"),
    "unknown operator": (body("<intension>equals(x,y)</intension>"), 7, "no operator equals"),
    "bracket open": (body("<intension>eq(x,y</intension>"), 7, "the bracket of eq is not closed"),
    "bracket too many": (body("<intension>eq(x,y))</intension>"), 7, "after the expression"),
    "no argument": (body("<intension>eq(x,)</intension>"), 7, "unexpected ')'"),
    "one argument": (body("<intension>eq(x)</intension>"), 7, "eq has 1 arguments"),
    "no expression": (body("<intension> </intension>"), 7, "an expression is missing"),
    "deep expression": (body(f"<intension>{'neg(' * 500}x{')' * 500}</intension>"), 7, "nested deeper than 150"),
    "a set alone": (body("<intension>set(1,2)</intension>"), 7, "a set is not an expression"),
    "wrong arity": (
        body("<extension><list>x y</list><supports>(0,1)\n(1,1)\n(0,1,2)(1)</supports></extension>"), 9,
        "the tuple (0,1,2) has 3 values for 2 variables"),
    "not an integer": (
        body("<extension><list>x y</list><supports>\n(0,1)(a,1)</supports></extension>"), 8, "has 'a'"),
    "tuple cut": (body("<extension><list>x y</list><supports>(0,1)(0,</supports></extension>"), 7, "is not a tuple"),
    "no tuples": (body("<extension><list>x y</list><supports>0 1</supports></extension>"), 7, "is not a tuple"),
    "neither": (body("<extension><list>x y</list></extension>"), 7, "either <supports> or <conflicts>"),
    "no list": (body("<extension><supports>(0,1)</supports></extension>"), 7, "a <list> inside is missing"),
    "two lists": (
        body("<extension><list>x</list><list>y</list><supports>1</supports></extension>"), 7, "a second <list>"),
    "empty list": (body("<extension><list/><supports>1</supports></extension>"), 7, "the list of variables is empty"),
    "unsupported": (body("<regular><list>x</list></regular>"), 7, "this constraint is not supported"),
    "condition": (
        body("<sum><list>x</list><condition>le 3</condition></sum>"), 7, "is not of the form (le,10)"),
    "coefficients": (
        body("<sum><list>x y</list><coeffs>1</coeffs><condition>(le,3)</condition></sum>"), 7, "1 coefficients for 2"),
    "few arguments": (
        body("<group>\n<intension>eq(%0,%1)</intension>\n<args>x y</args>\n<args>x</args></group>"), 10,
        "1 arguments, but the template of line 8 uses %1"),
    "group of none": (body("<group><args>x</args></group>"), 7, "0 templates"),
    "same name": (
        body('<intension id="c">eq(x,y)</intension>\n<intension id="c">eq(x,1)</intension>'), 8, "the name is taken"),
    "index outside": (
        HEAD + '<array id="a" size="[2]">0 1</array></variables><constraints>\n<allEqual>a[0] a[2]</allEqual>'
        "</constraints></instance>", 6, "a[2] is outside the array"),
    "dimensions": (
        HEAD + '<array id="a" size="[2]">0 1</array></variables><constraints>\n<allEqual>a[0][1] x</allEqual>'
        "</constraints></instance>", 6, "has 2 indices; a has 1 dimensions"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_instance(name: str, tmp_path: Path) -> None:
    text, line, message = BAD[name]
    path = tmp_path / "bad.xml"
    path.write_bytes(text.encode())
    with pytest.raises(xcsp3.InstanceError) as raised:
        xcsp3.read(path)
    error = raised.value
    assert message in str(error)
    assert (error.path, error.line) == (str(path), line), str(error)
    assert str(error).startswith(f"{path}:{line}:")


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(xcsp3.InstanceError, match=r"nowhere\.xml: cannot be read: No such file"):
        xcsp3.read(tmp_path / "nowhere.xml")


def sidecar() -> dict[str, Any]:
    """A right sidecar of the file below."""
    return {
        "format": "woodstock-scsp", "version": 1, "instance": "n.xml", "name": "n", "players": ["p"],
        "threshold": ["0"],
        "variables": [
            {"id": "x", "name": "x", "kind": "decision", "stage": 1, "values": [0, 1, 2]},
            {"id": "y", "name": "y", "kind": "chance", "stage": 1, "values": [0, 1, 2]},
        ],
        "hard": [{"id": "c", "name": "c"}],
        "probabilities": [{"variable": "y", "given": [], "rows": [{"when": [], "p": ["1/3", "1/3", "1/3"]}]}],
        "chance": [], "soft": [],
    }  # fmt: skip


def read_sidecar(folder: Path, content: object) -> xcsp3.Instance:
    path = folder / "n.xml"
    table = '<extension id="c"><list>x y</list><supports>(0,1)</supports></extension>'
    path.write_text(body(table), encoding="utf-8")
    xcsp3.sidecar_path(path).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return xcsp3.read(path)


def test_the_sidecar_is_right(tmp_path: Path) -> None:
    assert read_sidecar(tmp_path, sidecar()).network["y"].is_chance


# The place in the sidecar, its wrong content, and a part of the message.
BAD_SIDECARS: list[tuple[str, Any, str]] = [
    ("version", 2, "version: 2; this woodstock reads version 1"),
    ("players", [], "players: a list of names is expected"),
    ("threshold", ["2"], "is not a number from 0 to 1"),
    ("threshold", ["0", "0"], "2 utilities for 1 players"),
    ("variables.0.id", "q", "variables[0]: the instance has no variable q"),
    ("variables.1.id", "x", "x is listed twice"),
    ("variables.0.values", [0, 1], "do not fit the domain of x"),
    ("variables.0.values", [], "the domain is empty"),
    ("variables.0.stage", "first", "variables[0].stage: is \"first\", not of type int"),
    ("variables.0.kind", "dice", "variables[0].kind: is 'dice'"),
    ("variables", [], "x of the instance is missing"),
    ("hard.0.id", "d", "hard[0]: the instance has no constraint d"),
    ("hard", [], "hard: c of the instance is missing"),
    ("probabilities", [], "y is a chance variable without probabilities"),
    ("probabilities.0.rows.0.p", ["1/3", "1/3", "1/2"], "the probabilities sum to 7/6, not to 1"),
    ("probabilities.0.rows.0.p", ["1/2", "1/2"], "2 probabilities for 3 values"),
    ("probabilities.0.rows.0.p", ["1/0", "1/2", "1/2"], "is not a number"),
    ("probabilities.0.rows.0.p", ["-1/2", "1", "1/2"], "not a number from 0 to 1"),
    ("probabilities.0.given", ["z"], 'no variable "z"'),
    ("chance", [{"name": "s", "expression": {"op": "?", "of": []}}], "chance[0].expression: "),
    ("chance", [{"name": "s", "expression": {"variable": "x"}}], "is not a condition"),
    ("chance", [{"name": "s", "scope": ["x"], "allowed": [[7]]}], "7 is not a position in the domain of x"),
    ("chance", [{"name": "s", "scope": ["x"], "allowed": [[1, 2]]}], "a row of 1 positions is expected"),
    ("soft", [{"name": "u", "scope": ["x"], "rows": [[0]], "utilities": [], "otherwise": ["0"]}], "1 rows, but 0"),
    ("soft", [{"name": "u", "scope": ["x"], "rows": [], "utilities": [], "otherwise": ["0", "1"]}], "expected 1 "),
]  # fmt: skip


@pytest.mark.parametrize(("place", "value", "message"), BAD_SIDECARS)
def test_bad_sidecar(place: str, value: object, message: str, tmp_path: Path) -> None:
    content: Any = sidecar()
    holder = content
    *path, last = place.split(".")
    for key in path:
        holder = holder[int(key) if key.isdigit() else key]
    holder[int(last) if last.isdigit() else last] = value
    with pytest.raises(xcsp3.InstanceError) as raised:
        read_sidecar(tmp_path, content)
    assert message in str(raised.value)
    assert str(raised.value).startswith(str(tmp_path / "n.scsp.json"))


@pytest.mark.parametrize("key", sorted(sidecar()))
def test_a_key_is_missing(key: str, tmp_path: Path) -> None:
    content = sidecar()
    del content[key]
    if key == "instance":
        read_sidecar(tmp_path, content)
        return
    with pytest.raises(xcsp3.InstanceError, match=key):
        read_sidecar(tmp_path, content)


@pytest.mark.parametrize("text", ["", "{", "[]", "nonsense", '{"format": "other"}', '{"a": NaN}', "[" * 100_000])
def test_a_sidecar_that_is_no_json(text: str, tmp_path: Path) -> None:
    with pytest.raises(xcsp3.InstanceError, match=r"n\.scsp\.json"):
        read_sidecar(tmp_path, text)


def test_a_table_beyond_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    with path.open("w") as stream:
        stream.write(HEAD + "</variables><constraints><extension><list>x y</list><supports>")
        for _ in range(400):
            stream.write("(0,1)" * 5000)
        stream.write("</supports></extension></constraints></instance>")
    with pytest.raises(xcsp3.InstanceError, match=r"large\.xml:\d+:\d+: .*more than the 8 MiB"):
        xcsp3.read(path, memory_mb=8)
    with pytest.raises(xcsp3.InstanceError, match=r"<supports>: this needs more than the 20 MiB"):
        xcsp3.read(path, memory_mb=20)


def test_constraints_that_grow_beyond_the_memory(tmp_path: Path) -> None:
    """Each word of six letters names a million variables."""
    path = tmp_path / "wide.xml"
    many = "<count><list>a[] a[]</list><values>0..9999</values><condition>(eq,1)</condition></count>" * 100
    path.write_text(
        f'<instance format="XCSP3" type="CSP"><variables><array id="a" size="[20000]">0 1</array></variables>'
        f"<constraints>{many}</constraints></instance>"
    )
    with pytest.raises(xcsp3.InstanceError, match="MiB that the file may take"):
        xcsp3.read(path, memory_mb=200)


HOSTILE = r"""
import pathlib, re, sys
from woodstock.errors import ModelError
from woodstock.scsp import xcsp3
for path in sys.argv[1:]:
    try:
        xcsp3.read(path, memory_mb=64)
    except ModelError:
        pass
# Not ru_maxrss: that begins with the size of the process that started this one.
print(int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path("/proc/self/status").read_text())[1]) // 1024)
"""


def test_memory_stays_bounded(tmp_path: Path) -> None:
    """The files that ask for much are read in a process of their own, whose memory is then looked at."""
    paths = []
    for name in ("huge domain", "huge array", "entities", "deep expression", "too deep"):
        paths.append(tmp_path / f"{name}.xml")
        paths[-1].write_text(BAD[name][0])
    paths.append(tmp_path / "long.xml")
    paths[-1].write_text(body(f"<intension>or({','.join(['eq(x,1)'] * 300_000)})</intension>"))
    run = subprocess.run(
        [sys.executable, "-c", HOSTILE, *map(str, paths)], capture_output=True, text=True, check=True, timeout=120
    )
    assert 0 < int(run.stdout) < 600


def test_a_condition_without_a_counterpart(tmp_path: Path) -> None:
    network = Network("n")
    a, b = network.decision("a", [f"v{i}" for i in range(2000)]), network.decision("b", [f"v{i}" for i in range(2000)])
    network.require(a < b)
    with pytest.raises(ModelError, match=r"constraint c1: .* has no counterpart in XCSP3, .* 4,000,000 tuples"):
        xcsp3.write(network, tmp_path / "n.xml")
