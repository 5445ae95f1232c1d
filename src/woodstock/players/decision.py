"""What a player says: `SearchInfo` while it thinks, `Decision` when it has chosen.

Values are goals as in the rules, of the role that the player has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RootMove:
    """One legal move of the root. `interval` holds the value with 95 % confidence, `bounds` what is proven of it.

    `line` is the principal variation that begins with the move: joint moves, in role order.
    """

    move: str
    visits: int
    value: float
    interval: tuple[float, float]
    bounds: tuple[float, float]
    is_proven: bool
    line: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """The state of a search: root moves, best first, and its counters.

    `values` has the expected goal of each role. `statistics` counts simulations, solutions (joint moves enumerated),
    prunings (moves that cannot be better than a proven one), hash and symmetry hits, nodes and bytes.
    """

    role: str
    moves: tuple[RootMove, ...]
    values: Mapping[str, float]
    is_proven: bool
    seconds: float
    statistics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The expected goal of the role."""
        return self.values[self.role]

    @property
    def simulations(self) -> int:
        """The number of playouts."""
        return int(self.statistics.get("simulations", 0))

    @property
    def simulations_per_second(self) -> float:
        """Playouts in one second of wall time."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def solutions_per_second(self) -> float:
        """Joint moves enumerated by the stage solver in one second of wall time."""
        return float(self.statistics.get("solutions", 0)) / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Decision(SearchInfo):
    """The move that a player chose, with what it knew then. `player` is its full specification."""

    move: str = ""
    player: str = ""
    signature: str = ""

    @property
    def line(self) -> tuple[tuple[str, ...], ...]:
        """The principal variation of the chosen move."""
        return next((of.line for of in self.moves if of.move == self.move), ())


InfoSubscriber = Callable[[SearchInfo], None]
