"""Standings: what the results of a tournament say, pair by pair, game by game, role by role.

A pure function of the plan and the set of results: the order in which matches were finished leaves no trace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock.tournament.intervals import Interval, score_interval
from woodstock.tournament.journal import Result
from woodstock.tournament.plan import Plan
from woodstock.tournament.ratings import Ratings, Seating, rate


@dataclass(slots=True)
class Tally:
    """Wins, draws and losses of one side, with the sum of its goals."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    goals: float = 0.0
    count: int = 0

    def add(self, score: float, goal: float) -> None:
        """Count a match."""
        self.wins += score > 0.5
        self.draws += score == 0.5
        self.losses += score < 0.5
        self.goals += goal
        self.count += 1

    @property
    def mean_goal(self) -> float:
        """The mean goal; 0 where nothing was played."""
        return self.goals / self.count if self.count else 0.0

    @property
    def text(self) -> str:
        """The tally as tables write it: +wins =draws -losses."""
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
    """Everything a report shows."""

    plan: Plan
    matches: int
    duels: list[Duel]
    solo: dict[tuple[str, str], Tally]  # by game and player, for games of one role
    by_role: dict[tuple[str, str, str], Tally]  # by game, role and player
    ratings: Ratings
    endings: dict[str, dict[str, int]]  # by player: how its matches ended, and its errors by code
    reasons: dict[str, int]


def standings(plan: Plan, results: Iterable[Result]) -> Standings:
    """Return the standings of the results; those past the deciding pair of a sequential test do not count."""
    by_duel: dict[tuple[str, str, str], dict[int, Result]] = defaultdict(dict)
    alone: list[Result] = []
    for result in results:
        if len(result.players) == 1:
            alone.append(result)
        else:
            # Rounds of a Swiss tournament number their matches alike: the round keeps them apart.
            turn, _, _, _, number = result.key.split("/")
            by_duel[result.game, result.first, result.second][int(turn) * 1_000_000 + int(number)] = result
    duels, counted = [], []
    for key in sorted(by_duel):
        duel, kept = _duel(plan, key, by_duel[key])
        duels.append(duel)
        counted += kept
    counted += sorted(alone, key=lambda one: one.key)
    solo: dict[tuple[str, str], Tally] = defaultdict(Tally)
    by_role: dict[tuple[str, str, str], Tally] = defaultdict(Tally)
    endings: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    reasons: dict[str, int] = defaultdict(int)
    for result in counted:
        reasons[result.reason] += 1
        if len(result.players) == 1:
            solo[result.game, result.players[0]].add(result.score, result.goals[0] or 0)
        for role, player, goal in zip(result.roles, result.players, result.goals, strict=True):
            score = result.score if player == result.first else 1 - result.score
            by_role[result.game, role, player].add(score, goal or 0)
        for player in dict.fromkeys(result.players):
            endings[player]["matches"] += 1
        for role, codes in result.errors.items():
            player = result.players[result.roles.index(role)]
            for code, count in codes.items():
                endings[player][code] += count
    return Standings(
        plan=plan,
        matches=len(counted),
        duels=duels,
        solo=dict(solo),
        by_role=dict(by_role),
        ratings=rate(_seatings(counted)),
        endings={player: dict(found) for player, found in endings.items()},
        reasons=dict(reasons),
    )


def _duel(plan: Plan, key: tuple[str, str, str], results: dict[int, Result]) -> tuple[Duel, list[Result]]:
    """Return a duel and the results that count in it: whole pairs from the first on, then what is left."""
    duel = Duel(*key)
    numbers = sorted(results)
    pairs = [(n, n + 1) for n in numbers if n % 2 == 0 and n + 1 in results]
    scores = [(results[a].score + results[b].score) / 2 for a, b in pairs]
    kept = [results[n] for n in numbers]
    if plan.sprt is not None and (length := plan.sprt.deciding_length(scores)) is not None:
        duel.decision = plan.sprt.decision(scores[:length])
        pairs, scores = pairs[:length], scores[:length]
        kept = [results[n] for pair in pairs for n in pair]
    halves = [n for n in numbers if n % 2 == 0 and n + 1 not in results and not duel.decision]
    duel.pairs = scores + [results[n].score for n in halves]
    for result in kept:
        duel.tally.add(result.score, result.mean_goal(duel.first) or 0.0)
    return duel, kept


def _seatings(results: Iterable[Result]) -> list[Seating]:
    """Return the matches as ratings see them, equal ones counted once with their number."""
    tally: dict[tuple[str, tuple[str, ...], tuple[str, ...], tuple[float, ...]], int] = defaultdict(int)
    for result in results:
        if None not in result.goals:
            goals = tuple(float(goal or 0) for goal in result.goals)
            tally[result.game, result.roles, result.players, goals] += 1
    return [Seating(game, roles, players, goals, count) for (game, roles, players, goals), count in tally.items()]
