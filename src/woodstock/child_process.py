"""The start of every child process, and its connection to the parent; see `child` for the other side.

`python -P -m woodstock.child_process MODULE PARENT_ID SECONDS SLACK_S MEMORY_MB NICENESS ARGUMENTS...` sets the limits
and calls the module's `main(arguments)`. It starts often, so it imports little.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import math
import mmap
import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

_SET_PARENT_DEATH_SIGNAL = 1


class Parent:
    """The parent of a child that talks. What others print here goes to standard error and cannot garble messages."""

    def __init__(self) -> None:
        self._output = os.dup(1)
        os.dup2(2, 1)
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; from any thread."""
        left = memoryview(json.dumps(message).encode() + b"\n")
        with self._lock:
            while left:
                left = left[os.write(self._output, left) :]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yield the parent's messages until it closes the connection."""
        return map(json.loads, sys.stdin.buffer)


def _bind(parent: int, seconds: float, slack_s: int, memory_mb: int, niceness: int) -> None:
    """Bind this process to its parent and to its limits."""
    try:
        # Linux kills this process when its parent ends; elsewhere the limit on processor time has to do.
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (OSError, AttributeError):
        pass
    if os.getppid() != parent:
        sys.exit("the process that wanted this work is gone")
    if seconds < math.inf:
        cpu = math.ceil(max(seconds, 0.0)) + slack_s
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    if memory_mb:
        # The soft limit alone: a child of this child may have a larger one.
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, resource.getrlimit(resource.RLIMIT_AS)[1]))
        try:
            # A process that is too large already could still live on memory that it has and does not use.
            mmap.mmap(-1, 1 << 20).close()
        except OSError:
            sys.exit("MemoryError: the budget is smaller than what the process needs to start")
    if niceness:
        os.nice(niceness)


def _main() -> None:
    # Ctrl-C in a terminal reaches the whole group of processes; the parent decides what becomes of this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    module, parent, seconds, slack_s, memory_mb, niceness, *arguments = sys.argv[1:]
    _bind(int(parent), float(seconds), int(slack_s), int(memory_mb), int(niceness))
    sys.exit(importlib.import_module(module).main(arguments))


if __name__ == "__main__":
    _main()
