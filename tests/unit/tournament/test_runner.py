"""Running a plan with workers in this process: which matches are started, and when it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from woodstock.tournament.job import Job, Outcome, play_job
from woodstock.tournament.journal import read_journal
from woodstock.tournament.plan import TournamentPlan, parse_plan
from woodstock.tournament.runner import JOURNAL, RECORDS, LoadedPlan, run

PLAN = """
matches = 4
games = ["tic-tac-toe"]
[[player]]
spec = "random"
[[player]]
spec = "legal"
"""


class _HereAndNow:
    """A worker that plays in this process."""

    is_sharing = False

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self.is_closed = False

    @property
    def free(self) -> int:
        return 1 - self.busy

    @property
    def busy(self) -> int:
        return len(self._jobs)

    def start(self, job: Job) -> None:
        self._jobs.append(job)

    def finished(self) -> Iterator[Outcome]:
        yield play_job(self._jobs.pop())

    def close(self) -> None:
        self.is_closed = True


def _run(plan: TournamentPlan, folder: Path, *, is_resumed: bool = False, seconds: float | None = None) -> bool:
    workers = _HereAndNow()

    def make(_loaded: LoadedPlan) -> _HereAndNow:
        return workers

    return run(plan, folder, make, is_resumed=is_resumed, seconds=seconds)


def test_a_run_whose_time_is_over_goes_on_later(tmp_path: Path) -> None:
    plan = parse_plan(PLAN)
    assert not _run(plan, tmp_path, seconds=0.0)
    assert list(read_journal(tmp_path / JOURNAL)) == []
    assert _run(plan, tmp_path, is_resumed=True, seconds=1000.0)
    results = list(read_journal(tmp_path / JOURNAL))
    assert [one.key for one in results] == [f"1/tic-tac-toe/random/legal/{number}" for number in range(4)]
    assert [one.players for one in results] == [("random", "legal"), ("legal", "random")] * 2
    assert len(list((tmp_path / RECORDS).iterdir())) == 4
    assert _run(plan, tmp_path, is_resumed=True), "nothing is left to play"


def test_both_matches_of_a_pair_have_the_same_opening(tmp_path: Path) -> None:
    plan = parse_plan(PLAN.replace("matches = 4", 'matches = 4\nopening = 4\nclock = "cpu"'))
    assert (plan.games[0].opening, plan.games[0].clock) == (4, "cpu")
    assert plan.identity not in (parse_plan(PLAN).identity, parse_plan(PLAN.replace("4", "4\nopening = 4")).identity)
    assert _run(plan, tmp_path)
    played = []
    for number in range(4):
        record = json.loads((tmp_path / RECORDS / f"1.tic-tac-toe.random.legal.{number}.json").read_text())
        played.append(record["moves"])
    assert played[0][:4] == played[1][:4] != played[2][:4] == played[3][:4]
