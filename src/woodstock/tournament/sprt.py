"""A sequential test on pairs of matches: a duel stops as soon as it is clear on which side its score lies.

The unit is a pair, the same players with seats exchanged; its score is in [0, 1]. The log-likelihood ratio of the two
hypotheses comes from a normal model with the variance of the pairs so far [generalised SPRT, Van den Bergh 2017], so
draws and correlated seats need no model of their own. A small prior variance keeps the ratio finite if all pairs are
equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.errors import WoodstockError

# The prior counts as four pairs with the largest possible variance: a few wins in a row must not decide at once.
_PRIOR_PAIRS = 4.0
_PRIOR_VARIANCE = 0.25
LEAST_PAIRS = 4


@dataclass(frozen=True, slots=True)
class Sprt:
    """The test of `score >= score1` against `score <= score0`, wrong with probability `alpha` and `beta` at most."""

    score0: float = 0.5
    score1: float = 0.55
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 <= self.score0 < self.score1 <= 1:
            raise WoodstockError(
                f"a sequential test needs 0 <= score0 < score1 <= 1, not {self.score0:g} and {self.score1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise WoodstockError(f"error rates lie between 0 and 0.5, not alpha = {self.alpha:g}, beta = {self.beta:g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios at which the lower and the upper hypothesis is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[float]) -> float:
        """Return the log-likelihood ratio of pair scores; 0 for none."""
        return self._ratio(len(pairs), sum(pairs), sum(score * score for score in pairs))

    def decision(self, pairs: Sequence[float]) -> str:
        """Return `above`, `below` or, while it is open, an empty text."""
        return "" if len(pairs) < LEAST_PAIRS else self._verdict(self.ratio(pairs))

    def deciding_length(self, pairs: Sequence[float]) -> int | None:
        """Return after how many pairs the test decided; None if it did not."""
        total = squares = 0.0
        for length, score in enumerate(pairs, 1):
            total += score
            squares += score * score
            if length >= LEAST_PAIRS and self._verdict(self._ratio(length, total, squares)):
                return length
        return None

    def _ratio(self, count: int, total: float, squares: float) -> float:
        if count == 0:
            return 0.0
        mean = total / count
        spread = max(0.0, squares - count * mean * mean)
        variance = (spread + _PRIOR_PAIRS * _PRIOR_VARIANCE) / (count + _PRIOR_PAIRS)
        middle = (self.score0 + self.score1) / 2
        return count * (self.score1 - self.score0) * (mean - middle) / variance

    def _verdict(self, ratio: float) -> str:
        low, high = self.bounds
        return "above" if ratio >= high else "below" if ratio <= low else ""
