"""The best goal of a game of one role: the best end among all states within reach.

The search is breadth first and visits each state once, so states may repeat in a match. It stops at the first end with
the best goal that the rules name; otherwise it visits all states.
"""

from __future__ import annotations

import time

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine

_SLICE_S = 0.05


def best_end(
    engine: CircuitEngine, start: bytes, *, max_states: int | None, seconds: float | None, memory_mb: int
) -> tuple[int, list[int], int]:
    """Return the best goal, moves that reach it, and the number of states visited."""
    ground = engine.ground
    named = max((value for _role, value, _atom in ground.goals), default=None)
    if named is None:
        raise GameError("the rules give no goal, so there is nothing to solve")
    options = _native.StateSearchOptions()
    options.target, options.memory_mb = named, memory_mb
    search = _native.StateSearch(engine.circuit, ground.native_rules(), start, options)
    began = time.perf_counter()
    status = "open"
    while status == "open":
        # In slices, so that an interrupt from the keyboard arrives.
        status = search.run(_SLICE_S)
        spent = time.perf_counter() - began
        if status == "open" and seconds is not None and spent > seconds:
            raise BudgetExceeded("solve", spent, seconds, "s")
        if status == "open" and max_states is not None and search.expanded > max_states:
            raise BudgetExceeded("solve", search.expanded, max_states, "states")
    if status == "full":
        raise BudgetExceeded("solve", memory_mb, memory_mb, "MiB", f"{search.size:,} states seen")
    if search.best_goal < 0:
        raise GameError("no match can end, so the game has no value")
    return search.best_goal, search.best_plan, search.expanded
