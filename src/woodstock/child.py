"""Child processes: for work that must be bounded, ended at any time, or kept apart from this interpreter.

A child is a module with a function `main(arguments)`. `run_child` waits for one that works on files. A `Child` also
talks: both sides send messages, one JSON object a line. The other side is `child_process`: it binds the child to its
processor time, to its memory and to the life of its parent before the module is imported.

Linux ends a child with the *thread* that started it, so a long-lived child needs a long-lived thread.
"""

from __future__ import annotations

import json
import math
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from woodstock.errors import WoodstockError

_PIECE = 65536
_WATCH_S = 0.5
_FIRST_WATCH_S = 0.25
# Numerical libraries start a thread for each core when they are imported, and each thread reserves memory: on a machine
# with many cores that alone breaks a limit on memory. What the user has set stays.
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# How Python, C++ and the loader of libraries say that memory has run out.
_MEMORY_SIGNS = ("MemoryError", "bad_alloc", "failed to map segment", "Cannot allocate memory")

Message = dict[str, Any]


class ChildGone(WoodstockError):
    """The child ended before it answered."""


class ChildTooLate(WoodstockError):
    """The child did not answer by the deadline."""


class ChildOverrun(WoodstockError):
    """The child ran out of its budget: `unit` is `s` or `MiB`."""

    def __init__(self, used: float, limit: float, unit: str) -> None:
        self.used, self.limit, self.unit = used, limit, unit
        super().__init__(f"{used:.4g} of {limit:.4g} {unit}")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a child may use. `slack_s` is processor time beyond `seconds`, so that it can end by itself first."""

    seconds: float = math.inf
    memory_mb: int | None = None
    slack_s: int = 1
    niceness: int = 0


class Child:
    """A running child. One thread may send while another receives; `end` may be called from any."""

    def __init__(
        self,
        module: str,
        *arguments: object,
        limits: Limits | None = None,
        output: IO[bytes] | int = subprocess.PIPE,
        errors: IO[bytes] | int | None = subprocess.DEVNULL,
    ) -> None:
        of = limits or Limits()
        given = [module, os.getpid(), of.seconds, of.slack_s, of.memory_mb or 0, of.niceness, *arguments]
        # -P: without it the first entry of sys.path would be the current folder.
        command = [sys.executable, "-P", "-m", "woodstock.child_process", *map(str, given)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=output, stderr=errors, env=_ONE_THREAD | os.environ
        )
        assert self.process.stdin is not None
        self._input = self.process.stdin
        os.set_blocking(self._input.fileno(), False)
        self._received = b""

    def send(self, message: Message, deadline: float | None = None) -> None:
        """Send a message; raises `ChildGone` and `ChildTooLate`, after which the child is of no use."""
        left = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while left:
                self._poll(self._input.fileno(), select.POLLOUT, deadline)
                left = left[os.write(self._input.fileno(), left) :]
        except (OSError, ValueError) as error:
            raise ChildGone(f"the process is gone, exit code {self.end()}") from error

    def receive(self, deadline: float | None = None) -> Message:
        """Return the next message; raises `ChildGone` and `ChildTooLate`."""
        assert self.process.stdout is not None
        while b"\n" not in self._received:
            try:
                self._poll(self.process.stdout.fileno(), select.POLLIN, deadline)
                piece = os.read(self.process.stdout.fileno(), _PIECE)
            except (OSError, ValueError):
                piece = b""
            if not piece:
                raise ChildGone(f"the process is gone, exit code {self.end()}")
            self._received += piece
        line, _, self._received = self._received.partition(b"\n")
        found: Message = json.loads(line)
        return found

    def __iter__(self) -> Iterator[Message]:
        """Yield messages until the child ends."""
        while True:
            try:
                yield self.receive()
            except ChildGone:
                return

    def wait(self, seconds: float) -> bool:
        """Wait for the child to end, for `seconds` at most; return whether it has."""
        if self.process.poll() is not None:
            return True
        try:
            # Popen.wait looks at the child every 50 ms; this wakes up at once.
            handle = os.pidfd_open(self.process.pid)
        except (OSError, AttributeError):
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                return False
            return True
        try:
            self._poll(handle, select.POLLIN, time.monotonic() + seconds)
        except ChildTooLate:
            return self.process.poll() is not None
        finally:
            os.close(handle)
        self.process.wait()
        return True

    def end(self, grace_s: float = 0.05) -> int:
        """Return the exit code, negative for a signal. A child that does not end by itself by then is killed."""
        if not self.wait(grace_s):
            self.process.kill()
        return self.process.wait()

    def close(self) -> None:
        """Kill the child, if it still runs, and close its pipes. Not while another thread receives: `end` it there."""
        self.end(0.0)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_details: object) -> None:
        self.close()

    @staticmethod
    def _poll(handle: int, event: int, deadline: float | None) -> None:
        poll = select.poll()
        poll.register(handle, event)
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not poll.poll(None if left is None else math.ceil(left * 1000)):
            raise ChildTooLate("the process did not answer in time")


def run_child(
    module: str,
    *arguments: object,
    limits: Limits,
    output: IO[bytes] | int = subprocess.DEVNULL,
    watch: Callable[[float], None] | None = None,
) -> None:
    """Run a child to its end; `watch` is called twice a second with the time it has taken.

    Raises `ChildOverrun` if it runs out of its budget, and `WoodstockError` with its last words if it fails.
    """
    started = time.monotonic()
    with (
        tempfile.TemporaryFile() as errors,
        Child(module, *arguments, limits=limits, output=output, errors=errors) as child,
    ):
        wait_s, used = _FIRST_WATCH_S, 0.0
        while not child.wait(min(wait_s, max(0.0, limits.seconds - used))):
            wait_s, used = _WATCH_S, time.monotonic() - started
            if used >= limits.seconds:
                raise ChildOverrun(used, limits.seconds, "s")
            if watch is not None:
                watch(used)
        code = child.process.returncode
        if code == 0:
            return
        errors.seek(0)
        message = errors.read().decode("utf-8", "replace").strip()
    if code == -signal.SIGXCPU or (code < 0 and limits.memory_mb is None):
        raise ChildOverrun(time.monotonic() - started, limits.seconds, "s")
    if code < 0 or any(sign in message for sign in _MEMORY_SIGNS):
        limit = limits.memory_mb or 0
        raise ChildOverrun(limit, limit, "MiB")
    raise WoodstockError(f"{module} failed with exit code {code}: {message[-500:]}")
