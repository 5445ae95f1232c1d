"""What the published players make of few playouts: arms with chance, depths that are not complete, single playouts."""

from __future__ import annotations

import time

import woodstock
from woodstock.players.player import Task
from woodstock.players.search_player import SearchPlayer

# A bet, good or bad, and one of 150 numbers that mean nothing; then one of 50, and a good bet wins with ten of them.
BETS = f"""
(role gambler) (role random) {" ".join(f"(number {n})" for n in range(1, 151))}
{" ".join(f"(small {n})" for n in range(1, 51))} {" ".join(f"(lucky {n})" for n in range(1, 11))}
(init (step 1))
(<= (legal gambler (bet good)) (true (step 1))) (<= (legal gambler (bet bad)) (true (step 1)))
(<= (legal gambler noop) (true (step 2))) (<= (legal gambler noop) (true (step 3)))
(<= (legal random (draw ?n)) (true (step 1)) (number ?n))
(<= (legal random (roll ?n)) (true (step 2)) (small ?n))
(<= (legal random noop) (true (step 3)))
(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
(<= (next (drawn ?n)) (does random (draw ?n)))
(<= (next (bets ?b)) (does gambler (bet ?b))) (<= (next (bets ?b)) (true (bets ?b)))
(<= (next won) (true (bets good)) (does random (roll ?n)) (lucky ?n))
(<= terminal (true (step 3)))
(<= (goal gambler 100) (true won)) (<= (goal gambler 0) (not (true won)))
"""

# x threatens (mark 3 1): every move of o but that one loses at once.
THREAT = ["(cell 1 1 x)", "(cell 2 1 x)", "(cell 3 1 b)", "(cell 1 2 o)", "(cell 2 2 b)", "(cell 3 2 b)"]
THREAT += ["(cell 1 3 b)", "(cell 2 3 b)", "(cell 3 3 b)", "(control o)"]


def test_outcomes_without_a_playout_do_not_make_a_bet_look_better() -> None:
    """The better bet is below 1/2 and has most of the playouts; outcomes not met are worth what those met say."""
    state = woodstock.loads(BETS, "bets").initial
    for player in ("mac-ucb-2015", "mac-ucb-sym-2017"):
        decision = woodstock.search(state, player, role="gambler", simulations=80)
        assert decision.move == "(bet good)", player
        assert {m.move: m.value for m in decision.moves}["(bet bad)"] < 5


def test_playouts_stay_with_the_depth_that_counts() -> None:
    """In knight-through 2,000 playouts are too few for a second depth: all are for the moves of the root."""
    decision = woodstock.search(woodstock.load("knight-through").initial, "mac-ucb-sym-2017", simulations=2000)
    assert decision.statistics["depth"] == 1 and decision.statistics["stages"] > 10
    assert sum(move.visits for move in decision.moves) >= 1900


def test_what_is_exact_counts_beyond_the_depth() -> None:
    state = woodstock.load("tic-tac-toe").state(THREAT)
    decision = woodstock.search(state, "mac-ucb-sym-2017", role="o", simulations=100)
    assert decision.statistics["depth"] == 1
    assert {m.value for m in decision.moves if m.move != "(mark 3 1)"} == {0.0}
    assert decision.move == "(mark 3 1)"


def test_single_playouts_of_replies_do_not_count() -> None:
    """The best of a few single playouts is a win, which says nothing about the move that they answer."""
    start = woodstock.load("connect-four").initial
    for seed in range(4):
        decision = woodstock.search(start, f"mac-ucb-2015:samples=140,seed={seed}", simulations=150)
        assert all(move.value > 10 for move in decision.moves)


def test_cutting_the_tree_down_counts_as_thinking() -> None:
    """Freeing what the last move left out takes a tenth of the time of the search that made it."""
    game = woodstock.load("connect-four")
    player = SearchPlayer("uct-2016")
    player.start(Task(game, "red"), None)
    player.decide(game.initial, time.monotonic() + 30, cpu_seconds=0.4)
    state = game.initial.next(["(drop 1)", "noop"]).next(["noop", "(drop 1)"])
    begun = time.thread_time()
    player.decide(state, time.monotonic() + 30, cpu_seconds=0.05)
    spent = time.thread_time() - begun
    player.stop(None)
    assert spent < 0.06
