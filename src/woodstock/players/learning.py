"""What is learned in the start clock, and tried before it is used: moves to favour in playouts, and a value of states.

First, playouts say how much each move gains (favours.py). Then a small net plays thousands of matches a second against
itself, each move the one that it likes best, and learns from how they end; if the symmetries of the game are known, it
learns from images of its states as well. Each is tried in fast matches (trials.py) of the search that uses it against
the search without it. In some games the net is worth far more than playouts, in others a little more or nothing. So it
is tried both in place of most playouts and beside all of them, and used in the way that wins, if any. A trial ends when
it is beyond doubt, and the net has the rest of its time. A net that is used goes on learning while the match is played,
from the state of the match. A player with several threads learns and tries with all of them.
"""

from __future__ import annotations

import dataclasses
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index, without_chance
from woodstock.players.budget import Budget
from woodstock.players.favours import find_favours
from woodstock.players.kinds import find_kinds
from woodstock.players.patterns import find_patterns
from woodstock.players.player import Task
from woodstock.players.searcher import TreeSearcher
from woodstock.players.slices import SLICE_S, run_in_slices
from woodstock.players.trials import FAVOURED, NET_USES, Trial, TrialMatches, Use

# Less time than that teaches too little, more of it adds little.
LEAST_S, MOST_S = 4.0, 120.0
# Nor does a player learn for longer than so many moves take: in fast matches nobody wants to wait for the start.
_MOVES = 30
# Of what is left of the start clock; the rest is for those who wait for the answer. If preparing took most of it, the
# game is too large to learn much.
_SHARE, _LEAST_LEFT = 0.9, 0.45
# Of that time, what favours get at most, to be found and to be tried. Of the rest, what the matches of the net get; the
# rest of that is for its trial.
_FAVOUR_SHARE, _FAVOUR_TRIAL_SHARE = 0.06, 0.16
_PLAY_SHARE = 0.6
# Of the time for each move, what a net that is used goes on learning for, and how soon an interrupt is noticed then.
_ONGOING_SHARE, _ONGOING_SLICE_S = 0.2, 0.005
# A game that a search settles in less than this share of this time needs no more knowledge.
_PROBE_S, _SETTLED = 0.3, 0.9


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned in the start clock: the trials of the net's uses, and that of favoured moves."""

    seconds: float
    net: _native.SelfPlay
    trials: tuple[Trial, ...]
    favoured: Trial = field(default_factory=lambda: Trial(FAVOURED))

    @property
    def best(self) -> Trial | None:
        """The best use of the net that pays; None: the search is no better with it."""
        paying = [trial for trial in self.trials if trial.pays]
        return max(paying, key=lambda trial: trial.score, default=None)

    def go_on(self, state: State, budget: Budget, is_wanted: Callable[[], bool]) -> Budget:
        """Let the net learn from here in a share of the time for a move, if it is used; return what is left.

        Searches share the net, so none may run meanwhile. A search without a clock must not depend on the machine.
        """
        clock_s = budget.cpu_seconds or budget.seconds_left
        if self.best is None or math.isinf(clock_s) or budget.simulations or budget.nodes:
            return budget
        clock = time.thread_time if budget.cpu_seconds else time.monotonic
        begun = clock()
        play = partial(self.net.run, packed(state))
        run_in_slices(play, _ONGOING_SHARE * clock_s, is_wanted, clock, _ONGOING_SLICE_S)
        return budget.less_cpu(clock() - begun)


def learn(task: Task, searcher: TreeSearcher, deadline: float, is_wanted: Callable[[], bool]) -> Lesson | None:
    """Learn in the start clock, and let the search use it if that pays; None if nothing can be learned.

    `is_wanted` is asked now and then whether to go on.
    """
    left = deadline - time.monotonic()
    if not has_time_to_learn(task, deadline) or left < _LEAST_LEFT * task.start_clock_s or not searcher.is_ready:
        return None
    if len(without_chance(task.game.roles)) < 2:
        return None
    # A search may go on with the symmetries of what is left of the match; the net learns by those of the whole game.
    group = searcher.group
    begun = time.thread_time()
    probe = searcher.think(task.first_state, task.role, Budget(deadline, cpu_seconds=_PROBE_S), None)
    probe_s = time.thread_time() - begun
    if probe_s < _SETTLED * _PROBE_S:
        return None
    child = int(searcher.spec.given.get("child_playouts", 0))
    # More threads than cores would only make each trial longer.
    threads = min(_cores(), int(searcher.spec.settings.get("threads", 1)))
    stage_s = probe_s / max(1, probe.statistics["stages"])
    learning = Learning(task.first_state, task.seed, is_wanted, child, threads, stage_s)
    if group is not None:
        learning.net.set_group(group)
    if not learning.prepare(deadline):
        return None
    lesson = learning.run(time.monotonic() + _time_to_learn(task, deadline))
    for trial in (lesson.favoured, lesson.best):
        if trial is not None and trial.pays:
            learning.let_use(searcher, trial.use)
    return lesson


