"""The matches of a plan with legs, as far as they are known.

A leg is known when those before it are complete; a tie that is played until somebody has enough wins knows one match at
a time. Everything follows from the plan and the results, as in `pairing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING

from woodstock.tournament.leg import Leg
from woodstock.tournament.plan import PlanGame, TournamentPlan

if TYPE_CHECKING:
    from woodstock.tournament.pairing import Fixture, Schedule

# A round is numbered by its leg and its place in the leg.
LEG = 1000


@dataclass(frozen=True, slots=True)
class Played:
    """What a schedule has to know of a match: the score of its first player, and the goals of both, 0 to 100."""

    score: float
    goals: tuple[float, float]


class LegSchedule:
    """The fixtures of a plan with legs."""

    def __init__(self, plan: TournamentPlan, schedule: Schedule) -> None:
        self._plan, self._schedule = plan, schedule
        self._places: dict[str, list[list[str]]] = {}  # by leg: the players of each group, the best first
        self._found: list[Fixture] = []

    def fixtures(self, results: Mapping[str, Played]) -> list[Fixture]:
        """Return all fixtures known so far."""
        self._found, self._places = [], {}
        for number, leg in enumerate(self._plan.legs):
            places = self._leg(leg, LEG * (number + 1), results)
            if places is None:
                break
            self._places[leg.name] = places
        return self._found

    def _entrants(self, leg: Leg) -> list[str]:
        """Return who plays in a leg: by place in its source first, then by group."""
        if not leg.source:
            return [player.name for player in self._plan.players]
        groups = self._places[leg.source]
        return [group[rank - 1] for rank in leg.ranks for group in groups if rank <= len(group)]

    def _leg(self, leg: Leg, turn: int, results: Mapping[str, Played]) -> list[list[str]] | None:
        """Add the fixtures of a leg; return the places of each group, None if matches are missing."""
        names = self._entrants(leg)
        named = leg.games or tuple(game.name for game in self._plan.games)
        games = [game for name in named for game in self._plan.games if name in (game.name, game.title)]
        if leg.pairing == "elimination":
            return self._elimination(leg, turn, names, games, results)
        if leg.pairing == "swiss":
            return self._swiss(leg, turn, names, games, results)
        groups = [names[number :: leg.groups] for number in range(leg.groups)]
        pairs = [pair for group in groups for pair in combinations(group, 2)]
        fixtures = list(self._schedule.of_round(pairs, turn, games))
        self._found += fixtures
        if not all(fixture.key in results for fixture in fixtures):
            return None
        points = self._points(fixtures, results)
        return [sorted(group, key=lambda name: (-points.get(name, 0.0), names.index(name))) for group in groups]

    def _points(self, fixtures: Sequence[Fixture], results: Mapping[str, Played]) -> dict[str, float]:
        """Return the sum of goals by player, each times the weight of its game."""
        points: dict[str, float] = {}
        for fixture in fixtures:
            weight, played = self._plan.game(fixture.game).weight, results[fixture.key]
            for name, goal in dict(zip((fixture.first, fixture.second), played.goals, strict=True)).items():
                points[name] = points.get(name, 0.0) + weight * goal
        return points

    def _swiss(
        self, leg: Leg, turn: int, names: list[str], games: Sequence[PlanGame], results: Mapping[str, Played]
    ) -> list[list[str]] | None:
        from woodstock.tournament.pairing import swiss_pairs

        points = dict.fromkeys(names, 0.0)
        met: set[frozenset[str]] = set()
        for number in range(leg.rounds):
            pairs = swiss_pairs(names, points, met)
            fixtures = list(self._schedule.of_round(pairs, turn + number, games))
            self._found += fixtures
            if not all(fixture.key in results for fixture in fixtures):
                return None
            met |= {frozenset(pair) for pair in pairs}
            gained = self._points(fixtures, results)
            for name in names:
                if name not in gained:
                    # Who waits gets the mean of the others.
                    met.add(frozenset((name,)))
                points[name] += gained[name] if name in gained else fmean(gained.values())
        return [sorted(names, key=lambda name: (-points[name], names.index(name)))]

    def _elimination(
        self, leg: Leg, turn: int, names: list[str], games: Sequence[PlanGame], results: Mapping[str, Played]
    ) -> list[list[str]] | None:
        """Play the best against the worst of those left; with an odd number the best waits."""
        alive, out = list(names), list[str]()
        while len(alive) > 1:
            waiting, rest = (alive[:1], alive[1:]) if len(alive) % 2 else ([], alive)
            half = len(rest) // 2
            winners = []
            is_final = len(alive) == 2
            for first, second in zip(rest[:half], reversed(rest[half:]), strict=True):
                winners.append(self._tie(leg, turn, first, second, games, is_final, results))
            if any(winner is None for winner in winners):
                return None
            kept = [*waiting, *(winner for winner in winners if winner is not None)]
            out = [name for name in alive if name not in kept] + out
            alive = [name for name in alive if name in kept]
            turn += 1
        return [alive + out]

    def _tie(
        self,
        leg: Leg,
        turn: int,
        first: str,
        second: str,
        games: Sequence[PlanGame],
        is_final: bool,
        results: Mapping[str, Played],
    ) -> str | None:
        """Add the known matches of a tie; return who won it."""
        wanted = leg.final_wins if is_final else leg.wins
        won = {first: 0, second: 0}
        goals = {first: 0.0, second: 0.0}
        if not wanted:
            fixtures = list(self._schedule.of_round([(first, second)], turn, games))
            self._found += fixtures
            if not all(fixture.key in results for fixture in fixtures):
                return None
            _count(fixtures, results, won, goals)
        for number in range(leg.most_matches if wanted else 0):
            # Both seats of a game, then the next game.
            game = games[number // 2 % len(games)]
            fixtures = list(self._schedule.of_match(game, first, second, turn, number))
            self._found += fixtures
            if not all(fixture.key in results for fixture in fixtures):
                return None
            _count(fixtures, results, won, goals)
            if max(won.values()) >= wanted:
                break
        # Then by goals; a tie goes to the one with the better place before.
        return max((first, second), key=lambda name: (won[name], goals[name]))


def _count(
    fixtures: Sequence[Fixture], results: Mapping[str, Played], won: dict[str, int], goals: dict[str, float]
) -> None:
    """Count matches of a tie. If each player had all seats of a match of its own, the greater goal wins."""
    alone: dict[tuple[str, int], dict[str, float]] = {}
    for fixture in fixtures:
        played = results[fixture.key]
        for name, goal in dict(zip((fixture.first, fixture.second), played.goals, strict=True)).items():
            goals[name] += goal
        if fixture.first == fixture.second:
            alone.setdefault((fixture.game, fixture.number), {})[fixture.first] = played.goals[0]
        elif played.score != 0.5:
            won[fixture.first if played.score > 0.5 else fixture.second] += 1
    for reached in alone.values():
        if len(set(reached.values())) == 2:
            won[max(reached, key=lambda name: reached[name])] += 1
