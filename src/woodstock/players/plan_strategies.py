"""Native searches over the states of a one-player game, which take turns.

Comes in: an engine and a start state. Goes out: one search at a time, to be run for a slice of time. Each strategy is
good at some games and poor at others, so all of them run in rounds whose slices double. A search that fills its memory
is dropped; so is one that has seen all its states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.gdl.components import cycles
from woodstock.gdl.ground_program import GroundProgram
from woodstock.players.plan_mask import step_mask

_FIRST_SLICE_S = 0.25
_LEAST_MEMORY_MB = 16


@dataclass(frozen=True)
class Strategy:
    """The settings of one search; see native/plan/state_search.hpp for their meaning."""

    name: str
    depth_weight: int = 0
    distance_weight: int = 1
    is_masked: bool = True  # leaves out what only counts steps
    use_novelty: bool = False
    is_focused: bool = False
    is_narrow: bool = False
    is_careful: bool = False
    is_restless: bool = False
    is_additive: bool = False
    share: float = 1.0  # of the time, compared with others

    @property
    def is_complete(self) -> bool:
        """Whether it skips no end, except by the mask."""
        return not self.is_focused and not self.is_additive

    @property
    def is_aimed(self) -> bool:
        """Whether it looks for one particular goal."""
        return not self.is_complete or self.distance_weight > 0

    def options(self, target: int, order: Sequence[int], memory_mb: int) -> _native.StateSearchOptions:
        """Return the settings for the native search; an end with the goal `target` is good enough.

        Of an end with several goals the first in `order` counts.
        """
        made = _native.StateSearchOptions()
        made.depth_weight, made.distance_weight = self.depth_weight, self.distance_weight
        made.use_novelty, made.is_focused, made.is_narrow = self.use_novelty, self.is_focused, self.is_narrow
        made.is_restless, made.is_additive, made.is_careful = self.is_restless, self.is_additive, self.is_careful
        made.target, made.order, made.memory_mb = target, list(order), memory_mb
        return made


# Starts only if the goal is out of reach apart from what the mask leaves out.
_PROOF = Strategy("additive unmasked", is_masked=False, is_additive=True)
STRATEGIES = (
    Strategy("shortest", 1, 0, share=0.5),
    Strategy("greedy", use_novelty=True),
    Strategy("pruned", is_focused=True, share=0.5),
    Strategy("additive", is_additive=True),
    Strategy("lucky", is_additive=True, is_restless=True, share=1.25),
    Strategy("careful", is_additive=True, is_careful=True, is_restless=True),
    Strategy("narrow", is_narrow=True, is_restless=True, share=0.5),
    Strategy("weighted", 1, 3, share=0.5),
    Strategy("weighted", 1, 1, share=0.5),
    Strategy("exhaustive", 1, 0, is_masked=False, share=0.5),
    _PROOF,
)


class StateSearches:
    """The searches from one state: `take` the strategy whose turn it is, run its `search`, say how that `ended`."""

    def __init__(
        self, engine: CircuitEngine, start: bytes, *, aim: int, memory_mb: int, order: Sequence[int] = ()
    ) -> None:
        self._engine, self._start, self.aim, self._order = engine, start, aim, order
        self._memory_mb = max(_LEAST_MEMORY_MB, memory_mb // len(STRATEGIES))
        self._rules = engine.ground.native_rules()
        self._atoms = {value: atom for _role, value, atom in engine.ground.goals}
        self._recursive = recursive_atoms(engine.ground)
        self._mask = step_mask(engine, start)
        self._everything = bytes([255]) * len(start)
        # Without a mask the strategies that ignore it repeat the others.
        self._useful = [s for s in STRATEGIES if s.is_masked or self._mask != self._everything]
        self._left = [s for s in self._useful if s is not _PROOF]
        self._round = list(self._left)
        self._searches: dict[Strategy, _native.StateSearch] = {}
        self._additive: _native.AdditiveCost | None = None
        self._possible: bytes | None = None
        self.slice_s = _FIRST_SLICE_S

    def aim_at(self, goal: int) -> None:
        """Look for another goal: the searches that look for one begin again."""
        self.aim, self.slice_s, self._additive = goal, _FIRST_SLICE_S, None
        self._searches = {s: search for s, search in self._searches.items() if not s.is_aimed}
        self._left = [s for s in self._useful if s is not _PROOF and (s.is_aimed or s in self._left)]
        self._round = list(self._left)

    def leave_out(self, possible: bytes) -> None:
        """Note which fluents may ever hold: searches that use additive costs begin again, with fewer rules."""
        self._possible, self._additive = possible, None
        self._searches = {s: search for s, search in self._searches.items() if s.is_complete}

    def take(self) -> Strategy | None:
        """Return the strategy whose turn it is; None if there is none left."""
        if not self._left:
            return None
        if not self._round:
            self._round = list(self._left)
            self.slice_s *= 2
        return self._round.pop(0)

    def search(self, strategy: Strategy) -> _native.StateSearch:
        """Return the search of a strategy, begun if it was not."""
        if strategy not in self._searches:
            self._searches[strategy] = _native.StateSearch(
                self._engine.circuit,
                self._rules,
                self._start,
                strategy.options(self.aim, self._order, self._memory_mb),
                goal_atom=self._atoms.get(self.aim, 0),
                additive=None if strategy.is_complete else self._costs(),
                mask=self._mask if strategy.is_masked else None,
            )
        return self._searches[strategy]

    def _costs(self) -> _native.AdditiveCost:
        """Return the costs of the goal aimed at, which the searches share."""
        if self._additive is None:
            goal = self._atoms.get(self.aim, 0)
            self._additive = _native.AdditiveCost(self._rules, self._recursive, goal, self._start, self._possible)
        return self._additive

    def is_masked(self, strategy: Strategy) -> bool:
        """Return whether the strategy treats different states as one."""
        return strategy.is_masked and self._mask != self._everything

    def ended(self, strategy: Strategy, status: str) -> None:
        """Drop what a search has made useless: itself, or all that look for a goal that the mask hides."""
        if status == "open":
            return
        over = [strategy]
        if status == "exhausted" and strategy.is_additive and self.is_masked(strategy):
            over = [s for s in self._left if s.is_masked and s.is_aimed]
            self._left.append(_PROOF)
            self._round = []
        self._left = [s for s in self._left if s not in over]
        self._searches = {s: search for s, search in self._searches.items() if s not in over}


def recursive_atoms(ground: GroundProgram) -> NDArray[np.int32]:
    """Return the atoms that depend on themselves."""
    uses = {
        head: {abs(literal) for body in bodies for literal in body}
        for head, bodies in ground.rules_by_head.bodies().items()
    }
    return np.array([atom for some in cycles(uses) for atom in some], dtype=np.int32)
