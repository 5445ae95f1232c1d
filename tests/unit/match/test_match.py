"""Matches: players by role, chance, events, clocks, steps back and forth, and the ends a match can have."""

from __future__ import annotations

import threading
import time

import pytest

import woodstock
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.information import InformationState
from woodstock.match import Match, MatchRecord, TurnInterrupted, play_match
from woodstock.match.events import (
    MatchEnded,
    MatchEvent,
    MatchStarted,
    MoveMade,
    SeatTaken,
    TakenBack,
    TurnPlayed,
    TurnStarted,
)
from woodstock.players import Player, Task
from woodstock.players.person import Person
from woodstock.players.search_player import SearchPlayer

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


def test_the_match_plays_chance_uniformly() -> None:
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
            self.end: InformationState | None = None

        def start(self, task: Task, deadline: float | None) -> None:
            super().start(task, deadline)
            assert task.role == "x" and deadline is not None and deadline <= time.monotonic() + task.start_clock_s

        def move(self, view: InformationState, deadline: float) -> str:
            self.moves.append(view.state.last_moves)
            return view.legal[-1]

        def stop(self, view: InformationState | None) -> None:
            self.end = view

    listener = Listener()
    record = play_match(game, [listener, "legal"], seed=2, start_clock_s=3, play_clock_s=0.5)
    assert listener.moves == [None, *record.moves[:-1]]
    assert listener.end is not None and listener.end.goal == record.goals["x"] and listener.end.is_over
    assert (listener.task.start_clock_s, listener.task.play_clock_s) == (3, 0.5)


class Slow(Player):
    """Thinks until it is interrupted."""

    def __init__(self) -> None:
        self.interrupted = threading.Event()
        self.asked = threading.Event()
        self.ends: list[InformationState | None] = []

    def move(self, view: InformationState, deadline: float) -> str:
        self.interrupted.clear()
        self.asked.set()
        self.interrupted.wait(deadline - time.monotonic())
        return view.legal[0]

    def interrupt(self) -> None:
        self.interrupted.set()

    def stop(self, view: InformationState | None) -> None:
        self.ends.append(view)


def test_a_match_goes_back_and_on(game: Game) -> None:
    heard: list[MatchEvent] = []
    with Match(game, ["legal", "legal"], seed=1, tell=heard.append) as match:
        while match.step():
            pass
        assert match.record.goals == {"x": 100, "o": 0}
        match.take_back(2)
        assert match.turn == 2 and not match.is_over and match.record.goals == {}
        assert heard[-1] == TakenBack(2, match.state)
        while match.step():
            pass
        assert match.record.goals == {"x": 100, "o": 0} and len(match.record.replay(game)) == match.turn + 1
        with pytest.raises(GameError, match="turns 0 to 7"):
            match.take_back(8)
        match.take_back(0)
        match.step()
    assert sum(isinstance(event, MatchStarted) for event in heard) == 1


def test_a_person_may_undo_and_leave(game: Game) -> None:
    class Leave(Exception):
        pass

    def ask(view: InformationState) -> str:
        if len(match.states) > 2:
            raise Leave
        return view.legal[-1]

    other = Slow()
    with Match(game, [Person(ask), other], seed=1, play_clock_s=100_000) as match:
        timer = threading.Timer(0.1, other.interrupt)
        timer.start()
        assert match.step() and match.state.last_moves == ("(mark 3 3)", "noop")
        timer.join()
        threading.Timer(0.1, other.interrupt).start()
        assert match.step()
        with pytest.raises(Leave):
            match.step()  # comes back because the other player is interrupted
        assert match.turn == 2
        match.take_back(0)
        assert match.state == game.initial
    assert match.record.reason == "aborted" and other.ends == [None]
    assert match.record.humans == ("x",)


def test_an_interrupt_gives_the_turn_up(game: Game) -> None:
    player = Slow()
    with Match(game, [player, "legal"], seed=1, play_clock_s=60) as match:
        threading.Timer(0.1, match.interrupt).start()
        with pytest.raises(TurnInterrupted):
            match.step()
        assert match.turn == 0
        match.seat("x", Person(lambda view: view.legal[0]))
        match.interrupt()
        with pytest.raises(TurnInterrupted):
            match.step()
        assert match.step() and match.turn == 1, "a player that was not started is started now"
    assert player.ends == [None], "the player that left was told so"


