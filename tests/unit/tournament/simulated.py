"""Simulated players of known strength, for tests and benchmarks of the statistics."""

from __future__ import annotations

import math
import random

from woodstock.tournament.ratings import POINTS, Seating


def pairs_of(chance: random.Random, win: float, draw: float, count: int) -> list[float]:
    """Return the scores of pairs of matches with these shares of wins and draws."""

    def match() -> float:
        x = chance.random()
        return 1.0 if x < win else 0.5 if x < win + draw else 0.0

    return [(match() + match()) / 2 for _ in range(count)]


def league_of(chance: random.Random, strengths: dict[str, float], bias: float, count: int) -> list[Seating]:
    """Return matches of players with these strengths, in points; the first seat is worth `bias` more."""
    names = list(strengths)
    played = []
    for _ in range(count):
        a, b = chance.sample(names, 2)
        share = 1 / (1 + math.exp(-(strengths[a] + bias - strengths[b]) / POINTS))
        won = chance.random() < share
        played.append(Seating("g", ("first", "second"), (a, b), (100.0, 0.0) if won else (0.0, 100.0)))
    return played
