"""Majorities and copolymer: stones on hexagonal boards that are counted, not connected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum

Cell = tuple[int, int]

MISSING = {(2, 5), (4, 5), (5, 6), (5, 8), (6, 4), (8, 2)}
WAYS: tuple[Callable[[Cell], int], ...] = (lambda cell: cell[0], lambda cell: cell[1], lambda cell: sum(cell))
NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class Majorities(TurnOracle):
    """States are the stones of both players."""

    roles = ("red", "blue")
    cells = {(x, y) for x in range(1, 10) for y in range(1, 10) if 6 <= x + y <= 14} - MISSING

    def initial(self) -> State:
        return (frozenset(), frozenset())

    def mover(self, state: State) -> int:
        """Stones come in the order r, bb, rr, bb and so on."""
        return (len(state[0] | state[1]) + 1) // 2 % 2

    def moves(self, state: State) -> Collection[str]:
        return [f"(place {x} {y})" for x, y in self.cells - state[0] - state[1]]

    def play(self, state: State, move: str) -> State:
        x, y = numbers(move)
        mover = self.mover(state)
        return tuple(side | {(x, y)} if player == mover else side for player, side in enumerate(state))

    def winner(self, state: State) -> int | None:
        """Return who has two directions."""
        for player in (0, 1):
            directions = 0
            for line in WAYS:
                lengths, held = Counter(map(line, self.cells)), Counter(map(line, state[player]))
                directions += sum(2 * held[name] > lengths[name] for name in lengths) >= 5
            if directions >= 2:
                return player
        return None

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))


class Copolymer(TurnOracle):
    """States are the red and the blue stones, who plays red, and who is to move."""

    roles = ("first", "second")
    cells = frozenset((x, y) for x in range(1, 8) for y in range(1, 8) if 5 <= x + y <= 11)

    def initial(self) -> State:
        return ((frozenset(), frozenset()), 0, 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        sides, red, mover = state
        places = [f"(place {x} {y})" for x, y in self.cells - sides[0] - sides[1]]
        can_swap = len(places) == 36 and mover == 1 and red == 0
        return [*places, "swap"] if can_swap else places

    def play(self, state: State, move: str) -> State:
        sides, red, mover = state
        if move == "swap":
            return (sides, 1 - red, 1 - mover)
        x, y = numbers(move)
        color = 0 if mover == red else 1
        enemies = sum((x + dx, y + dy) in sides[1 - color] for dx, dy in NEIGHBOURS)
        after = tuple(side | {(x, y)} if number == color else side for number, side in enumerate(sides))
        return (after, red, mover if enemies >= 2 else 1 - mover)

    def is_terminal(self, state: State) -> bool:
        return any(len(side) == 19 for side in state[0])

    def goals(self, state: State) -> Sequence[int]:
        color = 0 if len(state[0][0]) == 19 else 1
        return zero_sum(state[1] if color == 0 else 1 - state[1])
