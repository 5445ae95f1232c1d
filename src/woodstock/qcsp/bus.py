"""Your own helpers on the bus: a Python function in a thread, or another program over a pipe.

A helper reads trace events and may answer with swaps. The search never waits for it: unread events are
lost, and swaps of unknown variables or values are ignored. A swap counts when its variable is opened next. Whatever a
helper does, only the order of values changes.

A program gets one JSON object a line on its standard input: first ``{"problem": ..., "prefix": [...]}``, then events
``{"event": "tried", "variable": "x", "value": 3}``; it writes lines ``{"swap": ["x", 1, 3]}``, ``{"first": ["x", 3]}``
or ``{"restart": true}``.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from woodstock._native import QcspBus, QcspChannel
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

IDLE_SECONDS = 0.001
LAST_WORDS_S = 5.0


@dataclass(frozen=True)
class Event:
    """What the search did: `opened`, `tried`, `failed`, `won`, `strategy` or `restarted`.

    `value` is the value that was tried, failed or won; for `opened` the number of values, for `strategy` its size.
    """

    kind: str
    variable: str
    value: int


class Line:
    """A helper's end of the bus, with names in place of numbers."""

    def __init__(self, problem: Problem, bus: QcspBus, *, wants_trace: bool = True) -> None:
        self.problem = problem
        self.channel: QcspChannel = bus.join(wants_trace)
        self._names = [variable.name for variable, _ in problem.prefix]
        self._places = {name: place for place, name in enumerate(self._names)}

    @property
    def is_closed(self) -> bool:
        """Whether the search has ended."""
        return self.channel.is_closed

    def events(self, limit: int = 1024) -> list[Event]:
        """Return the events since the last call."""
        found = []
        for kind, position, value in self.channel.receive(limit):
            # Auxiliary variables, which complete an assignment, have no name.
            if position < len(self._names):
                found.append(Event(kind, self._names[position], value))
        return found

    def all_events(self) -> Iterator[Event]:
        """Yield events as they come, until the search has ended and all are read."""
        while True:
            is_last = self.is_closed
            events = self.events()
            yield from events
            if not events:
                if is_last:
                    return
                time.sleep(IDLE_SECONDS)

    def swap(self, variable: str, first: int, second: int) -> bool:
        """Swap two values in the order of a variable; false if the line is full."""
        if variable not in self._places:
            raise ModelError(f"no variable {variable} in the prefix of {self.problem.name}")
        return self.channel.send(self._places[variable], first, second)

    def bring_to_front(self, variable: str, value: int) -> bool:
        """Move a value to the front of the order."""
        return self.swap(variable, value, value)

    def ask_for_restart(self) -> bool:
        """Ask for a restart, so that swaps apply to variables that are open now. The search decides."""
        return self.channel.ask_for_restart()


class ThreadHelper:
    """Calls ``helper(event, line)`` for each event in its own thread; a context manager around `solve`.

    An exception in the helper ends only the helper; it is kept in `error`.
    """

    def __init__(self, problem: Problem, bus: QcspBus, helper: Callable[[Event, Line], None]) -> None:
        self.line = Line(problem, bus)
        self.error: Exception | None = None
        self._helper = helper
        self._thread = threading.Thread(target=self._run, name="qcsp-helper", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.line.channel.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            for event in self.line.all_events():
                self._helper(event, self.line)
        except Exception as error:
            self.error = error


class ProcessHelper:
    """Connects another program to the bus by JSON lines; a context manager around `solve`.

    Lines that are not valid suggestions are counted in `nonsense` and otherwise ignored.
    """

    def __init__(self, problem: Problem, bus: QcspBus, command: Sequence[str]) -> None:
        self.line = Line(problem, bus)
        self.nonsense = 0
        self._command = list(command)
        self._process: subprocess.Popen[str] | None = None
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        except OSError as error:
            raise ModelError(f"cannot start the helper {self._command[0]}: {error.strerror}") from None
        for target in (self._write, self._read):
            self._threads.append(threading.Thread(target=target, name="qcsp-helper", daemon=True))
            self._threads[-1].start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.line.channel.close()
        if self._process is not None:
            self._threads[0].join(timeout=LAST_WORDS_S)
            # Its input has ended, so a well-behaved program ends by itself. Others are stopped.
            for end in (self._process.terminate, self._process.kill):
                try:
                    self._process.wait(timeout=LAST_WORDS_S)
                    break
                except subprocess.TimeoutExpired:
                    end()
            self._process.wait()
            self._threads[1].join(timeout=LAST_WORDS_S)

    def _write(self) -> None:
        pipe = self._process.stdin if self._process else None
        if pipe is None:
            return
        prefix = [
            {"variable": v.name, "quantifier": "forall" if is_universal else "exists", "domain": v.codes}
            for v, is_universal in self.line.problem.prefix
        ]
        try:
            pipe.write(json.dumps({"problem": self.line.problem.name, "prefix": prefix}) + "\n")
            for event in self.line.all_events():
                fields = {"event": event.kind, "variable": event.variable, "value": event.value}
                pipe.write(json.dumps(fields) + "\n")
        except (OSError, ValueError):
            pass  # the program has ended: the search goes on without it
        finally:
            # What could not be written is written once more here, and fails once more.
            with contextlib.suppress(OSError, ValueError):
                pipe.close()

    def _read(self) -> None:
        pipe = self._process.stdout if self._process else None
        for text in pipe or ():
            if not self._take(text):
                self.nonsense += 1
        if pipe is not None:
            pipe.close()

    def _take(self, text: str) -> bool:
        try:
            data: Any = json.loads(text)
            if "swap" in data:
                variable, first, second = data["swap"]
                return self.line.swap(variable, int(first), int(second))
            if "first" in data:
                variable, value = data["first"]
                return self.line.bring_to_front(variable, int(value))
            return bool(data.get("restart")) and self.line.ask_for_restart()
        except (ValueError, TypeError, AttributeError, ModelError):
            return False
