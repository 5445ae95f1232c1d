"""SVG pictures: well-formed, stable, bounded in width, readable without colour, and there for every state."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

import woodstock
from woodstock.view import View
from woodstock.view.palette import DISCS, NAMED, NEUTRAL, ink

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"
SAMPLE = [
    "2pffa", "asteroids", "blocksWorld", "cephalopodMicro", "coins", "connectFour", "eightPuzzle", "hanoi", "hidato37",
    "kalaha5x2x3", "knightsTourLarge", "lightsOn", "maze", "nim3", "pancakes6", "pentago", "qyshinsu", "sheepAndWolf",
    "tron_10x10", "withConviction",
]  # fmt: skip


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_pictures_do_not_change_from_run_to_run() -> None:
    game = woodstock.load("tic-tac-toe")
    before = game.initial.next(["(mark 2 2)", "noop"])
    svg = View(game).svg(before.next(["noop", "(mark 1 3)"]), before)
    assert svg == (GOLDEN / "tic-tac-toe.svg").read_text(encoding="utf-8")


def test_the_last_change_is_framed() -> None:
    game = woodstock.load("connect-four")
    state = game.initial.next(["(drop 4)", "noop"])
    view = View(game)
    assert view.svg(state, game.initial).count('stroke-width="2.5"') == 1
    assert view.svg(state).count('stroke-width="2.5"') == 0


def test_a_state_shows_itself_in_a_notebook() -> None:
    game = woodstock.load("breakthrough")
    first = game.initial
    drawn = first._repr_svg_()
    assert drawn == View(game).svg(first)
    second = first.next([first.legal(role)[0] for role in game.roles])
    assert second._repr_svg_() == View(game).svg(second, first)


def test_odd_symbols_are_escaped() -> None:
    pieces = ["<b>", "a&b", '"q"', "x'", "\u0001bell", "]]>"]
    facts = [f"(cell {x} {y} {p})" for (x, y), p in zip(itertools.product("123", "12"), pieces, strict=True)]
    rules = " ".join(f"(init {fact})" for fact in facts)
    game = woodstock.loads(
        "(role me) (init (note <script>)) (<= (next ?f) (true ?f)) (legal me noop) (goal me 0) "
        f"(<= terminal (true (note done))) {rules}".replace('"', "q").replace("\u0001", ""),
        engine="interpreter",
    )
    odd = [*facts, "(note <script>&amp;)"]
    svg = View(game).svg(odd)
    shown = words(svg)
    assert "<script>" not in svg and any("<script>&amp;" in text for text in shown)
    assert any("\ufffdbell" in text for text in shown) or "\ufffdbell" in svg


def test_letters_stand_out_on_every_disc() -> None:
    for colour in (*DISCS, *NAMED.values(), NEUTRAL):
        luminance = [_luminance(colour), _luminance(ink(colour))]
        assert (max(luminance) + 0.05) / (min(luminance) + 0.05) >= 4.5, colour


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", SAMPLE)
def test_games_of_all_sorts_are_drawn(name: str, corpus: Path) -> None:
    game = woodstock.load(corpus / "games" / f"{name}.kif")
    view = View(game)
    chance = random.Random(1)
    before, state = None, game.initial
    for _ in range(6):
        text = str(view.draw(state, before))
        assert max(map(len, text.splitlines())) <= 80
        assert float(ElementTree.fromstring(view.svg(state, before)).get("width", "0")) <= 640
        if state.is_terminal:
            break
        before, state = state, state.next([chance.choice(state.legal(role)) for role in game.roles])


def test_a_hex_board_does_not_change_from_run_to_run(corpus: Path) -> None:
    game = woodstock.load(corpus / "games" / "AlexHex__sancho.kif")
    moves = [state_moves[0] for state_moves in (game.initial.legal(role) for role in game.roles)]
    state = game.initial.next(moves)
    view = View(game)
    assert view.layout.kind == "hex"
    assert view.svg(state, game.initial) == (GOLDEN / "hex.svg").read_text(encoding="utf-8")


KINDS = {
    "breakthrough": "grid", "chess_200": "grid", "hex": "hex", "hidato37": "hex", "nim3": "line", "qyshinsu": "line",
    "pentago": "grid", "chineseCheckers2": "grid", "kalaha5x2x3": "table", "pancakes6": "facts",
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_known_games(name: str, corpus: Path) -> None:
    assert View(woodstock.load(corpus / "games" / f"{name}.kif")).layout.kind == KINDS[name]
