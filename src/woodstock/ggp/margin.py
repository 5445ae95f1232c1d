"""How long before the end of the clock an answer must leave.

A share of the clock serves short and long clocks alike (the papers keep two seconds of thirty). A busy machine needs
more: twice the delay of earlier late answers is added, and several times the delay with which the scheduler wakes us.
"""

from __future__ import annotations

import threading
import time

SHARE = 0.08
LEAST_S = 0.12
MOST_S = 2.0
# Overruns fade, so that one hiccup does not cost thinking time for the rest of a long match.
FADING = 0.9
# An answer takes several turns of the scheduler: to read the message, to hear the worker, to send, to be received.
WAKE_UPS = 6


class WakeUps:
    """Measures how late this process wakes up, until it is closed."""

    EVERY_S = 0.05
    FADING = 0.99

    def __init__(self) -> None:
        self.late_s = 0.0
        self._is_closed = threading.Event()
        threading.Thread(target=self._measure, name="ggp wake-ups", daemon=True).start()

    def _measure(self) -> None:
        due = time.monotonic() + self.EVERY_S
        while not self._is_closed.wait(self.EVERY_S):
            self.note(time.monotonic() - due)
            due = time.monotonic() + self.EVERY_S

    def close(self) -> None:
        """End measuring."""
        self._is_closed.set()

    def note(self, late_s: float) -> None:
        """Take note of one wake-up; the latest of the last seconds counts."""
        self.late_s = max(self.FADING * self.late_s, late_s)


class Margin:
    """The safety margin of one match; `note` what each turn overran."""

    def __init__(self, wake_ups: WakeUps) -> None:
        self._overrun_s = 0.0
        self._wake_ups = wake_ups

    def note(self, overrun_s: float) -> None:
        """Take note of how long after the internal deadline an answer was ready."""
        self._overrun_s = max(FADING * self._overrun_s, overrun_s, 0.0)

    def seconds(self, clock_s: float) -> float:
        """Return the margin for a clock: at most half of it."""
        base = min(MOST_S, max(LEAST_S, SHARE * clock_s))
        return min(base + 2 * self._overrun_s + WAKE_UPS * self._wake_ups.late_s, clock_s / 2)
