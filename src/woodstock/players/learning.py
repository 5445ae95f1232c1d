"""A value of states that is learned in the start clock, and tried before it is used.

A small net plays thousands of matches a second against itself, each move the one that it likes best, and learns from
how they end. Then comes the trial: fast matches of the search that uses the net against the search without it, with
equal processor time for each move. The net is used if it clearly wins: in some games it is worth far more than
playouts, in others it is worth nothing.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from woodstock import _native
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index, without_chance
from woodstock.players.player import Task
from woodstock.players.searcher import Budget, TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

# Less time than that teaches too little, more of it adds little.
LEAST_S, MOST_S = 6.0, 120.0
# Nor does a player learn for longer than so many moves take: in fast matches nobody wants to wait for the start.
_MOVES = 30
# Of what is left of the start clock; the rest is for those who wait for the answer. If preparing took most of it, the
# game is too large to learn much.
_SHARE, _LEAST_LEFT = 0.9, 0.6
# Of that time, what the matches of the net get; the rest is for the trial.
_PLAY_SHARE = 0.65
# A learned value counts for so many playouts of a new state. It then gets few real ones: a larger tree is worth more.
NET_PLAYOUTS, CHILD_PLAYOUTS = 96, 8
# Small groups, because the searches of a trial are short.
_TRIAL = "mac-ucb:proofs=off,memory=64MiB,group=8"
# A game that a search proves in this time needs no more knowledge.
_PROBE_S = 0.3
# How soon an interrupt is noticed.
_SLICE_S = 0.2
# A trial: random turns first, turns of a match, pairs of matches that should fit, and bounds for the time of a move.
_OPENING, _LONGEST = 4, 300
_PAIRS, _SHORTEST_S, _LONGEST_S = 16, 0.001, 0.02
# The score that a net needs, how sure it must be to be better than none, in standard errors, and the deviation of a
# pair's score. A trial ends early if the net falls far behind.
_LEAST_PAIRS, _LEAST_SCORE, _SURE, _DEVIATION = 6, 0.6, 1.3, 0.35
_HOPELESS = 0.35


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned: matches of the net against itself, then pairs of matches of the trial and the net's score."""

    seconds: float
    matches: int
    states: int
    pairs: int
    score: float

    @property
    def pays(self) -> bool:
        """Whether the search is clearly better with the net.

        >>> Lesson(20.0, 1000, 60000, 16, 0.8).pays, Lesson(20.0, 1000, 60000, 16, 0.55).pays
        (True, False)
        """
        if self.pairs < _LEAST_PAIRS:
            return False
        return self.score >= max(_LEAST_SCORE, 0.5 + _SURE * _DEVIATION / math.sqrt(self.pairs))


def learn(task: Task, searcher: TreeSearcher, deadline: float, is_wanted: Callable[[], bool]) -> Lesson | None:
    """Learn in the start clock, and let the search use it if that pays; None if nothing can be learned.

    `is_wanted` is asked now and then whether to go on.
    """
    left = deadline - time.monotonic()
    # What is learned depends on the machine; a match by numbers of simulations must not.
    if task.simulations or left < _LEAST_LEFT * task.start_clock_s or not searcher.is_ready:
        return None
    if _time_to_learn(task, deadline) < LEAST_S:
        return None
    if len(without_chance(task.game.roles)) < 2:
        return None
    budget = Budget(deadline, cpu_seconds=_PROBE_S)
    if searcher.think(task.first_state, task.role, budget, None).is_proven:
        return None
    child = int(searcher.spec.given.get("child_playouts", CHILD_PLAYOUTS))
    learning = Learning(task.first_state, task.seed, child, is_wanted)
    if not learning.prepare(deadline):
        return None
    lesson = learning.run(time.monotonic() + _time_to_learn(task, deadline))
    if lesson.pays:
        searcher.native.set_net(learning.net, NET_PLAYOUTS, child)
    return lesson


def _time_to_learn(task: Task, deadline: float) -> float:
    return min(MOST_S, _MOVES * task.play_clock_s, _SHARE * (deadline - time.monotonic()))


class Learning:
    """A net, and matches that try it.

    With the net, a new state gets `child` playouts. `is_wanted` says whether to go on.
    """

    def __init__(self, first: State, seed: int, child: int, is_wanted: Callable[[], bool]) -> None:
        self._first, self._child, self._is_wanted = first, child, is_wanted
        self._random = random.Random(seed)
        self._chance = chance_index(first.game.roles)
        self._with_net, self._without = (_searcher(first) for _ in range(2))
        self.net = _native.SelfPlay(self._without.circuit, self._chance, seed)

    def prepare(self, deadline: float) -> bool:
        """Make the trial's searches ready; false if there is no time for it."""
        for searcher in (self._with_net, self._without):
            searcher.prepare(deadline)
        return self._with_net.is_ready and self._without.is_ready

    def run(self, deadline: float) -> Lesson:
        """Play, learn and try until the deadline."""
        begun = time.monotonic()
        play_until = begun + _PLAY_SHARE * (deadline - begun)
        while self._goes_on(play_until):
            self.net.run(packed(self._first), min(_SLICE_S, play_until - time.monotonic()))
        scores = self.try_net(deadline)
        score = sum(scores) / len(scores) if scores else 0.0
        return Lesson(time.monotonic() - begun, self.net.matches, self.net.states, len(scores), score)

    def _goes_on(self, deadline: float) -> bool:
        return time.monotonic() < deadline and self._is_wanted()

    def try_net(self, deadline: float) -> list[float]:
        """Return the score of each pair: a role with the net against the others, and without it against the net."""
        self._with_net.native.set_net(self.net, NET_PLAYOUTS, self._child)
        turns = self.net.states / max(1, self.net.matches)
        fitting = (deadline - time.monotonic()) / (2 * _PAIRS * max(1.0, turns))
        each = min(_LONGEST_S, max(_SHORTEST_S, fitting))
        scores = list[float]()
        roles = [role for i, role in enumerate(self._first.game.roles) if i != self._chance]
        while len(scores) < 2 * _PAIRS:
            role, opening = self._random.choice(roles), self._random.getrandbits(32)
            others = {other for other in roles if other != role}
            ends = [self._play(users, opening, each, deadline) for users in ({role}, others)]
            if ends[0] is None or ends[1] is None:
                break
            with_net, without = (end.scores[role] for end in ends if end is not None)
            scores.append(0.5 if with_net == without else float(with_net > without))
            if len(scores) >= _LEAST_PAIRS and sum(scores) < _HOPELESS * len(scores):
                break
        return scores

    def _play(self, users: set[str], opening: int, each: float, deadline: float) -> State | None:
        """Return the end of a match in which these roles use the net; None if there was no time for it."""
        dice, state = random.Random(opening), self._first
        for searcher in (self._with_net, self._without):
            searcher.native.forget()
        for turn in range(_LONGEST):
            if state.is_terminal:
                return state
            if not self._goes_on(deadline):
                return None
            moves = {role: dice.choice(state.legal(role)) for role in state.game.roles}
            for role in state.to_move if turn >= _OPENING else ():
                searcher = self._with_net if role in users else self._without
                moves[role] = searcher.think(state, role, Budget(cpu_seconds=each), None).move
            state = state.next(moves)
        return state


def _searcher(first: State) -> TreeSearcher:
    made = make_searcher(first.game, parse_spec(_TRIAL))
    assert isinstance(made, TreeSearcher)
    return made
