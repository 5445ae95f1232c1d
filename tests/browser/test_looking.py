"""Puzzles, replay and tournaments in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import Page, expect
from tests.browser.axe import barriers
from tests.browser.conftest import Server

import woodstock
from woodstock.tournament import runner
from woodstock.tournament.plan import parse_plan
from woodstock.tournament.workers import local_workers

PLAN = """
name = "A small league"
seed = 1
simulations = 20
matches = 2
concurrency = 1
games = ["tic-tac-toe", "connect-four"]
[[player]]
spec = "random"
[[player]]
spec = "legal"
"""


def test_a_plan_is_shown_step_by_step(page: Page) -> None:
    page.goto("/puzzles")
    page.get_by_role("link", name="Buttons and lights", exact=True).click()
    expect(page.locator("#turn")).to_have_text("Move 1")
    page.get_by_role("button", name="Find a plan from here").click()
    expect(page.locator("#plan-status")).to_contain_text("to 100 of 100 points")
    page.get_by_role("button", name="Show the next step").click()
    expect(page.locator("#turn")).to_have_text("Move 2")
    expect(page.locator("#plan-list button")).to_have_count(1)
    page.get_by_role("button", name="Play it to the end").click()
    expect(page.locator("#turn")).to_contain_text("100 of 100 points")
    page.keyboard.press("Home")
    expect(page.locator("#turn")).to_have_text("Move 1")


def test_a_record_is_replayed_and_analysed(page: Page, tmp_path: Path) -> None:
    record = woodstock.play_match(woodstock.load("tic-tac-toe"), ["uct", "legal"], seed=1, play_clock_s=0.05)
    file = tmp_path / "match.json"
    record.write(file)
    page.goto("/replay")
    page.set_input_files("#file", file)
    expect(page.get_by_role("heading", name="Replay: Tic")).to_be_visible()
    expect(page.locator("#turn")).to_contain_text(f"Turn 0 of {len(record.plies)}")
    page.locator("body").press("ArrowRight")
    expect(page.locator("#board .piece")).to_have_count(1)
    page.get_by_label("speed").select_option("fast")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#turn")).to_contain_text(f"Turn {len(record.plies)} of")
    expect(page.locator("#players")).to_contain_text("100")
    assert barriers(page) == []
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("heading", name=re.compile("Analysis: Tic"))).to_be_visible()
    expect(page.locator("#turns li")).to_have_count(len(record.plies))


def test_a_file_that_is_no_record_is_refused_with_a_sentence(page: Page, tmp_path: Path) -> None:
    page.goto("/replay")
    (tmp_path / "a.json").write_text("no JSON")
    page.set_input_files("#file", tmp_path / "a.json")
    expect(page.get_by_role("alert")).to_contain_text("not JSON")


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Server]:
    plan = parse_plan(PLAN, "plan.toml")
    folder = tmp_path / "league"
    folder.mkdir()
    runner.write_plan(plan.text, folder, tmp_path, 1.0, 1.0)
    runner.run(plan, folder, local_workers)
    found = Server("--memory", "--tournaments", str(tmp_path))
    yield found
    found.close()


def test_a_tournament_fills_in_while_it_runs(page: Page, league: Server, tmp_path: Path) -> None:
    # A tournament that runs is a journal that grows: all lines but the last, then the last one.
    journal = tmp_path / "league" / "journal.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[:-1]))
    page.goto(f"{league.address}/tournaments")
    page.get_by_role("link", name="league").click()
    expect(page.locator("#status")).to_have_text("3 of 4 matches (75 %)")
    journal.write_text("".join(lines))
    expect(page.locator("#status")).to_have_text("4 of 4 matches (100 %)")
    expect(page.get_by_role("heading", name="Cross table")).to_be_visible()
    assert barriers(page) == []
    turns = json.loads(lines[-1])["turns"]
    page.get_by_role("link", name="Watch").first.click()
    expect(page.locator("#turn")).to_contain_text(f"of {turns}")