def test_a_seat_is_taken_over_and_given_back(game: Game) -> None:
    heard: list[MatchEvent] = []
    with Match(game, ["legal", "legal"], seed=1, tell=heard.append) as match:
        match.step()
        match.step()
        machine = match.seat("X", Person(lambda view: view.legal[-1]))
        assert machine.name == "legal" and match.players["x"].is_human
        match.step()
        assert match.state.last_moves == ("(mark 3 3)", "noop")
        match.seat("x", machine)
        while match.step():
            pass
    assert match.record.players["x"] == "legal then human then legal" and match.record.humans == ("x",)
    assert [event for event in heard if isinstance(event, SeatTaken)] == [
        SeatTaken("x", "human"),
        SeatTaken("x", "legal"),
    ]
    assert match.record.replay(game)[-1].is_terminal


def test_a_player_that_follows_moves_cannot_jump(game: Game) -> None:
    with Match(game, ["legal", "legal"], seed=1) as match:
        match.step()
        with pytest.raises(GameError, match="cannot join"):
            match.seat("x", "http://127.0.0.1:1")
        later = match.state
    with pytest.raises(GameError, match="cannot join"):
        Match(game, ["http://127.0.0.1:1", "legal"], state=later)


def test_a_match_may_begin_in_any_state(game: Game) -> None:
    state = game.initial.next(["(mark 2 2)", "noop"])
    record = play_match(game, ["legal", "legal"], seed=1, state=state)
    assert record.moves[0][0] == "noop" and not record.is_from_start
    again = MatchRecord.from_json(record.as_json())
    assert again == record and again.replay(game)[0] == state


def test_an_opening_is_drawn_from_its_own_seed(game: Game) -> None:
    def first_turns(seed: int, opening_seed: int) -> tuple[tuple[str, ...], ...]:
        record = play_match(game, ["random", "legal"], seed=seed, opening=3, opening_seed=opening_seed)
        assert record.opening == 3 and record.seed == seed
        return record.moves[:3]

    assert first_turns(1, 7) == first_turns(2, 7)
    assert len({first_turns(1, opening_seed) for opening_seed in range(5)}) > 1


def test_a_clock_of_processor_time_bounds_the_search() -> None:
    game = woodstock.load("connect-four")
    player = SearchPlayer("mac-ucb")
    thoughts = []

    def tell(event: MatchEvent) -> None:
        if isinstance(event, MoveMade) and event.thought is not None:
            thoughts.append(event.thought)

    play_match(game, [player, "legal"], seed=1, clock="cpu", play_clock_s=0.05, max_turns=1, tell=tell)
    # Seconds of a search are wall time; on a busy machine they are many times the processor time, but never less.
    assert thoughts[0].simulations > 100 and thoughts[0].seconds >= 0.04
    with pytest.raises(GameError, match="wall or cpu"):
        play_match(game, ["legal", "legal"], clock="sun")


def test_simulations_take_the_place_of_the_clock() -> None:
    game = woodstock.load("connect-four")
    records = [play_match(game, ["uct", "legal"], seed=1, simulations=500, max_turns=3) for _ in range(2)]
    assert records[0].moves == records[1].moves
    assert records[0].plies[0].thoughts["red"]["statistics"]["simulations"] >= 500


def test_one_player_cannot_sit_in_two_seats(game: Game) -> None:
    player = SearchPlayer("legal")
    with pytest.raises(GameError, match="two seats"):
        play_match(game, [player, player])


def test_a_match_ends_with_a_score_where_the_rules_give_no_goal() -> None:
    rules = """
    (role a) (role b) (init (n 1)) (<= (legal ?r go) (role ?r)) (<= (next (n 2)) (does a go)) (<= terminal (true (n 2)))
    (<= (goal a 30) (true (n 2))) (<= (goal a 70) (true (n 2)))
    """
    record = play_match(woodstock.loads(rules), ["legal", "legal"])
    assert record.reason == "terminal" and record.goals == {"a": 30, "b": 0}
