"""Nim."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum


class Nim(TurnOracle):
    """States are the four heaps and the player to move."""

    roles = ("first", "second")

    def initial(self) -> State:
        return ((1, 3, 5, 7), 0)

    def mover(self, state: State) -> int:
        return int(state[1])

    def moves(self, state: State) -> Collection[str]:
        return [f"(take {'abcd'[at]} {count})" for at, heap in enumerate(state[0]) for count in range(1, heap + 1)]

    def play(self, state: State, move: str) -> State:
        _, name, count = words(move)
        at = "abcd".index(name)
        heaps = tuple(heap - int(count) * (index == at) for index, heap in enumerate(state[0]))
        return (heaps, 1 - state[1])

    def is_terminal(self, state: State) -> bool:
        return not any(state[0])

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(1 - state[1])
