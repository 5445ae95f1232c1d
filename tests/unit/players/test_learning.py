"""Values learned in the start clock: the net fits what it is told, and is judged before it learns."""

from __future__ import annotations

import time

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.players import Task
from woodstock.players.learning import Lesson
from woodstock.players.search_player import SearchPlayer
from woodstock.players.searcher import Budget, TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec


@pytest.fixture(scope="module")
def searcher() -> TreeSearcher:
    found = make_searcher(woodstock.load("tic-tac-toe"), parse_spec("mac-ucb:seed=1,c=0.5,minimax=0,proofs=off"))
    assert isinstance(found, TreeSearcher)
    found.prepare(None)
    return found


def _taught(searcher: TreeSearcher, game: woodstock.Game, steps: int) -> _native.ValueLearner:
    learner = _native.ValueLearner(searcher.circuit, seed=3)
    searcher.native.forget()
    searcher.think(game.initial, "x", Budget(simulations=200_000), None)
    assert searcher.native.teach(learner, 1, [0, 1]) > 200
    learner.train(steps)
    return learner


def test_a_net_learns_what_the_search_says(searcher: TreeSearcher) -> None:
    game = searcher.game
    learner = _taught(searcher, game, 200_000)
    # x has two in a row and it is its turn, then the same for o.
    for moves, winner in (("11 21 12 22", 0), ("11 22 31 21 13", 1)):
        state = game.initial
        for turn, cell in enumerate(moves.split()):
            mover = "xo"[turn % 2]
            state = state.next({role: f"(mark {cell[0]} {cell[1]})" if role == mover else "noop" for role in "xo"})
        values = learner.values(packed(state))
        assert values[winner] > 0.7 > 0.3 > values[1 - winner], (moves, values)


def test_the_same_seed_gives_the_same_net(searcher: TreeSearcher) -> None:
    first = _taught(searcher, searcher.game, 5000)
    second = _native.ValueLearner(searcher.circuit, seed=3)
    searcher.native.teach(second, 1, [0, 1])
    second.train(5000)
    initial = packed(searcher.game.initial)
    assert first.values(initial) == second.values(initial)


def test_states_are_predicted_before_they_are_learned_from(searcher: TreeSearcher) -> None:
    learner = _taught(searcher, searcher.game, 200_000)
    untaught = learner.accuracy()
    assert untaught["states"] > 20
    searcher.native.teach(learner, 1, [0, 1])
    again = learner.accuracy()
    assert again["net_error"] < untaught["net_error"], "the same states again are known"


def test_a_net_that_does_not_pay_stays_out() -> None:
    assert not Lesson(10.0, 5, 1000, 0.1, 0.02, 0.02, 0.0).pays
    assert not Lesson(10.0, 5, 1000, 0.03, 0.02, 0.0195, 0.2).pays
    assert Lesson(10.0, 5, 1000, 0.02, 0.02, 0.012, 0.5).pays


def test_the_start_clock_holds_while_a_player_learns() -> None:
    game = woodstock.load("connect-four")
    assert isinstance(game.engine, CircuitEngine)
    player = SearchPlayer("mac-ucb:learn=yes")
    begun = time.monotonic()
    player.start(Task(game, game.roles[0], seed=1), begun + 3.5)
    assert time.monotonic() - begun < 4.0
    assert player.lesson is not None
    assert player.lesson.states > 100
    assert player.move(game.initial, time.monotonic() + 0.2).move in game.initial.legal(game.roles[0])
    player.stop(None)
