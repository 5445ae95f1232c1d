"""Intervals, the sequential test and ratings, against simulated players of known strength."""

from __future__ import annotations

import math
import random

import pytest
from tests.unit.tournament.simulated import league_of, pairs_of

from woodstock.errors import WoodstockError
from woodstock.tournament.intervals import score_interval, wilson
from woodstock.tournament.ratings import Seating, rate
from woodstock.tournament.sprt import Sprt


@pytest.mark.parametrize(("win", "draw"), [(0.5, 0.0), (0.3, 0.4), (0.55, 0.3), (0.7, 0.1), (0.45, 0.1)])
@pytest.mark.parametrize("count", [30, 100])
def test_intervals_cover_at_their_level(win: float, draw: float, count: int) -> None:
    chance = random.Random(f"{win} {draw} {count}")
    runs = 4000
    truth = win + draw / 2
    covered = 0
    for _ in range(runs):
        found = score_interval(pairs_of(chance, win, draw, count))
        covered += found.low <= truth <= found.high
    assert 0.93 <= covered / runs <= 0.97


def test_an_interval_for_everything() -> None:
    for scores in ([], [1.0], [0.0] * 50, [1.0] * 50, [0.5] * 50):
        found = score_interval(scores)
        assert 0 <= found.low <= found.high <= 1
        assert not scores or found.low <= found.mean <= found.high
    assert wilson(0, 0) == (0.0, 1.0)
    assert score_interval([1.0] * 50).low < 1, "fifty wins are no proof"


@pytest.mark.parametrize("draw", [0.0, 0.4])
def test_the_sequential_test_keeps_its_error_rates(draw: float) -> None:
    sprt = Sprt(0.5, 0.6, 0.05, 0.05)
    chance = random.Random(draw)
    wrong = {0.5: 0, 0.6: 0}
    runs = 1000
    for truth, expected in ((0.5, "below"), (0.6, "above")):
        win = truth - draw / 2
        for _ in range(runs):
            pairs: list[float] = []
            while not (decision := sprt.decision(pairs)):
                pairs += pairs_of(chance, win, draw, 1)
            wrong[truth] += decision != expected
    assert wrong[0.5] / runs <= 0.05 + 0.015 and wrong[0.6] / runs <= 0.05 + 0.015


def test_the_deciding_length_is_where_the_decision_falls() -> None:
    sprt, chance = Sprt(0.5, 0.6), random.Random(3)
    for _ in range(50):
        pairs = pairs_of(chance, 0.6, 0.1, 300)
        length = sprt.deciding_length(pairs)
        if length is not None:
            assert sprt.decision(pairs[:length]) and not any(sprt.decision(pairs[:n]) for n in range(length))


@pytest.mark.parametrize("pairs", [[], [1.0] * 500, [0.0] * 500, [0.5] * 500, [1.0, 0.0] * 200])
def test_a_finite_answer_to_one_sided_results(pairs: list[float]) -> None:
    assert math.isfinite(Sprt().ratio(pairs))


@pytest.mark.parametrize(
    "bounds",
    [{"score0": 0.6, "score1": 0.5}, {"score0": 0.5, "score1": 0.5}, {"score1": 1.2}, {"alpha": 0.0}, {"beta": 0.7}],
)
def test_senseless_bounds_are_refused(bounds: dict[str, float]) -> None:
    with pytest.raises(WoodstockError):
        Sprt(**bounds)


def test_ratings_recover_players_and_roles() -> None:
    strengths = {"a": 150.0, "b": 0.0, "c": -150.0}
    found = rate(league_of(random.Random(1), strengths, 120.0, 4000))
    assert [one.name for one in found.players] == ["a", "b", "c"]
    for one in found.players:
        assert abs(one.points - strengths[one.name]) < 30
    # The bias is shared between the two seats of the game: half each.
    assert abs(found.roles["g", "first"].points - 60) < 20
    assert abs(found.roles["g", "second"].points + 60) < 20


def test_rating_intervals_cover() -> None:
    strengths = {"a": 80.0, "b": 0.0, "c": -80.0}
    chance = random.Random(2)
    covered = total = 0
    for _ in range(400):
        found = rate(league_of(chance, strengths, 50.0, 150))
        for one in found.players:
            covered += one.low <= strengths[one.name] <= one.high
            total += 1
    assert 0.93 <= covered / total <= 0.985


def test_ratings_of_one_sided_and_odd_results_are_finite() -> None:
    only_wins = [Seating("g", ("x", "y"), ("a", "b"), (100.0, 0.0))] * 30
    alone = [Seating("puzzle", ("robot",), (name,), (goal,)) for name, goal in (("a", 100.0), ("b", 25.0))] * 5
    many = [Seating("four", ("n", "e", "s", "w"), ("a", "b", "a", "b"), (100.0, 0.0, 50.0, 50.0))] * 5
    for played in (only_wins, alone, many, only_wins + alone + many, []):
        for one in rate(played).players:
            assert math.isfinite(one.points) and one.low <= one.points <= one.high
    assert rate(only_wins).players[0].name == "a"
    assert rate(alone).players[0].name == "a"
