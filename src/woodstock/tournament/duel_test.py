"""The sequential test of every duel while a tournament runs: by whole pairs, in their order.

Matches finish in any order. A pair counts when all pairs before it do, so the decision does not depend on the order.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from woodstock.tournament.journal import Result
from woodstock.tournament.sprt import Sprt

Duel = tuple[str, str, str]


@dataclass(slots=True)
class _Scores:
    by_number: dict[int, float] = field(default_factory=dict)
    pairs: list[float] = field(default_factory=list)


class DuelTest:
    """Knows which duels are decided; without a test, none."""

    def __init__(self, sprt: Sprt | None) -> None:
        self._sprt = sprt
        self._duels: dict[Duel, _Scores] = {}
        self.decided: set[Duel] = set()

    def note(self, result: Result) -> None:
        """Take note of a result."""
        if self._sprt is None or result.is_solo:
            return
        duel = (result.game, result.first, result.second)
        scores = self._duels.setdefault(duel, _Scores())
        scores.by_number[int(result.key.rpartition("/")[2])] = result.score
        number = 2 * len(scores.pairs)
        while duel not in self.decided and number in scores.by_number and number + 1 in scores.by_number:
            scores.pairs.append((scores.by_number[number] + scores.by_number[number + 1]) / 2)
            number += 2
            if self._sprt.decision(scores.pairs):
                self.decided.add(duel)
