"""Exploitability of strategies: against known values, the definition, and OpenSpiel."""

from __future__ import annotations

import random
from functools import cache

import pytest
from tests.unit.equilibrium.brute_force import best_response, choices, values

import woodstock
from woodstock.equilibrium import (
    InformationTree,
    StateGraph,
    Strategy,
    exploitability,
    nash_conv,
    profile_values,
    tree_of,
    uniform,
)
from woodstock.equilibrium.regrets import minimise_regret
from woodstock.errors import BudgetExceeded, GameError
from woodstock.information import InformationState

_load = cache(woodstock.load)
# What one chip is worth in goals.
CHIPS = {"kuhn-poker": 25.0, "leduc-poker": 3.0}

# Two roles choose at once, then chance draws; one sees the draw, the other what was chosen. Goals do not add up.
ODD = """
(role a) (role b) (role random)
(init start)
(<= (legal ?r (say ?x)) (role ?r) (bit ?x) (true start))
(<= (legal a (guess ?x)) (bit ?x) (true middle))
(<= (legal b (guess ?x)) (bit ?x) (true middle))
(<= (legal random noop) (true middle))
(bit 0) (bit 1)
(<= (next middle) (true start))
(<= (next (said ?r ?x)) (does ?r (say ?x)))
(<= (next (said ?r ?x)) (true (said ?r ?x)))
(<= (next (guessed ?r ?x)) (does ?r (guess ?x)))
(<= (sees a (drawn ?x)) (does random (say ?x)))
(<= (sees b (heard ?x)) (does a (say ?x)))
(<= over (true (guessed ?r ?x)))
(<= terminal over)
(<= (goal a 90) (true (guessed a ?x)) (true (said b ?x)))
(<= (goal a 20) (true (guessed a ?x)) (true (said b ?y)) (distinct ?x ?y))
(<= (goal a 0) (not over))
(<= (goal b 70) (true (guessed b ?x)) (true (said random ?x)))
(<= (goal b 10) (true (guessed b ?x)) (true (said random ?y)) (distinct ?x ?y))
(<= (goal b 0) (not over))
(goal random 0)
"""

# Three roles name a bit at once; who is alone in its choice wins more. One of them sees a coin that changes its goal.
THREE = """
(role a) (role b) (role c) (role random)
(init toss)
(<= (legal random (coin ?x)) (bit ?x) (true toss))
(<= (legal ?r noop) (player ?r) (true toss))
(<= (legal ?r (say ?x)) (player ?r) (bit ?x) (true talk))
(<= (legal random noop) (true talk))
(player a) (player b) (player c)
(bit 0) (bit 1)
(<= (next talk) (true toss))
(<= (next (coin ?x)) (does random (coin ?x)))
(<= (next (coin ?x)) (true (coin ?x)))
(<= (next (said ?r ?x)) (does ?r (say ?x)))
(<= (sees c (coin ?x)) (does random (coin ?x)))
(<= over (true (said a ?x)))
(<= terminal over)
(<= (same ?r ?s) (true (said ?r ?x)) (true (said ?s ?x)) (distinct ?r ?s))
(<= (joined ?r) (same ?r ?s))
(<= (goal ?r 80) (player ?r) over (not (joined ?r)) (true (coin 0)))
(<= (goal ?r 30) (player ?r) over (joined ?r) (true (coin 0)))
(<= (goal ?r 10) (player ?r) over (not (joined ?r)) (true (coin 1)))
(<= (goal ?r 60) (player ?r) over (joined ?r) (true (coin 1)))
(<= (goal ?r 0) (player ?r) (not over))
(goal random 0)
"""


def _random_strategy(seed: int) -> Strategy:
    """Return a strategy that depends on all that a role knows."""

    def strategy(view: InformationState) -> dict[str, float]:
        key = (seed, view.role, view.turns, sorted(view.state.fluents) if view.is_open else None)
        dice = random.Random(repr(key))
        weights = [dice.random() + 0.01 for _ in view.legal]
        return {move: weight / sum(weights) for move, weight in zip(view.legal, weights, strict=True)}

    return strategy


