"""Long native work in slices, so that an interrupt is noticed soon."""

from __future__ import annotations

import time
from collections.abc import Callable

SLICE_S = 0.2


def run_in_slices(
    run: Callable[[float], object],
    seconds: float,
    is_wanted: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
    slice_s: float = SLICE_S,
) -> None:
    """Call `run` with a part of the time, again and again, until it is over or `is_wanted` or `run` says no."""
    ends_at = clock() + seconds
    while (left := ends_at - clock()) > 0 and is_wanted():
        if run(min(slice_s, left)) is False:
            return
