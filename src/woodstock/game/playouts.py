"""The result of random playouts: counts, lengths, goals with intervals, and time.

`PlayoutStats` is immutable; engines make it, the command line prints it and searches read it. Every figure follows from
exact counts; nothing is rounded or smoothed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

_Z_95 = 1.959963984540054


@dataclass(frozen=True)
class PlayoutStats:
    """What a number of uniformly random playouts from one state gave.

    `count` playouts were played, all to their end but the `truncated` ones (cut at the step bound) and the `stuck`
    ones (a role had no legal move). `histograms[role][value]` counts the finished playouts that gave the role this
    goal, `undefined[role]` those that gave it no goal or several. `seconds` is wall time, `cpu_seconds` the processor
    time of all threads. Results of the same game can be added.

    >>> import woodstock
    >>> stats = woodstock.load("tic-tac-toe").playouts(10_000, seed=1)
    >>> stats.count, stats.finished, sorted(stats.histograms["x"])
    (10000, 10000, [0, 50, 100])
    >>> low, high = stats.goal_interval("x")
    >>> low < stats.goal_means["x"] == stats.goal_sums["x"] / 10_000 < high
    True
    >>> 7 < stats.mean_length < 8
    True
    >>> stats.states_per_second > stats.playouts_per_second > 0
    True
    >>> stats.states_per_cpu_second > stats.playouts_per_cpu_second > 0
    True
    """

    count: int
    truncated: int
    stuck: int
    steps: int
    seconds: float
    cpu_seconds: float
    histograms: Mapping[str, Mapping[int, int]]
    undefined: Mapping[str, int]
    engine: str = ""
    threads: int = 1

    @property
    def finished(self) -> int:
        """The number of playouts that reached a terminal state."""
        return self.count - self.truncated - self.stuck

    @property
    def goal_sums(self) -> dict[str, int]:
        """The sum of the goals of each role over the playouts that defined one."""
        return {role: sum(v * n for v, n in values.items()) for role, values in self.histograms.items()}

    @property
    def goal_means(self) -> dict[str, float | None]:
        """The mean goal of each role over the playouts that defined one; None if none did."""
        sums = self.goal_sums
        return {role: sums[role] / n if (n := sum(v.values())) else None for role, v in self.histograms.items()}

    def goal_interval(self, role: str) -> tuple[float, float] | None:
        """Return the 95 % interval of the mean goal (normal approximation), or None with fewer than two samples."""
        values = self.histograms[role]
        n = sum(values.values())
        if n < 2:
            return None
        mean = sum(v * k for v, k in values.items()) / n
        variance = sum(k * (v - mean) ** 2 for v, k in values.items()) / (n - 1)
        half = _Z_95 * math.sqrt(variance / n)
        return mean - half, mean + half

    @property
    def mean_length(self) -> float:
        """The mean number of joint moves, cut playouts counted with the length at which they were cut."""
        return self.steps / self.count if self.count else 0.0

    @property
    def playouts_per_second(self) -> float:
        """Playouts in one second of wall time."""
        return self.count / self.seconds if self.seconds > 0 else 0.0

    @property
    def states_per_second(self) -> float:
        """States visited in one second of wall time: every joint move leads to one."""
        return self.steps / self.seconds if self.seconds > 0 else 0.0

    @property
    def playouts_per_cpu_second(self) -> float:
        """Playouts in one second of one thread's processor time: the rate to compare engines by."""
        return self.count / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    @property
    def states_per_cpu_second(self) -> float:
        """States visited in one second of one thread's processor time."""
        return self.steps / self.cpu_seconds if self.cpu_seconds > 0 else 0.0

    def __add__(self, other: PlayoutStats) -> PlayoutStats:
        """Pool two runs of the same game: counts and times add up."""
        if not isinstance(other, PlayoutStats):
            return NotImplemented
        if tuple(self.histograms) != tuple(other.histograms):
            raise ValueError("only playouts of games with the same roles can be pooled")
        pooled = {}
        for role, values in self.histograms.items():
            total = Counter(values)
            total.update(other.histograms[role])
            pooled[role] = dict(sorted(total.items()))
        added = ("count", "truncated", "stuck", "steps", "seconds", "cpu_seconds")
        return replace(
            self,
            histograms=pooled,
            undefined={role: n + other.undefined[role] for role, n in self.undefined.items()},
            **{name: getattr(self, name) + getattr(other, name) for name in added},
        )
