"""Finds the fluents that only count steps: a search for plans may treat states that differ in them as one.

Found by random matches: a fluent that has the same value in all matches at each step, but not always the same value.
That is a guess. It is used only where a wrong guess can miss a plan, never where it could produce a wrong one.
"""

from __future__ import annotations

import random

import numpy as np

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine

_MATCHES = 24
_MOST_STEPS = 200


def step_mask(engine: CircuitEngine, start: bytes, seed: int = 0) -> bytes:
    """Return a packed mask with a bit for each fluent that does more than count steps."""
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
