"""The matches of a plan. A match is identified by its key; its seed and seats follow from the plan and the key.

So the same plan gives the same matches in any run, whatever the order in which they finish. In a round robin and a
gauntlet all matches are known at the start; in a Swiss or elimination tournament a round is known when the one before
is complete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from woodstock.tournament.legs import LegSchedule, Played
from woodstock.tournament.plan import PlanGame, TournamentPlan


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to play: `players` by seat, `first` and `second` are the two that are compared.

    `number` counts the matches of this pairing and game from 0; 2n and 2n+1 are a pair with seats exchanged.
    """

    key: str
    game: str
    players: tuple[str, ...]
    first: str
    second: str
    round: int
    number: int
    seed: int


class Schedule:
    """The fixtures of a plan, given how many seats each game has."""

    def __init__(self, plan: TournamentPlan, seats: Mapping[str, int]) -> None:
        self._plan, self._seats = plan, seats

    def fixtures(self, results: Mapping[str, Played]) -> list[Fixture]:
        """Return all fixtures known so far, in their order."""
        plan = self._plan
        if plan.legs:
            return LegSchedule(plan, self).fixtures(results)
        names = [player.name for player in plan.players]
        if plan.pairing == "round-robin":
            return list(self._all(combinations(names, 2) if len(names) > 1 else [(names[0], names[0])], 1))
        if plan.pairing == "gauntlet":
            return list(self._all([(names[0], other) for other in names[1:]], 1))
        return self._rounds(names, results)

    def _all(self, pairs: Iterable[tuple[str, str]], turn: int) -> Iterator[Fixture]:
        return self.of_round(pairs, turn, self._plan.games)

    def of_round(self, pairs: Iterable[tuple[str, str]], turn: int, games: Sequence[PlanGame]) -> Iterator[Fixture]:
        """Yield the fixtures of a round, the pairs in turn, so that a run that is cut short has played all of them."""
        met = list(pairs)
        solo: set[str] = set()
        most = max((game.matches for game in games), default=0)
        for number in range(most):
            for game in games:
                if number < game.matches:
                    for first, second in met:
                        for fixture in self.of_match(game, first, second, turn, number):
                            # A player that has all seats plays once, however many pairs it is in.
                            if fixture.key not in solo:
                                yield fixture
                            if fixture.first == fixture.second:
                                solo.add(fixture.key)

    def of_match(self, game: PlanGame, first: str, second: str, turn: int, number: int) -> Iterator[Fixture]:
        """Yield the match of that number, or one for each player if it has all seats."""
        seats = self._seats[game.name]
        if seats == 1 or game.seats == "together":
            # One player has all seats: both players do that, with the same chance.
            for name in dict.fromkeys((first, second)):
                yield self._make(game, (name,) * seats, name, name, turn, number)
            return
        if game.seats == "one-against-rest":
            players = tuple(first if seat == number % seats else second for seat in range(seats))
        else:
            order = (first, second) if number % 2 == 0 else (second, first)
            players = tuple(order[seat % 2] for seat in range(seats))
        yield self._make(game, players, first, second, turn, number)

    def _make(
        self, game: PlanGame, players: tuple[str, ...], first: str, second: str, turn: int, number: int
    ) -> Fixture:
        key = f"{turn}/{game.name}/{first}/{second}/{number}"
        # Both matches of a pair have the same seed: the same chance and the same opening.
        shared = f"{self._plan.seed}/{turn}/{game.name}/{first}/{second}/{number // 2}"
        seed = int.from_bytes(hashlib.blake2b(shared.encode(), digest_size=4).digest(), "big")
        return Fixture(key, game.name, players, first, second, turn, number, seed)

    def _rounds(self, names: list[str], results: Mapping[str, Played]) -> list[Fixture]:
        found: list[Fixture] = []
        alive = list(names)
        points = dict.fromkeys(names, 0.0)
        met: set[frozenset[str]] = set()
        turn = 0
        while turn < self._plan.rounds if self._plan.pairing == "swiss" else len(alive) > 1:
            turn += 1
            if self._plan.pairing == "swiss":
                pairs = swiss_pairs(names, points, met)
            else:
                pairs = list(zip(alive[::2], alive[1::2], strict=False))
            fixtures = list(self._all(pairs, turn))
            found += fixtures
            if not all(fixture.key in results for fixture in fixtures):
                break
            scores = {pair: fmean(_scores_of(pair, fixtures, results)) for pair in pairs}
            for (first, second), score in scores.items():
                met.add(frozenset((first, second)))
                points[first] += score
                points[second] += 1 - score
            paired = {name for pair in pairs for name in pair}
            for name in names:
                if name not in paired and self._plan.pairing == "swiss":
                    met.add(frozenset((name,)))
                    points[name] += 1.0
            if self._plan.pairing == "elimination":
                # A draw goes to the player that the plan names first.
                winners = [first if scores[first, second] >= 0.5 else second for first, second in pairs]
                alive = winners + (alive[-1:] if len(alive) % 2 else [])
        return found


def _scores_of(pair: tuple[str, str], fixtures: Sequence[Fixture], results: Mapping[str, Played]) -> list[float]:
    """Return the first player's scores; if each had all seats, by who reached more."""
    scores = [results[one.key].score for one in fixtures if (one.first, one.second) == pair]
    solo: dict[tuple[str, int], dict[str, float]] = {}
    for one in fixtures:
        if one.first == one.second and one.first in pair:
            solo.setdefault((one.game, one.number), {})[one.first] = results[one.key].score
    for reached in solo.values():
        mine, theirs = reached[pair[0]], reached[pair[1]]
        scores.append(0.5 if mine == theirs else float(mine > theirs))
    return scores


def swiss_pairs(names: Sequence[str], points: Mapping[str, float], met: set[frozenset[str]]) -> list[tuple[str, str]]:
    """Return neighbours in the standings that have not met; if that is impossible, just neighbours.

    With an odd number the last one that has not waited yet waits: `met` has it alone.
    """
    order = sorted(names, key=lambda name: (-points[name], names.index(name)))
    if len(order) % 2:
        order.remove(next((name for name in reversed(order) if frozenset((name,)) not in met), order[-1]))
    found = _match_up(order, met)
    return list(zip(order[::2], order[1::2], strict=True)) if found is None else found


def _match_up(order: list[str], met: set[frozenset[str]]) -> list[tuple[str, str]] | None:
    if not order:
        return []
    first, *rest = order
    for second in rest:
        if frozenset((first, second)) not in met:
            others = _match_up([name for name in rest if name != second], met)
            if others is not None:
                return [(first, second), *others]
    return None
