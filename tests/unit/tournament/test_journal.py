"""The journal: lines survive a crash, an incomplete one is removed, and only one process writes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from woodstock.tournament.cutoff import LEAST_PAIRS, PATIENCE, Cutoff
from woodstock.tournament.journal import Journal, JournalError, Result, read_journal
from woodstock.tournament.pairing import Schedule
from woodstock.tournament.plan import PlanError, parse_plan
from woodstock.tournament.report.page import page
from woodstock.tournament.report.text import comma_separated, markdown, values
from woodstock.tournament.standings import standings

PLAN = """
matches = 4
games = ["tic-tac-toe"]
[[player]]
name = "a"
spec = "random"
[[player]]
name = "b"
spec = "legal"
"""
Errors = dict[str, dict[str, int]]


def _result(number: int, goals: tuple[int | None, ...] = (100, 0), errors: Errors | None = None) -> Result:
    players = ("a", "b") if number % 2 == 0 else ("b", "a")
    key = f"1/tic-tac-toe/a/b/{number}"
    return Result(key, "tic-tac-toe", ("x", "o"), players, "a", "b", goals, "terminal", 7, 0.5, errors or {})


def test_lines_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, "id", is_new=True)
    for number in range(5):
        journal.append(_result(number))
    journal.close()
    expected = [_result(number) for number in range(5)]
    assert list(read_journal(path, "id")) == expected
    again = Journal(path, "id", is_new=False)
    assert again.results == expected
    again.close()


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, "id", is_new=True)
    journal.append(_result(0))
    journal.append(_result(1))
    journal.close()
    path.write_bytes(path.read_bytes()[:-cut])
    assert list(read_journal(path)) == [_result(0)]
    again = Journal(path, "id", is_new=False)
    assert again.results == [_result(0)]
    again.append(_result(1))
    again.close()
    assert list(read_journal(path)) == [_result(0), _result(1)]


def test_one_writer_one_plan_one_format(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path, "id", is_new=True)
    with pytest.raises(JournalError, match="in use"):
        Journal(path, "id", is_new=False)
    journal.close()
    with pytest.raises(JournalError, match="exists: resume"):
        Journal(path, "id", is_new=True)
    with pytest.raises(JournalError, match="another plan"):
        Journal(path, "other", is_new=False)
    (tmp_path / "text").write_text("hello\n")
    with pytest.raises(JournalError, match="not the journal"):
        list(read_journal(tmp_path / "text"))
    path.write_bytes(path.read_bytes() + b"damaged\n" + b"{}\n")
    with pytest.raises(JournalError, match=":2: the line is damaged"):
        list(read_journal(path))
    with pytest.raises(JournalError, match="cannot read"):
        list(read_journal(tmp_path / "nothing"))


def test_standings_do_not_depend_on_the_order() -> None:
    plan = parse_plan(PLAN)
    results = [_result(0), _result(1), _result(2, (50, 50)), _result(3, (0, 100))]
    found = standings(plan, results)
    assert values(found) == values(standings(plan, reversed(results)))
    (duel,) = found.duels
    # As x, as o, a draw, and as o again: won, lost, drawn, won.
    assert duel.tally.text == "+2 =1 -1"
    assert duel.pairs == [0.5, 0.75]


@pytest.mark.parametrize("goals", [(100, 0), (0, 100), (50, 50), (None, 0), (None, None)])
def test_reports_of_one_sided_results(goals: tuple[int | None, ...]) -> None:
    plan = parse_plan(PLAN)
    for results in ([], [_result(0, goals)], [_result(n, goals if n % 2 == 0 else goals[::-1]) for n in range(4)]):
        found = standings(plan, results)
        assert markdown(found).startswith("# tournament")
        assert comma_separated(found).startswith("game,player,against")
        assert page(found).startswith("<!doctype html>") and "nan" not in page(found)
        assert values(found)["matches"] == len(results)


def test_results_past_the_decision_do_not_count() -> None:
    plan = parse_plan(PLAN.replace("matches = 4", "matches = 100") + "[sprt]\nscore0 = 0.4\nscore1 = 0.6\n")
    won = [_result(n, (100, 0) if n % 2 == 0 else (0, 100)) for n in range(100)]
    found = standings(plan, won)
    assert found.duels[0].decision == "above"
    assert found.matches == 2 * len(found.duels[0].pairs) < 100
    assert values(standings(plan, won[: found.matches])) == values(found)


def test_a_player_that_never_moves_is_given_up() -> None:
    watch = Cutoff(None)
    for number in range(PATIENCE):
        assert watch.failed == {}
        role = "o" if number % 2 == 0 else "x"
        watch.note(_result(number, errors={role: {"CE": 7}}))
    assert list(watch.failed) == ["b"] and "CE" in watch.failed["b"]


def test_a_duel_ends_when_its_interval_is_narrow_enough() -> None:
    fixture = Schedule(parse_plan(PLAN), {"tic-tac-toe": 2}).fixtures({})[0]

    def matches_until(interval: float, wins: Callable[[int], bool]) -> int:
        watch = Cutoff(None, interval)
        for number in range(400):
            if not watch.is_wanted(fixture):
                return number
            watch.note(_result(number, (100, 0) if wins(number) == (number % 2 == 0) else (0, 100)))
        return 400

    always = matches_until(12, lambda _number: True)
    half = matches_until(12, lambda number: number % 4 < 2)
    assert always == 2 * LEAST_PAIRS < half < matches_until(6, lambda number: number % 4 < 2)
    with pytest.raises(PlanError, match="needs fixed pairs"):
        parse_plan('pairing = "swiss"\ninterval = 12\n' + PLAN)
