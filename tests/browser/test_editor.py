"""Writing rules in a browser: a mistake, its explanation, the mended text on the board."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import Page, expect


def _type_at_end(page: Page, text: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(text)


def _open(page: Page, rules: str) -> None:
    page.set_input_files("#file-input", {"name": "mine.kif", "mimeType": "text/plain", "buffer": rules.encode()})
    expect(page.get_by_label("Name of the game")).to_have_value("mine")


def test_a_mistake_is_shown_explained_and_mended_and_the_board_follows(page: Page) -> None:
    page.goto("/rules?game=tic-tac-toe")
    expect(page.locator("#verdict")).to_have_text("No problems")
    expect(page.locator("#board .place")).to_have_count(9)
    _type_at_end(page, "\n(<= (winner ?who) (true (cell ?x ?y")
    expect(page.locator("#verdict")).to_contain_text("error")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    assert "stale" in (page.locator("#board").get_attribute("class") or "")
    row = page.locator("#problem-list .problem-row").first
    row.locator("summary").click()
    expect(row.locator(".explain")).to_contain_text("Why:")
    page.locator(".cm-lintRange-error").first.hover()
    expect(page.locator(".cm-tooltip .explain")).to_be_visible()
    _type_at_end(page, " ?who)))")
    expect(page.locator("#verdict")).to_have_text("No problems")
    page.get_by_role("button", name="Format").click()
    expect(page.locator(".cm-content")).to_contain_text("(winner ?who)")
    # The formatted text is checked again and the board is drawn anew; a click before that would be lost.
    page.wait_for_timeout(1000)
    expect(page.locator("#verdict")).to_have_text("No problems")
    expect(page.locator("#board")).not_to_have_class(re.compile("stale"))
    page.locator("#board .place.open").nth(4).click()
    expect(page.locator("#board-status")).to_contain_text("Turn 2")
    expect(page.locator("#board .piece")).to_have_count(1)


def test_the_outline_goes_to_a_relation_and_names_are_completed(page: Page) -> None:
    page.goto("/rules?game=tic-tac-toe")
    page.get_by_role("tab", name="Outline").click()
    page.locator(".relation", has_text="terminal").click()
    assert "terminal" in page.locator(".cm-activeLine").inner_text()
    _type_at_end(page, "\n(<= (goal ?r 100) (")
    page.keyboard.type("li")
    expect(page.locator(".cm-tooltip-autocomplete")).to_contain_text("line")


def test_random_play_finds_a_position_without_moves(page: Page) -> None:
    page.goto("/rules")
    rules = (
        "(role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)\n"
        "(<= (legal a go) (true (at ?n)) (succ ?n ?m))\n"
        "(<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))\n"
        "(<= terminal (true (at 9)))\n(goal a 100)\n"
    )
    _open(page, rules)
    page.get_by_role("tab", name=re.compile(r"From random play \(\d")).click()
    page.locator("#warning-list").get_by_role("button", name="Show me the position").first.click()
    expect(page.locator("#board-status")).to_contain_text("a has no legal move here")


def test_infix_is_a_second_syntax(page: Page) -> None:
    page.goto("/rules?game=nim")
    expect(page.locator("#verdict")).to_have_text("No problems")
    page.get_by_role("button", name="To infix").click()
    expect(page.locator("#sizes")).to_contain_text("infix")
    expect(page.get_by_role("button", name="To KIF")).to_be_visible()
    expect(page.locator("#verdict")).to_have_text("No problems")


def test_a_link_holds_the_rules(page: Page) -> None:
    page.goto("/rules?game=nim")
    expect(page.locator("#verdict")).to_have_text("No problems")
    page.get_by_role("button", name="Share").click()
    # The text is compressed first, which takes a moment.
    expect(page.get_by_label("Link")).to_have_value(re.compile("#"))
    link = page.get_by_label("Link").input_value()
    page.goto("/")
    page.goto(link)
    expect(page.get_by_label("Name of the game")).to_have_value("nim")
    expect(page.locator("#verdict")).to_have_text("No problems")


def test_names_in_rules_are_never_read_as_html(page: Page) -> None:
    name = "<img/src=x/onerror=document.title='broken'>"
    page.goto("/rules")
    _open(
        page,
        f"(role {name}) (init (cell 1 {name})) (init (cell 2 b)) (legal {name} (do {name})) (legal {name} (do b))\n"
        f"(<= (next (cell 1 {name})) (does {name} (do {name})))\n(<= terminal (true (cell 1 b)))\n(goal {name} 100)\n",
    )
    expect(page.locator("#board-status")).to_contain_text("Turn 1")
    page.get_by_role("tab", name="Facts").click()
    expect(page.locator("#fact-list")).to_contain_text(name)
    assert page.title() == "Rules · woodstock"
    assert page.locator("main img").count() == 0
