"""Play the trials of a tuning plan. The folder has `journal.jsonl` with every match, as a tournament's.

A line of the journal names the specifications of both players and its trial by its key, so everything that a method
learned follows from the journal: a run that is killed at any moment goes on where it was.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

import woodstock
from woodstock.errors import WoodstockError
from woodstock.gdl.chance import without_chance
from woodstock.tournament.fields import Problem
from woodstock.tournament.job import Job
from woodstock.tournament.journal import Journal, Result
from woodstock.tournament.pairing import Fixture
from woodstock.tournament.plan import PlanError
from woodstock.tournament.runner import JOURNAL, Workers
from woodstock.tune.bayes import Bayes
from woodstock.tune.method import Method
from woodstock.tune.plan import TuningPlan
from woodstock.tune.spsa import Spsa


@dataclass(slots=True)
class Trial:
    """A duel of two specifications over all games; `scores` are the first one's by the key of the match."""

    number: int
    first: str
    second: str
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """The mean over games of the first player's score, each game counted once."""
        by_game: dict[str, list[float]] = {}
        for key, score in self.scores.items():
            by_game.setdefault(key.split("/")[1], []).append(score)
        return fmean(fmean(scores) for scores in by_game.values())


@dataclass(frozen=True, slots=True)
class TuningProgress:
    """How far a tuning is. `best` is the specification that is best by what is known."""

    trials: int
    planned: int
    matches: int
    seconds: float
    best: str


def make_method(plan: TuningPlan) -> Method:
    """Return the method that the plan names, with nothing learned yet."""
    if plan.method == "bayes":
        return Bayes(plan.space.start, plan.seed)
    return Spsa(plan.space.start, plan.trials, plan.seed)


class Tuning:
    """A tuning under way: its trials, what its method learned, and the matches to play."""

    def __init__(self, plan: TuningPlan, seats: dict[str, int]) -> None:
        self.plan, self._seats = plan, seats
        self.method = make_method(plan)
        self.trials: dict[int, Trial] = {}
        self.done: list[Trial] = []
        self._per_trial = sum(game.matches for game in plan.games)

    @property
    def best(self) -> str:
        """The best specification by what is known."""
        return self.plan.space.spec(self.method.best())

    def take(self, result: Result) -> None:
        """Count a match, from the journal or just played."""
        number = int(result.key.split("/")[0])
        trial = self.trials.setdefault(number, Trial(number, result.first, result.second))
        trial.scores[result.key] = result.score
        if len(trial.scores) == self._per_trial:
            places = self.plan.space.places
            second = None if trial.second == self.plan.opponent else places(trial.second)
            self.method.tell(number, places(trial.first), second, trial.score)
            self.done.append(trial)

    def open_fixtures(self) -> list[Fixture]:
        """Return the matches of trials that were begun and not finished."""
        found = [one for trial in self.trials.values() for one in self._fixtures(trial)]
        return [one for one in found if one.key not in self.trials[one.round].scores]

    def next_fixtures(self) -> list[Fixture]:
        """Begin the next trial; an empty list if all were begun."""
        number = next(number for number in range(len(self.trials) + 1) if number not in self.trials)
        if number >= self.plan.trials:
            return []
        first, second = self.method.ask(number)
        spec = self.plan.space.spec
        trial = Trial(number, spec(first), self.plan.opponent if second is None else spec(second))
        self.trials[number] = trial
        return self._fixtures(trial)

    def _fixtures(self, trial: Trial) -> list[Fixture]:
        return [self._fixture(trial, game.name, number) for game in self.plan.games for number in range(game.matches)]

    def _fixture(self, trial: Trial, game: str, number: int) -> Fixture:
        # Both matches of a pair have the same seed: the same chance and the same opening.
        shared = f"{self.plan.seed}/{trial.number}/{game}/{number // 2}"
        seed = int.from_bytes(hashlib.blake2b(shared.encode(), digest_size=4).digest(), "big")
        order = (trial.first, trial.second) if number % 2 == 0 else (trial.second, trial.first)
        players = tuple(order[seat % 2] for seat in range(self._seats[game]))
        key = f"{trial.number}/{game}/{number}"
        return Fixture(key, game, players, trial.first, trial.second, trial.number, number, seed)


def load_rules(plan: TuningPlan) -> tuple[dict[str, str], dict[str, int]]:
    """Return the rules and the number of seats of every game of a plan."""
    rules, seats, problems = {}, {}, []
    for game in plan.games:
        try:
            loaded = woodstock.load(game.source)
        except WoodstockError as error:
            problems.append(Problem(1, f"game {game.name}: {str(error).splitlines()[0]}"))
            continue
        rules[game.name], seats[game.name] = loaded.text, len(without_chance(loaded.roles))
        if seats[game.name] < 2:
            problems.append(Problem(1, f"game {game.name} has one role: tuning needs two players in a match"))
    if problems:
        raise PlanError(plan.name, problems)
    return rules, seats


def run(
    plan: TuningPlan,
    folder: Path,
    make_workers: Callable[[TuningPlan], Workers],
    *,
    tell: Callable[[TuningProgress], None] = lambda _progress: None,
    seconds: float | None = None,
) -> Tuning:
    """Play the trials that are left and return the tuning. After `seconds` no match is started."""
    rules, seats = load_rules(plan)
    tuning = Tuning(plan, seats)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WoodstockError(f"cannot make the folder {folder}: {error.strerror}") from error
    journal = Journal(folder / JOURNAL, plan.identity, is_new=False)
    try:
        for result in journal.results:
            tuning.take(result)
        _play(tuning, rules, journal, make_workers, tell, seconds)
    finally:
        journal.close()
    return tuning


def _play(
    tuning: Tuning,
    rules: dict[str, str],
    journal: Journal,
    make_workers: Callable[[TuningPlan], Workers],
    tell: Callable[[TuningProgress], None],
    seconds: float | None,
) -> None:
    plan, begun, matches = tuning.plan, time.monotonic(), len(journal.results)
    queue = deque(tuning.open_fixtures())
    if not queue and len(tuning.done) >= plan.trials:
        return
    workers = make_workers(plan)
    try:
        while True:
            is_late = seconds is not None and time.monotonic() - begun > seconds
            free = 0 if is_late else workers.free
            while free:
                if not queue:
                    queue.extend(tuning.next_fixtures())
                if not queue:
                    break
                workers.start(_job(plan, queue.popleft(), rules))
                free -= 1
            if not workers.busy:
                return
            for outcome in workers.finished():
                journal.append(outcome.result)
                tuning.take(outcome.result)
                matches += 1
                tell(TuningProgress(len(tuning.done), plan.trials, matches, time.monotonic() - begun, tuning.best))
    finally:
        workers.close()


def _job(plan: TuningPlan, fixture: Fixture, rules: dict[str, str]) -> Job:
    return Job(fixture, plan.game(fixture.game), rules[fixture.game], fixture.players, grace_s=1.0, wants_record=False)
