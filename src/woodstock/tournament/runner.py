"""Run a tournament plan: every match exactly once, also if the run is killed and resumed.

The folder of a tournament has `plan.toml` as it was run, `journal.jsonl`, and `records/` with the match records. A
match counts when its line is in the journal; its record is written before that. So a run that is killed at any moment
and resumed ends with the same journal lines, up to their order, and the same standings as an unbroken one.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import woodstock
from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance
from woodstock.tournament.cutoff import Cutoff
from woodstock.tournament.fields import Problem
from woodstock.tournament.job import Job, Outcome
from woodstock.tournament.journal import Journal, Result
from woodstock.tournament.legs import Played
from woodstock.tournament.pairing import Fixture, Schedule
from woodstock.tournament.plan import PlanError, TournamentPlan, parse_plan

PLAN, JOURNAL, RECORDS = "plan.toml", "journal.jsonl", "records"
HEAD = ("# scale ", "# clock ", "# folder ")


class Workers(Protocol):
    """Plays the matches: local processes or a cluster."""

    is_sharing: bool

    @property
    def free(self) -> int: ...

    @property
    def busy(self) -> int: ...

    def start(self, job: Job) -> None: ...

    def finished(self) -> Iterator[Outcome]: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a tournament. `result` is the match just finished, `left_s` the estimated time to the end."""

    done: int
    known: int
    seconds: float
    left_s: float | None
    result: Result | None = None
    note: str = ""


Subscriber = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class LoadedPlan:
    """A plan with the rules of its games and the number of their seats."""

    plan: TournamentPlan
    rules: dict[str, str]
    seats: dict[str, int]
    has_simultaneous: bool  # whether several roles have a choice at the start of one of them


def load_games(plan: TournamentPlan) -> LoadedPlan:
    """Load every game of a plan once; a game that does not load is a problem of the plan."""
    rules, seats, problems = {}, {}, []
    has_simultaneous = False
    by_source: dict[str, Game] = {}
    for game in plan.games:
        try:
            loaded = by_source.get(game.source) or woodstock.load(game.source)
        except WoodstockError as error:
            problems.append(Problem(1, f"game {game.name}: {str(error).splitlines()[0]}"))
            continue
        by_source[game.source] = loaded
        rules[game.name] = loaded.text
        roles = without_chance(loaded.roles)
        seats[game.name] = len(roles)
        has_simultaneous |= sum(len(loaded.initial.legal(role)) > 1 for role in roles) > 1
    if problems:
        raise PlanError(plan.name, problems)
    return LoadedPlan(plan, rules, seats, has_simultaneous)


def run(
    plan: TournamentPlan,
    folder: Path,
    make_workers: Callable[[LoadedPlan], Workers],
    *,
    is_resumed: bool = False,
    tell: Subscriber = lambda _progress: None,
    seconds: float | None = None,
) -> bool:
    """Play the rest of a plan; return whether it is complete. The journal is whole even if this raises.

    After `seconds` no match is started; those under way are played to their end.
    """
    loaded = load_games(plan)
    try:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WoodstockError(f"cannot make the folder {folder}: {error.strerror}") from error
    journal = Journal(folder / JOURNAL, plan.identity, is_new=not is_resumed)
    try:
        return _Run(loaded, journal, folder, tell, seconds).play(make_workers)
    finally:
        journal.close()


def read_folder(folder: Path) -> TournamentPlan:
    """Return the plan that a tournament's folder was run with."""
    path = folder / PLAN
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WoodstockError(f"{folder} is not the folder of a tournament: {path}: {error.strerror}") from error
    # The first lines say how it was run.
    head = dict(line[2:].split(" ", 1) for line in text.splitlines()[:3] if line.startswith(HEAD))
    try:
        scale, clock = float(head.get("scale", 1)), float(head.get("clock", 1))
    except ValueError as error:
        raise WoodstockError(f"{path}: its first lines are damaged: {error}") from error
    plan = parse_plan(text, str(path), Path(head.get("folder", folder)), scale=scale, clock_scale=clock)
    # Reports are published, so the path of the plan is left out.
    return dataclasses.replace(plan, text="".join(line for line in text.splitlines(True) if not line.startswith(HEAD)))


