"""Games of chains over hexagons: hex, hexawesome."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers, zero_sum


class Hex(TurnOracle):
    """States are the stones of red and of blue and the player to move."""

    roles = ("red", "blue")

    def __init__(self, size: int = 9) -> None:
        self.size = size

    def initial(self) -> State:
        return (frozenset(), frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[2])

    def moves(self, state: State) -> Collection[str]:
        line = range(1, self.size + 1)
        return [f"(place {x} {y})" for x in line for y in line if (x, y) not in state[0] and (x, y) not in state[1]]

    def play(self, state: State, move: str) -> State:
        stones = list(state[:2])
        stones[state[2]] = stones[state[2]] | {tuple(numbers(move))}
        return (*stones, 1 - state[2])

    def connects(self, stones: frozenset[tuple[int, int]], axis: int) -> bool:
        """Flood from one side and see whether the other one is reached."""
        open_cells = [cell for cell in stones if cell[axis] == 1]
        seen = set(open_cells)
        while open_cells:
            x, y = open_cells.pop()
            if (x, y)[axis] == self.size:
                return True
            for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1)):
                if cell in stones and cell not in seen:
                    seen.add(cell)
                    open_cells.append(cell)
        return False

    def is_terminal(self, state: State) -> bool:
        last = 1 - state[2]
        return self.connects(state[last], 1 - last)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(1 - state[2])


class Hexawesome(TurnOracle):
    """States are the cells of both players. A cell has three coordinates that sum to 15; sides have one at 1 or 9."""

    roles = ("red", "blue")
    cells = frozenset((x, y, 15 - x - y) for x in range(1, 10) for y in range(1, 10) if 1 <= 15 - x - y <= 9)

    def initial(self) -> State:
        return (frozenset(), frozenset())

    def mover(self, state: State) -> int:
        return int(len(state[0]) > len(state[1]))

    def moves(self, state: State) -> Collection[str]:
        return [f"(place {x} {y})" for x, y, _ in self.cells - state[0] - state[1]]

    def play(self, state: State, move: str) -> State:
        x, y = numbers(move)
        player = self.mover(state)
        return tuple(cells | {(x, y, 15 - x - y)} if role == player else cells for role, cells in enumerate(state))

    def connects(self, stones: frozenset[tuple[int, int, int]]) -> bool:
        """Return whether some chain touches two opposite sides."""
        rest = set(stones)
        while rest:
            chain, front = set(), [rest.pop()]
            while front:
                cell = front.pop()
                chain.add(cell)
                near = {other for other in rest if max(abs(a - b) for a, b in zip(cell, other, strict=True)) == 1}
                rest -= near
                front += near
            if any({1, 9} <= {cell[axis] for cell in chain} for axis in range(3)):
                return True
        return False

    def winner(self, state: State) -> int | None:
        """Return who has a chain."""
        return next((player for player in (0, 1) if self.connects(state[player])), None)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None or not self.moves(state)

    def goals(self, state: State) -> Sequence[int]:
        return zero_sum(self.winner(state))
