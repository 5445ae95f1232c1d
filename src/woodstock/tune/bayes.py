"""Bayesian optimisation by optuna's tree of Parzen estimators (extra `tune`): points against a fixed opponent.

It can choose between words too. Scores are noisy, so the best point is the one with the best mean over its
neighbourhood, not the luckiest one.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

from woodstock.errors import WoodstockError

# Width of the neighbourhood, as a part of each setting's range.
_NEAR = 0.15
# A point far from all others must not win by its own luck: half a win in one trial is added to every mean.
_DOUBT = 1.0


class Bayes:
    """Proposes points by the scores of earlier ones."""

    def __init__(self, start: list[float], seed: int) -> None:
        try:
            import optuna
        except ImportError:
            raise WoodstockError(
                "method = 'bayes' needs optuna: pip install 'woodstock[tune]', or use method = 'spsa'"
            ) from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._optuna: Any = optuna
        self._start = start
        self._spaces = {str(i): optuna.distributions.FloatDistribution(0.0, 1.0) for i in range(len(start))}
        # `constant_liar`: points under way count as bad ones, so that several at a time are not all alike.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            sampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
        self._study: Any = optuna.create_study(direction="maximize", sampler=sampler)
        self._open: dict[int, Any] = {}
        self._known: list[tuple[list[float], float]] = []

    def ask(self, number: int) -> tuple[list[float], None]:
        """Return a point; the first one is the player as it is."""
        if number == 0:
            return list(self._start), None
        trial = self._open[number] = self._study.ask(self._spaces)
        return [float(trial.params[name]) for name in self._spaces], None

    def tell(self, number: int, first: list[float], second: list[float] | None, score: float) -> None:
        """Add a finished trial; it may be one of an earlier run."""
        del second
        if (trial := self._open.pop(number, None)) is not None:
            self._study.tell(trial, score)
        else:
            params = dict(zip(self._spaces, first, strict=True))
            make = self._optuna.trial.create_trial
            self._study.add_trial(make(params=params, distributions=self._spaces, value=score))
        self._known.append((first, score))

    def best(self) -> list[float]:
        """Return the point with the best mean over its neighbourhood."""
        if not self._known:
            return list(self._start)
        return max((point for point, _ in self._known), key=self._smoothed)

    def _smoothed(self, point: list[float]) -> float:
        total, weight = 0.5 * _DOUBT, _DOUBT
        for other, score in self._known:
            near = math.exp(-sum((a - b) ** 2 for a, b in zip(point, other, strict=True)) / (2 * _NEAR * _NEAR))
            total, weight = total + near * score, weight + near
        return total / weight
