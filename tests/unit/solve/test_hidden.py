"""Games with hidden information and simultaneous moves: what roles can know decides what they can reach."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from tests.unit.equilibrium.test_measure import ODD, THREE

import woodstock
from woodstock.equilibrium import InformationTree, exploitability, nash_conv
from woodstock.equilibrium.regrets import minimise_regret
from woodstock.equilibrium.table import StrategyTable
from woodstock.errors import BudgetExceeded, GameError
from woodstock.information import InformationState
from woodstock.solve import Equilibrium, Solver

# Grounding takes longer than most of what is tested here.
_load = cache(woodstock.load)


def _solved(name: str, **options: object) -> Equilibrium:
    found = woodstock.solve_game(_load(name), **options)  # type: ignore[arg-type]
    assert isinstance(found, Equilibrium)
    return found


def test_monty_hall_is_two_thirds() -> None:
    found = _solved("monty-hall")
    assert found.is_exact
    assert found.values["candidate"] == pytest.approx(200 / 3, abs=1e-6)
    assert exploitability(_load("monty-hall"), found.strategy) < 1e-9
    assert _solved("monty-hall", utility="win").values["candidate"] == pytest.approx(2 / 3, abs=1e-6)


def test_kuhn_poker_has_its_known_value_and_strategy() -> None:
    found = _solved("kuhn-poker", target=1e-5)
    value = 50 - 25 / 18
    low, high = found.bounds["first"]
    assert low <= value <= high
    assert high - low < 1e-4
    assert found.exploitability <= 1e-5
    assert exploitability(_load("kuhn-poker"), found.strategy) == pytest.approx(found.exploitability)
    # The first player bets a king three times as often as a jack.
    bets = {row.turns[0].percepts[0]: row.moves["bet"] for row in found.strategy.of("first") if len(row.turns) == 1}
    assert bets["(dealt 3)"] == pytest.approx(3 * bets["(dealt 1)"], abs=1e-2)


@pytest.mark.parametrize("name", ["rock-paper-scissors", "matching-pennies", "goofspiel-4"])
def test_simultaneous_moves_are_mixed(name: str) -> None:
    found = _solved(name)
    assert set(found.values.values()) == {50}
    assert found.is_exact
    assert exploitability(_load(name), found.strategy) < 1e-9


def test_games_that_have_no_equilibrium_by_this_get_no_claim() -> None:
    for rules in (ODD, THREE):
        game = woodstock.loads(rules, "odd")
        found = woodstock.solve_game(game, iterations=200)
        assert isinstance(found, Equilibrium)
        assert "need not be an equilibrium" in found.meaning
        assert found.bounds == {}
        assert found.nash_conv == pytest.approx(nash_conv(game, found.strategy), abs=1e-9)


def test_one_role_against_random_others() -> None:
    for role, known in (("first", 62.5), ("second", 60 + 5 / 12)):
        found = _solved("kuhn-poker", opponent="random", role=role)
        assert found.values[role] == pytest.approx(known, abs=1e-6)


def test_a_strategy_is_saved_and_loaded(tmp_path: Path) -> None:
    for name in ("kuhn-poker", "rock-paper-scissors"):
        found = _solved(name)
        path = tmp_path / "strategy.json"
        found.strategy.save(path)
        again = StrategyTable.load(_load(name), path)
        assert exploitability(_load(name), again) == pytest.approx(found.exploitability, abs=1e-9)
    with pytest.raises(GameError, match="rules are not those of kuhn-poker"):
        StrategyTable.load(_load("kuhn-poker"), path)
    path.write_text("[1]")
    with pytest.raises(GameError, match="not a saved strategy"):
        StrategyTable.load(_load("kuhn-poker"), path)
    path.write_text("{")
    with pytest.raises(GameError, match="not a saved strategy"):
        StrategyTable.load(_load("kuhn-poker"), path)
    with pytest.raises(GameError, match="cannot read"):
        StrategyTable.load(_load("kuhn-poker"), tmp_path / "none.json")
    with pytest.raises(GameError, match="cannot write"):
        found.strategy.save(tmp_path / "no" / "folder.json")


def test_a_table_says_what_it_does_not_know() -> None:
    table = _solved("kuhn-poker").strategy
    view = InformationState.at(_load("kuhn-poker").initial, "first")
    assert table(view) == {"noop": 1.0}
    with pytest.raises(GameError, match="does not know"):
        table(view.after("noop", ["(dealt 9)"], ["bet", "pass"]))
    # That of one role has only what its own moves lead to.
    partial = _solved("monty-hall").strategy
    assert partial.is_partial
    view = InformationState.at(_load("monty-hall").initial, "candidate")
    assert partial(view.after("noop", ["(goat 3)"], ["stay", "switch"])) == {"stay": 0.5, "switch": 0.5}


def test_questions_are_asked_if_they_are_worth_it() -> None:
    """Four questions find one number of sixteen: 100 less 40. The same from a tree, if it is small enough."""
    found = _solved("number-guessing")
    assert found.values["player"] == 60
    assert found.information_sets < 2000
    for name in ("tiger", "monty-hall"):
        tree = InformationTree(_load(name))
        value, _behaviour = tree.form.respond(0, tree.uniform())
        assert float(_solved(name).values[tree.roles[0]]) == pytest.approx(value, abs=1e-5)


def test_limits_and_ctrl_c_leave_what_is_known() -> None:
    game = _load("leduc-poker")
    assert _solved("leduc-poker", iterations=5, target=0.0).iterations == 5
    found = _solved("leduc-poker", seconds=0.5, target=0.0, symmetries="none")
    assert found.ended == "seconds"
    assert found.seconds < 1.5
    assert 0 < found.exploitability < 1

    def press(iterations: int, _values: object) -> None:
        if iterations > 20:
            raise KeyboardInterrupt

    stopped = minimise_regret(InformationTree(game), target=0.0, progress=press)
    assert stopped.ended == "interrupted"
    assert stopped.iterations > 20
    with pytest.raises(BudgetExceeded, match="1,0"):
        woodstock.solve_game(game, max_states=1000)
    with pytest.raises(BudgetExceeded, match="MiB"):
        woodstock.solve_game(_load("liars-dice"), memory_mb=4)
    with pytest.raises(BudgetExceeded, match=r"mastermind had [\d,]+ states in [\d,]+ beliefs of player"):
        woodstock.solve_game(_load("mastermind"), max_states=20_000)
    with pytest.raises(BudgetExceeded, match=r"limit 0\.1 s"):
        woodstock.solve_game(_load("phantom-tic-tac-toe"), seconds=0.1)


def test_the_hidden_state_is_not_solved_for() -> None:
    game = _load("monty-hall")
    with pytest.raises(GameError, match="hide things"):
        Solver(game)
    for options, match in (
        ({"method": "proof"}, "cannot solve"),
        ({"strategies": "pure"}, "must mix"),
        ({"role": "candidate"}, "random opponents only"),
        ({"rule": "magic"}, "no rule 'magic'"),
        ({"target": -1.0}, "at least 0"),
    ):
        with pytest.raises(GameError, match=match):
            woodstock.solve_game(_load("kuhn-poker"), **options)
