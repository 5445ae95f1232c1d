"""Everybody can use the pages: no violation that axe knows, in light and dark, on a phone and with large letters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# Address, and what is there when the page is ready.
PAGES = {
    "games": ("/", ".game-card img"),
    "new match": ("/match/new?game=connect-four", "form"),
    "matches": ("/matches", "h1"),
    "analysis": ("/analysis?game=connect-four#moves=(drop+4),noop;noop,(drop+4)", ".line"),
    "rules": ("/rules?game=tic-tac-toe", "#board .place"),
    "rules with errors": ("/rules?game=tic-tac-toe", "#board .place"),
    "puzzles": ("/puzzles", ".game-card"),
    "puzzle": ("/puzzles?game=eight-puzzle", "#board .place"),
    "replay": ("/replay", "#choose"),
    "tournaments": ("/tournaments", "h1"),
    "a page that is not there": ("/nothing", "h1"),
}


def _open(page: Page, name: str) -> None:
    address, ready = PAGES[name]
    page.goto(address)
    page.locator(ready).first.wait_for()
    if name == "rules with errors":
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.insert_text("\n(<= (legal ?x) (true")
        page.locator(".problem-row").first.wait_for()


def _violations(page: Page, rules: str = "{}") -> list[str]:
    found = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], ...{rules}}})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:4]]}"
        for one in found["violations"]
    ]


def _overflow(page: Page, width: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": 720})
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [f"at {width} px the page is {over} px too wide"] if over > 0 else []


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use_the_page(new_context: Callable[..., BrowserContext], name: str) -> None:
    page = new_context(color_scheme="light", reduced_motion="reduce").new_page()
    _open(page, name)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    problems = _violations(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    problems += [f"dark: {one}" for one in _violations(page, "{runOnly: ['color-contrast']}")]
    # 360 px is a phone; 600 px is a window of 1200 px at 200 %.
    problems += _overflow(page, 600) + _overflow(page, 360)
    assert problems == []
