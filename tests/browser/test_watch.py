"""Watching in a browser: two programs play, others look on, and the match is analysed and replayed afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import expect
from tests.browser.test_match import begin

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_programs_are_watched_and_their_match_is_analysed(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    address = begin(page, "tic-tac-toe", "player random", "player random")
    other = new_context().new_page()
    other.goto(address)
    for one in (page, other):
        expect(one.locator("#status")).to_contain_text("The match is over")
        expect(one.locator(".place.open")).to_have_count(0)
    assert page.locator("#status").inner_text() == other.locator("#status").inner_text()
    turns = other.locator("#turns li > .turn").count()
    other.get_by_role("link", name="Analyse").click()
    expect(other.get_by_role("heading", name="Analysis: Tic-tac-toe")).to_be_visible()
    expect(other.locator("#turn")).to_have_text(re.compile(r"State (\d+) of \1"))
    assert other.locator("#turns li").count() in (turns, turns - 1)  # the tree of the match also lists its start
    other.goto(address.replace("/match/", "/replay/match/"))
    expect(other.get_by_role("heading", name="Replay: Tic-tac-toe")).to_be_visible()
