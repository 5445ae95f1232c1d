"""Plans for games of one role: found by each search, checked on the engine, stopped when asked."""

from __future__ import annotations

import time

import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.players.plan import Planner
from woodstock.players.plan_mask import step_mask

# A row of lamps; a button switches its lamp and its neighbours. All must burn before the steps run out.
LAMPS = """
(role robot) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5)
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(init (step 1))
(<= (near ?x ?x) (lamp ?x)) (<= (near ?x ?y) (lamp ?x) (lamp ?y) (succ ?x ?y))
(<= (near ?x ?y) (lamp ?x) (lamp ?y) (succ ?y ?x))
(<= (legal robot (press ?x)) (lamp ?x))
(<= (switched ?y) (does robot (press ?x)) (near ?x ?y))
(<= (next (on ?x)) (switched ?x) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (not (switched ?x)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= dark (lamp ?x) (not (true (on ?x))))
(<= terminal (not dark)) (<= terminal (true (step 6)))
(<= (goal robot 100) (not dark)) (<= (goal robot 0) dark)
"""


def _play(game: woodstock.Game, moves: tuple[str, ...]) -> int | None:
    state = game.initial
    for move in moves:
        state = state.next([move])
    assert state.is_terminal
    return state.goals[game.roles[0]]


@pytest.mark.parametrize("use_clingo", [True, False])
def test_a_plan_reaches_the_best_goal(use_clingo: bool) -> None:
    game = woodstock.loads(LAMPS, "lamps")
    with Planner(game, use_clingo=use_clingo) as planner:
        planner.start()
        plan = planner.wait(30)
    assert plan is not None and plan.goal == 100 and plan.is_best
    assert _play(game, plan.moves) == 100


def test_clingo_alone_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = woodstock.loads(LAMPS, "lamps")
    planner = Planner(game)
    monkeypatch.setattr(planner, "_search_states", lambda *_given: None)
    planner.start(game.initial.next(["(press 1)"]))
    plan = planner.wait(30)
    planner.stop()
    assert plan is not None and plan.source == "clingo" and plan.goal == 100
    assert _play(game, ("(press 1)", *plan.moves)) == 100


def test_the_best_end_where_none_is_perfect() -> None:
    game = woodstock.loads(LAMPS.replace("(<= terminal (true (step 6)))", "(<= terminal (true (step 2)))"), "short")
    with Planner(game) as planner:
        planner.start()
        plan = planner.wait(30)
    assert plan is not None and plan.goal == 0 and plan.is_best  # all states were searched


def test_steps_are_told_apart_from_the_rest() -> None:
    game = woodstock.loads(LAMPS, "lamps")
    engine = game.engine
    assert isinstance(engine, CircuitEngine)
    start = engine.initial()
    assert isinstance(start, bytes)
    kept = engine.fluents(step_mask(engine, start))
    # The last step is never met, so nothing is known about it.
    assert kept - {"(step 7)"} == {fluent for fluent in game.fluents if fluent.startswith("(on")}


def test_stopping_is_quick() -> None:
    # Too many states to search: it must end because it is told to.
    many = " ".join(f"(lamp {i})" for i in range(10, 60))
    game = woodstock.loads(LAMPS.replace("(role robot)", f"(role robot) {many}"), "many")
    planner = Planner(game)
    planner.start()
    time.sleep(0.2)
    began = time.monotonic()
    planner.stop()
    assert not planner.is_running
    assert time.monotonic() - began < 20  # seconds, not the ten minutes of its budget


def test_errors() -> None:
    with pytest.raises(woodstock.GameError, match="plans are for games of one role"):
        Planner(woodstock.load("nim"))
