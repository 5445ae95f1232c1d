"""Analyses: what they report, that watchers share them, and that they end when nobody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import woodstock
from woodstock.game.state import State
from woodstock.players.decision import SearchInfo
from woodstock.web.analysis.analysts import AnalysisLimits, Analysts
from woodstock.web.analysis.review import review
from woodstock.web.analysis.searchers import Searchers, infos_of

JsonObject = dict[str, Any]


class Ear:
    """Keeps what it hears; `wait` returns the first message that fits."""

    def __init__(self) -> None:
        self.heard: list[JsonObject] = []
        self._changed = threading.Condition()

    def __call__(self, message: JsonObject) -> None:
        with self._changed:
            self.heard.append(message)
            self._changed.notify_all()

    def wait(self, kind: str, fits: Callable[[JsonObject], bool] = lambda _: True, seconds: float = 20.0) -> JsonObject:
        def found() -> JsonObject | None:
            return next((m for m in self.heard if m["type"] == kind and fits(m)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, seconds), f"no {kind} in {self.heard}"
        message = found()
        assert message is not None
        return message


def _stops(analysts: Analysts, seconds: float = 5.0) -> bool:
    ends_at = time.monotonic() + seconds
    while analysts.running and time.monotonic() < ends_at:
        time.sleep(0.005)
    return analysts.running == 0


@pytest.fixture(scope="module")
def tic_tac_toe() -> State:
    return woodstock.load("tic-tac-toe").initial


def test_a_small_game_is_proven_and_agrees_with_the_solver(tic_tac_toe: State) -> None:
    state = tic_tac_toe.next(["(mark 1 1)", "noop"])
    ear = Ear()
    watch = Analysts().watch([state], ear)
    proven = ear.wait("search", lambda message: message["is_proven"])
    exact = woodstock.solve_game(state)
    assert {one["role"]: one["value"] for one in proven["roles"]} == {r: float(v) for r, v in exact.values.items()}
    solution = ear.wait("solution")
    best = {move.move for move in exact.best_moves if move.role == "o"}
    assert {m["move"] for m in solution["moves"] if m["role"] == "o" and m["is_best"]} == best
    assert ear.wait("done")["reason"] == "proven"
    watch.close()


def test_facts_about_a_state(tic_tac_toe: State) -> None:
    ear = Ear()
    watch = Analysts().watch([tic_tac_toe], ear)
    classes = ear.wait("symmetries")["classes"]["x"]
    assert sorted(map(len, classes)) == [4, 4]  # corners and sides
    playouts = ear.wait("playouts")
    assert playouts["count"] == sum(playouts["goals"]["x"]["histogram"].values()) > 0
    assert 7 < playouts["length"] < 8
    assert ear.wait("network")["variables"] > 0
    watch.close()


def test_lines_have_the_moves_of_every_role_that_chooses() -> None:
    ear = Ear()
    watch = Analysts().watch([woodstock.load("connect-four-simultaneous").initial], ear)
    message = ear.wait("search")
    assert [one["role"] for one in message["roles"]] == ["red", "black"]
    for one in message["roles"]:
        assert one["count"] == 7
        assert all(low <= one["value"] <= high for low, high in [one["interval"]] if one["interval"])
        assert one["moves"][0]["line"][0][0].startswith("(drop")
    watch.close()


def test_watchers_of_a_state_share_one_search_which_ends_with_the_last() -> None:
    analysts = Analysts()
    state = woodstock.load("connect-four").initial
    first, second = Ear(), Ear()
    watches = [analysts.watch([state], first), analysts.watch([state], second)]
    first.wait("search")
    second.wait("search")
    assert analysts.running == 1
    watches[0].close()
    heard = len(first.heard)
    count = len(second.heard)
    second.wait("search", lambda message: message in second.heard[count:])
    assert len(first.heard) <= heard + 1  # one may have been on its way
    watches[1].close()
    assert _stops(analysts)


def test_no_more_searches_than_allowed() -> None:
    analysts = Analysts(AnalysisLimits(most=1))
    state = woodstock.load("connect-four").initial
    first, second = Ear(), Ear()
    one = analysts.watch([state], first)
    first.wait("search")
    other = analysts.watch([state.next(["(drop 1)", "noop"])], second)
    assert second.wait("waiting")["before"] == 1
    assert analysts.running == 1
    one.close()
    second.wait("search")
    other.close()
    assert _stops(analysts)


def test_a_terminal_state_reports_its_scores(tic_tac_toe: State) -> None:
    state = tic_tac_toe
    for number, cell in enumerate(("1 1", "1 2", "2 1", "2 2", "3 1")):
        moves = [f"(mark {cell})", "noop"]
        state = state.next(moves if number % 2 == 0 else moves[::-1])
    ear = Ear()
    Analysts().watch([state], ear)
    assert ear.wait("end")["scores"] == {"x": 100, "o": 0}


def test_the_interpreter_can_be_analysed_too() -> None:
    ear = Ear()
    state = woodstock.load("tic-tac-toe", engine="interpreter").initial
    watch = Analysts(AnalysisLimits(seconds=1.0)).watch([state], ear)
    message = ear.wait("search")
    assert message["roles"][0]["count"] == 9
    assert "not grounded" in ear.wait("symmetries")["problem"]
    watch.close()


def test_a_search_whose_tree_is_not_made_yet_reports_one_role(tic_tac_toe: State) -> None:
    searcher = Searchers().take(tic_tac_toe.game)
    sampled = SearchInfo("x", (), {"x": 50.0, "o": 50.0}, statistics={"simulations": 3})
    assert infos_of(searcher, sampled, ["x", "o"]) == [sampled]


def test_review_marks_the_move_that_lost(tic_tac_toe: State) -> None:
    states = [tic_tac_toe]
    # o answers a corner at the side: that loses, as any solver knows.
    for joint in (["(mark 1 1)", "noop"], ["noop", "(mark 1 2)"], ["(mark 2 2)", "noop"], ["noop", "(mark 3 3)"]):
        states.append(states[-1].next(joint))
    found = list(review(states, Searchers(), seconds=2.0, is_wanted=lambda: True))
    assert [one["index"] for one in found] == [4, 3, 2, 1, 0]
    exact = [woodstock.solve_game(state).values for state in states]
    for one in found:
        assert one["values"] == {role: float(value) for role, value in exact[one["index"]].items()}
    losses = {(one["index"], loss["role"]): loss["kind"] for one in found for loss in one["losses"]}
    assert losses == {(1, "o"): "blunder"}


def test_review_ends_when_it_is_not_wanted(tic_tac_toe: State) -> None:
    assert list(review([tic_tac_toe], Searchers(), seconds=1.0, is_wanted=lambda: False)) == []


def test_hidden_things_are_not_used_by_an_analysis() -> None:
    """Monty Hall before the last move: who sees the car knows that staying wins, the candidate can hope for 2/3."""
    state = woodstock.load("monty-hall").initial
    states = [state]
    for moves in (["noop", "(hide 1)"], ["(choose 1)", "noop"], ["noop", "(open 3)"]):
        states.append(states[-1].next(moves))
    ear = Ear()
    watch = Analysts(AnalysisLimits(seconds=2.0)).watch(states, ear)
    found = ear.wait("search")
    ear.wait("done")
    assert "the rules hide things" in ear.wait("solution")["problem"]
    watch.close()
    (role,) = found["roles"]
    assert role["role"] == "candidate" and abs(role["value"] - 200 / 3) < 5
    assert not found["is_proven"] and not any(move["is_proven"] for move in role["moves"])
    assert "nothing is proven" in found["notes"][0]
    searchers = Searchers()
    reviews = list(review(states, searchers, seconds=1.0, is_wanted=lambda: True))
    assert not any(one["is_proven"] for one in reviews)
