"""When a search ends. Deadlines are times of `time.monotonic`."""

from __future__ import annotations

import time


class Budget:
    """When a search ends: at a deadline, after some simulations or nodes, or whichever comes first.

    `cpu_seconds`, processor time of the calling thread, is a fair clock for comparisons on a busy machine.
    """

    __slots__ = ("cpu_seconds", "deadline", "nodes", "simulations")

    def __init__(
        self, deadline: float | None = None, simulations: int = 0, nodes: int = 0, cpu_seconds: float = 0.0
    ) -> None:
        self.deadline, self.simulations, self.nodes, self.cpu_seconds = deadline, simulations, nodes, cpu_seconds

    @property
    def seconds_left(self) -> float:
        """The time until the deadline; infinite without one."""
        return float("inf") if self.deadline is None else self.deadline - time.monotonic()

    def less_cpu(self, seconds: float) -> Budget:
        """Return the same budget after so much processor time; without a clock of it nothing changes."""
        if not self.cpu_seconds:
            return self
        return Budget(self.deadline, self.simulations, self.nodes, max(1e-6, self.cpu_seconds - seconds))
