"""Limits of a solve: seconds, nodes, memory, depth; and the statistics that go with them."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

# What one remembered position costs, by measurement: key, entry, policy nodes and their tuples.
ENTRY_BYTES = 700
_CLOCK_EVERY = 64


class Interrupted(Exception):
    """A limit was reached; `reason` is seconds or nodes."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class Limits:
    """Counts nodes and looks at the clock; raises `Interrupted` when a limit is reached."""

    seconds: float | None = None
    node_limit: int | None = None
    memory_mb: float = 1024
    nodes: int = 0
    pruned: int = 0
    recalled: int = 0
    finished: float = 0.0
    started: float = field(default_factory=time.monotonic)

    def count(self) -> None:
        """Count one node."""
        self.nodes += 1
        if self.node_limit is not None and self.nodes > self.node_limit:
            raise Interrupted("nodes")
        if self.nodes % _CLOCK_EVERY == 1:
            self.look()

    def look(self) -> None:
        """Look at the clock."""
        if self.seconds is not None and self.elapsed > self.seconds:
            raise Interrupted("seconds")

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    @property
    def entry_limit(self) -> int:
        """How many positions may be remembered."""
        return int(self.memory_mb * 2**20 / ENTRY_BYTES)


@contextlib.contextmanager
def room(levels: int) -> Iterator[None]:
    """Give a recursion along the variables of a network the depth that it needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + 6 * levels))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
