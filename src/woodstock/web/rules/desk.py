"""A desk: a child process, and the thread that owns it.

Requests are answered in order. A newer request of the same kind replaces one that still waits; if it replaces the one
under way, the child is ended and a new one started, so a text that takes long never delays the next one. A child that
exceeds its time or memory is ended too, and the answer says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from woodstock.child import Child, ChildGone, ChildTooLate, Limits

JsonObject = dict[str, Any]
Tell = Callable[[JsonObject], None]

_CHILD = "woodstock.web.rules.rules_child"
# A child that was replaced is given this long to come to its answer: starting a new one takes longer.
_PATIENCE_S = 0.3


@dataclass(frozen=True, slots=True)
class DeskLimits:
    """What the rules of one editor may use."""

    seconds: float = 10.0
    memory_mb: int = 1024
    characters: int = 1_000_000


class Desk:
    """Answers requests about rules, one at a time; `tell` hears each answer, with the `id` of its request."""

    def __init__(self, tell: Tell, limits: DeskLimits | None = None) -> None:
        self.limits = limits or DeskLimits()
        self._tell = tell
        self._changed = threading.Condition()
        self._waiting: list[JsonObject] = []
        self._current: JsonObject | None = None
        self._is_replaced = False
        self._is_closed = False
        self._child: Child | None = None
        self._thread = threading.Thread(target=self._work, daemon=True, name="woodstock-desk")
        self._thread.start()

    def ask(self, request: JsonObject) -> None:
        """Answer a request as soon as possible."""
        if len(request.get("text", "")) > self.limits.characters:
            problem = f"the rules have more than {self.limits.characters:,} characters"
            self._tell({"type": request["do"], "id": request.get("id"), "problem": problem})
            return
        with self._changed:
            self._waiting = [one for one in self._waiting if one["do"] != request["do"]]
            self._waiting.append(request)
            if self._current is not None and self._current["do"] == request["do"]:
                self._is_replaced = True
            self._changed.notify()

    def close(self) -> None:
        """End the child and the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
            child = self._child
        if child is not None:
            child.end(0.0)
        self._thread.join()

    def _work(self) -> None:
        try:
            self._start()
            while (request := self._next()) is not None:
                answer = self._answer(request)
                if answer is not None:
                    self._tell({"type": request["do"], "id": request.get("id"), **answer})
        finally:
            if self._child is not None:
                self._child.close()

    def _start(self) -> None:
        limits = Limits(memory_mb=self.limits.memory_mb)
        child = Child(_CHILD, self.limits.seconds, self.limits.memory_mb, limits=limits)
        with self._changed:
            self._child = child

    def _next(self) -> JsonObject | None:
        with self._changed:
            self._current, self._is_replaced = None, False
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            if self._is_closed:
                return None
            self._current = self._waiting.pop(0)
            return self._current

    def _answer(self, request: JsonObject) -> JsonObject | None:
        """Return the child's answer; None if a newer request made it pointless."""
        assert self._child is not None
        child = self._child
        ends_at = time.monotonic() + self.limits.seconds
        try:
            child.send({key: value for key, value in request.items() if key != "id"}, ends_at)
            while True:
                try:
                    return child.receive(min(ends_at, time.monotonic() + _PATIENCE_S))
                except ChildTooLate:
                    if self._is_replaced or self._is_closed:
                        return self._restart(child, None)
                    if time.monotonic() >= ends_at:
                        return self._restart(child, f"it took longer than {self.limits.seconds:g} s and was stopped")
        except ChildGone:
            if self._is_closed:
                return None
            return self._restart(child, f"it was stopped: it needs more than {self.limits.memory_mb} MiB of memory")

    def _restart(self, child: Child, problem: str | None) -> JsonObject | None:
        child.close()
        if not self._is_closed:
            self._start()
        return None if problem is None else {"problem": problem}
