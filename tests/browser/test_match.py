"""Matches in a browser: by clicks, drags and keys, in one browser and in two, and after the server was killed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("playwright", reason="the tests of the pages need playwright")

from playwright.sync_api import Locator, Page, expect

from woodstock.games import all_games
from woodstock.web.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

HERE = Path(__file__).parent
AXE = HERE.parents[1] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SAMPLE = ["tic-tac-toe", "nim", "breakthrough", "monty-hall", "cooperative-matching-pennies"]


def begin(page: Page, game: str, *kinds: str, play_clock: str = "0.3") -> str:
    """Begin a match by the form; return its address."""
    page.goto(f"/match/new?game={game}")
    seats = page.locator("[data-seat]")
    for number in range(seats.count()):
        kind = kinds[number] if number < len(kinds) else "here"
        name, _, spec = kind.partition(" ")
        seats.nth(number).get_by_label("Who plays").select_option(name)
        if spec:
            seats.nth(number).locator(".player-choice select").select_option(spec)
    page.get_by_label("Seconds for a move").fill(play_clock)
    page.get_by_label("Seconds to prepare").fill("0.3")
    page.get_by_label("Least seconds for each turn").fill("0")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(re.compile(r"/match/[\w-]+$"))
    expect(page.locator("#board svg").first).to_be_visible()
    return page.url


def place(page: Page, name: str) -> Locator:
    """Return a place of the board by its name."""
    return page.locator(f'.place[aria-label^="{name},"]')


def expect_turns(page: Page, *words: str) -> None:
    expect(page.locator("#turns li > .turn")).to_contain_text(list(words))


def test_connect_four_is_played_to_its_end_by_clicks(page: Page) -> None:
    begin(page, "connect-four", "here", "here")
    for turn, column in enumerate([4, 5, 4, 5, 4, 5, 4]):
        expect(page.locator("#status")).to_have_text(f"Your move: {'black' if turn % 2 else 'red'}")
        # Any place of a column will do.
        place(page, f"{column} {1 + turn % 6}").click()
        expect(page.locator("#turns .turn")).to_have_count(turn + 2)
    expect(page.locator("#status")).to_have_text("The match is over: red 100, black 0")
    expect(page.locator("#announcer")).to_contain_text("red 100")
    expect(page.locator(".place.open")).to_have_count(0)


def test_take_back_and_branch(page: Page) -> None:
    begin(page, "tic-tac-toe", "here", "here")
    made: list[str] = []
    for name in ("1 1", "2 2", "3 3"):
        place(page, name).click()
        made.append(f"mark {name}")
        expect_turns(page, *made)
    page.get_by_role("button", name=re.compile("^Take back")).click()
    expect(page.locator("#status")).to_have_text("Your move: x")
    place(page, "3 1").click()
    expect(page.locator("#turns .variation .turn")).to_have_text(["mark 3 3"])
    # Looking at the past changes nothing; a move there begins a variation.
    page.locator("#turns .turn", has_text="mark 1 1").click()
    expect(page.locator("#status")).to_contain_text("begins a variation")
    place(page, "1 3").click()
    expect(page.locator("#status")).to_have_text("Your move: x")
    expect(page.locator("#turns .turn")).to_have_count(6)


def test_a_piece_is_dragged_and_an_illegal_place_is_explained(page: Page) -> None:
    begin(page, "breakthrough", "here", "here")
    place(page, "2 2").drag_to(place(page, "2 3"))
    expect_turns(page, "move 2 2 2 3")
    place(page, "5 5").click()
    expect(page.locator("#why")).to_contain_text("Not legal for black at 5 5")
    expect(page.locator("#why pre").first).to_contain_text("(legal")


def test_an_ambiguous_click_opens_a_menu(page: Page) -> None:
    begin(page, "nim", "here", "here")
    page.locator(".place.open").last.click()
    menu = page.get_by_role("menu")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    page.locator(".place.open").last.click()
    page.get_by_role("menuitem").first.click()
    expect(page.locator("#turns .turn")).to_have_count(2)


def test_a_whole_match_by_keys(page: Page) -> None:
    page.goto("/match/new?game=tic-tac-toe")
    seat = page.locator("[data-seat='1']").get_by_label("Who plays")
    seat.focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Begin").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/match/[\w-]+$"))
    expect(page.locator("#status")).to_have_text("Your move: x")
    page.keyboard.press("b")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    expect(place(page, "2 2")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Your move: o")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("#turns .turn")).to_have_count(3)
    expect(page.locator("#status")).to_have_text("Your move: x")
    page.wait_for_timeout(300)
    page.keyboard.press("m")
    page.keyboard.type("1 2", delay=30)
    page.wait_for_timeout(300)
    page.keyboard.press("Enter")
    expect(page.locator("#turns .turn")).to_have_count(4)
    page.locator("#main").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#turns [aria-current]")).to_contain_text("mark")
    page.keyboard.press("u")
    expect(page.locator("#status")).to_contain_text("Your move")


def test_two_browsers_in_one_match_and_a_reload(new_context: Callable[..., BrowserContext]) -> None:
    first, second = new_context().new_page(), new_context().new_page()
    match = begin(first, "tic-tac-toe", "here", "link")
    second.goto(match)
    expect(second.locator("#status")).to_have_text("x to move")
    expect(second.locator(".place.open")).to_have_count(0)
    second.goto(first.get_by_label("Link for o").input_value())
    place(first, "2 2").click()
    expect(second.locator("#status")).to_have_text("Your move: o")
    second.reload()
    place(second, "1 1").click()
    expect(first.locator("#status")).to_have_text("Your move: x")
    expect(place(first, "1 1")).to_have_attribute("aria-label", re.compile("^1 1, o"))
    first.reload()
    expect(first.locator("#status")).to_have_text("Your move: x")
    expect_turns(first, "mark 2 2", "mark 1 1")


def test_the_server_is_killed_and_started_again(
    browser: Browser, start_server: Callable[..., Any], tmp_path: Path
) -> None:
    server = start_server("--database", str(tmp_path / "web.sqlite"))
    context = browser.new_context(base_url=server.address)
    context.set_default_timeout(20_000)
    page = context.new_page()
    begin(page, "connect-four", "here", "here")
    for number, column in enumerate((4, 3)):
        place(page, f"{column} 1").click()
        expect(page.locator("#turns .turn")).to_have_count(number + 2)
    server.kill()
    expect(page.locator("#status")).to_contain_text("connection is lost")
    server.start()
    # The page comes back by itself, to the same position.
    expect(page.locator("#status")).to_have_text("Your move: red")
    expect_turns(page, "drop 4", "drop 3")
    place(page, "4 1").click()
    expect_turns(page, "drop 4", "drop 3", "drop 4")
    context.close()


def test_hostile_rules_are_only_text(browser: Browser, start_server: Callable[..., Any], tmp_path: Path) -> None:
    evil = "<img/src=x/onerror=alert(1)>".replace("(1)", "`1`")
    rules = f"""
        (role {evil}) (role o) (init (cell 1 1 {evil})) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
        (<= (legal {evil} (mark ?x ?y {evil})) (true (cell ?x ?y b))) (legal o <script>) (legal o </script>)
        (<= (next (cell ?x ?y {evil})) (does {evil} (mark ?x ?y {evil})))
        (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)) (does {evil} (mark ?a ?b {evil})) (distinct ?x ?a))
        (<= terminal (true (cell 2 2 {evil}))) (goal {evil} 100) (goal o 0)
    """
    file = tmp_path / "web.sqlite"
    store = Store(file)
    key = store.keep_rules(f"{evil}</title><script>alert`1`</script>", rules)
    store.close()
    server = start_server("--database", str(file))
    context = browser.new_context(base_url=server.address)
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    begin(page, key, "here", "player random")
    page.locator(".place.open").first.click()
    expect(page.locator("#turns .turn")).not_to_have_count(1)
    page.goto("/matches")
    expect(page.get_by_text("<img/src").first).to_be_visible()
    assert page.locator("main img").count() == 0
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_has_room(new_context: Callable[..., BrowserContext], scheme: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: make build")
    page = new_context(color_scheme=scheme, viewport={"width": 360, "height": 740}).new_page()
    begin(page, "connect-four", "here", "player random")
    place(page, "4 1").click()
    expect(page.locator("#turns .turn")).not_to_have_count(1)
    page.locator(".change summary").first.click()
    match = page.url
    for address in (match, "/matches", "/match/new?game=connect-four"):
        if address != match:
            page.goto(address)
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run().then(found => found.violations.map(one => `${one.id}: ${one.nodes[0].html}`))")
        assert found == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address


@pytest.mark.parametrize("name", SAMPLE)
def test_the_clicker_plays_to_the_end(page: Page, name: str) -> None:
    play_by_clicks(page, name)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted({game.name for game in all_games()} - {*SAMPLE}))
def test_the_clicker_plays_every_game(page: Page, name: str) -> None:
    play_by_clicks(page, name)


def play_by_clicks(page: Page, name: str) -> None:
    begin(page, name)
    found = page.evaluate((HERE / "clicker.js").read_text(encoding="utf-8"), {"turns": 600, "seed": 5})
    assert "stuck" not in found["status"], found
    assert (
        found["status"].startswith("The match is over") or sum(found[one] for one in ("board", "menu", "list")) >= 600
    )


def test_a_role_that_moves_twice_in_a_row_can(page: Page) -> None:
    # A try that fails in krieg tic-tac-toe leaves the same role to move.
    begin(page, "krieg-tic-tac-toe", "here", "here")
    place(page, "2 2").click()
    expect(page.locator("#status")).to_contain_text("Your move: o")
    place(page, "2 2").click()
    expect(page.locator("#status")).to_contain_text("Your move: o. This is what o knows. Seen: mark 2 2, taken 2 2")
    place(page, "1 1").click()
    expect(page.locator("#status")).to_contain_text("Your move: x")
