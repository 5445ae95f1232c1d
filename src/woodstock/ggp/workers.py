"""The worker processes of a GGP server: one that plays and one that stands in for it, always started ahead.

There is one process of each kind, so two matches never overlap: a match waits until its workers are free, or
until new ones have taken the place of those that are gone.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

from woodstock.child import Child, ChildGone, ChildTooLate, Limits
from woodstock.errors import GameError, WoodstockError

log = logging.getLogger("woodstock.ggp")

PLAYER, STAND_IN = "player", "stand-in"
KINDS = (STAND_IN, PLAYER)
# The server must get the processor when an answer is due, also on a busy machine.
_NICENESS = {PLAYER: 2, STAND_IN: 0}
_START_S = 60.0
_LOOK_EVERY_S = 0.2
_RETRY_S = 1.0
_CLOSE_S = 1.5


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """Who plays, and what it may use."""

    player: str
    ponders: bool = False
    memory_mb: int | None = None
    ground_memory_mb: int = 4096


class Workers:
    """The workers of one server; thread-safe."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._wanted: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._free: dict[str, queue.SimpleQueue[Child]] = {kind: queue.SimpleQueue() for kind in KINDS}
        for kind in KINDS:
            self.replace(kind)
        # A child dies with the thread that started it, so all are started by this one.
        self._thread = threading.Thread(target=self._start_wanted, name="ggp workers", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Wait for the first player; GameError if it cannot be made."""
        child = self.take(PLAYER)
        assert child is not None
        try:
            answer = child.receive(time.monotonic() + _START_S)
        except (ChildGone, ChildTooLate) as error:
            raise WoodstockError(f"the player cannot be started: {error}") from error
        if "error" in answer:
            raise GameError(answer["error"])
        self.give_back(child, PLAYER)

    def take(self, kind: str, is_over: Callable[[], bool] = lambda: False) -> Child | None:
        """Wait for a worker; None if it is over before there is one."""
        while not is_over():
            try:
                return self._free[kind].get(timeout=_LOOK_EVERY_S)
            except queue.Empty:
                continue
        return None

    def give_back(self, child: Child, kind: str) -> None:
        """Take back a worker that is free for another match."""
        self._free[kind].put(child)

    def replace(self, kind: str) -> None:
        """Start a worker in place of one that is gone."""
        self._wanted.put(kind)

    def close(self) -> None:
        """End all workers, after those that still take note of the end of a match."""
        ends_at = time.monotonic() + _CLOSE_S
        for kind in KINDS:
            child = self.take(kind, lambda: time.monotonic() > ends_at)
            if child is not None:
                child.close()
        self._wanted.put(None)
        self._thread.join()

    def _start_wanted(self) -> None:
        while (kind := self._wanted.get()) is not None:
            try:
                self._free[kind].put(self._start(kind))
            except (OSError, WoodstockError) as error:
                log.error("a worker cannot be started: %s", error)
                self._wanted.put(kind)
                time.sleep(_RETRY_S)

    def _start(self, kind: str) -> Child:
        settings = self._settings
        limits = Limits(memory_mb=settings.memory_mb, niceness=_NICENESS[kind])
        # What it prints, and how it dies, belongs to the log of the server.
        child = Child("woodstock.ggp.worker.child", limits=limits, errors=None)
        player = settings.player if kind == PLAYER else None
        child.send(asdict(settings) | {"player": player, "path": sys.path})
        return child
