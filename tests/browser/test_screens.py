"""Pictures of every page for docs/screens.md. `WRITE_SCREENS=1` writes them anew; otherwise they are only taken."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import BrowserContext, FilePayload, Page, expect
from tests.browser.conftest import Server

import woodstock
from woodstock.tournament import runner
from woodstock.tournament.plan import parse_plan
from woodstock.tournament.workers import local_workers

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "pictures" / "web"
LINE = "#moves=(drop+4),noop;noop,(drop+4);(drop+3),noop;noop,(drop+7);(drop+5),noop;noop,(drop+2);(drop+6),noop&at=3"


def _games(page: Page) -> None:
    page.goto("/")
    page.wait_for_function("() => [...document.images].slice(0, 8).every(one => one.complete && one.naturalWidth)")


def _match(page: Page) -> None:
    page.goto("/match/new?game=breakthrough")
    page.locator("form button.main").first.click()
    page.locator(".board .place").first.wait_for()
    expect(page.locator("main")).not_to_contain_text("prepare")
    for place in ("4 2", "4 3"):
        page.get_by_role("button", name=re.compile(f"^{place},")).click()
    page.get_by_text("2.", exact=True).first.wait_for()  # the answer is there


def _analysis(page: Page) -> None:
    page.goto("/analysis?game=connect-four" + LINE)
    page.get_by_role("button", name="Review this line").click()
    expect(page.locator("#review-card")).to_have_attribute("data-reviewed", "yes")
    expect(page.locator("#about")).to_contain_text("Symmetries")


def _symmetries(page: Page) -> None:
    page.goto("/analysis?game=tic-tac-toe")
    expect(page.locator("#about")).to_contain_text("Exact solution")
    expect(page.locator("#board [data-tint]")).to_have_count(8)


def _rules(page: Page) -> None:
    page.goto("/rules?game=tic-tac-toe")
    page.locator("#board .place").first.wait_for()
    page.locator("#board .place").nth(4).click()
    expect(page.locator("#board .piece")).to_have_count(1)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text("\n(<= (legal ?p (pass ?why))\n    (true (control ?p)))\n")
    page.locator(".problem-row").first.wait_for()
    page.locator(".cm-lintRange-error").first.hover()
    page.locator(".cm-tooltip .explain").wait_for()


def _puzzle(page: Page) -> None:
    page.goto("/puzzles?game=eight-puzzle")
    expect(page.locator("#turn")).to_have_text("Move 1")
    page.get_by_role("button", name="Find a plan from here").click()
    expect(page.locator("#plan-status")).to_contain_text("of 100 points")
    for number in range(3):
        page.get_by_role("button", name="Show the next step").click()
        expect(page.locator("#turn")).to_have_text(f"Move {number + 2}")


def _replay(page: Page) -> None:
    game = woodstock.load("breakthrough")
    record = woodstock.play_match(game, ["uct", "mac-ucb"], seed=4, simulations=300)
    page.goto("/replay")
    value: FilePayload = {
        "name": "match.json",
        "mimeType": "application/json",
        "buffer": json.dumps(record.as_json()).encode(),
    }
    page.set_input_files("#file", value)
    expect(page.get_by_role("heading", name="Replay: Breakthrough")).to_be_visible()
    page.locator("#turns button").nth(20).click()


def _tournament(page: Page) -> None:
    page.goto("/tournaments/league")
    expect(page.locator("#ratings")).to_contain_text("mac-ucb")


SCREENS: dict[str, Callable[[Page], None]] = {
    "games": _games,
    "match": _match,
    "analysis": _analysis,
    "symmetries": _symmetries,
    "rules": _rules,
    "puzzle": _puzzle,
    "replay": _replay,
    "tournament": _tournament,
}
# Other tests open these pages; their pictures are only taken to be written.
_SEEN_ELSEWHERE = ("games", "analysis", "puzzle", "replay", "tournament")
PLAN = """
name = "A small league"
seed = 1
simulations = 300
matches = 4
concurrency = 1
games = ["tic-tac-toe", "connect-four", "breakthrough"]
[[player]]
spec = "mac-ucb"
[[player]]
spec = "uct"
[[player]]
spec = "random"
"""


@pytest.fixture
def league(tmp_path: Path) -> Iterator[Server]:
    plan = parse_plan(PLAN, "plan.toml")
    (tmp_path / "league").mkdir()
    runner.write_plan(plan.text, tmp_path / "league", tmp_path, 1.0, 1.0)
    runner.run(plan, tmp_path / "league", local_workers)
    found = Server("--memory", "--tournaments", str(tmp_path))
    yield found
    found.close()


@pytest.mark.parametrize("name", SCREENS)
def test_a_picture_is_taken(
    new_context: Callable[..., BrowserContext], name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    is_written = bool(os.environ.get("WRITE_SCREENS"))
    if not is_written and name in _SEEN_ELSEWHERE:
        pytest.skip("WRITE_SCREENS=1 takes a picture of this page")
    base = {}
    if name == "tournament":
        base["base_url"] = request.getfixturevalue("league").address
    scheme = "dark" if name == "symmetries" else "light"
    looks = {"viewport": {"width": 1180, "height": 780}, "color_scheme": scheme, "reduced_motion": "reduce"}
    page = new_context(**looks, **base).new_page()
    SCREENS[name](page)
    page.wait_for_timeout(300)
    folder = FOLDER if is_written else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")
    assert (folder / f"{name}.png").stat().st_size > 10_000


def test_the_page_of_screens_shows_every_picture() -> None:
    shown = re.findall(r"\(pictures/web/(\w+)\.png\)", (DOCS / "screens.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(SCREENS)
    for name in shown:
        assert (FOLDER / f"{name}.png").is_file()
