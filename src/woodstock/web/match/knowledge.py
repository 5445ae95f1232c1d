"""What a role can know in a game that hides things: the states that fit its own moves and everything it has seen.

Comes in: a role's joint moves so far, of which only its own part and its percepts are used. Goes out: the facts that
hold in every possible state, and whether the set is complete. The set is exact; if it grows beyond a limit it is given
up, and the role is shown its percepts alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.game.state import State

MOST_STATES = 1500
_MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The states that a role holds possible; None if there are too many."""

    role: str
    possible: tuple[State, ...] | None

    @classmethod
    def at_start(cls, state: State, role: str) -> Knowledge:
        """Return what a role knows where the match begins: everything."""
        return cls(role, (state,))

    def after(self, before: State, moves: Sequence[str], after: State) -> Knowledge:
        """Return what the role knows after a turn. The states are true ones; only what the role may see is used."""
        if self.possible is None:
            return self
        mine = moves[before.game.role_index(self.role)]
        seen = after.sees(self.role)
        found: dict[State, None] = {}
        steps = 0
        for state in self.possible:
            if state.is_terminal:
                continue
            legal = [(mine,) if role == self.role else state.legal(role) for role in before.game.roles]
            steps += math.prod(map(len, legal))
            if steps > _MOST_STEPS or mine not in state.legal(self.role):
                if steps > _MOST_STEPS:
                    return Knowledge(self.role, None)
                continue
            for joint in itertools.product(*legal):
                follows = state.next(joint)
                if follows.sees(self.role) == seen and _looks_alike(follows, after, self.role):
                    found[follows] = None
            if len(found) > MOST_STATES:
                return Knowledge(self.role, None)
        return Knowledge(self.role, tuple(found))

    @property
    def certain(self) -> frozenset[str] | None:
        """The fluents that hold for certain; None if nothing is known."""
        if self.possible is None:
            return None
        return frozenset.intersection(*(state.fluents for state in self.possible))

    @property
    def doubtful(self) -> frozenset[str]:
        """The fluents that hold in some possible states only."""
        if self.possible is None:
            return frozenset()
        return frozenset().union(*(state.fluents for state in self.possible)) - (self.certain or frozenset())


def _looks_alike(one: State, other: State, role: str) -> bool:
    """Return whether a role cannot tell two states apart: the same moves are legal, or the match is over in both."""
    if one.is_terminal or other.is_terminal:
        return one.is_terminal == other.is_terminal
    return one.legal(role) == other.legal(role)
