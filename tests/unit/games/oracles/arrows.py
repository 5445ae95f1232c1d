"""Amazons on a torus."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum

SIZE = 10
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class AmazonsTorus(TurnOracle):
    """States are the amazons of each player, the arrows, the archer that is to shoot or None, and the player."""

    roles = ("white", "black")

    def initial(self) -> State:
        white = frozenset({(1, 4), (4, 1), (7, 1), (10, 4)})
        return (white, frozenset((x, 11 - y) for x, y in white), frozenset(), None, 0)

    def mover(self, state: State) -> int:
        return int(state[4])

    @staticmethod
    def reach(state: State, start: tuple[int, int]) -> set[tuple[int, int]]:
        """Return the cells along the lines from a cell."""
        taken = state[0] | state[1] | state[2]
        result = set()
        for dx, dy in DIRECTIONS:
            x, y = start
            while True:
                x, y = (x + dx - 1) % SIZE + 1, (y + dy - 1) % SIZE + 1
                if (x, y) in taken:
                    break
                result.add((x, y))
        return result

    def moves(self, state: State) -> Collection[str]:
        if state[3]:
            return [f"(shoot {x} {y})" for x, y in self.reach(state, state[3])]
        own = state[state[4]]
        return [f"(move {x} {y} {x2} {y2})" for x, y in own for x2, y2 in self.reach(state, (x, y))]

    def play(self, state: State, move: str) -> State:
        player = state[4]
        if state[3]:
            return (state[0], state[1], state[2] | {tuple(numbers(move))}, None, 1 - player)
        x, y, x2, y2 = numbers(move)
        amazons = list(state[:2])
        amazons[player] = amazons[player] - {(x, y)} | {(x2, y2)}
        return (*amazons, state[2], (x2, y2), player)

    def is_terminal(self, state: State) -> bool:
        return not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(1 - state[4])
