"""Every bundled game: pictures that fit and can be read, and an automatic clicker that plays it to its end."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

import woodstock
from woodstock import Game
from woodstock.games import all_games
from woodstock.view import Gesture, Gestures, View, fitting
from woodstock.view.terms import fact

SVG = "{http://www.w3.org/2000/svg}"
MOST_TURNS = 150
LONGEST_MENU = 12

# The forms of moves that have no place on the board of a game and are chosen from the list.
LISTED: dict[str, set[str]] = {
    "banker-and-thief": {"deposit", "rob"},
    "battleships-in-fog": {"scan"},
    "bomberman": {"stay"},
    "buttons-and-lights": {"b", "c"},
    "buttons-and-lights-10": {"press"},
    "buttons-and-lights-3": {"press"},
    "buttons-and-lights-7": {"press"},
    "cant-stop": {"again", "both"},
    "goofspiel-4": {"bid"},
    "goofspiel-5": {"bid"},
    "joint-buttons-and-lights": {"press"},
    "kaseklau": {"mouse"},
    "kuhn-poker": {"bet", "pass"},
    "leduc-poker": {"call", "fold", "raise"},
    "liars-dice": {"claim", "liar"},
    "mastermind": {"lay"},
    "meier": {"believe", "doubt", "say"},
    "monty-hall": {"stay"},
    "number-guessing": {"guess", "less_than"},
    "oshi-zumo": {"bid"},
    "pentago": {"turn"},
    "pickomino": {"again"},
    "quarto": {"give"},
    "randomised-tic-tac-toe-2x2": {"choose_column", "choose_row"},
    "tiger": {"listen", "open"},
    "untwisty-corridor": {"door"},
    "vector-racer": {"accelerate"},
    "vector-racer-6": {"accelerate"},
    "yahtzee": {"again"},
}


@pytest.fixture(scope="module", params=[game.name for game in all_games()])
def bundled(request: pytest.FixtureRequest) -> tuple[str, Game]:
    """A game with its name. Loading some takes seconds, so all tests of a game share it."""
    return request.param, woodstock.load(request.param)


def test_pictures_keep_to_their_width(bundled: tuple[str, Game]) -> None:
    _, game = bundled
    view = View(game)
    for width in (20, 40, 80):
        picture = str(view.draw(game.initial, width=width))
        assert max(map(len, picture.splitlines())) <= max(width, 40)


def test_every_piece_has_its_letters(bundled: tuple[str, Game]) -> None:
    _, game = bundled
    root = ElementTree.fromstring(View(game).svg(game.initial))
    assert root.tag == f"{SVG}svg" and float(root.get("width", "0")) <= 640
    discs = list(root.iter(f"{SVG}circle"))
    letters = [element for element in root.iter(f"{SVG}text") if element.get("text-anchor") == "middle"]
    turns = 1  # the disc beside the name of the role
    assert len(letters) >= len(discs) - turns


def clicked(gestures: list[Gesture], wanted: Gesture, chance: random.Random) -> str:
    """Make a move by clicks, as the page does: a place of each step, then the menu if several moves are left."""
    clicks: list[int] = []
    left: list[Gesture] = []
    for step in wanted.steps:
        clicks.append(chance.choice(step))
        left = fitting(gestures, clicks)
        assert wanted in left
    menu = [one.move for one in left if len(one.steps) == len(clicks)]
    # The first place of a step is the one that the page shows; there the menu is short.
    shown = [one for one in fitting(gestures, [step[0] for step in wanted.steps]) if len(one.steps) == len(clicks)]
    assert len(shown) <= LONGEST_MENU, f"{wanted.move} is in a menu of {len(shown)}"
    return menu[menu.index(wanted.move)]


def test_every_bundled_game_is_played_by_clicks(bundled: tuple[str, Game]) -> None:
    name, game = bundled
    gestures = Gestures(game)
    chance = random.Random(7)
    state = game.initial
    listed = set()
    for _ in range(MOST_TURNS):
        if state.is_terminal:
            break
        joint = []
        for role in game.roles:
            legal = state.legal(role)
            wanted = chance.choice(legal)
            if role in state.to_move:
                mine = gestures.of(state, role)
                assert [one.move for one in mine] == list(legal)
                one = mine[legal.index(wanted)]
                if one.steps:
                    assert clicked(mine, one, chance) == wanted
                else:
                    listed.add(fact(wanted).name)
            joint.append(wanted)
        state = state.next(joint)
    assert listed <= LISTED.get(name, set())
