"""The live screen of a match: it fits any terminal, and shows scores, lines and what went wrong."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.cli.match_screen import MatchScreen
from woodstock.game.state import State
from woodstock.match import events
from woodstock.players.decision import RootMove, SearchInfo
from woodstock.view import View

FOOTER = "t take over"


@pytest.fixture(scope="module")
def state() -> State:
    return woodstock.load("connect-four").initial


def _screen(state: State) -> MatchScreen:
    game = state.game
    screen = MatchScreen(game, View(game))
    line = tuple((f"(drop {1 + turn % 7})", "noop") for turn in range(30))
    moves = tuple(RootMove(f"(drop {n})", 1000 * n, 40.0 + n, (0, 100), (0, 100), n == 1, line) for n in range(1, 6))
    thought = SearchInfo("red", moves, {"red": 60.0, "black": 40.0}, False, 0.5, {"simulations": 120_000, "nodes": 999})
    screen.hear(events.MatchStarted("m", {"red": "mac-ucb-sym", "black": "uct"}, 5.0, 1.0, state))
    screen.hear(events.TurnStarted(1, state))
    screen.hear(events.PlayerThinks("red", thought))
    screen.hear(events.MoveMade(1, "red", "(drop 4)", 0.9, thought=thought))
    screen.hear(events.MoveMade(1, "black", "noop", 1.2, "TO", "no reply"))
    screen.hear(events.TurnPlayed(1, ("(drop 4)", "noop"), state.next(["(drop 4)", "noop"])))
    return screen


@pytest.mark.parametrize("width", [40, 80, 120, 200])
@pytest.mark.parametrize("height", [12, 24, 50])
def test_it_has_the_size_of_the_terminal(state: State, width: int, height: int) -> None:
    rows = str(_screen(state).draw(width, height, FOOTER)).split("\n")
    assert len(rows) == height and rows[-1] == FOOTER
    assert all(len(row) <= width for row in rows)
    assert rows[0].startswith("connect-four, turn 1")
    assert any("[r]" in row for row in rows), "the last move stands on the board"


@pytest.mark.parametrize(("width", "is_beside"), [(80, False), (200, True)])
def test_the_best_lines_stand_where_there_is_room(state: State, width: int, is_beside: bool) -> None:
    rows = str(_screen(state).draw(width, 24, FOOTER)).split("\n")
    first = next(row for row in rows if "(drop 1) (drop 2)" in row)
    assert (". " in first) == is_beside
    assert "41.0=" in first and "1,000" in first
    # Whole turns only, as many as fit.
    assert first.endswith(")") and len(first) <= width
    assert sum("(drop 1) (drop 2)" in row for row in rows) == 3
    assert any("120.0k simulations, 240.0k/s, 999 states" in row for row in rows)


def test_scores_clocks_and_failures_are_shown(state: State) -> None:
    screen = _screen(state)
    text = str(screen.draw(80, 24))
    assert "######.... " in text and " 60  (drop 4)" in text
    assert "####...... " in text and " 40  noop" in text, "what red expects for black, who says nothing"
    assert "1 TO (no reply in time)" in text
    screen.hear(events.SeatTaken("black", "human"))
    screen.hear(events.MatchEnded("turns", state, {}))
    text = str(screen.draw(80))
    assert "black  human" in text and "stopped: the match has lasted as long as it may" in text


def test_without_a_word_of_the_players_random_playouts_give_the_expected_scores(state: State) -> None:
    game = state.game
    screen = MatchScreen(game, View(game))
    screen.hear(events.MatchStarted("m", {"red": "random", "black": "random"}, 5.0, 1.0, state))
    screen.hear(events.TurnStarted(1, state))
    means = game.playouts(2000, state, seed=0).goal_means
    for role in game.roles:
        assert f" {means[role]:3.0f}" in str(screen.draw(80))
    won = state
    for column in (1, 2, 1, 2, 1, 2):
        drop = f"(drop {column})"
        won = won.next([drop if role in won.to_move else "noop" for role in game.roles])
    screen.hear(events.TurnPlayed(6, ("(drop 2)", "noop"), won))
    shown = game.playouts(2000, won, seed=0).goal_means
    assert shown["red"] != means["red"] and f" {shown['red']:3.0f}" in str(screen.draw(80))


def test_a_board_that_is_too_tall_leaves_a_row_for_the_roles() -> None:
    game = woodstock.load("connect-four-20x20")
    screen = MatchScreen(game, View(game))
    screen.hear(events.MatchStarted("m", dict.fromkeys(game.roles, "random"), 5.0, 1.0, game.initial))
    rows = str(screen.draw(80, 24, FOOTER)).split("\n")
    assert len(rows) == 24 and rows[-1] == FOOTER
    assert all(f"{role} random" in rows[1] for role in game.roles)
    assert rows[2].startswith("20 ")
