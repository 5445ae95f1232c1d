"""Matches that need not be played: those of a duel that is decided or known well enough, and of a player that fails.

Matches finish in any order. A pair of a duel counts when all pairs before it do, so the decision of the sequential test
does not depend on the order.
"""

from __future__ import annotations

from collections import defaultdict

from woodstock.tournament.intervals import score_interval
from woodstock.tournament.journal import Result
from woodstock.tournament.pairing import Fixture
from woodstock.tournament.sprt import Sprt

# After this many matches in a row in which every move of the player was an error, it is out.
PATIENCE = 3
# A duel has at least this many pairs before its interval can end it.
LEAST_PAIRS = 8

Duel = tuple[str, str, str]


class Cutoff:
    """Takes note of results. `failed` has the players that are out, with the reason.

    A duel ends when the sequential test decides it, or when its interval is at most `interval` points to each side.
    """

    def __init__(self, sprt: Sprt | None, interval: float | None = None) -> None:
        self.failed: dict[str, str] = {}
        self._sprt, self._interval = sprt, interval
        self._scores: dict[Duel, dict[int, float]] = defaultdict(dict)  # by the number of the match
        self._pairs: dict[Duel, list[float]] = defaultdict(list)
        self._decided: set[Duel] = set()
        self._failures: dict[str, int] = defaultdict(int)  # in a row

    def is_wanted(self, fixture: Fixture) -> bool:
        """Return whether a match is still to be played."""
        is_open = (fixture.game, fixture.first, fixture.second) not in self._decided
        return is_open and not any(player in self.failed for player in fixture.players)

    def note(self, result: Result) -> None:
        """Take note of a result."""
        for player in dict.fromkeys(result.players):
            self._note_player(player, result)
        if (self._sprt or self._interval) and not result.is_solo:
            self._note_duel((result.game, result.first, result.second), result)

    def _note_player(self, player: str, result: Result) -> None:
        seats = zip(result.roles, result.players, strict=True)
        errors = [result.errors.get(role, {}) for role, name in seats if name == player]
        if not result.turns or any(sum(codes.values()) < result.turns for codes in errors):
            self._failures[player] = 0
            return
        self._failures[player] += 1
        if self._failures[player] >= PATIENCE:
            codes = ", ".join(sorted({code for codes in errors for code in codes}))
            self.failed[player] = f"no move of its own in {PATIENCE} matches in a row ({codes})"

    def _note_duel(self, duel: Duel, result: Result) -> None:
        scores, pairs = self._scores[duel], self._pairs[duel]
        scores[int(result.key.rpartition("/")[2])] = result.score
        number = 2 * len(pairs)
        while duel not in self._decided and number in scores and number + 1 in scores:
            pairs.append((scores[number] + scores[number + 1]) / 2)
            number += 2
            if (self._sprt is not None and self._sprt.decision(pairs)) or self._is_known(pairs):
                self._decided.add(duel)

    def _is_known(self, pairs: list[float]) -> bool:
        if self._interval is None or len(pairs) < LEAST_PAIRS:
            return False
        found = score_interval(pairs)
        return 100 * (found.high - found.low) <= 2 * self._interval
