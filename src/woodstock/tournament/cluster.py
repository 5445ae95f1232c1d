"""Workers on a cluster: matches as tasks of a Dask scheduler (extra `cluster`).

If a worker dies, Dask gives its task to another one. A match is journaled when its outcome arrives here, so it counts
once however often it was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.players.team import find_dask
from woodstock.tournament.job import Job, Outcome, play_job
from woodstock.tournament.workers import TRIES, WorkerError

CONNECT_S = 10.0
FETCH_S = 30.0


class ClusterWorkers:
    """The workers of a Dask cluster, behind the same interface as local ones."""

    is_sharing = False

    def __init__(self, scheduler: str) -> None:
        self._dask = find_dask()
        try:
            self._client: Any = self._dask.Client(scheduler, timeout=CONNECT_S)
        except (OSError, TimeoutError, ValueError) as error:
            raise WoodstockError(f"no Dask scheduler at {scheduler}: {error}") from error
        self._jobs: dict[str, tuple[Any, Job]] = {}

    @property
    def free(self) -> int:
        """How many more jobs keep all workers busy; one for each waits in the scheduler, so that none is idle."""
        threads: int = sum(self._client.nthreads().values())
        return max(0, max(1, 2 * threads) - len(self._jobs))

    @property
    def busy(self) -> int:
        """How many jobs are under way."""
        return len(self._jobs)

    def start(self, job: Job) -> None:
        """Submit a job."""
        future = self._client.submit(play_job, job, pure=False, retries=TRIES)
        self._jobs[future.key] = (future, job)

    def finished(self) -> Iterator[Outcome]:
        """Wait until at least one job is done and yield what is."""
        done = self._dask.wait([future for future, _ in self._jobs.values()], return_when="FIRST_COMPLETED").done
        for future in done:
            outcome = self._outcome(future)
            if outcome is not None:
                del self._jobs[future.key]
                yield outcome

    def _outcome(self, future: Any) -> Outcome | None:
        """Return the outcome of a job; None if its worker died and it is under way again."""
        _, job = self._jobs[future.key]
        if future.status == "error":
            raise WorkerError(f"match {job.fixture.key} cannot be played: {future.exception()}")
        if future.status == "finished":
            try:
                outcome = future.result(timeout=FETCH_S)
            except (OSError, TimeoutError, CancelledError):
                # The worker died after the match, before its outcome was fetched.
                outcome = None
            if isinstance(outcome, Outcome):
                return outcome
        if future.status in ("cancelled", "lost"):
            del self._jobs[future.key]
            self.start(job)
        return None

    def close(self) -> None:
        """Cancel what is under way and leave the cluster."""
        for future, _ in self._jobs.values():
            future.cancel()
        self._client.close()
