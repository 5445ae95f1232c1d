"""The standings of a tournament by pair, by game and by role.

They are a function of the plan and the set of results: the order in which matches finished does not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock.tournament.intervals import Interval, score_interval
from woodstock.tournament.journal import Result
from woodstock.tournament.legs import LEG
from woodstock.tournament.plan import TournamentPlan
from woodstock.tournament.ratings import Ratings, Seating, rate


@dataclass(slots=True)
class Tally:
    """Wins, draws and losses of one side, with the sum of its goals."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    goals: float = 0.0

    def add(self, score: float, goal: float, count: int = 1) -> None:
        """Count some matches with the same outcome."""
        self.wins += count * (score > 0.5)
        self.draws += count * (score == 0.5)
        self.losses += count * (score < 0.5)
        self.goals += count * goal

    @property
    def count(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def mean_goal(self) -> float:
        """The mean goal; 0 without matches."""
        return self.goals / self.count if self.count else 0.0

    @property
    def text(self) -> str:
        """The tally as in tables: +wins =draws -losses."""
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass(slots=True)
class Duel:
    """Two players in one game: the first's results. `pairs` has the mean score of each pair of exchanged seats."""

    game: str
    first: str
    second: str
    tally: Tally = field(default_factory=Tally)
    pairs: list[float] = field(default_factory=list)
    decision: str = ""

    @property
    def interval(self) -> Interval:
        """The first's mean score with its interval, from pairs."""
        return score_interval(self.pairs)


@dataclass(slots=True)
class Standings:
    """All that a report shows."""

    plan: TournamentPlan
    matches: int
    duels: list[Duel]
    solo: dict[tuple[str, str], Tally]  # by game and player, if one player had all seats
    by_role: dict[tuple[str, str, str], Tally]  # by game, role and player
    ratings: Ratings
    endings: dict[str, dict[str, int]]  # by player: how its matches ended, and its errors by code
    reasons: dict[str, int]
    points: dict[tuple[str, str], Tally]  # by leg ("" without legs) and player; goals times the weight of their game


def standings(plan: TournamentPlan, results: Iterable[Result]) -> Standings:
    """Return the standings; results after the deciding pair of a sequential test do not count.

    A million matches have few different outcomes: each is kept once, and a match is its number.
    """
    outcomes = _Outcomes()
    by_duel: dict[tuple[str, str, str], dict[int, int]] = defaultdict(dict)
    points = _Points(plan)
    counts: dict[int, int] = defaultdict(int)
    for result in results:
        outcome = outcomes.number(result)
        points.add(result)
        if result.is_solo:
            counts[outcome] += 1
        else:
            # Each round of a Swiss tournament numbers its matches from 0.
            turn, _, _, _, number = result.key.split("/")
            by_duel[result.game, result.first, result.second][int(turn) * _ROUND + int(number)] = outcome
    duels = []
    for key in sorted(by_duel):
        duel, kept = _duel(plan, key, by_duel[key], outcomes)
        duels.append(duel)
        for outcome, count in kept.items():
            counts[outcome] += count
    # Sorted, because sums of floats depend on the order.
    counted = [(outcomes.known[outcome], count) for outcome, count in counts.items()]
    return _collect(plan, duels, sorted(counted, key=lambda one: one[0].order), points.found())


_ROUND = 1_000_000


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A result that many matches have, with its score and goal."""

    result: Result
    score: float
    goal: float
    order: str


class _Points:
    """Sums goals times weights by leg and player, in whole numbers as far as weights allow."""

    def __init__(self, plan: TournamentPlan) -> None:
        self._plan = plan
        self._weights = {game.name: game.weight for game in plan.games}
        # Goals by weight and outcome are counted first: the order of results must not change a sum.
        self._counts: dict[tuple[str, str, float, float, float], int] = defaultdict(int)

    def add(self, result: Result) -> None:
        """Count one match."""
        legs = self._plan.legs
        leg = legs[int(result.key.partition("/")[0]) // LEG - 1].name if legs else ""
        weight = self._weights.get(result.game, 1.0)
        for name in dict.fromkeys((result.first, result.second)):
            score = 0.5 if result.is_solo else result.score if name == result.first else 1 - result.score
            self._counts[leg, name, weight, result.mean_goal(name) or 0.0, score] += 1

    def found(self) -> dict[tuple[str, str], Tally]:
        """Return the sums."""
        points: dict[tuple[str, str], Tally] = defaultdict(Tally)
        for (leg, name, weight, goal, score), count in sorted(self._counts.items()):
            points[leg, name].add(score, weight * goal, count)
        return dict(points)


class _Outcomes:
    """The different outcomes seen, numbered."""

    def __init__(self) -> None:
        self.known: list[_Outcome] = []
        self._numbers: dict[tuple[object, ...], int] = {}

    def number(self, result: Result) -> int:
        """Return the number of an outcome; a new one gets the next number."""
        errors = repr(sorted(result.errors.items())) if result.errors else ""
        sides = (result.game, result.first, result.second, result.players, result.roles)
        key = (sides, result.goals, result.reason, errors)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.known)
            goal = result.mean_goal(result.first) or 0.0
            self.known.append(_Outcome(result, result.score, goal, repr(key)))
        return found


def _duel(
    plan: TournamentPlan, key: tuple[str, str, str], matches: dict[int, int], outcomes: _Outcomes
) -> tuple[Duel, dict[int, int]]:
    """Return a duel and how often each outcome counts in it: first whole pairs, then single matches."""
    duel = Duel(*key)
    known = outcomes.known
    numbers = sorted(matches)
    pairs = [(n, n + 1) for n in numbers if n % 2 == 0 and n + 1 in matches]
    scores = [(known[matches[a]].score + known[matches[b]].score) / 2 for a, b in pairs]
    kept = numbers
    if plan.sprt is not None and (length := plan.sprt.deciding_length(scores)) is not None:
        duel.decision = plan.sprt.decision(scores[:length])
        scores = scores[:length]
        kept = [n for pair in pairs[:length] for n in pair]
    halves = [n for n in numbers if n % 2 == 0 and n + 1 not in matches and not duel.decision]
    duel.pairs = scores + [known[matches[n]].score for n in halves]
    counts: dict[int, int] = defaultdict(int)
    for n in kept:
        counts[matches[n]] += 1
    for outcome, count in sorted(counts.items(), key=lambda one: known[one[0]].order):
        duel.tally.add(known[outcome].score, known[outcome].goal, count)
    return duel, counts


def _collect(
    plan: TournamentPlan,
    duels: list[Duel],
    counted: list[tuple[_Outcome, int]],
    points: dict[tuple[str, str], Tally],
) -> Standings:
    solo: dict[tuple[str, str], Tally] = defaultdict(Tally)
    by_role: dict[tuple[str, str, str], Tally] = defaultdict(Tally)
    endings: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    reasons: dict[str, int] = defaultdict(int)
    for outcome, count in counted:
        result = outcome.result
        reasons[result.reason] += count
        if result.is_solo:
            solo[result.game, result.first].add(outcome.score, outcome.goal, count)
        for role, player, goal in zip(result.roles, result.players, result.goals, strict=True):
            score = outcome.score if player == result.first else 1 - outcome.score
            by_role[result.game, role, player].add(score, goal or 0, count)
        for player in dict.fromkeys(result.players):
            endings[player]["matches"] += count
        for role, codes in result.errors.items():
            player = result.players[result.roles.index(role)]
            for code, number in codes.items():
                endings[player][code] += number * count
    seatings = [
        Seating(one.result.game, one.result.roles, one.result.players, tuple(float(goal or 0) for goal in goals), count)
        for one, count in counted
        if None not in (goals := one.result.goals)
    ]
    return Standings(
        plan=plan,
        matches=sum(count for _, count in counted),
        duels=duels,
        solo=dict(solo),
        by_role=dict(by_role),
        ratings=rate(seatings),
        endings={player: dict(found) for player, found in sorted(endings.items())},
        reasons=dict(sorted(reasons.items())),
        points=points,
    )
