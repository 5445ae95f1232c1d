"""How the time of one move is shared between sampling, building a tree and searching it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from woodstock.players.budget import Budget

# Time reserved for reading the result.
_RESERVE_S = 0.004
_LEAST_S = 1e-6


class Clock:
    """The wall time and the processor time that are left for a move; a search by simulations has neither."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._cpu_end = time.thread_time() + budget.cpu_seconds
        self.begun = time.perf_counter()

    @property
    def is_timed(self) -> bool:
        """Whether there is a clock at all."""
        return self._budget.deadline is not None or bool(self._budget.cpu_seconds)

    def share(self, share: float) -> tuple[float, float]:
        """Return a share of the wall time and of the processor time that are left; 0 is no limit."""
        wall = cpu = 0.0
        if self._budget.deadline is not None:
            wall = max(_LEAST_S, share * (self._budget.seconds_left - _RESERVE_S))
        if self._budget.cpu_seconds:
            cpu = max(_LEAST_S, share * (self._cpu_end - time.thread_time()))
        return wall, cpu

    def seconds(self, share: float) -> float:
        """Return the same as one number; infinite without a clock."""
        return min((one for one in self.share(share) if one > 0), default=float("inf"))
