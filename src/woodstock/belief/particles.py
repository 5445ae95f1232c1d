"""Weighted full states, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Particles:
    """Full states with what each role knows in them: one row for each particle, the weights sum to 1.

    `states` holds packed states (bit i, little endian, is fluent i), `information` the information hash of each role.
    """

    states: NDArray[np.uint8]
    information: NDArray[np.uint64]
    weights: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.weights)

    def fluents(self, count: int) -> NDArray[np.uint8]:
        """Return one 0 or 1 for each of the `count` fluents of the game, a row for each particle."""
        return np.unpackbits(self.states, axis=1, count=count, bitorder="little")

    def distinct_states(self) -> dict[bytes, float]:
        """Return the weight of each packed state."""
        weights: dict[bytes, float] = {}
        for row, weight in zip(self.states, self.weights.tolist(), strict=True):
            state = row.tobytes()
            weights[state] = weights.get(state, 0.0) + weight
        return weights
