"""Moves on the board: the places where a person makes them."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.view import Gesture, Gestures

# What a person would expect: the places of the steps, by name.
EXPECTED = [
    ("tic-tac-toe", "x", "(mark 2 3)", [{"2 3"}]),
    ("connect-four", "red", "(drop 4)", [{f"4 {row}" for row in range(1, 7)}]),
    ("connect-four-simultaneous", "red", "(drop 4)", [{f"4 {row}" for row in range(1, 7)}]),
    ("breakthrough", "white", "(move 1 2 1 3)", [{"1 2"}, {"1 3"}]),
    ("chess", "white", "(move g 1 f 3)", [{"g 1"}, {"f 3"}]),
    ("hex", "red", "(place 4 9)", [{"4 9"}]),
]


@pytest.mark.parametrize(("name", "role", "move", "steps"), EXPECTED)
def test_places_are_those_that_a_person_expects(name: str, role: str, move: str, steps: list[set[str]]) -> None:
    game = woodstock.load(name)
    gestures = Gestures(game)
    names = woodstock.View(game).scene.names
    one = next(one for one in gestures.of(game.initial, role) if one.move == move)
    assert [{names[place] for place in step} for step in one.steps] == steps


def test_a_disc_is_shown_where_it_lands() -> None:
    game = woodstock.load("connect-four")
    state = game.initial.next(["(drop 4)", "noop"])
    one = next(one for one in Gestures(game).of(state, "black") if one.move == "(drop 4)")
    assert woodstock.View(game).scene.name(one.steps[0][0]) == "4 2"


def test_a_direction_is_clicked_where_it_leads() -> None:
    rules = """
        (role robot) (init (at 2 2)) (step 1 2) (step 2 3)
        (<= (base (at ?x ?y)) (index ?x) (index ?y)) (index 1) (index 2) (index 3)
        (<= (legal robot north) (true (at ?x ?y)) (step ?y ?z))
        (<= (legal robot east) (true (at ?x ?y)) (step ?x ?z))
        (legal robot wait) (input robot north) (input robot east) (input robot wait)
        (<= (next (at ?x ?z)) (does robot north) (true (at ?x ?y)) (step ?y ?z))
        (<= (next (at ?z ?y)) (does robot east) (true (at ?x ?y)) (step ?x ?z))
        (<= (next (at ?x ?y)) (does robot wait) (true (at ?x ?y)))
        (<= terminal (true (at 3 3))) (goal robot 100)
    """
    game = woodstock.loads(rules, "robot")
    scene = woodstock.View(game).scene
    found = {
        one.move: {scene.name(place) for step in one.steps for place in step}
        for one in Gestures(game).of(game.initial, "robot")
    }
    assert found == {"north": {"2 3"}, "east": {"3 2"}, "wait": {"2 2"}}


def test_a_move_that_a_click_could_mean_is_found_also_if_it_is_not_legal() -> None:
    game = woodstock.load("tic-tac-toe")
    gestures = Gestures(game)
    state = game.initial.next(["(mark 2 2)", "noop"]).next(["noop", "(mark 1 1)"])
    scene = woodstock.View(game).scene
    assert gestures.meant(state, "x", [scene.names.index("2 2")]) == ["(mark 2 2)"]
    assert gestures.meant(state, "x", []) == []


def test_a_game_without_a_board_has_only_the_list() -> None:
    game = woodstock.loads("(role a) (legal a yes) (legal a no) (init s) (<= terminal (not (true s))) (goal a 1)")
    assert Gestures(game).of(game.initial, "a") == [Gesture("no"), Gesture("yes")]


def test_a_pass_is_made_on_a_piece_that_stays() -> None:
    rules = """
        (role p) (init (at 1 1)) (index 1) (index 2) (index 3)
        (<= (base (at ?x ?y)) (index ?x) (index ?y))
        (<= (legal p (go ?x ?y ?u ?v)) (true (at ?x ?y)) (index ?u) (index ?v) (distinct ?u ?x))
        (<= (input p (go ?x ?y ?u ?v)) (index ?x) (index ?y) (index ?u) (index ?v)) (input p pass) (legal p pass)
        (<= (next (at ?u ?v)) (does p (go ?x ?y ?u ?v)))
        (<= (next (at ?x ?y)) (does p pass) (true (at ?x ?y)))
        (<= terminal (true (at 3 3))) (goal p 100)
    """
    game = woodstock.loads(rules, "walker")
    scene = woodstock.View(game).scene
    (one,) = (one for one in Gestures(game).of(game.initial, "p") if one.move == "pass")
    assert [[scene.name(place) for place in step] for step in one.steps] == [["1 1"]]
