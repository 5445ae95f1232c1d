"""Recursive rules in batches: the least fixpoint is the one that single states reach."""

from __future__ import annotations

import random

import pytest

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State, packed


def _starts(game: woodstock.Game, matches: int) -> list[State]:
    """Return states in which every match is over or nearly so."""
    dice, found = random.Random(4), list[State]()
    for _ in range(matches):
        line = [game.initial]
        while not line[-1].is_terminal:
            line.append(line[-1].next([dice.choice(line[-1].legal(role)) for role in game.roles]))
        found += line[-3:]
    return found


@pytest.mark.parametrize("name", ["hex", "hexawesome", "reflect-connect-six"])
def test_paths_are_found_in_batches(name: str) -> None:
    """Playouts from an end take no step; before it, they have the goals that single playouts have."""
    game = woodstock.load(name)
    assert isinstance(game.engine, CircuitEngine)
    starts = _starts(game, 6)
    batch = _native.Batch(game.engine.circuit)
    raw = batch.playouts([packed(state) for state in starts], [400] * len(starts), 1, 1, 1000, 0.0)
    stepper = _native.Stepper(game.engine.circuit)
    for state, steps, histogram in zip(starts, raw["steps"], raw["histogram"], strict=True):
        single = stepper.playouts(packed(state), 400, 2, 1000)
        assert (steps == 0) == state.is_terminal
        assert abs(histogram.astype(int) - single["histogram"][0].astype(int)).max() < 120, state
