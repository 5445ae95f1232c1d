"""Watching programs play: turns come by themselves, pause, step, and the match goes on for those who come later."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


def test_watch_pause_step_and_a_spectator(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    page.goto("/match/new?game=connect-four")
    for number, player in enumerate(("uct", "random")):
        seat = page.locator(f"[data-seat='{number}']")
        seat.get_by_label("Who plays").select_option("player")
        seat.locator(".player-choice select").select_option(player)
    page.get_by_label("Seconds for a move").fill("0.3")
    page.get_by_label("Seconds to prepare").fill("0.3")
    page.get_by_label("Begin paused").check()
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/match/[\w-]+$"))
    turns = page.locator("#turns .turn")
    expect(page.locator("#status")).to_have_text("The match is paused.")
    page.get_by_role("button", name="Play one turn").click()
    expect(turns).to_have_count(2)
    expect(page.locator(".seat").first.locator(".expects")).to_have_text(re.compile(r"\d+"))
    other = new_context().new_page()
    other.goto(page.url)
    expect(other.locator("#turns .turn")).to_have_count(2)
    expect(other.get_by_role("button", name=re.compile("^(Pause|Go on)"))).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Go on")).click()
    expect(turns.nth(4)).to_be_visible()
    expect(other.locator("#turns .turn").nth(4)).to_be_visible()
    page.get_by_role("button", name=re.compile("^Pause")).click()
    expect(page.locator("#status")).to_have_text("The match is paused.")
    # A spectator may look back without disturbing anybody.
    other.get_by_role("button", name="First position").click()
    expect(other.locator("#status")).to_have_text("You look at another position of this match.")
    expect(page.locator("#status")).to_have_text("The match is paused.")
