"""Plans for games of one role: found by each search, checked on the engine, stopped when asked."""

from __future__ import annotations

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.players.plan import Plan, Planner
from woodstock.players.plan_follower import PlanFollower
from woodstock.players.plan_mask import step_mask
from woodstock.players.plan_projection import is_out_of_reach, possible_fluents, project
from woodstock.players.plan_reduction import reduce
from woodstock.players.plan_strategies import STRATEGIES, StateSearches, Strategy, recursive_atoms

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


def _play(game: woodstock.Game, moves: tuple[str, ...]) -> int:
    state = game.initial
    for move in moves:
        state = state.next([move])
    assert state.is_terminal
    return state.scores[game.roles[0]]


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


def test_stopping_ends_the_searches() -> None:
    # Too many states to search, and no limit of time: it ends because it is told to.
    many = " ".join(f"(lamp {i})" for i in range(10, 60))
    game = woodstock.loads(LAMPS.replace("(role robot)", f"(role robot) {many}"), "many")
    planner = Planner(game, seconds=100_000)
    planner.start()
    assert planner.is_running
    planner.stop()
    assert not planner.is_running


def test_errors() -> None:
    with pytest.raises(woodstock.GameError, match="plans are for games of one role"):
        Planner(woodstock.load("nim"))


# Twelve lamps with a button each. The best goal needs a key that lies behind a lock nobody opens.
LOCKED = """
(role robot) (init lock) (init (step 0))
{lamps} {steps}
(<= (legal robot (press ?x)) (lamp ?x)) (legal robot take)
(<= (next (on ?x)) (does robot (press ?x)) (not (true (on ?x))))
(<= (next (on ?x)) (true (on ?x)) (not (does robot (press ?x))))
(<= (next lock) (true lock)) (<= (next key) (does robot take) (not (true lock)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 40)))
(<= (goal robot 100) (true key)) (<= (goal robot 30) (not (true key)) (true (on 1)))
(<= (goal robot 0) (not (true key)) (not (true (on 1))))
""".format(
    lamps=" ".join(f"(lamp {i})" for i in range(1, 13)), steps=" ".join(f"(succ {i} {i + 1})" for i in range(40))
)


def test_a_goal_behind_a_lock_is_ruled_out() -> None:
    game = woodstock.loads(LOCKED, "locked")
    with Planner(game, use_clingo=False) as planner:
        planner.start()
        plan = planner.wait(60)
    assert plan is not None and plan.goal == 30 and plan.is_best
    assert _play(game, plan.moves) == 30


