"""Symmetries of what is left at a state: exact, more than the game's own, and used by a search."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from tests.unit.solve.connect import connect

import woodstock
from woodstock.game.state import packed
from woodstock.solve import Solver
from woodstock.symmetry import StageAnalyses, find_symmetries, subgame_symmetries
from woodstock.symmetry.subgame import subgame

FOUR = ("(choose (column y1))", "(choose (column y2))", "(choose (row x1))", "(choose (row x2))")


def walk(game: woodstock.Game, rng: random.Random, most: int) -> woodstock.State:
    """Return a state of a random match that is not over."""
    state = game.initial
    for _ in range(rng.randint(0, most)):
        after = state.next([rng.choice(state.legal(role)) for role in game.roles])
        if after.is_terminal:
            break
        state = after
    return state


@pytest.mark.parametrize(
    ("make", "most", "finds_more"),
    [
        (lambda: woodstock.load("tic-tac-toe"), 6, True),
        (lambda: woodstock.load("nim"), 5, True),
        (lambda: woodstock.load("randomised-tic-tac-toe-2x2"), 6, False),
        (lambda: connect(4, 3, 3), 6, False),
    ],
)
def test_moves_of_one_class_have_equal_values(make: Callable[[], woodstock.Game], most: int, finds_more: bool) -> None:
    """The exact solver is the oracle; and the game's own symmetries are all among those found."""
    game, rng = make(), random.Random(5)
    solver, own = Solver(game), find_symmetries(game, fix_initial=False)
    merged = beyond = 0
    for _ in range(40):
        state = walk(game, rng, most)
        values = {(move.role, move.move): move.value for move in solver.solve(state).moves}
        found = subgame_symmetries(state)
        for role in {role for role, _ in values}:
            classes = found.classes(state, role)
            assert sorted(move for some in classes for move in some) == sorted(state.legal(role))
            for some in classes:
                assert len({values[role, move] for move in some}) == 1, (state, some)
            assert len(classes) <= len(own.move_classes(state, role))
            merged += len(state.legal(role)) - len(classes)
            beyond += len(own.move_classes(state, role)) - len(classes)
    assert merged > 0 and (beyond > 0 or not finds_more)


def test_a_subgame_plays_as_the_game(corner: woodstock.State) -> None:
    """Marked cells are settled: they are not fluents of the rest any more."""
    game = corner.game
    assert game.ground is not None
    left = subgame(game.ground, packed(corner))
    assert not any(fluent.startswith("(cell x1 y1") for fluent in left.ground.fluents)
    assert set(left.ground.moves[0]) == set(FOUR) | {"noop"}


def test_the_four_moves_of_the_example_are_one_class(corner: woodstock.State) -> None:
    assert subgame_symmetries(corner).classes(corner, "one") == (FOUR,)
    assert len(find_symmetries(corner.game, fix_initial=False).move_classes(corner, "one")) == 2


def test_a_search_merges_them(corner: woodstock.State) -> None:
    """SYM, example 5, inside a search: one move stands for four, and the report says so."""
    decision = woodstock.search(corner, "mac-ucb-sym:seed=1", simulations=2000, role="one")
    told = decision.statistics["root_symmetries"]
    assert told["groups"] == 1 and told["merged"] == 1 and told["roots"] == 1 and told["seconds"] > 0
    assert len({round(move.value, 6) for move in decision.moves}) == 1
    without = woodstock.search(corner, "mac-ucb-sym:seed=1,subgame=no", simulations=2000, role="one")
    assert "root_symmetries" not in without.statistics


def test_stage_analyses_recall_equal_graphs() -> None:
    state = woodstock.load("tic-tac-toe").initial
    analyses = StageAnalyses(state.game, most_kept=2)
    first = analyses.at(state).orbits("x")
    assert analyses.at(state).orbits("x") == first
    assert analyses.statistics.stages == 2 and analyses.statistics.recalled == 1 and analyses.statistics.merged > 0
    assert analyses.statistics.seconds > 0


def test_a_rest_that_is_too_large_for_the_time_is_not_analysed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of the work looks at no clock, so in a large game it would take seconds instead of a part of one."""
    initial = woodstock.load("tic-tac-toe").initial
    monkeypatch.setattr("woodstock.symmetry.subgame.network_graph", lambda *_, **__: pytest.fail("the graph is made"))
    with pytest.raises(woodstock.BudgetExceeded, match="literals"):
        subgame_symmetries(initial, seconds=0.001)
    monkeypatch.setattr("woodstock.symmetry.subgame.subgame", lambda *_: pytest.fail("the rest is looked for"))
    with pytest.raises(woodstock.BudgetExceeded, match="literals"):
        subgame_symmetries(initial, seconds=0.00001)
