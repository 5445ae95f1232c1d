"""An attendant serves one seat on a thread of its own, so that no seat can hold up the referee.

A seat that overruns its clock is interrupted and its late answer thrown away; while it is still busy its later
requests wait behind, and time out as well if it never comes back. The thread is a daemon: a Python object that
loops for ever costs its core, but neither the match nor the end of the process.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from woodstock.match.codes import BROKEN, TIMED_OUT
from woodstock.match.seat import Seat, SeatError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of a call: a value, or an error."""

    value: T | None
    error: SeatError | None
    seconds: float


class Request(Generic[T]):
    """One call of a seat's method."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._outcome: queue.SimpleQueue[Outcome[T]] = queue.SimpleQueue()
        self.asked_at = time.monotonic()
        self.is_done = False

    def run(self) -> None:
        """Make the call and keep what comes of it; nothing a seat does gets past here."""
        value: T | None = None
        error: SeatError | None = None
        try:
            value = self._call()
        except SeatError as known:
            error = known
        except Exception as unknown:
            error = SeatError(f"{type(unknown).__name__}: {unknown}", BROKEN)
        self._outcome.put(Outcome(value, error, time.monotonic() - self.asked_at))
        self.is_done = True

    def outcome(self, patience_s: float | None) -> Outcome[T] | None:
        """Return the outcome, or None where it takes longer than that."""
        try:
            return self._outcome.get(timeout=patience_s)
        except queue.Empty:
            return None


class Attendant:
    """The thread that calls one seat."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._requests: queue.SimpleQueue[Request[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=f"seat {seat.name}", daemon=True)
        self._thread.start()

    def ask(self, call: Callable[[], T]) -> Request[T]:
        """Put a call in the queue; `wait` for it later."""
        request = Request(call)
        self._requests.put(request)
        return request

    def wait(self, request: Request[T], deadline: float | None) -> Outcome[T]:
        """Return what came of the call by the deadline; None waits for ever."""
        patience_s = None if deadline is None else max(0.0, deadline - time.monotonic())
        outcome = request.outcome(patience_s)
        if outcome is None:
            self.seat.interrupt()
            seconds = time.monotonic() - request.asked_at
            return Outcome(None, SeatError(f"no reply within {seconds:.2f} s", TIMED_OUT), seconds)
        return outcome

    def close(self, patience_s: float) -> bool:
        """End the thread and free the seat; return False where the seat does not let go."""
        self._requests.put(None)
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            request.run()
        try:
            self.seat.close()
        except Exception:
            # The match is over and its record written: there is nobody left to tell.
            return
