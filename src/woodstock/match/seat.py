"""A seat: whoever makes the moves of one role, in this process or anywhere else.

The referee calls every method of a seat from one thread of its own, so a seat need not be thread-safe; only
`interrupt` may come from elsewhere at any time. Deadlines are times of `time.monotonic()`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match.codes import BROKEN


class SeatError(WoodstockError):
    """A seat could not give a move; `code` is one of `woodstock.match.codes`."""

    def __init__(self, message: str, code: str = BROKEN) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code)


@dataclass(frozen=True, slots=True)
class Thought:
    """What a player thinks of a position while it searches or when it moves."""

    values: Mapping[str, float] = field(default_factory=dict)  # expected goal by role, 0..100
    lines: Sequence[str] = ()  # best first, each `value  move, move, ...`
    statistics: Mapping[str, Any] = field(default_factory=dict)  # simulations, rate, memory and the like
    is_proven: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the thought as the values of `x-` fields."""
        return {
            "values": dict(self.values),
            "lines": list(self.lines),
            "statistics": dict(self.statistics),
            "is_proven": self.is_proven,
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """A move, and what the player thought of it where it tells."""

    move: str
    thought: Thought | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What a seat is told before the first turn."""

    match_id: str
    game: Game
    role: str
    start_clock_s: float
    play_clock_s: float
    seed: int
    # Hears the player's thoughts while it searches; from any thread.
    tell: Callable[[Thought], None]


class Seat(Protocol):
    """Whoever moves for one role."""

    @property
    def name(self) -> str:
        """What records and tables call the player."""
        ...

    @property
    def is_human(self) -> bool:
        """Whether a person decides; clocks do not bind a person."""
        ...

    def start(self, task: Task, deadline: float) -> None:
        """Prepare for the match until the deadline at most."""
        ...

    def play(self, state: State, deadline: float) -> Reply:
        """Return a move for this state; `state.last_moves` is the joint move that led here."""
        ...

    def stop(self, state: State) -> None:
        """Take note that the match is over in this state."""
        ...

    def abort(self) -> None:
        """Take note that the match is broken off."""
        ...

    def interrupt(self) -> None:
        """Give up what is under way; called from another thread when the clock has run out."""
        ...

    def close(self) -> None:
        """Free everything; nothing is called after this."""
        ...


class LocalSeat:
    """What most seats in this process share: nothing to prepare, nothing to tell, nothing to free."""

    name = "local"
    is_human = False

    def start(self, task: Task, deadline: float) -> None:
        """Remember the task."""
        del deadline
        self.task = task

    def stop(self, state: State) -> None:
        """Do nothing."""

    def abort(self) -> None:
        """Do nothing."""

    def interrupt(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
