"""Everybody can use the pages: no violation that axe knows, in light and dark, on a phone and with large letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import BrowserContext, Page
from tests.browser.axe import barriers

# Address, and what is there when the page is ready. The tests of other pages look at theirs.
PAGES = {
    "games": ("/", ".game-card img"),
    "analysis": ("/analysis?game=connect-four#moves=(drop+4),noop;noop,(drop+4)", ".line"),
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


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_use_the_page(new_context: Callable[..., BrowserContext], name: str) -> None:
    page = new_context(color_scheme="light", reduced_motion="reduce").new_page()
    _open(page, name)
    assert barriers(page) == []
