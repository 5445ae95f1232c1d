"""Awale."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class Awale(TurnOracle):
    """States are the twelve houses, the two stores and the number of moves made."""

    roles = ("south", "north")

    def initial(self) -> State:
        return ((4,) * 12, (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[2] % 2)

    @staticmethod
    def sow(houses: tuple[int, ...], start: int) -> tuple[list[int], int]:
        """Return the houses after sowing, and where the last seed fell."""
        after, at = list(houses), start
        after[start] = 0
        for _ in range(houses[start]):
            at = (at + 1) % 12
            if at == start:
                at = (at + 1) % 12
            after[at] += 1
        return after, at

    def moves(self, state: State) -> Collection[str]:
        player = self.mover(state)
        theirs = range(6 - 6 * player, 12 - 6 * player)
        own = [house for house in range(6 * player, 6 * player + 6) if state[0][house]]
        if not any(state[0][house] for house in theirs):
            own = [house for house in own if any(self.sow(state[0], house)[0][other] for other in theirs)]
        return [f"(sow {house + 1})" for house in own]

    def play(self, state: State, move: str) -> State:
        houses, stores, count = state
        player = self.mover(state)
        theirs = range(6 - 6 * player, 12 - 6 * player)
        after, at = self.sow(houses, numbers(move)[0] - 1)
        taken = list(after)
        while at in theirs and taken[at] in (2, 3):
            taken[at] = 0
            at -= 1
        loot = sum(after) - sum(taken)
        if not any(taken[house] for house in theirs):
            taken, loot = after, 0
        scores = tuple(score + loot * (owner == player) for owner, score in enumerate(stores))
        return (tuple(taken), scores, count + 1)

    def is_terminal(self, state: State) -> bool:
        return max(state[1]) > 24 or state[2] == 200 or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        south = state[1][0] + sum(state[0][:6])
        return zero_sum(None if south == 24 else int(south < 24))
