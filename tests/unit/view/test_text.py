"""Pictures of states: readable, within their width, complete."""

from __future__ import annotations

import woodstock
from woodstock.view import View


def test_connect_four_stands_upright() -> None:
    game = woodstock.load("connect-four")
    before = game.initial.next(["(drop 4)", "noop"])
    state = before.next(["noop", "(drop 4)"])
    assert str(View(game).draw(state, before)) == (
        "6  .  .  .  .  .  .  .\n"
        "5  .  .  .  .  .  .  .\n"
        "4  .  .  .  .  .  .  .\n"
        "3  .  .  .  .  .  .  .\n"
        "2  .  .  . [b] .  .  .\n"
        "1  .  .  .  r  .  .  .\n"
        "   1  2  3  4  5  6  7\n"
        "b=black  r=red\n"
        "\n"
        "control  red"
    )


def test_heaps_are_a_line() -> None:
    game = woodstock.load("nim")
    assert str(View(game).draw(game.initial)) == "heap  1  3  5  7\n      a  b  c  d\n\ncontrol  first"


def test_pieces_of_the_same_name_on_two_layers_are_told_apart() -> None:
    game = woodstock.load("platform-jumpers")
    state = game.initial.next(["(row 1)", "noop"]).next(["noop", "(column 2)"])
    lines = str(View(game).draw(state)).splitlines()
    assert lines[0].split() == ["8", ".", "b", ".", ".", ".", ".", ".", "bj"]
    assert lines[7].split() == ["1", "rrj", "r", "r", "r", "r", "r", "r", "r"]
    assert lines[9] == "b=blue  bj=blue-jumper  r=red  rj=red-jumper"


def test_a_blank_that_is_rare_at_first_is_a_dot() -> None:
    game = woodstock.load("hunter-big")
    state = game.initial.next(["(move 1 1 2 3)"])
    assert str(View(game).draw(state)).splitlines()[6].split() == ["1", ".", *"pppppp"]


def test_the_interpreter_shows_the_same_picture() -> None:
    compiled, interpreted = (woodstock.load("tic-tac-toe", engine=engine) for engine in ("circuit", "interpreter"))
    moves = ["(mark 3 1)", "noop"]
    pictures = {str(View(game).draw(game.initial.next(moves), game.initial)) for game in (compiled, interpreted)}
    assert len(pictures) == 1


def test_a_very_long_list_is_cut_and_says_so() -> None:
    facts = " ".join(f"(init (seen thing{i}))" for i in range(400))
    game = woodstock.loads(
        f"(role me) {facts} (<= (next ?f) (true ?f)) (legal me noop) (<= terminal (true (seen thing1))) (goal me 100)",
        engine="interpreter",
    )
    lines = str(View(game).draw(game.initial)).splitlines()
    assert len(lines) == 9
    shown = sum(line.count("thing") for line in lines)
    assert lines[-1].strip() == f"... and {400 - shown} more"
    assert all(len(line) <= 80 for line in lines)
