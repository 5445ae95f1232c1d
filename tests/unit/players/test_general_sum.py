"""Two players whose goals do not add up to the same: each looks at its own goal first, then at the other's."""

from __future__ import annotations

import pytest

import woodstock

# `kind` and `mean` bring the chooser the same; `dear` costs it a little and the other everything.
GIFT = """
(role giver) (role taker) (init start)
(<= (legal giver ?m) (true start) (brings ?m ?own ?other)) (legal taker noop)
(<= (next (made ?m)) (does giver ?m))
(brings kind 60 100) (brings mean 60 10) (brings dear 50 0)
(<= terminal (true (made ?m)))
(<= (goal giver ?own) (true (made ?m)) (brings ?m ?own ?other))
(<= (goal taker ?other) (true (made ?m)) (brings ?m ?own ?other))
"""

# Both walk at once, ten steps each, and score for themselves: the right step of each turn is worth ten.
STEPS = """
(role left) (role right) (init (turn 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(step a) (step b) (step c) (step d) (step e) (step f)
(init (score left 0)) (init (score right 0))
(<= (legal ?p ?s) (role ?p) (step ?s))
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
(<= (next (score ?p ?m)) (does ?p c) (true (score ?p ?n)) (succ ?n ?m))
(<= (next (score ?p ?n)) (does ?p ?s) (distinct ?s c) (true (score ?p ?n)))
(<= terminal (true (turn 10)))
(<= (goal ?p ?g) (true (score ?p ?n)) (worth ?n ?g))
(worth 0 0) (worth 1 10) (worth 2 20) (worth 3 30) (worth 4 40) (worth 5 50) (worth 6 60) (worth 7 70) (worth 8 80)
(worth 9 90) (worth 10 100)
"""


@pytest.mark.parametrize(("player", "moves"), [("mac-ucb", {"mean"}), ("mac-ucb:rivalry=0", {"kind", "mean"})])
def test_the_own_goal_comes_first_then_that_of_the_other(player: str, moves: set[str]) -> None:
    decision = woodstock.search(woodstock.loads(GIFT).initial, player, simulations=2000)
    assert decision.move in moves
    assert decision.values["giver"] == 60
    assert {move.move: move.value for move in decision.moves} == {"kind": 60, "mean": 60, "dear": 50}


@pytest.mark.parametrize("player", ["mac-ucb", "uct"])
def test_roles_with_goals_of_their_own_find_their_own_best_step(player: str) -> None:
    state = woodstock.loads(STEPS).initial
    for _ in range(3):
        decisions = {role: woodstock.search(state, player, role=role, simulations=30_000) for role in ("left", "right")}
        assert {role: decision.move for role, decision in decisions.items()} == {"left": "c", "right": "c"}
        # They choose by their own moves, so nothing is mixed while outcomes are open.
        assert not any(decision.strategy for decision in decisions.values())
        state = state.next({role: decision.move for role, decision in decisions.items()})
