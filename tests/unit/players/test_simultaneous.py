"""Moves that several roles make at once: mixed strategies and exact values."""

from __future__ import annotations

from collections import Counter

import pytest

import woodstock
from woodstock.players.budget import Budget
from woodstock.players.searcher import make_searcher
from woodstock.players.spec import parse_spec

# Two roles choose one of `moves` at once; `payoff` has what each pair brings the first one, the second gets the rest.
_FRAME = """
(role left) (role right)
(base waiting) (init waiting)
(<= (base (chosen ?r ?m)) (role ?r) (choice ?m))
(<= (input ?r ?m) (role ?r) (choice ?m))
(<= (legal ?r ?m) (true waiting) (role ?r) (choice ?m))
(<= (next (chosen ?r ?m)) (does ?r ?m))
(<= terminal (not (true waiting)))
(<= (goal left ?v) (true (chosen left ?a)) (true (chosen right ?b)) (payoff ?a ?b ?v ?w))
(<= (goal right ?w) (true (chosen left ?a)) (true (chosen right ?b)) (payoff ?a ?b ?v ?w))
"""


def matrix(rows: list[list[tuple[int, int]]]) -> woodstock.Game:
    names = [f"m{i}" for i in range(max(len(rows), len(rows[0])))]
    text = _FRAME + "".join(f"(choice {name})" for name in names)
    for a, row in enumerate(rows):
        for b, (left, right) in enumerate(row):
            text += f"(payoff m{a} m{b} {left} {right})\n"
    return woodstock.loads(text)


def rivals(rows: list[list[int]]) -> woodstock.Game:
    return matrix([[(value, 100 - value) for value in row] for row in rows])


def search(game: woodstock.Game, role: str, player: str = "mac-ucb") -> woodstock.Decision:
    return woodstock.search(game.initial, player, simulations=3000, role=role)


@pytest.mark.parametrize("player", ["mac-ucb", "mac-ucb-sym", "uct", "grave"])
def test_matching_pennies_is_even(player: str) -> None:
    game = woodstock.load("matching-pennies")
    for role in game.roles:
        found = search(game, role, player)
        assert found.is_proven
        assert found.values == pytest.approx({"even": 50.0, "odd": 50.0}, abs=1e-3)
        assert list(found.strategy.values()) == pytest.approx([0.5, 0.5], abs=1e-3)


def test_rock_paper_scissors_is_even() -> None:
    game = rivals([[50, 0, 100], [100, 50, 0], [0, 100, 50]])
    found = search(game, "right")
    assert found.is_proven
    assert found.value == pytest.approx(50, abs=1e-3)
    assert list(found.strategy.values()) == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_a_mixed_value_that_is_no_goal() -> None:
    # Optimal: the row player takes its first move with probability 3/4; worth 75.
    game = rivals([[75, 75], [100, 50]])
    assert search(game, "left").value == pytest.approx(75, abs=1e-3)
    game = rivals([[0, 100], [60, 20]])
    found = search(game, "left")
    assert found.value == pytest.approx(300 / 7, abs=1e-3)
    assert found.strategy == pytest.approx({"m0": 2 / 7, "m1": 5 / 7}, abs=1e-3)


def test_a_dominant_move_is_played() -> None:
    game = rivals([[60, 70], [20, 30]])
    found = search(game, "left")
    assert (found.move, found.value) == ("m0", 60)
    assert found.strategy["m0"] == pytest.approx(1)


def test_each_role_has_goals_of_its_own() -> None:
    # Prisoners: to defect is better whatever the other does.
    game = matrix([[(60, 60), (0, 100)], [(100, 0), (20, 20)]])
    for role in game.roles:
        found = search(game, role)
        assert found.move == "m1"
        assert found.strategy["m1"] == pytest.approx(1, abs=0.02)
        assert found.values == pytest.approx({"left": 20, "right": 20}, abs=2)


def test_moves_are_drawn_from_the_strategy() -> None:
    game = rivals([[0, 100], [60, 20]])
    searcher = make_searcher(game, parse_spec("mac-ucb:seed=7"))
    searcher.prepare(None)
    drawn = Counter(searcher.think(game.initial, "left", Budget(simulations=100), None).move for _ in range(400))
    assert drawn["m0"] / 400 == pytest.approx(2 / 7, abs=0.09)


def test_no_strategy_if_one_role_chooses() -> None:
    assert not woodstock.search(woodstock.load("tic-tac-toe").initial, "mac-ucb", simulations=500).strategy
