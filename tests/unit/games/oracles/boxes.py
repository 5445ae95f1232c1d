"""Dots and boxes, suicide form."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, words, zero_sum


class DotsAndBoxesSuicide(TurnOracle):
    """States are the lines drawn, the boxes of each player, and the player to move."""

    roles = ("first", "second")

    def __init__(self, size: int = 4) -> None:
        self.size = size
        across, along = range(1, size + 1), range(1, size + 2)
        self.lines = {("h", x, y) for x in across for y in along} | {("v", x, y) for x in along for y in across}

    def initial(self) -> State:
        return (frozenset(), (0, 0), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        return [f"(draw {kind} {x} {y})" for kind, x, y in self.lines - state[0]]

    def play(self, state: State, move: str) -> State:
        _, kind, x_text, y_text = words(move)
        x, y = int(x_text), int(y_text)
        lines = state[0] | {(kind, x, y)}
        closed = 0
        for a, b in ((x, y), (x, y - 1)) if kind == "h" else ((x, y), (x - 1, y)):
            around = {("h", a, b), ("h", a, b + 1), ("v", a, b), ("v", a + 1, b)}
            closed += around <= lines
        boxes = list(state[1])
        boxes[state[2]] += closed
        return (lines, tuple(boxes), state[2] if closed else 1 - state[2])

    def is_terminal(self, state: State) -> bool:
        return len(state[0]) == len(self.lines)

    def goals(self, state: State) -> Sequence[int]:
        first, second = state[1]
        return zero_sum(None if first == second else int(first > second))
