"""What a role can say of the state, for a picture: what is certain, and how likely everything else is.

Comes in: an information state. Goes out: an `Outlook`. Open games have nothing but certain facts. Probabilities are
those of the belief, which takes the others' moves for random unless it is given a better model of them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from woodstock.belief.belief import Belief
from woodstock.errors import GameError, WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State
from woodstock.information import InformationState

# Enough for a picture; players keep more.
_PARTICLES = 2048
_MOST_EXACT = 20_000
_MEMORY_MIB = 128


@dataclass(frozen=True, slots=True)
class Outlook:
    """Facts that hold for certain, and others with their probability.

    `is_exact`: all states that fit were counted; else the numbers come from a sample, and a fact that holds in all of
    the sample counts as certain. `problem` says why nothing is known.
    """

    certain: frozenset[str] = frozenset()
    possible: Mapping[str, float] = field(default_factory=dict)
    is_exact: bool = True
    problem: str = ""


class Onlooker:
    """Follows a match through the eyes of its roles, one belief for each; not thread-safe."""

    def __init__(self, seconds: float = 1.0) -> None:
        self._seconds = seconds
        self._beliefs: dict[str, Belief] = {}

    def outlook(self, view: InformationState) -> Outlook:
        """Return what the role can say of the state.

        >>> import woodstock
        >>> with woodstock.Match(woodstock.load("monty-hall"), ["legal"], seed=1) as match:
        ...     _ = match.step()
        ...     found = Onlooker().outlook(match.view_of("candidate"))
        >>> sorted(found.certain), round(found.possible["(car 1)"], 3), found.is_exact
        (['(step 2)'], 0.333, True)
        """
        if view.is_open:
            return Outlook(view.state.fluents)
        if not view.turns:
            return Outlook(view.start.fluents)
        try:
            belief = self._follow(view)
        except WoodstockError as error:
            return Outlook(is_exact=False, problem=str(error))
        certain = belief.certain
        possible = {fact: chance for fact, chance in belief.possible.items() if fact not in certain}
        return Outlook(certain, possible, belief.is_exact)

    def some_state(self, view: InformationState) -> State | None:
        """Return any state that fits what the role knows, not the true one; None if none is found in time."""
        if view.is_open or not view.turns:
            return view.state if view.is_open else view.start
        try:
            return State(view.game, self._follow(view).particles.states[0].tobytes())
        except WoodstockError:
            return None

    def _follow(self, view: InformationState) -> Belief:
        if not isinstance(view.game.engine, CircuitEngine):
            raise GameError("the rules were not grounded, so what is possible is not known")
        try:
            belief = self._beliefs.get(view.role)
            if belief is None:
                belief = self._beliefs[view.role] = Belief(
                    view.game,
                    view.role,
                    start=view.start,
                    particles=_PARTICLES,
                    most_exact=_MOST_EXACT,
                    memory_mib=_MEMORY_MIB,
                )
            belief.follow(view, time.monotonic() + self._seconds)
        except WoodstockError:
            # It begins anew with the next view: a belief that was cut short knows an earlier turn.
            self._beliefs.pop(view.role, None)
            raise
        return belief
