"""A thread for one seat calls its player, so that no player can hold up the match.

A player that overruns its clock is interrupted and its late answer thrown away. While it is still busy its later
requests wait, and time out as well if it never comes back. The thread is a daemon: a Python object that loops for ever
costs its core, but neither the match nor the end of the process.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from woodstock.players.failure import BROKEN, TIMED_OUT, PlayerFailure
from woodstock.players.player import Player, Task

T = TypeVar("T")
# How long a cancelled player may take to let go, and how often it is interrupted until then.
_CANCEL_S = 0.25
_CANCEL_EVERY_S = 0.002


class TurnInterrupted(Exception):
    """Somebody has interrupted the match: the turn under way is not played."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What came of a call: a value or a failure, and the time it took."""

    value: T | None
    failure: PlayerFailure | None
    seconds: float


class Request(Generic[T]):
    """One call of a player's method."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.call = call
        # None in the queue: nobody wants the outcome any more.
        self._outcome: queue.SimpleQueue[Outcome[T] | None] = queue.SimpleQueue()
        self._is_cancelled = False
        # Whether the call has returned, or will not be made.
        self.is_done = False
        self.asked_at = time.monotonic()

    def run(self) -> None:
        """Make the call and keep what comes of it; nothing that a player does gets past here."""
        value: T | None = None
        failure: PlayerFailure | None = None
        try:
            if not self._is_cancelled:
                value = self.call()
        except PlayerFailure as known:
            failure = known
        except BaseException as unknown:
            # Also SystemExit and the like: a thread that dies silently would leave the match waiting.
            failure = PlayerFailure(f"{type(unknown).__name__}: {unknown}", BROKEN)
        self.is_done = True
        self._outcome.put(Outcome(value, failure, time.monotonic() - self.asked_at))

    def outcome(self, seconds: float | None) -> Outcome[T] | None:
        """Return the outcome, or None if it takes longer than that; `TurnInterrupted` if it was cancelled."""
        try:
            found = self._outcome.get(timeout=seconds)
        except queue.Empty:
            return None
        if found is None or self._is_cancelled:
            raise TurnInterrupted
        return found

    def cancel(self) -> None:
        """Wake up whoever waits for the outcome; a call that has not begun is not made."""
        self._is_cancelled = True
        self._outcome.put(None)


class SeatThread:
    """Calls one player on a thread of its own; a person is called on the thread that waits for the answer."""

    def __init__(self, player: Player) -> None:
        self.player = player
        # Whether the player was told of the match, by `start`.
        self.is_started = False
        self._requests: queue.SimpleQueue[Request[Any] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        if not player.is_human:
            self._thread = threading.Thread(target=self._serve, name=f"seat {player.name}", daemon=True)
            self._thread.start()

    def start(self, task: Task, deadline: float) -> None:
        """Start the player; to be asked for as any other call."""
        self.is_started = True
        self.player.start(task, deadline)

    def ask(self, call: Callable[[], T]) -> Request[T]:
        """Put a call in the queue; `wait` for it later."""
        request = Request(call)
        if self._thread is not None:
            self._requests.put(request)
        return request

    def wait(self, request: Request[T], deadline: float) -> Outcome[T]:
        """Return what came of the call by the deadline. A person has no deadline and may raise anything."""
        if self._thread is None:
            return Outcome(request.call(), None, time.monotonic() - request.asked_at)
        outcome = request.outcome(max(0.0, deadline - time.monotonic()))
        if outcome is None:
            self.player.interrupt()
        if outcome is None or request.asked_at + outcome.seconds > deadline:
            seconds = deadline - request.asked_at
            return Outcome(None, PlayerFailure(f"no reply within {seconds:.2f} s", TIMED_OUT), seconds)
        return outcome

    def cancel(self, request: Request[Any]) -> None:
        """Give a call up: the player is interrupted until it lets go, for a moment at most."""
        request.cancel()
        ends_at = time.monotonic() + _CANCEL_S
        # A search that is just starting may miss an interrupt, so there are several.
        while self._thread is not None and not request.is_done and time.monotonic() < ends_at:
            self.player.interrupt()
            time.sleep(_CANCEL_EVERY_S)

    def close(self, seconds: float) -> bool:
        """End the thread after the calls in its queue; return False if the player does not let go in time."""
        if self._thread is None:
            return True
        self._requests.put(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _serve(self) -> None:
        while (request := self._requests.get()) is not None:
            request.run()
