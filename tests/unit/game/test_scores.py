"""Scores: what a match counts when the rules give a role no goal, or several."""

from __future__ import annotations

import pytest

import woodstock

# One move ends the match; `last` decides which goal rules hold then.
RULES = """
    (role alice) (role bob)
    (init start)
    (<= (legal alice (choose ?x)) (kind ?x))
    (legal bob noop)
    (kind clear) (kind several) (kind none) (kind variable)
    (<= (next (chosen ?x)) (does alice (choose ?x)))
    (<= terminal (not (true start)))
    (<= (goal alice 100) (true (chosen clear)))
    (<= (goal alice 70) (true (chosen several)))
    (<= (goal alice 20) (true (chosen several)))
    (<= (goal alice 90) (true (chosen several)))
    (<= (goal alice ?n) (true (chosen variable)) (number ?n))
    (number 60) (number 40) (number 200)
    (goal bob 50)
"""


@pytest.mark.parametrize("engine", ["circuit", "interpreter"])
@pytest.mark.parametrize(
    ("choice", "goal", "score"),
    [
        pytest.param("clear", 100, 100, id="one goal"),
        pytest.param("several", None, 70, id="the first rule of several"),
        pytest.param("variable", None, 40, id="the smallest value of one rule"),
        pytest.param("none", None, 0, id="no goal"),
    ],
)
def test_scores(engine: str, choice: str, goal: int | None, score: int) -> None:
    game = woodstock.loads(RULES, engine=engine)
    end = game.initial.next([f"(choose {choice})", "noop"])
    assert end.is_terminal
    assert end.goals == {"alice": goal, "bob": 50}
    assert end.scores == {"alice": score, "bob": 50}
