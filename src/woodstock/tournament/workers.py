"""Workers on this machine: processes that play one match at a time, each on its own cores.

A worker that dies is replaced and its match is played again. If workers die three times in the same match, the
tournament stops.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait

from woodstock.errors import WoodstockError
from woodstock.players.make import make_player
from woodstock.players.search_player import SearchPlayer
from woodstock.tournament.job import Job, Outcome, play_job
from woodstock.tournament.runner import LoadedPlan

TRIES = 3


class WorkerError(WoodstockError):
    """A match cannot be played: its workers die, or the job fails."""


class LocalWorkers:
    """A fixed number of processes. Jobs go in by `start`, outcomes come out of `finished`, in any order."""

    def __init__(self, count: int, cores_each: int = 1) -> None:
        self._context = multiprocessing.get_context("spawn")
        cores = sorted(os.sched_getaffinity(0))
        self.is_sharing = count * cores_each > len(cores)
        self._workers = [_Worker(self._context, _slice(cores, number, cores_each)) for number in range(count)]

    @property
    def free(self) -> int:
        """How many more jobs may be started now."""
        return sum(worker.job is None for worker in self._workers)

    @property
    def busy(self) -> int:
        """How many jobs are under way."""
        return len(self._workers) - self.free

    def start(self, job: Job) -> None:
        """Give a job to a free worker."""
        next(worker for worker in self._workers if worker.job is None).start(job)

    def finished(self) -> Iterator[Outcome]:
        """Wait until at least one job is done and yield what is."""
        busy = {worker.connection: worker for worker in self._workers if worker.job is not None}
        for connection in wait(list(busy)):
            worker = busy[connection]  # type: ignore[index]
            outcome = worker.take()
            if outcome is not None:
                yield outcome

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()


class _Worker:
    """One process and its pipe."""

    def __init__(self, context: multiprocessing.context.SpawnContext, cores: Sequence[int]) -> None:
        self._context, self._cores = context, cores
        self.job: Job | None = None
        self._tries = 0
        self._begin()

    def _begin(self) -> None:
        self.connection, other = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(other, tuple(self._cores)), daemon=True)
        self._process.start()
        other.close()

    def start(self, job: Job) -> None:
        self.job = job
        self._tries += 1
        self.connection.send(job)

    def take(self) -> Outcome | None:
        """Return the outcome; None if the worker died and a new one has the job."""
        assert self.job is not None
        try:
            answer = self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            if self._tries >= TRIES:
                how = f"{TRIES} times, exit code {self._process.exitcode}"
                raise WorkerError(f"match {self.job.fixture.key}: its worker died {how}") from None
            job = self.job
            self._begin()
            self.start(job)
            return None
        job, self.job, self._tries = self.job, None, 0
        if isinstance(answer, str):
            raise WorkerError(f"match {job.fixture.key} cannot be played: {answer}")
        assert isinstance(answer, Outcome)
        return answer

    def close(self) -> None:
        self.connection.close()
        if self.job is not None:
            self._process.terminate()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _slice(cores: Sequence[int], number: int, each: int) -> list[int]:
    return [cores[(number * each + offset) % len(cores)] for offset in range(min(each, len(cores)))]


def _serve(connection: Connection, cores: tuple[int, ...]) -> None:
    """Play jobs until the other side is gone; the main process handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.sched_setaffinity(0, cores)
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        answer: Outcome | str
        try:
            answer = play_job(job)
        except WoodstockError as error:
            answer = str(error)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        try:
            connection.send(answer)
        except OSError:
            return


def local_workers(loaded: LoadedPlan) -> LocalWorkers:
    """Return workers for a plan, with enough cores that no two players that think at the same time share one."""
    threads = [_threads(player.spec) for player in loaded.plan.players]
    # In turn-taking games one player thinks at a time.
    return LocalWorkers(loaded.plan.concurrency, sum(sorted(threads)[-2:]) if loaded.has_simultaneous else max(threads))


def _threads(spec: str) -> int:
    player = make_player(spec)
    return int(player.spec.settings.get("threads", 1)) if isinstance(player, SearchPlayer) else 1
