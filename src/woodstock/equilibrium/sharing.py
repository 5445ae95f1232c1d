"""Symmetric information sets that share their regrets.

A `Sharing` is a group of symmetries that map the rules, the start and the percepts onto themselves and keep every role.
Strategies that treat images alike are enough for an equilibrium, and regret minimisation that begins uniformly never
leaves them. So one information set stands for all its images; values and exploitability stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.game.state import State
from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry import Symmetries
from woodstock.symmetry.percepts import percept_symmetries
from woodstock.symmetry.symmetries import DEFAULT_SECONDS

Rows = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Sharing:
    """A group, the identity first: row e maps fluents, moves (of all roles) and percepts by symmetry e."""

    fluents: Rows
    moves: Rows
    percepts: Rows
    notes: tuple[str, ...] = ()

    @staticmethod
    def none(ground: GroundProgram) -> Sharing:
        """Return the identity alone."""
        sizes = len(ground.fluents), sum(map(len, ground.moves)), len(ground.sees)
        fluents, moves, percepts = (np.arange(size, dtype=np.uint32)[None] for size in sizes)
        return Sharing(fluents, moves, percepts)

    @property
    def size(self) -> int:
        """The number of symmetries."""
        return len(self.fluents)


def find_sharing(start: State, symmetries: str | Symmetries, *, seconds: float | None = None) -> Sharing:
    """Return the symmetries of a game, from a state that everybody knows, that information sets can share.

    Of `Symmetries` the method is taken: they do not say what becomes of percepts. It takes at most a quarter of the
    time.
    """
    method = symmetries if isinstance(symmetries, str) else symmetries.method
    budget = DEFAULT_SECONDS if seconds is None else min(DEFAULT_SECONDS, seconds / 4)
    found = percept_symmetries(start, method, seconds=budget)
    parts = found.fluents, found.moves, found.percepts
    fluents, moves, percepts = (np.ascontiguousarray(part, dtype=np.uint32) for part in parts)
    return Sharing(fluents, moves, percepts, found.notes)
