"""A value of states that is learned in the start clock, from the search's own trees.

The player plays matches against itself with short searches. A small net learns what the search says of every state
that it looked at for a while, and is judged on states before it learns from them. If it predicts the search's values
better than playouts do, or the mix of both does, new states get their first value from the mix: the net then counts for
as many playouts as its accuracy is worth.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from woodstock import _native
from woodstock.game.state import State
from woodstock.players.preparation import chance_role
from woodstock.players.searcher import Budget, TreeSearcher

# Less time than this teaches nothing; more than that adds little.
LEAST_S, MOST_S = 2.0, 60.0
# States with fewer visits have nothing but their own playouts to say.
_LEAST_VISITS = 1
# The searches of one run, about; each is a fraction of the time, within these bounds.
_SEARCHES = 250
_SHORTEST_S, _LONGEST_S = 0.02, 0.3
# Steps of the net for each new state, and at most for each search.
_STEPS_FOR_STATE, _MOST_STEPS = 20, 20_000
# Matches begin with up to so many random turns; later turns are random now and then, so that matches differ.
_MOST_OPENING = 6
_NOISE = 0.1
# A measured share is taken seriously after so many states.
_LEAST_MEASURED = 200
# The net never counts for more than so many times the playouts of a new state.
_MOST_WEIGHT = 8.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned. Errors are mean squares of values in 0..1; `share` is the net's in the best mix."""

    seconds: float
    matches: int
    states: int
    net_error: float
    playout_error: float
    mixed_error: float
    share: float

    @property
    def pays(self) -> bool:
        """Whether the mix predicts clearly better than playouts alone."""
        return self.share > 0 and self.mixed_error < 0.95 * self.playout_error


class Learning:
    """A net and the search that teaches it. `is_wanted` says whether to go on; it is asked between searches."""

    def __init__(self, searcher: TreeSearcher, first: State, seed: int, is_wanted: Callable[[], bool]) -> None:
        self._searcher, self._first, self._is_wanted = searcher, first, is_wanted
        self._random = random.Random(seed)
        game = first.game
        self._players = [index for index in range(len(game.roles)) if index != chance_role(game)]
        self._roles = [game.roles[index] for index in self._players]
        self._learner = _native.ValueLearner(searcher.circuit, seed=seed)
        self._matches = 0

    def run(self, deadline: float) -> Lesson:
        """Play and learn until the deadline."""
        begun = time.monotonic()
        each = min(_LONGEST_S, max(_SHORTEST_S, (deadline - begun) / _SEARCHES))
        while self._goes_on(deadline):
            self._play(deadline, each)
            self._matches += 1
        found = self._learner.accuracy()
        is_measured = found["states"] >= _LEAST_MEASURED
        return Lesson(
            seconds=time.monotonic() - begun,
            matches=self._matches,
            states=self._learner.seen,
            net_error=found["net_error"],
            playout_error=found["playout_error"],
            mixed_error=found["mixed_error"],
            share=found["net_share"] if is_measured else 0.0,
        )

    def apply(self, lesson: Lesson, playouts: float) -> None:
        """Let the search use what was learned; `playouts` is what a new state gets without it."""
        if not lesson.pays:
            return
        weight = min(_MOST_WEIGHT, lesson.share / max(1e-9, 1 - lesson.share))
        self._searcher.native.set_net(self._learner, max(1, round(weight * playouts)))

    def _goes_on(self, deadline: float) -> bool:
        return time.monotonic() < deadline and self._is_wanted()

    def _play(self, deadline: float, each: float) -> None:
        state = self._first
        opening = self._random.randrange(_MOST_OPENING + 1)
        while not state.is_terminal and self._goes_on(deadline):
            moves = {role: self._random.choice(state.legal(role)) for role in state.game.roles}
            choosers = [role for role in self._roles if len(state.legal(role)) > 1]
            if opening > 0 or not choosers:
                opening -= 1
            else:
                found = self._search(state, choosers, min(each, deadline - time.monotonic()))
                if self._random.random() >= _NOISE:
                    moves.update(found)
            state = state.next(moves)

    def _search(self, state: State, roles: list[str], seconds: float) -> dict[str, str]:
        """Return the moves that a short search likes; the net learns from its tree."""
        searcher = self._searcher
        # By processor time: a search by the wall clock cuts playouts that take a large part of it.
        decision = searcher.think(state, roles[0], Budget(cpu_seconds=max(1e-3, seconds)), None)
        found = {role: searcher.info(role).moves[0].move for role in roles[1:]}
        before = self._learner.seen
        searcher.native.teach(self._learner, _LEAST_VISITS, self._players)
        searcher.native.forget()
        self._learner.train(min(_MOST_STEPS, _STEPS_FOR_STATE * (self._learner.seen - before)))
        return {roles[0]: decision.move, **found}
