"""What a second implementation of a game looks like, so that it can be compared with the rules.

An oracle is written from the rules of the game, in plain Python, and shares nothing with the rulesheet but the names of
roles and moves. Its states are hashable values of any kind; nothing changes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import Any

State = Any


class Oracle(ABC):
    """A game in which every role moves at once."""

    roles: tuple[str, ...]

    @abstractmethod
    def initial(self) -> State:
        """Return the first state."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[Collection[str]]:
        """Return the legal moves of each role, in the order of `roles`."""

    @abstractmethod
    def next(self, state: State, moves: Sequence[str]) -> State:
        """Return the state after one move of each role."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """Return whether the match is over."""

    @abstractmethod
    def goals(self, state: State) -> Sequence[int]:
        """Return what the end is worth to each role."""

    def sees(self, state: State, moves: Sequence[str]) -> Sequence[Collection[str]] | None:
        """Return what each role perceives of a joint move; None if the oracle does not say."""
        return None


class TurnOracle(Oracle):
    """A game in which one role moves and the others do nothing."""

    @abstractmethod
    def mover(self, state: State) -> int:
        """Return the index of the role to move."""

    @abstractmethod
    def moves(self, state: State) -> Collection[str]:
        """Return the moves of the role to move."""

    @abstractmethod
    def play(self, state: State, move: str) -> State:
        """Return the state after that move."""

    def legal(self, state: State) -> Sequence[Collection[str]]:
        """Return the moves of the mover, and `noop` for all others."""
        mover = self.mover(state)
        return [self.moves(state) if role == mover else ("noop",) for role in range(len(self.roles))]

    def next(self, state: State, moves: Sequence[str]) -> State:
        """Return the state after the move of the mover."""
        return self.play(state, moves[self.mover(state)])


def numbers(move: str) -> list[int]:
    """Return the arguments of a move that are numbers: `(move 1 2 a 3)` gives 1, 2, 3."""
    return [int(word) for word in move.strip("()").split() if word.lstrip("-").isdigit()]


def words(move: str) -> list[str]:
    """Return the name and the arguments of a move."""
    return move.strip("()").split()


def zero_sum(winner: int | None, players: int = 2) -> tuple[int, ...]:
    """Return 100 for the winner and 0 for the others, or 50 for all."""
    if winner is None:
        return (50,) * players
    return tuple(100 if player == winner else 0 for player in range(players))