@pytest.mark.parametrize(("is_first", "goal"), [(True, 60), (False, 100)])
@pytest.mark.parametrize("left_out", ["_search_states", "_run_clingo"])
def test_of_several_goals_the_first_rule_counts(
    is_first: bool, goal: int, left_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever has 100 has 60 as well: the rule that comes first counts, so 100 is out of reach if that of 60 does.
    other, both = "(<= (goal robot 60) (not dark))", "(<= (goal robot 100) (not dark))"
    game = woodstock.loads(LAMPS.replace(both, f"{other} {both}" if is_first else f"{both} {other}"), "twice")
    planner = Planner(game)
    monkeypatch.setattr(planner, left_out, lambda *_given: None)
    planner.start()
    plan = planner.wait(30)
    planner.stop()
    assert plan is not None and plan.goal == goal and plan.is_best
    assert _play(game, plan.moves) == goal


def test_a_goal_whose_time_is_over_is_ruled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two presses light all lamps, at step 3. 100 is for step 2, so 70, which can be had until step 5, is the best;
    # that is known long before every match is over.
    lit = "(<= (goal robot {0}) (not dark) (true (step {1})))"
    goals = lit.format(100, 2) + "".join(lit.format(70, step) for step in (3, 4, 5))
    text = LAMPS.replace("(<= (goal robot 100) (not dark))", goals).replace("(true (step 6))", "(true (step 60))")
    text += "".join(f"(succ {n} {n + 1})" for n in range(7, 60))
    planner = Planner(woodstock.loads(text, "early"))
    monkeypatch.setattr(planner, "_search_states", lambda *_given: None)
    planner.start()
    plan = planner.wait(30)
    planner.stop()
    assert plan is not None and plan.goal == 70 and plan.is_best and len(plan.moves) == 2


def _search(game: woodstock.Game, goal: int, strategy: Strategy) -> _native.StateSearch:
    engine = game.engine
    assert isinstance(engine, CircuitEngine)
    ground, start = engine.ground, engine.initial()
    assert isinstance(start, bytes)
    atom = next(atom for _role, value, atom in ground.goals if value == goal)
    options = strategy.options(goal, (), 64)
    rules = ground.native_rules()
    costs = _native.AdditiveCost(rules, recursive_atoms(ground), atom, start)
    return _native.StateSearch(engine.circuit, rules, start, options, goal_atom=atom, additive=costs)


@pytest.mark.parametrize("how", ["additive", "lucky", "narrow"])
def test_each_way_of_searching_finds_the_lamps(how: str) -> None:
    game = woodstock.loads(LAMPS, "lamps")
    is_narrow, is_lucky = how == "narrow", how == "lucky"
    search = _search(game, 100, Strategy(how, is_additive=not is_narrow, is_narrow=is_narrow, is_restless=is_lucky))
    assert search.run(30) == "found"
    assert _play(game, tuple(game.moves("robot")[move] for move in search.best_plan)) == 100


def test_additive_costs_rule_out_no_goal_that_can_be_reached() -> None:
    # From each state that is met at random: where the search is over without the goal, no way leads there.
    for steps in (2, 4, 5):
        text = LAMPS.replace("(<= terminal (true (step 6)))", f"(<= terminal (true (step {steps})))")
        game = woodstock.loads(text, "lamps")
        is_found = _search(game, 100, Strategy("additive", is_additive=True)).run(30) == "found"
        states, is_reached = {game.initial}, False
        while states:
            is_reached |= any(state.is_terminal and state.goals["robot"] == 100 for state in states)
            states = {state.next([move]) for state in states if not state.is_terminal for move in state.legal("robot")}
        assert is_found == is_reached, steps


def test_a_plan_at_hand_is_kept_until_a_better_one_leads_on() -> None:
    game = woodstock.loads(LAMPS, "lamps")
    found: list[Plan | None] = [Plan(("(press 1)", "(press 2)"), 40, False, "fake", 0.0)]

    class Fake:
        def poll(self) -> Plan | None:
            return found[0]

        def start(self, _state: woodstock.State) -> None:
            found[0] = None

    follower = PlanFollower(game.initial, Fake())  # type: ignore[arg-type]
    first = game.initial
    assert follower.move(first) == ("(press 1)", found[0])
    second = first.next(["(press 1)"])
    follower.restart(second)
    kept = follower.move(second)
    assert kept is not None and kept[0] == "(press 2)", "the planner has nothing yet"
    found[0] = Plan(("(press 5)",), 20, False, "fake", 0.0)
    assert follower.move(second) == kept, "the plan at hand is better"
    found[0] = Plan(("(press 4)",), 100, True, "fake", 0.0)
    assert follower.move(second) == ("(press 4)", found[0])
    third = second.next(["(press 3)"])
    follower.restart(third)
    assert follower.move(third) is None, "off every plan"


def test_what_cannot_matter_is_left_out() -> None:
    """Of three boards two count, so 27 moves do nine different things; a plan is one of the whole game."""
    game = woodstock.load("buttons-and-lights-3")
    assert game.ground is not None
    reduction = reduce(game.ground, 100)
    assert reduction is not None and len(reduction.moves) == 9
    assert set(reduction.ground.fluents) == {f for f in game.ground.fluents if not f.startswith("(on 3 ")}
    small = CircuitEngine(reduction.ground)
    state = game.initial
    inner = small.initial()
    assert inner == reduction.state(packed(state))
    for button in "abcab":
        state = state.next([f"(press {button} {button} c)"])
        inner = small.next(inner, [f"(press {button} {button} a)"])
        assert inner == reduction.state(packed(state)) and small.is_terminal(inner) == state.is_terminal
    assert reduce(woodstock.loads(LAMPS, "lamps").engine.ground, 100) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "strategy", "most"), [("sudoku", "pruned", 200), ("hunter-big", "careful", 5000)])
def test_puzzles_of_the_competition_are_solved_by_few_states(name: str, strategy: str, most: int) -> None:
    engine = woodstock.load(name).engine
    assert isinstance(engine, CircuitEngine)
    searches = StateSearches(engine, packed(woodstock.load(name).initial), aim=100, memory_mb=256)
    search = searches.search(next(one for one in STRATEGIES if one.name == strategy))
    assert search.run(60.0) == "found" and search.best_goal == 100
    assert search.expanded < most


def test_an_end_with_several_goals_counts_as_in_a_match() -> None:
    text = LAMPS.replace("(<= (goal robot 0) dark)", "(goal robot 0)")
    with Planner(woodstock.loads(text, "lamps"), use_clingo=False) as planner:
        planner.start()
        plan = planner.wait(30)
    assert plan is not None and plan.goal in (0, 100)
    state = woodstock.loads(text, "lamps").initial
    for move in plan.moves:
        state = state.next([move])
    assert state.scores["robot"] == plan.goal


