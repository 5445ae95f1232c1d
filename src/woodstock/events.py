"""Progress events: producers call a subscriber, they never print.

Each preparation stage (`parse`, `check`, `ground`, `circuit`, ...) tells when it starts and when it is done, with
its counts and its time. Terminal, log and journal are subscribers of this one stream.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class StageEvent:
    """One step of a stage. `state` is `start`, `progress` or `done`; `counts` are sizes such as atoms or rules."""

    stage: str
    state: str
    seconds: float = 0.0
    counts: Mapping[str, float] = field(default_factory=dict)


Subscriber = Callable[[StageEvent], None]


def ignore(_event: StageEvent) -> None:
    """Subscribe to nothing."""


@contextmanager
def stage(name: str, tell: Subscriber = ignore) -> Iterator[dict[str, float]]:
    """Tell the start and the end of a stage; the body fills the yielded dictionary with its counts."""
    counts: dict[str, float] = {}
    started = time.perf_counter()
    tell(StageEvent(name, "start"))
    yield counts
    tell(StageEvent(name, "done", time.perf_counter() - started, counts))
