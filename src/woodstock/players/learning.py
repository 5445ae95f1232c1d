"""A value of states that is learned in the start clock, and tried before it is used.

A small net plays thousands of matches a second against itself, each move the one that it likes best, and learns from
how they end. Then comes the trial: matches of the shortest search, one visit a move, with the net's value added to new
states against the same search without it. The net is used if it clearly wins: in some games it is worth far more than
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
from woodstock.players.player import Task
from woodstock.players.preparation import chance_role
from woodstock.players.searcher import Budget, TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

# A shorter start clock is not used for learning; more time than that adds little.
LEAST_CLOCK_S, MOST_S = 12.0, 120.0
# Of what is left of the start clock; the rest is for those who wait for the answer. If preparing took most of it, the
# game is too large to learn much.
_SHARE, _LEAST_LEFT = 0.9, 0.6
# Of that time, what the matches of the net get; the rest is for the trial.
_PLAY_SHARE = 0.7
# A learned value counts for so many times the playouts of a new state.
_WEIGHT = 3
_TRIAL = "mac-ucb:proofs=off,memory=64MiB"
# How soon an interrupt is noticed.
_SLICE_S = 0.2
# A trial: random turns first, pairs of matches, turns of a match.
_OPENING = 4
_LEAST_PAIRS, _MOST_PAIRS = 8, 40
_LONGEST = 300
# The score that a net needs, and how sure it must be to be better than none, in standard errors.
_LEAST_SCORE, _SURE = 0.65, 1.5


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

        >>> Lesson(20.0, 1000, 60000, 40, 0.8).pays, Lesson(20.0, 1000, 60000, 40, 0.6).pays
        (True, False)
        """
        if self.pairs < _LEAST_PAIRS:
            return False
        return self.score >= max(_LEAST_SCORE, 0.5 + _SURE * 0.5 / math.sqrt(self.pairs))


def learn(
    task: Task, searcher: TreeSearcher, playouts: int, deadline: float, is_wanted: Callable[[], bool]
) -> Lesson | None:
    """Learn in a long start clock, and let the search use it if that pays; None if nothing can be learned.

    `playouts` is what a new state gets. `is_wanted` is asked now and then whether to go on.
    """
    left = deadline - time.monotonic()
    if task.start_clock_s < LEAST_CLOCK_S or left < _LEAST_LEFT * task.start_clock_s or not searcher.is_ready:
        return None
    if sum(role.lower() != "random" for role in task.game.roles) < 2:
        return None
    trial = make_searcher(task.game, parse_spec(_TRIAL))
    assert isinstance(trial, TreeSearcher)
    trial.prepare(deadline)
    if not trial.is_ready:
        return None
    learning = Learning(trial, task.first_state, task.seed, _WEIGHT * playouts, is_wanted)
    left = deadline - time.monotonic()
    lesson = learning.run(time.monotonic() + min(MOST_S, _SHARE * left))
    if lesson.pays:
        searcher.native.set_net(learning.net, _WEIGHT * playouts)
    return lesson


class Learning:
    """A net, and matches that try it.

    `searcher` plays the trial and nothing else. The net counts for so many `playouts` of a new state. `is_wanted` says
    whether to go on.
    """

    def __init__(
        self, searcher: TreeSearcher, first: State, seed: int, playouts: int, is_wanted: Callable[[], bool]
    ) -> None:
        self._searcher, self._first, self._is_wanted = searcher, first, is_wanted
        self._playouts = playouts
        self._random = random.Random(seed)
        self._chance = chance_role(first.game)
        self.net = _native.SelfPlay(searcher.circuit, self._chance, seed)

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

    def _choose(self, state: State, roles: list[str], is_used: bool) -> dict[str, str]:
        """Return what the shortest search likes, with the net or without it; it begins anew each time."""
        searcher = self._searcher
        searcher.native.set_net(self.net if is_used else None, self._playouts)
        searcher.native.forget()
        first = searcher.think(state, roles[0], Budget(simulations=1), None).move
        return {roles[0]: first} | {role: searcher.info(role).moves[0].move for role in roles[1:]}

    def try_net(self, deadline: float) -> list[float]:
        """Return the score of each pair: a role with the net against the others, and without it against the net."""
        game, scores = self._first.game, list[float]()
        roles = [role for i, role in enumerate(game.roles) if i != self._chance]
        while len(scores) < _MOST_PAIRS:
            role, seed = self._random.choice(roles), self._random.getrandbits(32)
            others = {other for other in roles if other != role}
            ends = [self._play({role}, seed, deadline), self._play(others, seed, deadline)]
            if ends[0] is None or ends[1] is None:
                break
            with_net, without = (end.scores[role] for end in ends if end is not None)
            scores.append(0.5 if with_net == without else float(with_net > without))
        return scores

    def _play(self, users: set[str], seed: int, deadline: float) -> State | None:
        """Return the end of a match in which these roles use the net; None if there was no time for it."""
        dice, state = random.Random(seed), self._first
        for turn in range(_LONGEST):
            if state.is_terminal:
                return state
            if not self._goes_on(deadline):
                return None
            moves = {role: dice.choice(state.legal(role)) for role in state.game.roles}
            choosers = [role for role in state.to_move if turn >= _OPENING]
            for is_used in (True, False):
                asked = [role for role in choosers if (role in users) == is_used]
                if asked:
                    moves |= self._choose(state, asked, is_used)
            state = state.next(moves)
        return state
