"""Limits of a solve: seconds, nodes, memory, depth; and the statistics that go with them."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

ENTRY_BYTES = 500
STATE_BYTES = 8
_CLOCK_EVERY = 64

T = TypeVar("T")


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


class Memory(dict[tuple[int, tuple[Hashable, ...], bool], T]):
    """Known positions within a memory limit: when it is full, it is cleared.

    The size of an entry is a measured estimate: its key, its value, and the policy nodes that it keeps alive.
    """

    def __init__(self, memory_mb: float) -> None:
        super().__init__()
        self.bytes_limit = memory_mb * 2**20
        self.bytes_used = 0

    def put(self, key: tuple[int, tuple[Hashable, ...], bool], value: T) -> None:
        """Add an entry; if there is no room, drop all others first."""
        if key not in self:
            self.bytes_used += ENTRY_BYTES + STATE_BYTES * len(key[1])
            if self.bytes_used > self.bytes_limit:
                self.clear()
                self.bytes_used = 0
        self[key] = value


@contextlib.contextmanager
def room(levels: int) -> Iterator[None]:
    """Allow a recursion as deep as the network has variables."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + 6 * levels))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def each_in_room(levels: int, items: Iterator[T]) -> Iterator[T]:
    """Yield the items of a deep iterator; the recursion limit is restored between them."""
    while True:
        with room(levels):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item
