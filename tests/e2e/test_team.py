"""A player that spreads its search over a Dask cluster on loopback, and goes on alone when the cluster is gone."""

from __future__ import annotations

import time

import pytest
from tests.e2e.cluster import address_of, scheduler, worker

import woodstock
from woodstock.players import Task, parse_spec
from woodstock.players.decision import Decision, RootMove
from woodstock.players.options import PlayerError
from woodstock.players.search_player import SearchPlayer
from woodstock.players.team_searcher import TeamSearcher, add_up


def _decision(*moves: RootMove, simulations: int = 100, is_proven: bool = False) -> Decision:
    values = {"x": moves[0].value}
    return Decision("x", moves, values, is_proven, 0.1, {"simulations": simulations}, move=moves[0].move)


def _root(move: str, visits: int, value: float, low: float = 0.0, high: float = 100.0) -> RootMove:
    return RootMove(move, visits, value, (value - 10, value + 10), (low, high), low == high)


def test_roots_are_added_up() -> None:
    own = _decision(_root("a", 60, 50.0), _root("b", 40, 40.0))
    other = _decision(_root("b", 90, 70.0), _root("a", 10, 20.0), simulations=300)
    both = add_up([own, other])
    assert [(of.move, of.visits) for of in both.moves] == [("b", 130), ("a", 70)]
    assert both.moves[0].value == pytest.approx((40 * 40 + 90 * 70) / 130)
    assert both.moves[0].interval[1] - both.moves[0].interval[0] < 20, "two trees know more than one"
    assert both.simulations == 400 and both.move == "b"


def test_what_one_tree_proved_counts() -> None:
    own = _decision(_root("a", 90, 60.0), _root("b", 10, 40.0))
    won = _decision(_root("b", 5, 100.0, 100.0, 100.0), _root("a", 5, 50.0), is_proven=True)
    assert add_up([own, won]).move == "b" and add_up([own, won]).is_proven
    lost = _decision(_root("b", 50, 45.0), _root("a", 50, 0.0, 0.0, 0.0))
    assert add_up([own, lost]).move == "b", "a move that is proven lost is not made for its visits"


def test_moves_that_we_do_not_have_are_left_out() -> None:
    own = _decision(_root("a", 1, 50.0))
    assert [of.move for of in add_up([own, _decision(_root("z", 99, 90.0))]).moves] == ["a"]


@pytest.mark.parametrize("address", ["somewhere", "tcp://", "http://127.0.0.1:80"])
def test_an_address_must_be_one(address: str) -> None:
    with pytest.raises(PlayerError, match="option workers must be the address of a Dask scheduler"):
        parse_spec(f"mac-ucb:workers={address}")


def test_without_a_scheduler_the_player_searches_alone() -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    state = woodstock.load("tic-tac-toe").initial
    decision = woodstock.search(state, "mac-ucb:workers=tcp://127.0.0.1:1", simulations=2000)
    assert decision.move in state.legal("x") and decision.statistics["workers"] == 0


@pytest.mark.full
def test_workers_help_and_may_die() -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    game = woodstock.load("connect-four")
    state = game.initial
    with scheduler() as process:
        address = address_of(process)
        with worker(address) as first, worker(address) as second:
            player = SearchPlayer(f"mac-ucb-sym:workers={address}")
            try:
                player.start(Task(game, game.roles[0]), time.monotonic() + 20)
                searcher = player._searcher
                assert isinstance(searcher, TeamSearcher) and searcher.team is not None
                # Workers join when they are there; on a busy machine that takes a while.
                for _ in range(20):
                    helped = player.decide(state, time.monotonic() + 2).statistics["workers"]
                    if helped == 2:
                        break
                assert helped == 2 and searcher.team.problem is None
                assert player.decide(state, simulations=30_000).simulations >= 30_000
                once = woodstock.search(state, f"mac-ucb:workers={address}", simulations=300_000)
                assert once.statistics["workers"] == 2
                first.kill()
                first.wait()
                second.kill()
                second.wait()
                for _ in range(3):
                    deadline = time.monotonic() + 1.5
                    decision = player.decide(state, deadline)
                    assert decision.move in state.legal(game.roles[0])
                process.kill()
                process.wait()
                decision = player.decide(state, time.monotonic() + 1)
                assert decision.move in state.legal(game.roles[0]) and decision.statistics["workers"] == 0
            finally:
                player.stop(None)
