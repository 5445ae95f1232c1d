"""Fast matches in the start clock that say whether a search is better with what was learned.

A use of what was learned is tried in pairs of matches from random openings, with equal processor time for each move: in
the first match one role uses it and the others do not, in the second it is the other way round. A player with several
threads plays several pairs at once.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.players.budget import Budget
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

# Small groups, because the searches of a trial are short.
_SPEC = "mac-ucb:proofs=off,group=8,memory=64MiB"
# Pairs played at once. More would wait for each other: what is around a search is Python.
_MOST_AT_ONCE = 8
# Random turns first, turns of a match, pairs of matches that should fit, at least one after the other, and bounds for
# the time of a move.
_OPENING, _LONGEST = 4, 300
_PAIRS, _LEAST_IN_A_ROW, _SHORTEST_S, _LONGEST_S = 16, 4, 0.001, 0.02
# If a move then has no time for so many stages, so few pairs of each use should fit: a search that hardly gets beyond
# its own moves says little.
_STAGES, _FEW_PAIRS = 4, 4
# The deviation of a pair's score, pairs before a use is taken, and before it is given up or beyond doubt.
_DEVIATION, _LEAST_PAIRS, _PATIENCE = 0.35, 3, 5
# Beyond doubt: so many standard errors more than one half.
_SURE_ERRORS = 3.0


@dataclass(frozen=True, slots=True)
class Use:
    """A way of using what was learned.

    The trial must give it this score, and so many standard errors more than one half. Below `hopeless` it is tried no
    more. With a net: how many playouts its value counts for, and how many real ones a new state gets.
    """

    name: str
    least_score: float
    least_errors: float
    hopeless: float = 0.35
    net_playouts: int = 0
    child_playouts: int = 0


FAVOURED = Use("playouts that favour moves", 0.55, 1.0, hopeless=0.45)
# In place of playouts a bad net does much harm. With more time for each move the difference grows, for better or worse.
NET_USES = (
    Use("in place of playouts", 0.6, 1.3, net_playouts=96, child_playouts=8),
    Use("beside playouts", 0.6, 1.5, net_playouts=24, child_playouts=32),
)


@dataclass(slots=True)
class Trial:
    """The scores of one use: for each pair of matches 1, 1/2 or 0."""

    use: Use
    scores: list[float] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The mean; 0 without matches."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0

    @property
    def is_hopeless(self) -> bool:
        """Whether it has fallen far behind."""
        return len(self.scores) >= _PATIENCE and self.score < self.use.hopeless

    @property
    def is_sure(self) -> bool:
        """Whether the search is better with this use beyond doubt.

        >>> Trial(FAVOURED, [1.0] * 4).is_sure, Trial(FAVOURED, [1.0] * 5).is_sure, Trial(FAVOURED, [0.5] * 9).is_sure
        (False, True, False)
        """
        return len(self.scores) >= _PATIENCE and self.score >= self._half_and(_SURE_ERRORS)

    @property
    def pays(self) -> bool:
        """Whether the search is better with this use.

        >>> Trial(FAVOURED, [1.0, 1.0, 0.5, 1.0] * 4).pays, Trial(FAVOURED, [1.0, 0.0, 0.5, 0.5] * 4).pays
        (True, False)
        """
        if len(self.scores) < _LEAST_PAIRS:
            return False
        return self.score >= max(self.use.least_score, self._half_and(self.use.least_errors))

    def _half_and(self, errors: float) -> float:
        return 0.5 + errors * _DEVIATION / math.sqrt(len(self.scores))


@dataclass(frozen=True, slots=True)
class Couple:
    """A search that uses what is tried, and one that does not."""

    user: TreeSearcher
    other: TreeSearcher

    @property
    def is_ready(self) -> bool:
        """Whether both have their trees."""
        return self.user.is_ready and self.other.is_ready


class TrialMatches:
    """The matches of all trials in one start clock. `is_wanted` says whether to go on.

    `stage_s` is the time of a search for a stage, if it is known.
    """

    def __init__(
        self, first: State, seed: int, is_wanted: Callable[[], bool], threads: int = 1, stage_s: float = 0.0
    ) -> None:
        self._first, self._is_wanted, self._stage_s = first, is_wanted, stage_s
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        at_once = min(threads, _MOST_AT_ONCE)
        self._every = tuple(Couple(_searcher(first), _searcher(first)) for _ in range(at_once))

    def prepare(self, deadline: float) -> bool:
        """Make the searches ready; false if there is no time for those of one thread."""
        now = time.monotonic()
        for number, couple in enumerate(self._every):
            for searcher in (couple.user, couple.other):
                searcher.prepare(deadline if number == 0 else now)
        return self._every[0].is_ready

    @property
    def couples(self) -> tuple[Couple, ...]:
        """Those that are ready. Large games take time."""
        return tuple(couple for couple in self._every if couple.is_ready)

    def time_for_move(self, uses: int, seconds: float, turns: float) -> float:
        """Return how long a move should take if so many uses are tried for so long. `turns`: how long a match is."""
        couples = len(self.couples)
        in_a_row = seconds / (2 * max(1.0, turns))
        usual = in_a_row / max(_LEAST_IN_A_ROW, _PAIRS / couples)
        longest = in_a_row / max(_LEAST_IN_A_ROW, uses * _FEW_PAIRS / couples)
        wanted = _STAGES * self._stage_s
        return max(_SHORTEST_S, min(usual, _LONGEST_S), min(wanted, longest))

    def run(
        self, trials: Sequence[Trial], seconds: float, turns: float, let_use: Callable[[TreeSearcher, Use], None]
    ) -> None:
        """Try each use in turn, for so long at most. `turns`: how long a match is."""
        couples = self.couples
        each = self.time_for_move(len(trials), seconds, turns)
        deadline = time.monotonic() + seconds
        begun = [0] * len(trials)
        is_over = False

        def next_trial() -> int | None:
            with self._lock:
                if is_over or sum(begun) >= 2 * _PAIRS or any(trial.is_sure for trial in trials):
                    return None
                still = [number for number, trial in enumerate(trials) if not trial.is_hopeless]
                if not still:
                    return None
                number = min(still, key=begun.__getitem__)
                begun[number] += 1
                return number

        def play(couple: Couple) -> None:
            nonlocal is_over
            while (number := next_trial()) is not None:
                let_use(couple.user, trials[number].use)
                score = self.play_pair(couple, each, deadline)
                with self._lock:
                    if score is None:
                        is_over = True
                    else:
                        trials[number].scores.append(score)

        if len(couples) == 1:
            play(couples[0])
            return
        with ThreadPoolExecutor(len(couples)) as pool:
            list(pool.map(play, couples))

    def play_pair(self, couple: Couple, each: float, deadline: float) -> float | None:
        """Return the score of the search that uses what is tried; None if there was no time to finish."""
        roles = without_chance(self._first.game.roles)
        with self._lock:
            role, opening = self._random.choice(roles), self._random.getrandbits(32)
        others = {other for other in roles if other != role}
        ends = [self._play(couple, users, opening, each, deadline) for users in ({role}, others)]
        if ends[0] is None or ends[1] is None:
            return None
        with_it, without = ends[0].scores[role], ends[1].scores[role]
        return 0.5 if with_it == without else float(with_it > without)

    def _play(self, couple: Couple, users: set[str], opening: int, each: float, deadline: float) -> State | None:
        """Return the end of a match in which these roles use what is tried; None if there was no time for it."""
        dice, state = random.Random(opening), self._first
        for searcher in (couple.user, couple.other):
            searcher.native.forget()
        for turn in range(_LONGEST):
            if state.is_terminal:
                return state
            if time.monotonic() >= deadline or not self._is_wanted():
                return None
            moves = {role: dice.choice(state.legal(role)) for role in state.game.roles}
            for role in state.to_move if turn >= _OPENING else ():
                searcher = couple.user if role in users else couple.other
                moves[role] = searcher.think(state, role, Budget(cpu_seconds=each), None).move
            state = state.next(moves)
        return state


def _searcher(first: State) -> TreeSearcher:
    made = make_searcher(first.game, parse_spec(_SPEC))
    assert isinstance(made, TreeSearcher)
    return made