def has_time_to_learn(task: Task, deadline: float) -> bool:
    """Return whether the clocks allow it. What is learned depends on the machine; a match without a clock must not."""
    return not task.simulations and _time_to_learn(task, deadline) >= LEAST_S


def _cores() -> int:
    """Return how many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _time_to_learn(task: Task, deadline: float) -> float:
    return min(MOST_S, _MOVES * task.play_clock_s, _SHARE * (deadline - time.monotonic()))


class Learning:
    """A net, moves to favour, and matches that try them. `is_wanted` says whether to go on.

    With the net a new state gets `child` playouts; 0: as many as the use says. `stage_s` is the time of a search for a
    stage, if it is known.
    """

    def __init__(
        self,
        first: State,
        seed: int,
        is_wanted: Callable[[], bool],
        child: int = 0,
        threads: int = 1,
        stage_s: float = 0.0,
    ) -> None:
        self._first, self._is_wanted, self._child = first, is_wanted, child
        self._chance = chance_index(first.game.roles)
        self._matches = TrialMatches(first, seed, is_wanted, threads, stage_s)
        engine = first.game.engine
        assert isinstance(engine, CircuitEngine)
        self._circuit, self._seed = engine.circuit, seed
        self._favours: Sequence[int] = ()
        patterns = find_patterns(engine.ground, engine.circuit)
        kinds = find_kinds(engine.ground.fluents)
        self.net = _native.SelfPlay(
            engine.circuit, self._chance, seed, patterns.variables, patterns.scopes, kinds, threads
        )

    def prepare(self, deadline: float) -> bool:
        """Make the trial's searches ready; false if there is no time for it."""
        return self._matches.prepare(deadline)

    def run(self, deadline: float) -> Lesson:
        """Play, learn and try until the deadline."""
        begun = time.monotonic()
        play = partial(self.net.run, packed(self._first))
        # The first matches say how long the others are.
        play(min(SLICE_S, deadline - begun))
        favoured = self.try_favours(_FAVOUR_SHARE * (deadline - begun), _FAVOUR_TRIAL_SHARE * (deadline - begun))
        run_in_slices(play, _PLAY_SHARE * (deadline - time.monotonic()), self._is_wanted)
        lesson = Lesson(0.0, self.net, self.try_net(deadline - time.monotonic()), favoured)
        if lesson.best is not None:
            # The trial may have been short.
            run_in_slices(play, deadline - time.monotonic(), self._is_wanted)
        return dataclasses.replace(lesson, seconds=time.monotonic() - begun)

    def let_use(self, searcher: TreeSearcher, use: Use) -> None:
        """Let a search use what was learned."""
        if use is FAVOURED:
            searcher.native.set_favours(self._favours)
        else:
            searcher.native.set_net(self.net, use.net_playouts, self._child or use.child_playouts)

    def try_favours(self, seconds: float, trial_seconds: float) -> Trial:
        """Look for moves to favour, and try playouts that do; if that pays, the net is tried on top of it."""
        trial = Trial(FAVOURED)
        start = packed(self._first)
        self._favours = find_favours(self._circuit, self._chance, start, self._seed, seconds, self._is_wanted)
        if self._favours:
            self._try([trial], trial_seconds)
            for couple in self._matches.couples:
                if trial.pays:
                    self.let_use(couple.other, FAVOURED)
                else:
                    couple.user.native.set_favours([])
        return trial

    def try_net(self, seconds: float) -> tuple[Trial, ...]:
        """Try each use of the net."""
        trials = tuple(Trial(use) for use in NET_USES)
        self._try(trials, seconds)
        return trials

    def _try(self, trials: Sequence[Trial], seconds: float) -> None:
        self._matches.run(trials, seconds, self.net.states / max(1, self.net.matches), self.let_use)
