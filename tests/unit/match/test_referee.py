"""The referee: seats by role, chance, events, clocks and the ends a match can have."""

from __future__ import annotations

import time

import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match import play_match
from woodstock.match.events import MatchEnded, MatchEvent, MatchStarted, MoveMade, TurnPlayed, TurnStarted
from woodstock.players import Player, Task, make_player

DICE = """
(role random) (role ann) (init (step 1)) (face 1) (face 2) (face 3)
(<= (legal random (roll ?f)) (face ?f) (true (step ?s)))
(<= (legal ann (guess ?f)) (face ?f) (true (step ?s)))
(<= (next (rolled ?f)) (does random (roll ?f)))
(<= (next (guessed ?f)) (does ann (guess ?f)))
(<= terminal (true (rolled ?f)))
(<= (goal ann 100) (true (rolled ?f)) (true (guessed ?f)))
(<= (goal ann 0) (true (rolled ?f)) (true (guessed ?g)) (distinct ?f ?g))
(<= (goal ann 0) (true (step 1)))
(goal random 0)
"""
STUCK = """
(role a) (init (n 1)) (<= (legal a go) (true (n 1))) (<= (next (n 2)) (does a go)) (<= terminal (true (n 3))) (goal a 0)
"""
ENDLESS = "(role a) (init (n 1)) (legal a go) (<= (next (n 1)) (does a go)) (<= terminal (true (n 3))) (goal a 0)"


@pytest.fixture(scope="module")
def game() -> Game:
    return woodstock.load("tic-tac-toe")


def test_events_come_in_order(game: Game) -> None:
    heard: list[MatchEvent] = []
    record = play_match(game, ["legal", "legal"], seed=1, tell=heard.append)
    assert isinstance(heard[0], MatchStarted) and isinstance(heard[-1], MatchEnded)
    first = [type(event) for event in heard[1:5]]
    assert first == [TurnStarted, MoveMade, MoveMade, TurnPlayed]
    assert sum(isinstance(event, TurnPlayed) for event in heard) == len(record.plies)
    assert heard[-1].goals == record.goals == {"x": 100, "o": 0}


def test_chance_is_played_by_the_referee_uniformly() -> None:
    game = woodstock.loads(DICE)
    counts = {f"(roll {face})": 0 for face in (1, 2, 3)}
    for seed in range(300):
        record = play_match(game, ["random"], seed=seed, start_clock_s=1, play_clock_s=1)
        assert record.reason == "terminal"
        counts[record.moves[0][0]] += 1
    # Three standard deviations of a fair die.
    assert all(abs(count - 100) < 25 for count in counts.values()), counts


def test_seats_by_role_or_in_order(game: Game) -> None:
    record = play_match(game, {"O": "legal", "x": "random"}, seed=1)
    assert record.players == {"o": "legal", "x": "random"}
    with pytest.raises(GameError, match="needs 2 players"):
        play_match(game, ["legal"])
    with pytest.raises(GameError, match="no player for o"):
        play_match(game, {"x": "legal"})
    with pytest.raises(GameError, match="no role"):
        play_match(game, {"x": "legal", "q": "legal"})
    with pytest.raises(GameError, match="negative"):
        play_match(game, ["legal", "legal"], play_clock_s=-1)


@pytest.mark.parametrize(("rules", "reason"), [(STUCK, "stuck"), (ENDLESS, "turns")])
def test_a_match_that_does_not_end_by_itself(rules: str, reason: str) -> None:
    record = play_match(woodstock.loads(rules), ["legal"], max_turns=20)
    assert record.reason == reason and record.goals == {}


def test_a_seat_hears_the_moves_and_the_end(game: Game) -> None:
    class Listener(Player):
        def __init__(self) -> None:
            self.moves: list[tuple[str, ...] | None] = []
            self.end: State | None = None

        def start(self, task: Task, deadline: float | None) -> None:
            super().start(task, deadline)
            assert task.role == "x" and deadline is not None and deadline <= time.monotonic() + task.start_clock_s

        def move(self, state: State, deadline: float) -> str:
            self.moves.append(state.last_moves)
            return state.legal(self.task.role)[-1]

        def stop(self, state: State | None) -> None:
            self.end = state

    listener = Listener()
    record = play_match(game, [listener, "legal"], seed=2, start_clock_s=3, play_clock_s=0.5)
    assert listener.moves == [None, *record.moves[:-1]]
    assert listener.end is not None and listener.end.goals == record.goals
    assert (listener.task.start_clock_s, listener.task.play_clock_s) == (3, 0.5)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nobody", "no player 'nobody'"),
        ("utc", "Did you mean 'uct'"),
        ("uct:c=much", "must be"),
        ("human", "needs a terminal"),
        ("http://", "not the address"),
        ("http://host:port", "no proper port"),
        ("https://host:1", "plain http"),
        ("lib:nothing.so", "no such file"),
        ("python:nothing", "names no class"),
        ("python:no.module.Here", "cannot be imported"),
        ("python:time.Nothing", "has no class"),
        ("python:fractions.Fraction", "not a player"),
    ],
)
def test_a_player_that_cannot_be_made_says_why(spec: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        make_player(spec)
