"""Moves that playouts should favour, found in the start clock.

Random matches from the state at hand say how much each move gains compared with the other legal ones. Playouts then
prefer moves that gain, and a second round measures the gains again by such playouts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from woodstock import _native
from woodstock.players.slices import run_in_slices

# Below this deviation of the gains all moves are much the same.
_LEAST_DEVIATION = 0.02


def find_favours(
    circuit: _native.Circuit, chance: int, state: bytes, seed: int, seconds: float, is_wanted: Callable[[], bool]
) -> Sequence[int]:
    """Return for each move in how many of sixteen playouts to favour it; empty if there is nothing to favour."""
    if not circuit.prepare_biased(chance):
        return []
    favours: Sequence[int] = []
    for number in range(2):
        gains = _native.MoveGains(circuit, chance, seed + number)
        gains.set_favours(favours)
        run_in_slices(partial(gains.run, state), seconds / 2, is_wanted)
        if deviation(gains.gains) < _LEAST_DEVIATION:
            return []
        favours = gains.favours
    return favours


def deviation(gains: Sequence[float]) -> float:
    """Return the root of the mean square.

    >>> deviation([0.3, -0.4, 0.0, 0.0])
    0.25
    """
    return math.sqrt(sum(gain * gain for gain in gains) / max(1, len(gains)))
