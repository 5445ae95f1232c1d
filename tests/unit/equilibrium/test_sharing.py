"""Symmetric information sets share their regrets: the same values, fewer sets, and a table of the whole game."""

from __future__ import annotations

import numpy as np
import pytest

import woodstock
from woodstock.equilibrium import InformationTree, nash_conv
from woodstock.equilibrium.regrets import minimise_regret
from woodstock.equilibrium.sharing import Sharing, find_sharing
from woodstock.equilibrium.spread import table_of_tree
from woodstock.errors import GameError


def _cross() -> woodstock.State:
    """Krieg tic-tac-toe after two moves of each that everybody knows: the corners are left, and the centre."""
    game = woodstock.load("krieg-tic-tac-toe")
    marks = {"(cell 1 2 b)": "x", "(cell 3 2 b)": "x", "(cell 2 1 b)": "o", "(cell 2 3 b)": "o"}
    fluents = [one.replace(" b)", f" {marks[one]})") if one in marks else one for one in game.initial.fluents]
    return game.state(fluents)


@pytest.mark.parametrize(
    ("name", "group", "sets", "shared"),
    [("monty-hall", 6, 7, 2), ("banker-and-thief", 2, 3070, 1535), ("tiger", 2, 2047, 1024)],
)
def test_shared_sets_have_the_values_of_the_whole_game(name: str, group: int, sets: int, shared: int) -> None:
    start = woodstock.load(name).initial
    sharing = find_sharing(start, "network")
    whole, folded = InformationTree(start), InformationTree(start, sharing=sharing)
    assert (sharing.size, whole.information_sets, folded.information_sets) == (group, sets, shared)
    assert folded.histories < whole.histories
    for tree in (whole, folded):
        assert tree.evaluate(tree.uniform()).nash_conv == pytest.approx(
            whole.evaluate(whole.uniform()).nash_conv, abs=1e-9
        )
    first, second = (minimise_regret(tree, rule="cfr+", iterations=30, target=0) for tree in (whole, folded))
    for role in whole.roles:
        assert first.values.values[role] == pytest.approx(second.values.values[role], abs=1e-6)
        assert first.values.best[role] == pytest.approx(second.values.best[role], abs=1e-6)
    # The table has a row for every set of the whole game, and loses as much as the solver says.
    table = table_of_tree(folded, second.behaviours)
    assert len(table.rows) == sets
    assert nash_conv(whole, table) == pytest.approx(second.values.nash_conv, abs=1e-9)


@pytest.mark.full
def test_symmetries_keep_a_start_that_is_not_the_initial_state() -> None:
    start = _cross()
    sharing = find_sharing(start, "network")
    assert sharing.size == 4
    whole, folded = InformationTree(start), InformationTree(start, sharing=sharing)
    assert 3.5 < whole.information_sets / folded.information_sets <= 4
    one, other = (tree.evaluate(tree.uniform()) for tree in (whole, folded))
    assert one.nash_conv == pytest.approx(other.nash_conv, abs=1e-9)


def test_a_wrong_symmetry_does_not_pass() -> None:
    """Kuhn poker has none: exchanging two cards would be refused by the verification, and here by the values."""
    game = woodstock.load("kuhn-poker")
    assert find_sharing(game.initial, "network").size == 1
    assert find_sharing(game.initial, "none").size == 1
    with pytest.raises(GameError, match="no method 'guess'"):
        find_sharing(game.initial, "guess")
    sharing = find_sharing(woodstock.load("monty-hall").initial, "network")
    with pytest.raises(ValueError, match="another game"):
        InformationTree(game, sharing=sharing)
    whole = Sharing.none(game.engine.ground)  # type: ignore[attr-defined]
    moved = Sharing(np.repeat(whole.fluents, 2, 0), np.repeat(whole.moves, 2, 0), np.repeat(whole.percepts, 2, 0))
    first = game.fluents.index("(after deal)")
    moved.fluents[1, [first, first - 1]] = [first - 1, first]
    with pytest.raises(ValueError, match="onto itself"):
        InformationTree(game, sharing=moved)
