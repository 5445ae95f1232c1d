"""The gallery in a browser."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import Page, expect


def test_search_kinds_and_players_narrow_the_gallery(page: Page) -> None:
    page.goto("/")
    cards = page.locator(".game-card:visible")
    everything = cards.count()
    assert everything >= 50
    page.get_by_label("Search games").fill("four columns")
    expect(page.locator("#count")).to_contain_text("of")
    assert 1 <= cards.count() < 10
    page.get_by_label("Search games").fill("")
    page.get_by_role("button", name="puzzle").click()
    page.get_by_label("Players").select_option("1")
    few = cards.count()
    assert 1 <= few < everything
    page.reload()  # the filters are in the address
    expect(page.locator("#count")).to_have_text(f"{few} of {everything} games")
    page.get_by_label("Search games").fill("no such game")
    page.get_by_role("button", name="show all games").click()
    expect(cards).to_have_count(everything)


def test_pictures_are_drawn(page: Page) -> None:
    page.goto("/?q=connect+four")
    picture = page.locator(".game-card:visible img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())


def test_your_rules_opens_the_editor(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Write your own rules").click()
    page.wait_for_url("**/rules")
