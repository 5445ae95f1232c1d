"""What solving gives: a `Solution`, exact values; or an `Equilibrium`, with a strategy and what it can lose."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from woodstock.equilibrium.table import StrategyTable
from woodstock.game.state import State


@dataclass(frozen=True)
class RatedMove:
    """A move in the solved state: its value for the role that makes it, and whether none is better.

    With alpha-beta and proof, the value of a move that is not best is only an upper bound.
    """

    role: str
    move: str
    value: Fraction
    is_best: bool


@dataclass(frozen=True)
class Solution:
    """The exact value of a state.

    `values` are expected goals 0..100, or chances of the best goal with the utility `win`; against random opponents
    only the player's. `states` were evaluated, `hits` were met again, themselves or in an image of them. In a game of
    one role `moves` has only the first move of a best plan.

    >>> import woodstock
    >>> solution = woodstock.solve_game(woodstock.load("nim"))
    >>> solution.meaning
    'goal if each role maximises its own, ties against the others'
    >>> all(best.value == solution.values[best.role] for best in solution.best_moves)
    True
    """

    state: State
    values: dict[str, Fraction]
    moves: tuple[RatedMove, ...]
    meaning: str
    states: int
    hits: int
    seconds: float
    group_size: int
    is_simultaneous: bool = field(default=False, kw_only=True)  # several roles choose at once somewhere

    @property
    def best_moves(self) -> tuple[RatedMove, ...]:
        """The moves that give their role its value."""
        return tuple(move for move in self.moves if move.is_best)


@dataclass(frozen=True)
class Equilibrium(Solution):
    """The value of a game with hidden information or simultaneous moves, with strategies of all roles.

    `exploitability` is what a role could gain in the mean by answering the others' strategies best, in goals;
    `nash_conv` is the sum over the roles. `bounds` has the least and the greatest value of the game for each role; it
    is empty if nothing is claimed: with more than two roles, or with goals that do not add up to a constant. If the
    rules hide things, `states` counts histories; `information_sets` counts beliefs if only one role chooses on purpose.
    `ended` says why it stopped: `exact`, `target` (of exploitability), `iterations`, `seconds` or `interrupted`.

    >>> import woodstock
    >>> found = woodstock.solve_game(woodstock.load("monty-hall"))
    >>> isinstance(found, woodstock.Equilibrium), found.is_exact, str(found.values["candidate"])
    (True, True, '200/3')
    >>> found.strategy.rows[-1].moves
    {'stay': 0.0, 'switch': 1.0}
    """

    strategy: StrategyTable
    exploitability: float
    nash_conv: float
    bounds: dict[str, tuple[float, float]]
    information_sets: int
    iterations: int
    rule: str
    ended: str

    @property
    def is_exact(self) -> bool:
        """Whether the values are those of the game, but for rounding."""
        return self.ended == "exact"
