"""`woodstock solve GAME` on rules that hide things and on simultaneous moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import woodstock as library
from woodstock.equilibrium import exploitability
from woodstock.equilibrium.table import StrategyTable

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Woodstock


def test_monty_hall_is_not_solved_by_looking_behind_the_doors(woodstock: Woodstock) -> None:
    shown = woodstock("solve", "monty-hall")
    assert shown.code == 0
    assert "candidate 66.6667" in shown.out and "exact" in shown.out and "switch 1.000" in shown.out


def test_a_strategy_with_its_exploitability(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    solved = woodstock("solve", "kuhn-poker", "--target", "0.01", "--save", str(path), "--json")
    facts = solved.json
    assert facts["values"]["first"] == pytest.approx(48.611, abs=0.02)
    assert not facts["is_exact"] and facts["ended"] == "target" and facts["exploitability"] <= 0.01
    game = library.load("kuhn-poker")
    assert exploitability(game, StrategyTable.load(game, path)) == pytest.approx(facts["exploitability"])
    shown = woodstock("solve", "kuhn-poker", "--iterations", "3", "--rule", "cfr+", "--symmetries", "off")
    assert "an approximation: exploitability" in shown.out and "stopped by the limit on iterations" in shown.out
    assert "3 iterations of cfr+" in shown.out and "the game is worth" in shown.out


def test_simultaneous_moves(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "mixed.json"
    shown = woodstock("solve", "rock-paper-scissors", "--save", str(path))
    assert "left 50" in shown.out and "(show rock) 0.333" in shown.out and path.exists()
    none = woodstock("solve", "nim", "--save", str(path))
    assert none.code == 1 and "has no mixed strategy to save" in none.err


def test_what_does_not_fit_says_how_large_it_is(woodstock: Woodstock, tmp_path: Path) -> None:
    for limit in (["--states", "5000"], ["--memory-mb", "4"], ["--seconds", "0.2"]):
        refused = woodstock("solve", "phantom-tic-tac-toe", "--symmetries", "off", *limit)
        assert refused.code == 1 and "phantom-tic-tac-toe had" in refused.err and "histories" in refused.err
    assert "cannot write" in woodstock("solve", "monty-hall", "--save", str(tmp_path / "no" / "file")).err
    assert "cannot solve the game" in woodstock("solve", "monty-hall", "--method", "proof").err
    both = woodstock("solve", "kuhn-poker", "--opponent", "random", "--save", str(tmp_path / "x.json"))
    assert both.code == 1 and "name one by --role" in both.err
    assert "is for solving" in woodstock("solve", "nim", "--show", "3").err
