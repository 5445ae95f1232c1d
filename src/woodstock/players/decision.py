"""What a player says: `SearchInfo` while it thinks, `Decision` when it has chosen.

Values are goals as in the rules, for the role that the player has.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

# How much of a search a match shows and records: its best moves, and the first turns of their lines.
_SHOWN_MOVES = 3
_SHOWN_TURNS = 6


@dataclass(frozen=True, slots=True)
class RootMove:
    """One legal move of the root. `interval` holds the value with 95 % confidence, `bounds` what is proven of it.

    `line` is the principal variation that begins with the move: joint moves, in role order.

    >>> import woodstock
    >>> decision = woodstock.search(woodstock.load("tic-tac-toe").initial, "uct", simulations=5000)
    >>> best = decision.moves[0]
    >>> best.move, best.line[0], best.bounds[0] <= best.value <= best.bounds[1]
    ('(mark 2 2)', ('(mark 2 2)', 'noop'), True)
    """

    move: str
    visits: int
    value: float
    interval: tuple[float, float]
    bounds: tuple[float, float]
    is_proven: bool
    line: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        shown = " ".join(turn_text(moves) for moves in self.line[:_SHOWN_TURNS]) or self.move
        return f"{self.value:5.1f}{'=' if self.is_proven else ' '} {self.visits:>9,}  {shown}"


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """What a search knows: root moves, best first, and its counters.

    `values` has the expected goal of each role. `statistics` counts simulations, solutions (joint moves enumerated),
    prunings (moves that cannot be better than a proven one), hash and symmetry hits, nodes and bytes.
    `strategy` has the probabilities of the role's moves if it should not be predictable; empty: it plays the best move.

    >>> import woodstock
    >>> info = woodstock.search(woodstock.load("tic-tac-toe").initial, "uct", simulations=5000)
    >>> info.simulations >= 5000
    True
    >>> info.moves[0].move
    '(mark 2 2)'
    >>> info.value == info.values["x"], len(info.lines)
    (True, 3)
    >>> info.simulations_per_second > 0 and info.solutions_per_second > 0
    True
    >>> sorted(info.as_json())
    ['is_proven', 'lines', 'statistics', 'values']
    """

    role: str = ""
    moves: tuple[RootMove, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    is_proven: bool = False
    seconds: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)
    strategy: Mapping[str, float] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The expected goal of the role."""
        return self.values[self.role]

    @property
    def lines(self) -> tuple[str, ...]:
        """The best moves as text: value (`=`: proven), visits, and how play may go on."""
        return tuple(map(str, self.moves[:_SHOWN_MOVES]))

    @property
    def simulations(self) -> int:
        """The number of playouts."""
        return int(self.statistics.get("simulations", 0))

    @property
    def simulations_per_second(self) -> float:
        """Playouts per second of wall time."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    @property
    def solutions_per_second(self) -> float:
        """Joint moves enumerated by the stage solver, per second of wall time."""
        return float(self.statistics.get("solutions", 0)) / self.seconds if self.seconds > 0 else 0.0

    def as_json(self) -> dict[str, Any]:
        """Return what a match record keeps."""
        return {
            "values": dict(self.values),
            "lines": list(self.lines),
            "statistics": {
                "simulations": self.simulations,
                "simulations_per_second": round(self.simulations_per_second),
                **{name: value for name, value in self.statistics.items() if name != "simulations"},
            },
            "is_proven": self.is_proven,
            **({"strategy": dict(self.strategy)} if self.strategy else {}),
        }


@dataclass(frozen=True, slots=True)
class Decision(SearchInfo):
    """The move that a player chose, and what it knew then. `player` is its full specification.

    >>> import woodstock
    >>> decision = woodstock.search(woodstock.load("tic-tac-toe").initial, "uct", simulations=100)
    >>> decision.player, decision.move in decision.line[0], 0 <= decision.value <= 100
    ('uct', True, True)
    """

    move: str = ""
    player: str = ""
    signature: str = ""

    @classmethod
    def from_info(
        cls, info: SearchInfo, player: str, signature: str = "", chance: random.Random | None = None
    ) -> Decision:
        """Return the decision for what a search knows: the best move, or one drawn from its strategy.

        `chance` draws it; None: nobody can predict the draw.

        >>> best = RootMove("go", 9, 60.0, (55.0, 65.0), (0.0, 100.0), False)
        >>> Decision.from_info(SearchInfo("a", (best,), {"a": 60.0}), "uct").move
        'go'
        >>> mixed = SearchInfo("a", (best,), {"a": 60.0}, strategy={"go": 0.0, "stay": 1.0})
        >>> Decision.from_info(mixed, "uct").move
        'stay'
        """
        known = {one.name: getattr(info, one.name) for one in fields(SearchInfo)}
        move = info.moves[0].move
        if info.strategy:
            drawn = (chance or random.SystemRandom()).choices(list(info.strategy), list(info.strategy.values()))
            move = drawn[0]
        return cls(**known, move=move, player=player, signature=signature)

    @property
    def line(self) -> tuple[tuple[str, ...], ...]:
        """The principal variation of the chosen move."""
        return next((of.line for of in self.moves if of.move == self.move), ())


InfoSubscriber = Callable[[SearchInfo], None]


def turn_text(moves: tuple[str, ...]) -> str:
    """Return a joint move as text, without the moves that only wait.

    >>> turn_text(("noop", "(mark 1 1)")), turn_text(("noop", "noop"))
    ('(mark 1 1)', 'noop')
    """
    telling = [move for move in moves if move.lower() != "noop"] or list(moves[:1])
    return "+".join(telling)