# Three tiles and a blank on 2 x 2 fields. The rest of the text is the steps at which the tiles in order count 100.
TILES = """
(role robot) (init (step 0)) (init (cell 1 1 b)) (init (cell 1 2 1)) (init (cell 2 1 3)) (init (cell 2 2 2))
(near 1 1 1 2) (near 1 1 2 1) (near 1 2 2 2) (near 2 1 2 2)
(<= (next_to ?a ?b ?c ?d) (near ?a ?b ?c ?d)) (<= (next_to ?c ?d ?a ?b) (near ?a ?b ?c ?d))
(<= (legal robot (slide ?x ?y)) (true (cell ?u ?v b)) (next_to ?x ?y ?u ?v))
(<= (next (cell ?x ?y b)) (does robot (slide ?x ?y)))
(<= (next (cell ?u ?v ?t)) (does robot (slide ?x ?y)) (true (cell ?u ?v b)) (true (cell ?x ?y ?t)))
(<= (next (cell ?u ?v ?t)) (does robot (slide ?x ?y)) (true (cell ?u ?v ?t)) (distinct ?t b)
    (or (distinct ?u ?x) (distinct ?v ?y)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= inorder (true (cell 1 1 1)) (true (cell 1 2 b)) (true (cell 2 2 2)))
(<= terminal inorder) (<= terminal (true (step 20)))
(<= (goal robot 99) inorder (not perfect)) (<= (goal robot 0) (not inorder))
(<= (goal robot 100) inorder perfect)
""" + " ".join(f"(succ {n} {n + 1})" for n in range(20))


@pytest.mark.parametrize(("step", "is_odd"), [(4, False), (5, True), (6, False)])
def test_a_part_of_the_game_shows_that_a_goal_is_out_of_reach(step: int, is_odd: bool) -> None:
    # The blank is next to its place, so no even number of moves brings it there; the tiles do not matter for that.
    game = woodstock.loads(TILES + f"(<= perfect (true (step {step})))", "tiles")
    assert game.ground is not None
    for goal, is_proven in ((100, not is_odd), (99, False)):
        part = project(game.ground, goal)
        assert part is not None and {game.ground.fluents[f] for f in part.fluents} == {
            fluent for fluent in game.ground.fluents if fluent.endswith("b)") or fluent.startswith("(step")
        }
        engine = CircuitEngine(part.ground)
        assert is_out_of_reach(engine, part.state(packed(game.initial)), goal) == is_proven


def test_a_goal_at_the_wrong_step_does_not_hide_the_next_best() -> None:
    game = woodstock.loads(TILES + "(<= perfect (true (step 4)))", "tiles")
    planner = Planner(game, use_clingo=False)
    planner._examine(packed(game.initial), 100, planner._stopped)
    assert planner._goals == [99, 0]


def test_costs_keep_the_rules_that_matter() -> None:
    # A row of switches that nothing depends on, and a door that can never open.
    idle = "(switch 1) (switch 2) (<= (legal robot (flip ?x)) (switch ?x)) (<= (next (up ?x)) (does robot (flip ?x)))"
    door = "(<= (next open) (true open)) (<= (next (on 1)) (true open) (does robot (flip 1)))"
    rules = []
    for text in (LAMPS, LAMPS + idle + door):
        ground = woodstock.loads(text, "lamps").ground
        assert ground is not None
        atom = next(atom for _role, value, atom in ground.goals if value == 100)
        start = packed(woodstock.loads(text, "lamps").initial)
        rules.append(_native.AdditiveCost(ground.native_rules(), recursive_atoms(ground), atom, start).rule_count)
    assert rules[0] == rules[1] > 0


def test_fluents_that_never_hold_are_found() -> None:
    # Moves that are legal on three fields only keep the token there, but each field alone does not show it.
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(1, 30))
    text = f"""
    (role robot) (init (at 1)) (field 1) (field 2) (field 3) {succ}
    (<= (legal robot right) (true (at ?x)) (succ ?x ?y) (field ?y))
    (<= (legal robot left) (true (at ?x)) (succ ?y ?x) (field ?y))
    (<= (next (at ?y)) (does robot right) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?y)) (does robot left) (true (at ?x)) (succ ?y ?x))
    (<= (next lit) (does robot left) (true (at 3))) (<= (next twice) (true lit) (does robot right))
    (<= terminal (true twice)) (<= (goal robot 100) (true twice)) (<= (goal robot 0) (not (true twice)))
    """
    game = woodstock.loads(text, "track")
    engine = game.engine
    assert isinstance(engine, CircuitEngine)
    part = project(engine.ground, 100)
    assert part is not None
    possible = possible_fluents(part, packed(game.initial))
    assert possible is not None
    assert {f for f in engine.fluents(possible) if f in game.fluents} == {"(at 1)", "(at 2)", "(at 3)", "lit", "twice"}
    searches = StateSearches(engine, packed(game.initial), aim=100, memory_mb=256)
    searches.leave_out(possible)
    search = searches.search(next(one for one in STRATEGIES if one.name == "additive"))
    assert search.run(10.0) == "found" and search.best_goal == 100
