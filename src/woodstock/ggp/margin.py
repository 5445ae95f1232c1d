"""How long before the end of the clock the answer must leave.

The papers keep two seconds of thirty. A share of the clock serves short clocks as well, and what was seen to come
late, by the scheduler or the search, is added twice over.
"""

from __future__ import annotations

SHARE = 0.08
LEAST_S = 0.12
MOST_S = 2.0
# Overruns fade, so that one hiccup does not cost thinking time for the rest of a long match.
FADING = 0.9


class Margin:
    """The safety margin of one match; `note` what each turn overran."""

    def __init__(self) -> None:
        self._overrun_s = 0.0

    def note(self, overrun_s: float) -> None:
        """Take note of how long after the internal deadline an answer was ready."""
        self._overrun_s = max(FADING * self._overrun_s, overrun_s, 0.0)

    def seconds(self, clock_s: float) -> float:
        """Return the margin for a clock: at most half of it."""
        base = min(MOST_S, max(LEAST_S, SHARE * clock_s))
        return min(base + 2 * self._overrun_s, clock_s / 2)
