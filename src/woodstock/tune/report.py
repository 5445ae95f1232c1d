"""What a tuning found: the path of its settings, and the sequential test of the result on other games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from woodstock.tournament.intervals import Interval, score_interval
from woodstock.tournament.plan import TournamentPlan, parse_plan
from woodstock.tune.plan import TuningPlan
from woodstock.tune.run import Tuning

# Rows in the table of the path: enough to see where it goes.
_ROWS = 12


@dataclass(frozen=True, slots=True)
class Waypoint:
    """The mean of each setting over a stretch of trials, and the score of the points that were tried against it."""

    trials: tuple[int, int]
    values: tuple[str, ...]
    score: Interval


def path(tuning: Tuning) -> list[Waypoint]:
    """Return the path of the settings: equal stretches of the finished trials, in the order in which they ended."""
    plan, done = tuning.plan, tuning.done
    size = max(1, -(-len(done) // _ROWS))
    found = []
    for begin in range(0, len(done), size):
        part = done[begin : begin + size]
        points = []
        for trial in part:
            points.append(plan.space.places(trial.first))
            if trial.second != plan.opponent:
                points.append(plan.space.places(trial.second))
        means = [fmean(axis) for axis in zip(*points, strict=True)]
        values = tuple(one.text(place) for one, place in zip(plan.space.settings, means, strict=True))
        found.append(Waypoint((begin, begin + len(part) - 1), values, score_interval([one.score for one in part])))
    return found


def verification_plan(plan: TuningPlan, best: str, folder: Path) -> TournamentPlan:
    """Return the tournament that tests the tuned player against its opponent."""
    assert plan.verification is not None
    lines = [
        f'name = "{plan.name}: the tuned player against its opponent"',
        f"seed = {plan.seed + 1}",
        'pairing = "gauntlet"',
        "keep_records = false",
        "grace_s = 1.0",
        f"concurrency = {plan.concurrency}",
        f'[[player]]\nname = "tuned"\nspec = "{best}"',
        f'[[player]]\nname = "opponent"\nspec = "{plan.opponent}"',
        f"[sprt]\nscore0 = {plan.verification.sprt.score0}\nscore1 = {plan.verification.sprt.score1}",
    ]
    for game in plan.verification.games:
        lines.append(
            f'[[game]]\nname = "{game.name}"\nsource = "{game.source}"\nstart_clock_s = {game.start_clock_s}\n'
            f'play_clock_s = {game.play_clock_s}\nclock = "{game.clock}"\nsimulations = {game.simulations}\n'
            f'opening = {game.opening}\nmax_turns = {game.max_turns}\nmatches = {game.matches}\nseats = "{game.seats}"'
        )
    return parse_plan("\n".join(lines), "<verification>", folder)
