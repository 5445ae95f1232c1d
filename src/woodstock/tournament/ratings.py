"""Ratings: a strength for each player and one for each role of each game, by maximum likelihood with a prior.

Two seats of a match meet like two Elo players whose strengths are player plus role: the chance that the first scores
more is logistic in the difference, a draw counts half. A match of k roles is k(k-1)/2 such meetings, each weighted
2/k, so that it counts as k/2 duels do. A one-player match is a meeting with the game itself, scored by its goal. The
prior, normal around 0, keeps the strengths of players that won everything finite, and fixes the scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from woodstock.tournament.intervals import DEVIATIONS

# One unit of the logistic is 400 / ln 10 points, as in Elo.
POINTS = 400 / math.log(10)
PRIOR_SD = 4.0
ROLE_PRIOR_SD = 2.0
_ROUNDS = 50
_ENOUGH = 1e-9


@dataclass(frozen=True, slots=True)
class Seating:
    """A match for the ratings: the player and the goal of each role."""

    game: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    goals: tuple[float, ...]
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rating:
    """A strength in Elo points with its interval; players average 0, roles of a game average 0 unless it has one."""

    name: str
    points: float
    low: float
    high: float
    matches: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of players, best first, and of roles by game."""

    players: tuple[Rating, ...]
    roles: dict[tuple[str, str], Rating]


def rate(matches: Iterable[Seating]) -> Ratings:
    """Return the ratings that fit the matches best."""
    played = list(matches)
    names = sorted({player for one in played for player in one.players})
    roles = sorted({(one.game, role) for one in played for role in one.roles})
    if not names:
        return Ratings((), {})
    places: dict[object, int] = {name: index for index, name in enumerate(names)}
    places |= {role: len(names) + index for index, role in enumerate(roles)}
    design, outcomes, weights = _meetings(played, places)
    precision = np.concatenate([np.full(len(names), PRIOR_SD**-2), np.full(len(roles), ROLE_PRIOR_SD**-2)])
    strengths, covariance = _fit(design, outcomes, weights, precision)
    counts: dict[object, float] = {}
    for one in played:
        for player, role in zip(one.players, one.roles, strict=True):
            counts[player] = counts.get(player, 0.0) + one.weight
            counts[one.game, role] = counts.get((one.game, role), 0.0) + one.weight

    def rating(key: object, shown: str, group: Sequence[object]) -> Rating:
        # Relative to the mean of its group: only differences can be estimated.
        contrast = np.zeros(len(strengths))
        contrast[places[key]] = 1.0
        if len(group) > 1:
            contrast[[places[one] for one in group]] -= 1 / len(group)
        points = float(contrast @ strengths) * POINTS
        half = DEVIATIONS * math.sqrt(max(0.0, float(contrast @ covariance @ contrast))) * POINTS
        return Rating(shown, points, points - half, points + half, round(counts[key]))

    rated = [rating(name, name, names) for name in names]
    by_game: dict[str, list[tuple[str, str]]] = {}
    for game, role in roles:
        by_game.setdefault(game, []).append((game, role))
    return Ratings(
        tuple(sorted(rated, key=lambda one: (-one.points, one.name))),
        {role: rating(role, role[1], by_game[role[0]]) for role in roles},
    )


def _meetings(played: Sequence[Seating], places: dict[object, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a row for each distinct meeting: the strengths for and against, the outcome, and how often it occurred."""
    tally: dict[tuple[int, int, int, int, float], float] = {}
    for one in played:
        seats = [(places[player], places[one.game, role]) for player, role in zip(one.players, one.roles, strict=True)]
        if len(seats) == 1:
            key = (*seats[0], -1, -1, min(1.0, max(0.0, one.goals[0] / 100)))
            tally[key] = tally.get(key, 0.0) + one.weight
            continue
        share = one.weight * 2 / len(seats)
        for i, j in combinations(range(len(seats)), 2):
            difference = one.goals[i] - one.goals[j]
            key = (*seats[i], *seats[j], 0.5 if difference == 0 else float(difference > 0))
            tally[key] = tally.get(key, 0.0) + share
    design = np.zeros((len(tally), len(places)))
    outcomes, weights = np.zeros(len(tally)), np.zeros(len(tally))
    for row, (key, weight) in enumerate(tally.items()):
        player, role, other, other_role, outcome = key
        design[row, player] += 1
        design[row, role] += 1
        if other >= 0:
            design[row, other] -= 1
            design[row, other_role] -= 1
        outcomes[row], weights[row] = outcome, weight
    return design, outcomes, weights


def _fit(
    design: np.ndarray, outcomes: np.ndarray, weights: np.ndarray, precision: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the strengths of the greatest posterior and their covariance, by Newton's method with halved steps."""
    strengths = np.zeros(design.shape[1])

    def loss(at: np.ndarray) -> float:
        x = design @ at
        return float(weights @ (np.logaddexp(0, x) - outcomes * x) + 0.5 * precision @ (at * at))

    current = loss(strengths)
    hessian = np.diag(precision)
    for _ in range(_ROUNDS):
        chances = 1 / (1 + np.exp(-(design @ strengths)))
        gradient = design.T @ (weights * (chances - outcomes)) + precision * strengths
        hessian = (design * (weights * chances * (1 - chances))[:, None]).T @ design + np.diag(precision)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while (new := loss(strengths - size * step)) > current and size > 1e-6:
            size /= 2
        strengths = strengths - size * step
        if current - new < _ENOUGH:
            break
        current = new
    return strengths, np.linalg.inv(hessian)
