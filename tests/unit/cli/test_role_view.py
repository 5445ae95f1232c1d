"""`woodstock play` and `match` show a person what their role knows; `--cheat` shows all."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from woodstock.cli.app import app


def _run(arguments: str, typed: str) -> str:
    result = CliRunner().invoke(app, arguments.split(), input=typed)
    assert result.exit_code in (0, 130), result.output
    return result.output


def test_play_shows_what_the_role_knows() -> None:
    shown = _run("play monty-hall --seconds 0.05 --seed 3", "f\nw (hide 1)\n1\n2\n")
    first, _, rest = shown.partition("(choose 1)  2 (choose 2)")
    assert "car     ?  ?  ?" in first and "(car 1) 33 %, (car 2) 33 %, (car 3) 33 %" in first
    assert "certain: (step 2)" in rest
    assert "(hide 1) is not legal for candidate. The reason may be hidden from you" in rest
    middle, _, end = rest.partition("the whole state at the end")
    assert "turn 3: you noop, you see (goat" in middle and " 67 %" in middle
    assert "the match is over: candidate" in end


def test_a_cheat_sees_all() -> None:
    shown = _run("play monty-hall --seconds 0.05 --seed 3 --cheat", "1\n2\n")
    assert "turn 1: random (hide 3)" in shown and "?  ?" not in shown


@pytest.mark.parametrize("player", ["mac-ucb", "random"])
def test_a_match_with_a_person_tells_nothing_of_the_others(player: str) -> None:
    shown = _run(f"match kuhn-poker human {player} --seed 3 --play-clock 0.1 --start-clock 0.5", "q\n")
    told = shown.partition("1 bet")[0]
    assert "random (deal" not in told and "expects" not in shown
    assert "you see (dealt 3)" in told and "(card second 1) 50 %" in told


def test_people_at_one_terminal_are_asked_to_look_away() -> None:
    shown = _run("match kuhn-poker human human --seed 3", "\n1\n\n1\n")
    assert shown.count("press Enter when nobody else looks") == 2
    assert "you see (dealt 3)" in shown.partition("second:")[0]