def write_plan(plan_text: str, folder: Path, source_folder: Path, scale: float, clock: float) -> None:
    """Write the plan into the folder, with its scales and the folder that its paths are relative to."""
    folder.mkdir(parents=True, exist_ok=True)
    text = f"# scale {scale!r}\n# clock {clock!r}\n# folder {source_folder.resolve()}\n{plan_text}"
    temporary = folder / f".{PLAN}.new"
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(folder / PLAN)


class _Run:
    """A tournament under way."""

    def __init__(
        self, loaded: LoadedPlan, journal: Journal, folder: Path, tell: Subscriber, seconds: float | None
    ) -> None:
        self._loaded, self._plan, self._journal, self._folder, self._tell = loaded, loaded.plan, journal, folder, tell
        self._seconds = seconds
        self._schedule = Schedule(self._plan, loaded.seats)
        self._scores: dict[str, Played] = {}
        self._cutoff = Cutoff(self._plan.sprt, self._plan.interval)
        self._queue: deque[Fixture] = deque()
        self._known = 0
        self._begun = time.monotonic()
        self._played = 0
        for result in journal.results:
            self._count(result)

    def play(self, make_workers: Callable[[LoadedPlan], Workers]) -> bool:
        """Play until all is done or the time is over; return whether all is done."""
        if not self._refill():
            return True
        workers = make_workers(self._loaded)
        try:
            if workers.is_sharing:
                self._say("players that think at the same time share cores: results by the clock are less reliable")
            self._loop(workers)
            return not self._refill()
        finally:
            workers.close()

    def _loop(self, workers: Workers) -> None:
        while True:
            free = workers.free
            while free and (fixture := self._next()) is not None:
                workers.start(self._job(fixture))
                free -= 1
            if workers.busy:
                for outcome in workers.finished():
                    self._take(outcome)
            elif self._is_time_over or not self._refill():
                return

    def _refill(self) -> bool:
        """Queue all matches that are known now and not played; return whether there are any."""
        fixtures = self._schedule.fixtures(self._scores)
        self._known = len(fixtures)
        self._queue = deque(one for one in fixtures if one.key not in self._scores and self._cutoff.is_wanted(one))
        return bool(self._queue)

    @property
    def _is_time_over(self) -> bool:
        return self._seconds is not None and time.monotonic() - self._begun > self._seconds

    def _next(self) -> Fixture | None:
        while self._queue and not self._is_time_over:
            fixture = self._queue.popleft()
            if self._cutoff.is_wanted(fixture):
                return fixture
        return None

    def _take(self, outcome: Outcome) -> None:
        result = outcome.result
        if outcome.record is not None:
            _write(self._folder / RECORDS / f"{result.key.replace('/', '.')}.json", outcome.record)
        self._journal.append(result)
        self._played += 1
        failed = self._cutoff.failed
        before = set(failed)
        self._count(result)
        self._report(result)
        for player in set(failed) - before:
            self._say(f"{player} is out: {failed[player]}; its other matches are not played")

    def _count(self, result: Result) -> None:
        goals = (result.mean_goal(result.first) or 0.0, result.mean_goal(result.second) or 0.0)
        self._scores[result.key] = Played(result.score, goals)
        self._cutoff.note(result)

    def _job(self, fixture: Fixture) -> Job:
        return Job(
            fixture=fixture,
            game=self._plan.game(fixture.game).with_clocks(fixture.seed),
            rules=self._loaded.rules[fixture.game],
            specs=tuple(self._plan.player(name).spec for name in fixture.players),
            grace_s=self._plan.grace_s,
            wants_record=self._plan.keep_records,
        )

    def _report(self, result: Result) -> None:
        seconds = time.monotonic() - self._begun
        done = len(self._scores)
        left = (self._known - done) * seconds / self._played if self._played else None
        if left is not None and self._seconds is not None:
            left = min(left, max(0.0, self._seconds - seconds))
        self._tell(Progress(done, self._known, seconds, left, result))

    def _say(self, note: str) -> None:
        self._tell(Progress(len(self._scores), self._known, time.monotonic() - self._begun, None, note=note))


def _write(path: Path, record: bytes) -> None:
    temporary = path.with_name(f".{path.name}.new")
    with temporary.open("wb") as file:
        file.write(record)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
