"""The recorded matches of the bundled games are what their independent implementations play today."""

from __future__ import annotations

import pytest
from tests.reference.record import text_of
from tests.reference.traces import BUNDLED, FOLDER, Legal, bundled_lines

from woodstock.games import all_games


def test_every_bundled_game_has_a_trace() -> None:
    assert [game.name for game in all_games()] == BUNDLED


@pytest.mark.parametrize("name", BUNDLED)
def test_the_traces_are_up_to_date(name: str) -> None:
    assert (FOLDER / f"{name}.txt").read_text(encoding="utf-8") == text_of(name), "python -m tests.reference.record"


def test_what_a_line_says() -> None:
    lines = bundled_lines("monty-hall")
    assert [line.step for line in lines] == [0, 1, 2, 3, 4] * 2
    assert lines[0].legal is not None and [legal.count for legal in lines[0].legal] == [1, 3]
    assert lines[4].is_terminal and lines[4].goals in ([100, 0], [0, 0], [100, None], [0, None])
    recorded = Legal.of(["(b 2)", "(a 1)"])
    assert recorded.difference(["(A 1)", "(b 2)"]) == ""
    assert "1 legal moves (a 1), recorded 2" in recorded.difference(["(a 1)"])
