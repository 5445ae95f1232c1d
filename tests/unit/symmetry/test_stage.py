"""Symmetries at a state: by the game's own symmetries, and by what is known about values."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.symmetry import find_symmetries, stage_symmetries

FOUR = ("(choose (column y1))", "(choose (column y2))", "(choose (row x1))", "(choose (row x2))")


def _inconsistent(state: woodstock.State) -> list[dict[str, str]]:
    """The tuples that exact values rule out."""
    return [{move.role: move.move} for move in woodstock.solve_game(state).moves if not move.is_best]


def test_the_four_moves_are_one_orbit(corner: woodstock.State) -> None:
    assert corner.legal("one") == FOUR
    assert stage_symmetries(corner, _inconsistent(corner)).orbits("one") == (FOUR,)


def test_the_game_itself_merges_them_in_pairs(corner: woodstock.State) -> None:
    found = find_symmetries(corner.game, fix_initial=False)
    assert found.order == 16
    assert {frozenset(some) for some in found.move_classes(corner, "one")} == {
        frozenset({"(choose (column y1))", "(choose (row x1))"}),
        frozenset({"(choose (column y2))", "(choose (row x2))"}),
    }


def test_inconsistent_tuples_set_moves_apart() -> None:
    game = woodstock.load("tic-tac-toe")
    state = game.initial.next(["(mark 1 1)", "noop"])
    assert len(stage_symmetries(state).orbits("o")) == 1  # one stage alone does not tell good from bad
    orbits = stage_symmetries(state, _inconsistent(state)).orbits("o")
    assert ("(mark 2 2)",) in orbits and len(orbits) == 2
    values = {move.move: move.value for move in woodstock.solve_game(state).moves}
    for orbit in orbits:
        assert len({values[move] for move in orbit}) == 1


def test_effects_set_moves_apart() -> None:
    # Taking one or two from a heap changes different fluents; the numbers of moves that lead to each count.
    state = woodstock.load("nim").initial
    found = stage_symmetries(state)
    assert found.order >= 1
    assert sorted(move for orbit in found.orbits("first") for move in orbit) == sorted(state.legal("first"))


def test_errors(corner: woodstock.State) -> None:
    with pytest.raises(woodstock.GameError, match="not a legal move of one"):
        stage_symmetries(corner, [{"one": "(choose (row x9))"}])
    with pytest.raises(woodstock.BudgetExceeded):
        stage_symmetries(corner, max_joint_moves=1)
