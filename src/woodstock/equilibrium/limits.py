"""What trees and graphs of a game need first, and what they say if they do not fit their limits."""

from __future__ import annotations

from dataclasses import dataclass

from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance

DEFAULT_MEMORY_MB = 1024
_UNLIMITED = 2**62


def stepping_engine(game: Game) -> CircuitEngine:
    """Return the engine of a grounded game in which somebody chooses."""
    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so it has no tree. {' '.join(game.notes)}")
    if not without_chance(game.roles):
        raise GameError(f"{game.name} has no role but chance: there is nothing to solve")
    return game.engine


@dataclass(frozen=True)
class Limits:
    """How large a tree may get; None is no limit."""

    max_histories: int | None
    seconds: float | None
    memory_mb: int

    @property
    def native(self) -> tuple[int, int, float]:
        """The limits in the order of native functions: histories, bytes, seconds."""
        histories = _UNLIMITED if self.max_histories is None else self.max_histories
        return histories, self.memory_mb << 20, 1e9 if self.seconds is None else self.seconds

    def check(self, game: Game, status: str, reason: str, so_far: str) -> None:
        """Raise the error of a tree that is not complete, with its size so far."""
        if status == "complete":
            return
        if status == "refused":
            raise GameError(f"{game.name} cannot be solved: {reason}")
        if status == "histories":
            most = self.max_histories or 0
            raise BudgetExceeded("solve", most, most, "histories", so_far)
        if status == "memory":
            raise BudgetExceeded("solve", self.memory_mb, self.memory_mb, "MiB", so_far)
        raise BudgetExceeded("solve", self.seconds or 0.0, self.seconds or 0.0, "s", so_far)


def check_goals(game: Game, has_unclear_goals: bool) -> None:
    """Raise `GameError` if an end does not have one goal for each role."""
    if has_unclear_goals:
        raise GameError(f"{game.name} cannot be solved: a role has no goal, or several, at the end of a match")
