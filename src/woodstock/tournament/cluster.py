"""Workers on a cluster: matches as tasks of a Dask scheduler (extra `cluster`).

Dask gives the task of a worker that died to another one; a match is journaled when its outcome arrives here, so it
counts once however often it was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from woodstock.errors import WoodstockError
from woodstock.tournament.job import Job, Outcome, play_job
from woodstock.tournament.workers import TRIES, WorkerError

CONNECT_S = 10.0


class ClusterWorkers:
    """The workers of a Dask cluster, behind the same interface as local ones."""

    is_sharing = False

    def __init__(self, scheduler: str) -> None:
        try:
            from distributed import Client  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError as error:
            raise WoodstockError(
                "matches on a cluster need Dask: pip install 'woodstock[cluster]'"
            ) from error
        try:
            self._client: Any = Client(scheduler, timeout=CONNECT_S)
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
        from distributed import wait

        done = wait([future for future, _ in self._jobs.values()], return_when="FIRST_COMPLETED").done
        for future in done:
            _, job = self._jobs.pop(future.key)
            if future.status != "finished":
                raise WorkerError(f"match {job.fixture.key} cannot be played: {future.exception()}")
            yield future.result()

    def close(self) -> None:
        """Cancel what is under way and leave the cluster."""
        for future, _ in self._jobs.values():
            future.cancel()
        self._client.close()
