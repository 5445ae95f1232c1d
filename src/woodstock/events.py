"""Progress events: producers call a subscriber, they never print.

Each phase of preparing a game (`parse`, `check`, `ground`, `circuit`, ...) reports its start and its end, with its
counts and its time. Terminal, log and journal are subscribers of this one stream.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PhaseEvent:
    """One step of a phase. `state` is `start`, `progress` or `done`; `counts` are sizes such as atoms or rules."""

    phase: str
    state: str
    seconds: float = 0.0
    counts: Mapping[str, float] = field(default_factory=dict)


Subscriber = Callable[[PhaseEvent], None]


def ignore(_event: object) -> None:
    """Subscribe to nothing."""


@contextmanager
def phase(name: str, tell: Subscriber = ignore) -> Iterator[dict[str, float]]:
    """Report the start and the end of a phase; the body fills the yielded dictionary with its counts."""
    counts: dict[str, float] = {}
    started = time.perf_counter()
    tell(PhaseEvent(name, "start"))
    yield counts
    tell(PhaseEvent(name, "done", time.perf_counter() - started, counts))
