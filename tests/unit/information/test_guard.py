"""Every player plays every bundled game with `sees`, and nobody touches the full state."""

from __future__ import annotations

import pytest
from tests.unit.information.guard import guarded

import woodstock
from woodstock.game.game import Game
from woodstock.games import all_games
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState
from woodstock.match import Match, play_match
from woodstock.players import PLAYERS, Player

HIDDEN = [one.name for one in all_games() if "(sees" in one.read()]
# One of each kind of search is enough for `make test`; all of them with the slow tests.
QUICK = ["mac-ucb-sym", "uct", "random", "legal"]
# Takes its whole clock in every turn, also with a number of simulations: with the slow tests.
SLOW = {("mac-ucb-sym", "mastermind")}


def _play(game: Game, players: list[Player | str], max_turns: int = 12) -> list[str]:
    """Play a match with guarded states and return the forbidden touches and the failures."""
    start, touches = guarded(game)
    with Match(game, players, state=start, seed=1, simulations=30, play_clock_s=20.0, max_turns=max_turns) as match:
        while match.step():
            pass
        record = match.record
    return touches + [detail for ply in record.plies for detail in ply.details.values()]


@pytest.mark.parametrize(
    ("player", "name"), [(player, name) for player in QUICK for name in HIDDEN if (player, name) not in SLOW]
)
def test_no_player_touches_the_hidden_state(player: str, name: str) -> None:
    game = woodstock.load(name)
    assert _play(game, [player] * len(without_chance(game.roles))) == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("player", "name"),
    [(player, name) for player in sorted(PLAYERS) for name in HIDDEN if player not in QUICK or (player, name) in SLOW],
)
def test_none_of_all_players_touches_the_hidden_state(player: str, name: str) -> None:
    game = woodstock.load(name)
    assert _play(game, [player] * len(without_chance(game.roles)), max_turns=10_000) == []


def test_the_guard_finds_who_cheats() -> None:
    game = woodstock.load("kuhn-poker")

    class Cheat(Player):
        def move(self, view: InformationState, deadline: float) -> str:
            assert match.state.fluents
            return view.legal[0]

    start, touches = guarded(game)
    with Match(game, [Cheat(), "legal"], state=start, seed=1) as match:
        while match.step():
            pass
    assert len(touches) == match.turn - 1, "all turns but the first, which begins in a state that all know"
    assert {ply.errors[0] for ply in match.record.plies[1:]} == {"IN"}


def test_a_player_that_asks_for_the_state_gets_an_error_and_a_random_move() -> None:
    class Open(Player):
        def move(self, view: InformationState, deadline: float) -> str:
            return view.state.legal(self.task.role)[0]

    record = play_match(woodstock.load("monty-hall"), [Open()], seed=1)
    assert all("hide the state from candidate" in ply.details["candidate"] for ply in record.plies)
