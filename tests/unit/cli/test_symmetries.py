"""`woodstock symmetries` and `woodstock solve GAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Woodstock

CORNER = " ".join(f"(cell {x} {y} {'x' if x == y == '1' else 'b'})" for x in "123" for y in "123") + " (control o)"


def test_symmetries_of_a_game(woodstock: Woodstock, tmp_path: Path) -> None:
    facts = woodstock("symmetries", "tic-tac-toe", "--json").json
    assert facts["order"] == 8 and facts["method"] == "network" and facts["fixes_initial"]
    assert ["(cell 1 1 b)", "(cell 1 3 b)", "(cell 3 1 b)", "(cell 3 3 b)"] in facts["fluent_orbits"]
    picture = tmp_path / "board.svg"
    shown = woodstock("symmetries", "tic-tac-toe", "--svg", str(picture))
    assert shown.code == 0 and "8 symmetries of the game, by network" in shown.out
    root = ElementTree.parse(picture).getroot()
    cells = [node.get("fill") for node in root.iter() if node.tag.endswith("rect") and node.get("stroke")]
    # Corners, edges, centre: three colours for nine cells.
    assert len(cells) == 9 and sorted(cells.count(colour) for colour in set(cells)) == [1, 4, 4]


def test_symmetries_of_a_state(woodstock: Woodstock) -> None:
    facts = woodstock("symmetries", "tic-tac-toe", "--state", CORNER, "--json").json
    assert facts["order"] == 16 and not facts["fixes_initial"]
    assert ["(mark 1 2)", "(mark 2 1)"] in facts["move_classes"]["o"]
    broken = woodstock("symmetries", "tic-tac-toe", "--state", "(cell 1 1 x")
    assert broken.code == 1 and "the brackets of --state do not match" in broken.err
    unknown = woodstock("symmetries", "tic-tac-toe", "--state", "(cell 9 9 x)")
    assert unknown.code == 1 and "has no fluent (cell 9 9 x)" in unknown.err


def test_solve_a_game(woodstock: Woodstock) -> None:
    facts = woodstock("solve", "tic-tac-toe", "--opponent", "random", "--utility", "win", "--json").json
    assert facts["values"] == {"x": "191/192", "o": "887/945"}
    plain = woodstock("solve", "tic-tac-toe", "--symmetries", "off", "--json").json
    assert plain["states"] == 5478 and plain["values"] == {"x": "50", "o": "50"}
    assert "x 50" in woodstock("solve", "tic-tac-toe").out
    stopped = woodstock("solve", "connect-four", "--states", "1000")
    assert stopped.code == 1 and "1000 states used" in stopped.err
