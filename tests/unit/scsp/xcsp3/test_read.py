"""Plain instances: each kind of constraint against a definition in one line, over all assignments."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from woodstock.scsp import solve, xcsp3


def instance(folder: Path, variables: str, constraints: str) -> xcsp3.Instance:
    path = folder / "plain.xml"
    path.write_text(
        f'<instance format="XCSP3" type="CSP">\n<variables>{variables}</variables>\n'
        f"<constraints>{constraints}</constraints>\n</instance>\n",
        encoding="utf-8",
    )
    return xcsp3.read(path)


XYZ = '<var id="x">-2..3</var><var id="y" as="x"/><var id="z">0..3</var>'

# The text of a constraint over x, y in -2..3 and z in 0..3, and what it means.
CONSTRAINTS: list[tuple[str, Callable[[int, int, int], Any]]] = [
    ("<intension>eq(x,add(y,z))</intension>", lambda x, y, z: x == y + z),
    ("<intension><function>lt( x , sub(y, 1) )</function></intension>", lambda x, y, z: x < y - 1),
    ("<intension>eq(div(x,2),y)</intension>", lambda x, y, z: int(x / 2) == y),
    ("<intension>eq(mod(x,2),y)</intension>", lambda x, y, z: x - 2 * int(x / 2) == y),
    ("<intension>le(dist(x,y),min(z,2))</intension>", lambda x, y, z: abs(x - y) <= min(z, 2)),
    ("<intension>or(and(eq(x,1),ne(y,2)),not(lt(z,max(x,y,0))))</intension>",
     lambda x, y, z: (x == 1 and y != 2) or not z < max(x, y, 0)),
    ("<intension>imp(gt(x,0),iff(eq(y,1),eq(z,1)))</intension>", lambda x, y, z: x <= 0 or ((y == 1) == (z == 1))),
    ("<intension>xor(eq(x,1),eq(y,1),eq(z,1))</intension>", lambda x, y, z: ((x == 1) + (y == 1) + (z == 1)) % 2),
    ("<intension>in(x,set(1,-2,7))</intension>", lambda x, y, z: x in (1, -2, 7)),
    ("<intension>notin(add(x,y),set(0,1))</intension>", lambda x, y, z: x + y not in (0, 1)),
    ("<intension>eq(if(gt(z,1),x,y),sqr(z))</intension>", lambda x, y, z: (x if z > 1 else y) == z * z),
    ("<intension>eq(add(eq(x,1),eq(y,1),z),2)</intension>", lambda x, y, z: (x == 1) + (y == 1) + z == 2),
    ("<intension>le(x,y,z)</intension>", lambda x, y, z: x <= y <= z),
    ("<intension>eq(mul(x,y,-1),neg(pow(z,2)))</intension>", lambda x, y, z: -x * y == -(z**2)),
    ("<intension>z</intension>", lambda x, y, z: z != 0),
    ("<extension><list>x y</list><supports>(1,2)(-2, 0) ( 3 , 3 )(9,9)</supports></extension>",
     lambda x, y, z: (x, y) in {(1, 2), (-2, 0), (3, 3)}),
    ("<extension><list>x y z</list><supports>(1,*,2)(*,*,0)</supports></extension>",
     lambda x, y, z: (x == 1 and z == 2) or z == 0),
    ("<extension><list>x y</list><conflicts>(1,*)(0,0)</conflicts></extension>",
     lambda x, y, z: x != 1 and (x, y) != (0, 0)),
    ("<extension><list>x</list><supports>-1..1 3</supports></extension>", lambda x, y, z: x in (-1, 0, 1, 3)),
    ("<extension><list>x x</list><supports>(1,1)(2,3)(0,*)</supports></extension>", lambda x, y, z: x in (0, 1)),
    ("<allDifferent>x y z</allDifferent>", lambda x, y, z: len({x, y, z}) == 3),
    ("<allDifferent><list>x y z</list><except>0</except></allDifferent>",
     lambda x, y, z: all(a != b or a == 0 for a, b in ((x, y), (x, z), (y, z)))),
    ("<allDifferent><list>x y</list><list>z x</list></allDifferent>", lambda x, y, z: (x, y) != (z, x)),
    ("<allDifferent>add(x,1) y mul(z,2)</allDifferent>", lambda x, y, z: len({x + 1, y, 2 * z}) == 3),
    ("<allEqual>x y z</allEqual>", lambda x, y, z: x == y == z),
    ("<ordered><list>x y z</list><operator>lt</operator></ordered>", lambda x, y, z: x < y < z),
    ("<ordered><list>x y</list><lengths>2</lengths><operator>le</operator></ordered>", lambda x, y, z: x + 2 <= y),
    ("<sum><list>x y z</list><coeffs>2 -1 1</coeffs><condition>(le,2)</condition></sum>",
     lambda x, y, z: 2 * x - y + z <= 2),
    ("<sum><list>x y</list><condition>(eq,z)</condition></sum>", lambda x, y, z: x + y == z),
    ("<sum><list>x y z</list><condition>(in,-1..1)</condition></sum>", lambda x, y, z: -1 <= x + y + z <= 1),
    ("<sum><list>x y z</list><coeffs>1x3</coeffs><condition>(notin,{0,2})</condition></sum>",
     lambda x, y, z: x + y + z not in (0, 2)),
    ("<sum><list>x y</list><coeffs>z z</coeffs><condition>(gt,1)</condition></sum>", lambda x, y, z: z * (x + y) > 1),
    ("<count><list>x y z</list><values>1 2</values><condition>(ge,2)</condition></count>",
     lambda x, y, z: sum(v in (1, 2) for v in (x, y, z)) >= 2),
    ("<nValues><list>x y z</list><condition>(eq,2)</condition></nValues>", lambda x, y, z: len({x, y, z}) == 2),
    ("<cardinality><list>x y z</list><values>0 1</values><occurs>1 0..1</occurs></cardinality>",
     lambda x, y, z: (x, y, z).count(0) == 1 and (x, y, z).count(1) <= 1),
    ("<cardinality><list>x y z</list><values closed=\"true\">0 1</values><occurs>2 1</occurs></cardinality>",
     lambda x, y, z: sorted((x, y, z)) == [0, 0, 1]),
    ("<minimum><list>x y z</list><condition>(eq,0)</condition></minimum>", lambda x, y, z: min(x, y, z) == 0),
    ("<maximum><list>x y</list><condition>(lt,z)</condition></maximum>", lambda x, y, z: max(x, y) < z),
    ("<element><list>x y 7</list><index>z</index><value>2</value></element>",
     lambda x, y, z: z < 3 and (x, y, 7)[z] == 2),
    ("<element><list startIndex=\"1\">4 5 6</list><index>z</index><condition>(gt,x)</condition></element>",
     lambda x, y, z: 1 <= z <= 3 and (4, 5, 6)[z - 1] > x),
    ("<element><list>x y</list><value>z</value></element>", lambda x, y, z: z in (x, y)),
    ("<instantiation><list>x z</list><values>1 2</values></instantiation>", lambda x, y, z: (x, z) == (1, 2)),
    ("<group><intension>lt(%0,%1)</intension><args>x y</args><args>y z</args></group>", lambda x, y, z: x < y < z),
    ("<group><extension><list>%0 %1</list><supports>(1,1)(2,*)</supports></extension>"
     "<args>x y</args><args>y z</args></group>",
     lambda x, y, z: ((x, y) == (1, 1) or x == 2) and ((y, z) == (1, 1) or y == 2)),
    ("<group><allDifferent>%...</allDifferent><args>x y</args><args>x y z</args></group>",
     lambda x, y, z: len({x, y, z}) == 3),
    ("<block><intension>eq(x,1)</intension><block><intension>eq(y,x)</intension></block></block>",
     lambda x, y, z: x == y == 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), CONSTRAINTS)
def test_constraint(text: str, meaning: Callable[[int, int, int], Any], tmp_path: Path) -> None:
    found = list(xcsp3.enumerate_solutions(instance(tmp_path, XYZ, text).network))
    wanted = [t for t in itertools.product(range(-2, 4), range(-2, 4), range(4)) if meaning(*t)]
    assert sorted((s["x"], s["y"], s["z"]) for s in found) == sorted(wanted)


def test_element_with_variables(tmp_path: Path) -> None:
    variables = '<array id="a" size="[4]">0..4</array><var id="i">-1..6</var><var id="v">2..9</var>'
    network = instance(
        tmp_path, variables, '<element><list startIndex="2">a[]</list><index>i</index><value>v</value></element>'
    ).network
    wanted = sum(
        2 <= i <= 5 and a[i - 2] == v
        for *a, i, v in itertools.product(*[range(5)] * 4, range(-1, 7), range(2, 10))
    )  # fmt: skip
    assert xcsp3.count(network).count == wanted


def test_large_conditions_have_propagators(tmp_path: Path) -> None:
    """Too large for tables: products, quotients, remainders, minima, equivalences, all taken apart."""
    variables = '<var id="x">0..99</var><var id="y">0..99</var><var id="z">0..99</var>'
    text = (
        "<intension>eq(mul(x,y),add(z,if(gt(x,y),3,5)))</intension>"
        "<intension>iff(lt(add(x,y,z),40),gt(max(x,y,z),dist(x,z)))</intension>"
        "<intension>or(eq(mod(add(x,z),7),div(y,3)),and(ne(x,y),le(min(x,y,z),2)))</intension>"
    )

    def holds(x: int, y: int, z: int) -> bool:
        return (
            x * y == z + (3 if x > y else 5)
            and (x + y + z < 40) == (max(x, y, z) > abs(x - z))
            and ((x + z) % 7 == y // 3 or (x != y and min(x, y, z) <= 2))
        )

    wanted = sum(holds(x, y, z) for x, y, z in itertools.product(range(100), repeat=3))
    assert xcsp3.count(instance(tmp_path, variables, text).network).count == wanted > 0


def test_arrays(tmp_path: Path) -> None:
    variables = """
      <array id="x" size="[2][3]"> <domain for="x[0][]"> 0 1 </domain> <domain for="x[1][0..1]"> 5..7 </domain> </array>
      <array id="y" size="[2]"> <domain for="y[0]"> 1 </domain> <domain for="others"> 2 3 </domain> </array>"""
    network = instance(tmp_path, variables, "<allEqual>x[0][]</allEqual><allDifferent>x[1][]</allDifferent>").network
    assert [v.name for v in network.declared][:4] == ["x[0][0]", "x[0][1]", "x[0][2]", "x[1][0]"]
    assert "x[1][2]" not in network and network["y[1]"].domain == (2, 3)
    assert xcsp3.count(network).count == 2 * 6 * 2


def test_matrix_of_differences(tmp_path: Path) -> None:
    latin = '<array id="x" size="[4][4]">1..4</array>'
    for text in ("x[][]", "".join(f"({','.join(f'x[{i}][{j}]' for j in range(4))})" for i in range(4))):
        network = instance(tmp_path, latin, f"<allDifferent><matrix>{text}</matrix></allDifferent>").network
        assert xcsp3.count(network).count == 576


def test_queens(tmp_path: Path) -> None:
    diagonals = "".join(
        f"<allDifferent>{' '.join(f'{op}(q[{i}],{i})' for i in range(8))}</allDifferent>" for op in ("add", "sub")
    )
    text = f"<allDifferent>q[]</allDifferent>{diagonals}"
    network = instance(tmp_path, '<array id="q" size="[8]">0..7</array>', text).network
    assert xcsp3.count(network).count == 92
    assert solve(network).policy is not None


def test_magic_square_by_tables_and_groups(tmp_path: Path) -> None:
    rows = [t for t in itertools.permutations(range(1, 10), 3) if sum(t) == 15]
    table = "".join(map(str, rows)).replace(" ", "")
    lines = ["x[0][]", "x[1][]", "x[2][]", "x[][0]", "x[][1]", "x[][2]", "x[0][0] x[1][1] x[2][2]"]
    lines.append("x[0][2] x[1][1] x[2][0]")
    args = "".join(f"<args> {line} </args>" for line in lines)
    text = (
        f"<group><extension><list>%...</list><supports>{table}</supports></extension>{args}</group>"
        "<allDifferent>x[][]</allDifferent>"
    )
    network = instance(tmp_path, '<array id="x" size="[3][3]">1..9</array>', text).network
    assert xcsp3.count(network).count == 8


def test_a_table_of_a_group_is_kept_once(tmp_path: Path) -> None:
    args = "".join(f"<args>x[{i}] x[{i + 1}]</args>" for i in range(50))
    text = f"<group><extension><list>%0 %1</list><supports>(0,1)(1,0)</supports></extension>{args}</group>"
    network = instance(tmp_path, '<array id="x" size="[51]">0 1</array>', text).network
    tables: list[Any] = network.hard
    assert all(table.rows is tables[0].rows for table in tables)
    assert xcsp3.count(network).count == 2


def test_limits(tmp_path: Path) -> None:
    network = instance(tmp_path, '<array id="x" size="[30]">0 1</array>', "<allEqual>x[0] x[1]</allEqual>").network
    some = xcsp3.Solutions()
    assert len(list(xcsp3.enumerate_solutions(network, some, limit=10))) == 10
    assert not some.is_complete