@pytest.mark.parametrize(("name", "known"), [("kuhn-poker", 11 / 12), ("leduc-poker", 4.747222222222222)])
def test_uniform_poker_has_the_published_nash_conv(name: str, known: float) -> None:
    assert nash_conv(_load(name), uniform) / CHIPS[name] == pytest.approx(known, abs=1e-9)


@pytest.mark.parametrize(("name", "other"), [("kuhn-poker", "kuhn_poker"), ("leduc-poker", "leduc_poker")])
def test_cfr_plus_is_that_of_openspiel(name: str, other: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel")
    game = pyspiel.load_game(other)
    ours = nash_conv(_load(name), uniform) / CHIPS[name]
    assert ours == pytest.approx(pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)), abs=1e-9)
    solver = pyspiel.CFRPlusSolver(game)
    tree = InformationTree(_load(name))
    done = 0
    for iterations in (1, 10):
        for _ in range(done, iterations):
            solver.evaluate_and_update_policy()
        done = iterations
        theirs = pyspiel.nash_conv(game, solver.average_policy())
        found = minimise_regret(tree, rule="cfr+", iterations=iterations, target=0)
        assert found.values.nash_conv / CHIPS[name] == pytest.approx(theirs, rel=1e-6)


@pytest.mark.parametrize("rules", ["kuhn-poker", "monty-hall", "rock-paper-scissors", "matching-pennies", ODD, THREE])
def test_values_and_best_responses_are_those_of_the_definition(rules: str) -> None:
    game = woodstock.loads(rules, "odd") if "(" in rules else _load(rules)
    tree = tree_of(game)
    for seed in range(2):
        strategy = _random_strategy(seed)
        found = profile_values(tree, strategy)
        expected = values(game.initial, strategy)
        for role in tree.roles:
            assert found.values[role] == pytest.approx(expected[role], abs=1e-9)
            assert found.best[role] == pytest.approx(best_response(game.initial, role, strategy), abs=1e-9)


def test_every_information_set_is_there_once() -> None:
    game = _load("kuhn-poker")
    tree = InformationTree(game)
    for number, role in enumerate(tree.roles):
        assert set(tree.views(number)) == set(choices(game.initial, role))


def test_a_graph_and_a_tree_of_an_open_game_agree() -> None:
    game = _load("goofspiel-4")
    graph, tree = StateGraph(game), InformationTree(game)
    ours, other = graph.values(uniform), tree.evaluate(tree.uniform())
    for role in graph.roles:
        assert ours.values[role] == pytest.approx(other.values[role], abs=1e-9)
        assert ours.best[role] == pytest.approx(other.best[role], abs=1e-9)
    assert graph.evaluate(graph.optimal()).nash_conv < 1e-9


def test_what_cannot_be_measured_is_refused() -> None:
    game = _load("kuhn-poker")
    with pytest.raises(GameError, match="add up to 1"):
        exploitability(game, lambda view: dict.fromkeys(view.legal, 0.1))
    with pytest.raises(GameError, match="not legal there: shout"):
        exploitability(game, lambda _view: {"shout": 1.0})
    with pytest.raises(GameError, match="do not add up to a constant"):
        exploitability(woodstock.loads(ODD, "odd"), uniform)
    with pytest.raises(BudgetExceeded, match=r"phantom-tic-tac-toe had [\d,]+ histories"):
        exploitability(_load("phantom-tic-tac-toe"), uniform, max_histories=10_000)
    with pytest.raises(BudgetExceeded, match="MiB"):
        exploitability(_load("phantom-tic-tac-toe"), uniform, memory_mb=4)
    with pytest.raises(BudgetExceeded, match="s used"):
        exploitability(_load("connect-four"), uniform, seconds=0.05)
    with pytest.raises(GameError, match="hides information"):
        StateGraph(game)
