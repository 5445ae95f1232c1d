"""Analysis in a browser: values, lines, marks on the board, the review of a match."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import Page, expect

LINE = "#moves=(mark+1+1),noop;noop,(mark+1+2);(mark+2+2),noop;noop,(mark+3+3)"


def test_values_lines_and_marks_come_while_one_looks(page: Page) -> None:
    page.goto("/analysis?game=connect-four")
    expect(page.locator(".line.rank1")).to_contain_text("visits")
    expect(page.locator(".expected").first).to_have_attribute("aria-label", re.compile(r"red: expected score \d"))
    expect(page.locator("#board .arrow")).to_have_count(3)
    expect(page.locator("#board .visits")).to_have_count(7)
    expect(page.locator("#board [data-tint]")).to_have_count(6)  # three pairs of columns mirror each other
    expect(page.locator("#about")).to_contain_text("Random playouts")
    page.get_by_label("Number of lines").select_option("5")
    expect(page.locator("#board .arrow")).to_have_count(5)
    page.get_by_label("best lines").uncheck()
    expect(page.locator("#board .arrow")).to_have_count(0)


def test_a_click_plays_a_line_and_the_address_comes_back_to_it(page: Page) -> None:
    page.goto("/analysis?game=connect-four")
    page.locator(".line.rank1 .turn").nth(2).click()
    expect(page.locator("#turn")).to_contain_text("State 3 of 3")
    expect(page.locator("#board .piece")).to_have_count(3)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#turn")).to_contain_text("State 2 of 3")
    page.reload()
    expect(page.locator("#turn")).to_contain_text("State 2 of 3")
    page.locator("#board .place").first.click()  # another move: the line goes on differently
    expect(page.locator("#turn")).to_contain_text("State 3 of 3")


def test_a_small_game_is_proven_and_solved(page: Page) -> None:
    page.goto("/analysis?game=tic-tac-toe" + LINE)
    expect(page.locator("#counters")).to_contain_text("Proven")
    expect(page.locator("#about")).to_contain_text("Exact solution")
    expect(page.locator("#about")).to_contain_text("x 100, o 0")
    expect(page.locator(".expected").first).to_have_attribute("aria-label", re.compile("100 proven"))


def test_a_review_marks_the_turning_point(page: Page) -> None:
    page.goto("/analysis?game=tic-tac-toe" + LINE + "&at=0")
    page.get_by_role("button", name="Review this line").click()
    expect(page.locator("#review-card")).to_have_attribute("data-reviewed", "yes", timeout=60_000)
    expect(page.locator(".loss.blunder")).to_have_count(1)
    expect(page.locator("#turns li").nth(1)).to_contain_text("blunder: o lost")
    expect(page.locator("#graph")).to_have_attribute("aria-label", re.compile("5 of 5 states known, 1 turning point"))
    page.locator("#turns button").nth(1).click()
    expect(page.locator("#turn")).to_contain_text("State 2 of 4")


def test_an_impossible_line_is_a_sentence(page: Page) -> None:
    page.goto("/analysis?game=tic-tac-toe#moves=(mark+9+9),noop")
    expect(page.get_by_role("alert")).to_contain_text("turn 1")
