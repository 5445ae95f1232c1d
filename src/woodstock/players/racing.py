"""Settings that race against each other in the start clock, in fast matches on the game at hand; the best one plays.

No settings are best in all games. Each rival plays pairs of matches against the player's own settings, with exchanged
seats, from random openings. Rivals that fall behind drop out, and a rival replaces the player's own settings only if it
is clearly better. The idea is that of self-adaptive search [Sironi and Winands]; racing by whole matches is ours.
"""

from __future__ import annotations

import dataclasses
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.players.budget import Budget
from woodstock.players.preparation import Preparation
from woodstock.players.searcher import TreeSearcher
from woodstock.players.spec import PlayerSpec

# Less time than this decides nothing.
LEAST_S = 4.0
# Each differs from the defaults of `mac-ucb` in one way that was far better in some games and worse in others.
RIVALS: tuple[Mapping[str, Any], ...] = (
    {"prior_share": 0.7, "exploration": 0.3},
    {"exploration": 0.05},
    {"exploration": 0.2, "child_playouts": 16},
    {"child_playouts": 128},
)
# Matches that should fit into the time, and bounds for the time of one move.
_MATCHES = 40
_SHORTEST_S, _LONGEST_S = 0.004, 0.25
# Of a tree in the race.
_MEMORY_BYTES = 64 << 20
_MOST_OPENING = 4
_MOST_TURNS = 300
# A rival drops out below this score after some matches, and wins if it is above one half by this many deviations.
_LOSING_SCORE, _FEWEST_MATCHES = 0.4, 6
_DEVIATIONS = 1.3


@dataclass(slots=True)
class Standing:
    """The matches of one rival against the player's own settings."""

    settings: Mapping[str, Any]
    points: float = 0.0
    matches: int = 0

    @property
    def score(self) -> float:
        """Points for each match."""
        return self.points / self.matches if self.matches else 0.5

    @property
    def is_lost(self) -> bool:
        """Whether more matches are a waste of time."""
        return self.matches >= _FEWEST_MATCHES and self.score < _LOSING_SCORE

    @property
    def deviations(self) -> float:
        """How far the score is above one half; a win or a loss deviates by one half."""
        return (self.score - 0.5) * 2 * math.sqrt(self.matches)


class Race:
    """The rivals of one start clock. `is_wanted` says whether to go on; it is asked between searches."""

    def __init__(
        self,
        first: State,
        spec: PlayerSpec,
        preparation: Preparation,
        is_wanted: Callable[[], bool],
        rivals: Sequence[Mapping[str, Any]] = RIVALS,
    ) -> None:
        self._first, self._spec, self._is_wanted = first, spec, is_wanted
        self._random = random.Random(int(spec.settings.get("seed", 0)))
        game = first.game
        self._roles = without_chance(game.roles)
        # What the user has set stays as it is.
        self.standings = [Standing(one) for one in rivals if not set(one) & set(spec.given)]
        self._own = self._searcher({}, preparation)
        self._others = [self._searcher(standing.settings, preparation) for standing in self.standings]
        self._turns = 0.0  # in which somebody chose, in a match so far

    @property
    def matches(self) -> int:
        """The number of matches so far."""
        return sum(standing.matches for standing in self.standings)

    def run(self, deadline: float) -> Mapping[str, Any]:
        """Race until the deadline and return the settings that won; empty: the player's own."""
        begun = time.monotonic()
        each = _SHORTEST_S
        while self._goes_on(deadline):
            racing = [number for number, standing in enumerate(self.standings) if not standing.is_lost]
            if not racing:
                break
            number = min(racing, key=lambda number: self.standings[number].matches)
            opening = self._opening()
            scores = [self._play(number, opening, seat, each, deadline) for seat in range(len(self._roles))]
            if None not in scores:
                self.standings[number].points += sum(score for score in scores if score is not None)
                self.standings[number].matches += len(scores)
            each = self._time_for_move(deadline - begun)
        best = max(self.standings, key=lambda standing: standing.deviations, default=None)
        return best.settings if best is not None and best.deviations >= _DEVIATIONS else {}

    def _searcher(self, settings: Mapping[str, Any], preparation: Preparation) -> TreeSearcher:
        given = {**self._spec.given, "memory_bytes": _MEMORY_BYTES, "proofs": 0.0, **settings}
        searcher = TreeSearcher(self._first.game, dataclasses.replace(self._spec, given=given), preparation)
        searcher.prepare(time.monotonic())
        return searcher

    def _goes_on(self, deadline: float) -> bool:
        return time.monotonic() < deadline and self._is_wanted()

    def _time_for_move(self, seconds: float) -> float:
        return min(_LONGEST_S, max(_SHORTEST_S, seconds / (_MATCHES * max(1.0, self._turns))))

    def _opening(self) -> State:
        state = self._first
        for _ in range(self._random.randrange(_MOST_OPENING + 1)):
            after = state.next({role: self._random.choice(state.legal(role)) for role in state.game.roles})
            if after.is_terminal:
                break
            state = after
        return state

    def _play(self, number: int, opening: State, seat: int, each: float, deadline: float) -> float | None:
        """Return the score of a rival in this seat; None: there was no time to finish."""
        state, searches = opening, 0
        for searcher in (self._own, self._others[number]):
            searcher.native.forget()
        for _ in range(_MOST_TURNS):
            if state.is_terminal:
                break
            moves = {role: self._random.choice(state.legal(role)) for role in state.game.roles}
            for role_number, role in enumerate(self._roles):
                if len(state.legal(role)) < 2:
                    continue
                if not self._goes_on(deadline):
                    return None
                searcher = self._others[number] if role_number == seat else self._own
                moves[role] = searcher.think(state, role, Budget(cpu_seconds=each), None).move
                searches += 1
            state = state.next(moves)
        self._turns += (searches - self._turns) / (1 + min(9, self.matches))
        if not state.is_terminal:
            return 0.5
        goals = [float(state.scores[role] or 0) for role in self._roles]
        others = (sum(goals) - goals[seat]) / (len(goals) - 1)
        return 0.5 if goals[seat] == others else float(goals[seat] > others)
