"""Simultaneous perturbation stochastic approximation [Spall 1992]: all settings move at once, by paired duels.

Each trial lets a point a little to one side of the present settings play against the point on the other side. The
settings then move towards the winner, by steps that shrink. A trial costs the same however many settings there are.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# Spall's exponents for the steps and for the distance of the two points.
_STEP_POWER, _WIDTH_POWER = 0.602, 0.101


@dataclass(slots=True)
class Spsa:
    """`trials`: how many are planned, `width` and `step`: the first distance and step, as parts of a range."""

    start: list[float]
    trials: int
    seed: int = 0
    width: float = 0.15
    step: float = 0.2
    _at: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._at = list(self.start)

    def ask(self, number: int) -> tuple[list[float], list[float]]:
        """Return two points on either side of the present settings."""
        width = self.width / (number + 1) ** _WIDTH_POWER
        signs = self._signs(number)

        def point(side: int) -> list[float]:
            # A point at the border is reflected, so that the two points keep their distance.
            centre = [min(1 - width, max(width, at)) for at in self._at]
            return [at + side * sign * width for at, sign in zip(centre, signs, strict=True)]

        return point(1), point(-1)

    def tell(self, number: int, first: list[float], second: list[float] | None, score: float) -> None:
        """Move towards the winner."""
        del first, second
        # The first steps would be too long without this delay, a tenth of the trials as Spall advises.
        step = self.step * ((1 + self.trials / 10) / (number + 1 + self.trials / 10)) ** _STEP_POWER
        for i, sign in enumerate(self._signs(number)):
            self._at[i] = min(1.0, max(0.0, self._at[i] + step * (2 * score - 1) * sign))

    def best(self) -> list[float]:
        """Return the present settings."""
        return list(self._at)

    def _signs(self, number: int) -> list[int]:
        generator = random.Random(f"{self.seed}/{number}")
        return [generator.choice((-1, 1)) for _ in self.start]
