"""What trees and graphs of a game need first, and what they say if they do not fit their limits."""

from __future__ import annotations

from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance

DEFAULT_MEMORY_MB = 1024
UNLIMITED = 2**62


def stepping_engine(game: Game) -> CircuitEngine:
    """Return the engine of a grounded game in which somebody chooses."""
    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so it has no tree. {' '.join(game.notes)}")
    if not without_chance(game.roles):
        raise GameError(f"{game.name} has no role but chance: there is nothing to solve")
    return game.engine


def over_budget(
    status: str, so_far: str, max_histories: int | None, seconds: float | None, memory_mb: int
) -> BudgetExceeded:
    """Return the error for a tree that did not fit, with its size so far."""
    if status == "histories":
        most = max_histories or 0
        return BudgetExceeded("solve", most, most, "histories", so_far)
    if status == "memory":
        return BudgetExceeded("solve", memory_mb, memory_mb, "MiB", so_far)
    return BudgetExceeded("solve", seconds or 0.0, seconds or 0.0, "s", so_far)
