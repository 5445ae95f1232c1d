"""Other solvers on what we write: ACE and Choco count the same solutions; and instances whose counts are known.

Without Java or pycsp3 the comparisons are skipped. `bench.xcsp3_counts` does the same for a hundred instances.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from bench import xcsp3_counts

from woodstock.scsp import ANY, Network, xcsp3

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def solvers() -> Any:
    found = xcsp3_counts.Solvers()
    if found.missing:
        pytest.skip(found.missing)
    return found


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "connect-four", "breakthrough"])
def test_states_of_bundled_games(name: str, solvers: Any, tmp_path: Path) -> None:
    rows = list(xcsp3_counts.measure(solvers, name, name, 2, tmp_path, seed=7))
    assert len(rows) == 2
    assert [row for row in rows if not row.is_equal] == []


@pytest.mark.parametrize("sheet", ["blindtictactoe__ggpcpp", "guessSix__deckb", "buttons", "point_grab", "roshambo2"])
def test_states_of_public_rulesheets(sheet: str, solvers: Any, corpus: Path, tmp_path: Path) -> None:
    rows = list(xcsp3_counts.measure(solvers, sheet, corpus / "games" / f"{sheet}.kif", 2, tmp_path, seed=7))
    assert rows and [row for row in rows if not row.is_equal] == []


@pytest.mark.parametrize("seed", range(6))
def test_random_networks(seed: int, solvers: Any, tmp_path: Path) -> None:
    """Tables, short tuples, conditions small and large, values that are no integers, a variable that is free."""
    draw = random.Random(seed)
    network = Network(f"random {seed}")
    kinds: list[Any] = [[0, 1, 2], [-3, 2, 5], ["a", "b", "c"], [False, True], range(40)]
    variables = [network.decision(f"v {i}", kind) for i, kind in enumerate([*kinds, *draw.choices(kinds[:4], k=3)])]
    network.decision("free", ["p", "q"])
    for _ in range(4):
        scope = draw.sample([v for v in variables if len(v.domain) < 10], 3)
        rows = [tuple(draw.choice([*v.domain, ANY]) for v in scope) for _ in range(6)]
        (network.allow if draw.random() < 0.2 else network.forbid)(scope, rows)
    first, second, wide = variables[0], variables[1], variables[4]
    network.require((first * wide + second) % 7 != 3, (wide // 3 > second) | (first == 1))
    network.require(abs(wide - 20) - second // 2 <= 18)
    path = tmp_path / "random.xml"
    xcsp3.write(network, path)
    ours = xcsp3.count(network).count
    assert (solvers.count_by_ace(path), solvers.count_by_choco(path)) == (ours, ours)


def _table(rows: Iterable[tuple[int, ...]]) -> str:
    return "".join(f"({','.join(map(str, row))})" for row in rows)


def test_known_numbers_of_solutions(tmp_path: Path) -> None:
    """Latin squares of order 5 by tables of permutations: 161,280. Magic squares of order 4 by tables: 7,040."""
    path = tmp_path / "square.xml"
    lines = ["x[{i}][]", "x[][{i}]"]
    permutations = list(itertools.permutations(range(5)))
    args = "".join(f"<args>{line.format(i=i)}</args>" for line in lines for i in range(5))
    group = f"<group><extension><list>%...</list><supports>{_table(permutations)}</supports></extension>{args}</group>"
    array = '<variables><array id="x" size="[{n}][{n}]">{low}..{high}</array></variables>'
    head = f'<instance format="XCSP3" type="CSP">{array}'
    path.write_text(head.format(n=5, low=0, high=4) + f"<constraints>{group}</constraints></instance>")
    assert xcsp3.count(xcsp3.read(path).network).count == 161_280
    rows = [row for row in itertools.permutations(range(1, 17), 4) if sum(row) == 34]
    diagonals = [" ".join(f"x[{i}][{i}]" for i in range(4)), " ".join(f"x[{i}][{3 - i}]" for i in range(4))]
    args = "".join(f"<args>{line.format(i=i)}</args>" for line in lines for i in range(4))
    args += "".join(f"<args>{line}</args>" for line in diagonals)
    group = f"<group><extension><list>%...</list><supports>{_table(rows)}</supports></extension>{args}</group>"
    path.write_text(
        head.format(n=4, low=1, high=16)
        + f"<constraints>{group}<allDifferent>x[][]</allDifferent></constraints></instance>"
    )
    assert xcsp3.count(xcsp3.read(path).network).count == 7_040
