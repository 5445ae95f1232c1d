"""Chinese checkers on the star of 121 cells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tests.unit.games.oracles.oracle import State, TurnOracle, numbers

Cell = tuple[int, int]

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
TURNS = 300

# The star is two triangles laid over each other. Its corners lie beyond 4 in one of the three directions of the grid.
STAR = {
    (x, y)
    for x in range(-8, 9)
    for y in range(-8, 9)
    if (x >= -4 and y >= -4 and x + y <= 4) or (x <= 4 and y <= 4 and x + y >= -4)
}
CORNERS = (
    {cell for cell in STAR if cell[1] < -4},
    {cell for cell in STAR if sum(cell) > 4},
    {cell for cell in STAR if cell[0] < -4},
)
TARGETS = tuple({(-x, -y) for x, y in corner} for corner in CORNERS)


def named(cell: Cell) -> str:
    """Return a cell as the rules write it."""
    return f"{cell[0] + 9} {cell[1] + 9}"


def advance(role: str, move: str) -> int:
    """Return how much nearer a move brings a checker to the far end of its target corner."""
    if not move.startswith("("):
        return 0
    x, y, x2, y2 = numbers(move)
    tip = {"red": (5, 17), "green": (5, 5), "blue": (17, 5)}[role]
    return distance((x, y), tip) - distance((x2, y2), tip)


def distance(cell: Cell, other: Cell) -> int:
    """Return the number of steps from one cell to another."""
    dx, dy = cell[0] - other[0], cell[1] - other[1]
    return max(abs(dx), abs(dy), abs(dx + dy))


class ChineseCheckers(TurnOracle):
    """States: the checkers of each player, the player, the cell that hops on, the cells of this turn, turns made."""

    roles = ("red", "green", "blue")

    def initial(self) -> State:
        return (tuple(frozenset(corner) for corner in CORNERS), 0, None, frozenset(), 0)

    def mover(self, state: State) -> int:
        return int(state[1])

    def hops(self, sides: tuple[frozenset[Cell], ...], cell: Cell, visited: frozenset[Cell]) -> Iterator[Cell]:
        """Yield the cells that a checker can hop to."""
        taken = frozenset().union(*sides)
        for dx, dy in DIRECTIONS:
            over, to = (cell[0] + dx, cell[1] + dy), (cell[0] + 2 * dx, cell[1] + 2 * dy)
            if over in taken and to in STAR - taken and to not in visited:
                yield to

    def moves(self, state: State) -> Collection[str]:
        sides, player, hopper, visited, _ = state
        if hopper:
            return [f"(move {named(hopper)} {named(to)})" for to in self.hops(sides, hopper, visited)] + ["stop"]
        free = STAR - frozenset().union(*sides)
        result = []
        for cell in sides[player]:
            steps = [(cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS]
            result += [f"(move {named(cell)} {named(to)})" for to in steps if to in free]
            result += [f"(move {named(cell)} {named(to)})" for to in self.hops(sides, cell, visited)]
        return result or ["stop"]

    def play(self, state: State, move: str) -> State:
        sides, player, _, visited, turns = state
        if move != "stop":
            x, y, x2, y2 = (number - 9 for number in numbers(move))
            sides = tuple(side - {(x, y)} | {(x2, y2)} if (x, y) in side else side for side in sides)
            visited = visited | {(x, y), (x2, y2)}
            is_hop = max(abs(x - x2), abs(y - y2)) == 2
            if is_hop and any(self.hops(sides, (x2, y2), visited)):
                return (sides, player, (x2, y2), visited, turns)
        return (sides, (player + 1) % 3, None, frozenset(), turns + 1)

    def winner(self, state: State) -> int | None:
        """Return who has arrived, at the end of a turn."""
        return next((player for player in range(3) if not state[2] and state[0][player] == TARGETS[player]), None)

    def is_terminal(self, state: State) -> bool:
        return self.winner(state) is not None or bool(state[4] == TURNS)

    def goals(self, state: State) -> Sequence[int]:
        winner = self.winner(state)
        if winner is not None:
            return [100 if player == winner else 0 for player in range(3)]
        return [5 * len(side & target) for side, target in zip(state[0], TARGETS, strict=True)]
