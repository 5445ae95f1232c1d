"""Intervals for a mean score in [0, 1].

Wins and losses alone are a binomial share, for which Wilson's interval is accurate even near 0 and 1. Draws and paired
seats reduce the variance. The number of observations is multiplied by the ratio of the binomial variance to the one
observed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

# Standard deviations on either side of the mean that hold 95 % of a normal distribution: the level of all intervals.
DEVIATIONS = NormalDist().inv_cdf(0.975)
# A run of equal results must not look certain: the factor has an upper bound, and the observed variance is mixed with
# that of two independent matches, as if there had been this many more observations.
_MOST_STRETCH = 8.0
_PRIOR_COUNT = 2.0
_PAIR_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float
    count: int


def wilson(wins: float, count: float) -> tuple[float, float]:
    """Return Wilson's interval for a share.

    >>> [round(one, 3) for one in wilson(8, 10)]
    [0.49, 0.943]
    """
    if count <= 0:
        return 0.0, 1.0
    z = DEVIATIONS
    share = wins / count
    scale = 1 + z * z / count
    middle = (share + z * z / (2 * count)) / scale
    half = z / scale * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, middle - half), min(1.0, middle + half)


def score_interval(scores: Sequence[float]) -> Interval:
    """Return the mean score of pairs of matches, each in [0, 1], and its interval. Pairs must be independent."""
    count = len(scores)
    if count == 0:
        return Interval(math.nan, 0.0, 1.0, 0)
    mean = sum(scores) / count
    binomial = mean * (1 - mean)
    if count < 2 or binomial <= 0:
        return Interval(mean, *wilson(mean * count / _PAIR_SHARE, count / _PAIR_SHARE), count)
    seen = sum((score - mean) ** 2 for score in scores) / (count - 1)
    variance = (count * seen + _PRIOR_COUNT * _PAIR_SHARE * binomial) / (count + _PRIOR_COUNT)
    stretch = min(_MOST_STRETCH, max(1.0, binomial / variance))
    return Interval(mean, *wilson(mean * count * stretch, count * stretch), count)
