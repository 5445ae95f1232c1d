"""Which fluents only count steps: a search for plans may tell states apart without them.

Found by playing at random: a fluent that at each step has one value in all matches, and not always the same. That is a
guess; it is used where a wrong guess costs a plan, never where it would make a wrong one.
"""

from __future__ import annotations

import random

import numpy as np

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine

_MATCHES = 24
_MOST_STEPS = 200


def step_mask(engine: CircuitEngine, start: bytes, seed: int = 0) -> bytes:
    """Return packed fluents, those that do more than count steps; at most all bits are set."""
    dice = random.Random(seed)
    stepper = _native.Stepper(engine.circuit)
    bits = 8 * len(start)
    is_timed = np.ones(bits, dtype=bool)
    varies = np.zeros(bits, dtype=bool)
    expected: list[np.ndarray[tuple[int], np.dtype[np.uint8]]] = []
    for _ in range(_MATCHES):
        stepper.load(start)
        state = start
        for step in range(_MOST_STEPS):
            row = np.unpackbits(np.frombuffer(state, dtype=np.uint8), bitorder="little")
            if step == len(expected):
                expected.append(row)
                if step:
                    varies |= row != expected[step - 1]
            else:
                is_timed &= row == expected[step]
            if stepper.is_terminal() or not (legal := stepper.legal(0)):
                break
            state = stepper.next([dice.choice(legal)])
    return np.packbits(~(is_timed & varies), bitorder="little").tobytes()
