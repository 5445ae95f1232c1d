"""Workers on a cluster: matches as tasks of a Dask scheduler (extra `cluster`).

Dask gives the task of a worker that died to another one; a match is journaled when its outcome arrives here, so it
counts once however often it was played.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import CancelledError
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.tournament.job import Job, Outcome, play_job
from woodstock.tournament.workers import TRIES, WorkerError

CONNECT_S = 10.0
FETCH_S = 30.0


class ClusterWorkers:
    """The workers of a Dask cluster, behind the same interface as local ones."""

    is_sharing = False

    def __init__(self, scheduler: str) -> None:
        try:
            self._dask: Any = importlib.import_module("distributed")
        except ImportError as error:
            raise WoodstockError("matches on a cluster need Dask: pip install 'woodstock[cluster]'") from error
        try:
            self._client: Any = self._dask.Client(scheduler, timeout=CONNECT_S)
        except (OSError, TimeoutError, ValueError) as error:
            raise WoodstockError(f"no Dask scheduler at {scheduler}: {error}") from error
        self._jobs: dict[str, tuple[Any, Job]] = {}

    @property
    def free(self) -> int:
        """How many more jobs keep all workers busy; one each waits in the scheduler, so that none idles."""
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
        """Return what came of a job; None where it went down with its worker and is under way again."""
        _, job = self._jobs[future.key]
        if future.status == "error":
            raise WorkerError(f"match {job.fixture.key} cannot be played: {future.exception()}")
        if future.status == "finished":
            try:
                outcome = future.result(timeout=FETCH_S)
            except (OSError, TimeoutError, CancelledError):
                # The worker died between the end of the match and the fetching of its outcome.
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
