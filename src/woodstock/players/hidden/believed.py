"""States that fit what a role knows, from the belief: it rebuilds histories by constraints if drawing them fails."""

from __future__ import annotations

import time

import numpy as np

from woodstock import _native
from woodstock.belief import Belief, BeliefError
from woodstock.information import InformationState


def believe(native: _native.HiddenSearch, view: InformationState, seconds: float, particles: int) -> None:
    """Give a search the states of the belief as its roots; 0 seconds: no limit. Without a state it gets none."""
    belief = Belief(view.game, view.role, start=view.start, particles=particles)
    try:
        belief.follow(view, time.monotonic() + seconds if seconds else None)
    except BeliefError:
        return
    found = belief.particles
    native.set_roots(np.ascontiguousarray(found.states).view(np.uint64), found.information, found.weights)
