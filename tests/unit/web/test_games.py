"""The gallery: every bundled game with its picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

import woodstock
from woodstock.games import all_games
from woodstock.view import View
from woodstock.web.app import make_app
from woodstock.web.games.pictures import drawn, middle
from woodstock.web.settings import WebSettings


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app(WebSettings()), base_url="http://127.0.0.1") as client:
        yield client


def test_the_gallery_lists_every_game(client: TestClient) -> None:
    text = client.get("/").text
    for game in all_games():
        assert f'href="/match/new?game={game.name}"' in text
        assert f'src="/games/{game.name}/picture.svg"' in text


@pytest.mark.parametrize("name", ["connect-four", "nim", "hex", "monty-hall"])
def test_pictures_are_svg_documents(client: TestClient, name: str) -> None:
    answer = client.get(f"/games/{name}/picture.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert ET.fromstring(answer.text).tag.endswith("svg")


def test_a_picture_of_no_game_is_a_page_that_says_so(client: TestClient) -> None:
    answer = client.get("/games/connect-fuor/picture.svg")
    assert answer.status_code == 400 and "connect-four" in answer.text


def test_the_state_of_a_picture_is_always_the_same() -> None:
    initial = woodstock.load("connect-four").initial
    state = middle(initial)
    assert state == middle(initial) != initial
    puzzle = woodstock.load("eight-puzzle").initial
    assert middle(puzzle) == puzzle


def test_a_thumbnail_is_smaller_than_the_picture() -> None:
    game = woodstock.load("connect-four")
    view = View(game)
    assert len(view.thumbnail(game.initial)) < len(view.svg(game.initial))


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "nim"])
def test_pictures_drawn_beforehand_are_what_the_view_draws_now(name: str) -> None:
    game = woodstock.load(name)
    assert drawn(name) == View(game).thumbnail(middle(game.initial)), "run scripts/gallery.py"


def test_every_bundled_game_has_its_picture_at_once() -> None:
    assert [game.name for game in all_games() if drawn(game.name) is None] == []
