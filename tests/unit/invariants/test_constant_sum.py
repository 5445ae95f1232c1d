"""Which games are proven to be of constant sum, and what is called proven where that is not."""

from __future__ import annotations

import pytest

import woodstock
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.invariants import has_constant_sum

# Both walk to the end of a path in turn. The goals at the end are put in.
PATH = """
(role left) (role right) (init (at 1)) (init (control left))
(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal ?p ?m) (true (control ?p)) (way ?m)) (way keep) (way leave)
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
(<= (next (left_by ?p)) (does ?p leave)) (<= (next (left_by ?p)) (true (left_by ?p)))
(<= terminal (true (at 5)))
(<= gone (true (left_by left)))
"""


def is_proved(game: Game) -> bool:
    assert isinstance(game.engine, CircuitEngine)
    return has_constant_sum(game.engine.ground, game.engine.circuit, 30)


@pytest.mark.parametrize(
    ("goals", "is_proven"),
    [
        ("(<= (goal left 100) gone) (<= (goal left 0) (not gone)) (<= (goal right 0) gone) "
         "(<= (goal right 100) (not gone))", True),
        # Both win together.
        ("(<= (goal ?p 100) (role ?p) gone) (<= (goal ?p 0) (role ?p) (not gone))", False),
        # A goal is missing at some ends.
        ("(<= (goal left 100) gone) (<= (goal right 0) gone) (<= (goal right 100) (not gone))", False),
        # Two goals at once at some ends.
        ("(<= (goal left 100) gone) (<= (goal left 0) (not gone)) (<= (goal right 0) gone) "
         "(<= (goal right 100) (not gone)) (<= (goal left 50) (true (left_by right)))", False),
    ],
)  # fmt: skip
def test_goals_of_small_games(goals: str, is_proven: bool) -> None:
    assert is_proved(woodstock.loads(PATH + goals)) is is_proven


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "nim"])
def test_games_where_only_one_can_win(name: str) -> None:
    assert is_proved(woodstock.load(name))


@pytest.mark.parametrize("name", ["cooperative-matching-pennies", "eight-puzzle"])
def test_games_where_all_can_win_or_one_plays_alone(name: str) -> None:
    assert not is_proved(woodstock.load(name))


def test_nothing_is_called_proven_that_rests_on_playouts() -> None:
    # Never both win in a match, but no single step shows it: the rules leave that to a fluent that is never true.
    rules = (
        PATH
        + """
    (<= (goal left 100) gone) (<= (goal left 0) (not gone))
    (<= (goal right 0) gone (not (true odd))) (<= (goal right 100) (not gone)) (<= (goal right 100) gone (true odd))
    (<= (next odd) (true odd) (true (at 2)) (true (control left)))
    """
    )
    game = woodstock.loads(rules)
    decision = woodstock.search(game.initial, "mac-ucb", simulations=100_000)
    assert decision.is_proven == is_proved(game)
