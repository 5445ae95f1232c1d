"""Races over a board: vector racer, platform jumpers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, words, zero_sum
from tests.unit.games.oracles.puzzles import Puzzle


class VectorRacer(Puzzle):
    """States are the cell of the car, its speed, whether it is home, and the number of moves."""

    limit = 30
    fastest = 4
    start = (1, 1)
    sectors = 4
    track: tuple[str, ...] = (
        "4433333333",
        "4433333333",
        "44......22",
        "44......22",
        "44......22",
        "44......22",
        "1111111122",
        "1111111122",
    )
    """The sector of each cell, the top row first; dots are grass."""

    def sector(self, x: int, y: int) -> int | None:
        """Return the sector of a cell, None off the road."""
        if not (1 <= x <= len(self.track[0]) and 1 <= y <= len(self.track)):
            return None
        sign = self.track[len(self.track) - y][x - 1]
        return None if sign == "." else int(sign)

    def initial(self) -> State:
        return (self.start, (0, 0), False, 0)

    def moves(self, state: State) -> Collection[str]:
        speed = state[1]
        return [
            f"(accelerate {a} {b})"
            for a in (-1, 0, 1)
            for b in (-1, 0, 1)
            if max(abs(speed[0] + a), abs(speed[1] + b)) <= self.fastest
        ]

    def play(self, state: State, move: str) -> State:
        (x, y), speed, _, step = state
        a, b = numbers(move)
        speed = (speed[0] + a, speed[1] + b)
        after = (x + speed[0], y + speed[1])
        old, new = self.sector(x, y), self.sector(*after)
        if old is None or new not in (old, old % self.sectors + 1):
            return ((x, y), (0, 0), False, step + 1)
        return (after, speed, (old, new) == (self.sectors, 1), step + 1)

    def solved(self, state: State) -> bool:
        return bool(state[2])

    def goals(self, state: State) -> Sequence[int]:
        return [100 - 5 * (state[3] - 11) if state[2] else 0]


class VectorRacer6(VectorRacer):
    """A longer track in three sectors; the speed has no limit that a car on the road could reach."""

    limit = 28
    fastest = 10
    start = (5, 1)
    sectors = 3
    track = (
        "2222222222",
        "2222222222",
        "33......22",
        "33......22",
        "33......22",
        "33......22",
        "33......22",
        "33......22",
        "3333111111",
        "3333111111",
    )

    def goals(self, state: State) -> Sequence[int]:
        return [min(100, 100 * (29 - state[3]) // 17) if state[2] else 0]


class PlatformJumpers(TurnOracle):
    """States are the owners of the cells that were claimed, the cells of both jumpers, and the number of moves made."""

    roles = ("red", "blue")
    corners = ((1, 1), (8, 8))
    lines = range(1, 9)

    def initial(self) -> State:
        return (frozenset(), self.corners, 0)

    def mover(self, state: State) -> int:
        return int(state[2] % 2)

    def moves(self, state: State) -> Collection[str]:
        owners, jumpers, _ = state
        player = self.mover(state)
        taken = {cell for cell, _ in owners}
        x, y = jumpers[player]
        platforms = [cell for cell, owner in owners if owner == player]
        jumps = [f"(jump {a} {b})" for a, b in platforms if {abs(a - x), abs(b - y)} == {1, 2}]
        rows = [f"(row {y})" for y in self.lines if any((x, y) not in taken for x in self.lines)]
        columns = [f"(column {x})" for x in self.lines if any((x, y) not in taken for y in self.lines)]
        return jumps + rows + columns or ["noop"]

    def play(self, state: State, move: str) -> State:
        owners, jumpers, step = state
        player = self.mover(state)
        kind = words(move)[0]
        if kind == "jump":
            jumpers = tuple(tuple(numbers(move)) if role == player else cell for role, cell in enumerate(jumpers))
        elif kind != "noop":
            taken = {cell for cell, _ in owners}
            (line,) = numbers(move)
            cells = {(other, line) if kind == "row" else (line, other) for other in self.lines}
            owners |= {(cell, player) for cell in cells - taken}
        return (owners, jumpers, step + 1)

    def winner(self, state: State) -> int | None:
        """Return who has arrived."""
        return next((player for player in (0, 1) if state[1][player] == self.corners[1 - player]), None)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None or state[2] == 60

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))
