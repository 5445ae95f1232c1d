"""What our child programs share: they end with their parent, and within their time and memory.

They run as scripts, each with the id of its parent as the first argument; nothing but the standard library is needed.
"""

from __future__ import annotations

import ctypes
import math
import mmap
import os
import resource
import signal
import sys

_SET_PARENT_DEATH_SIGNAL = 1


def bound(parent: int, seconds: float, memory_mb: int | None = None, *, slack_s: int = 1) -> None:
    """Bind this process to its parent and to these limits; `slack_s` is what it may need beyond `seconds`."""
    _end_with(parent)
    cpu = math.ceil(max(seconds, 0)) + slack_s
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    if memory_mb is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))
        try:
            # A process that is too large already could still live on memory that it has and does not use.
            mmap.mmap(-1, 1 << 20).close()
        except OSError:
            sys.exit("MemoryError: the budget is smaller than what the process needs to start")


def _end_with(parent: int) -> None:
    """Ask Linux to kill this process when its parent ends; elsewhere the limit on processor time has to do."""
    try:
        ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        sys.exit("the process that wanted this work is gone")
