"""Pacman and bomberman."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import Oracle, State, TurnOracle, words, zero_sum

Cell = tuple[int, int]

DIRECTIONS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

MAZE = """
........
.##..##.
.#....#.
...##...
...##...
.#....#.
.##..##.
........
"""


def beside(cell: Cell, direction: str, steps: int = 1) -> Cell:
    """Return the cell that is this many steps away."""
    dx, dy = DIRECTIONS[direction]
    return cell[0] + steps * dx, cell[1] + steps * dy


class Pacman(TurnOracle):
    """States are Pac-Man, the ghosts, dots and fruits left, his points, his moves, and whether he is to move."""

    roles = ("pacman", "random")
    fruits = frozenset({(1, 8), (8, 8)})
    start = (4, 1)

    def __init__(self) -> None:
        rows = MAZE.split()
        self.cells = {(x + 1, 8 - y) for y, row in enumerate(rows) for x, kind in enumerate(row) if kind == "."}

    def initial(self) -> State:
        dots = frozenset(self.cells - self.fruits - {self.start})
        return (self.start, ((3, 6), (4, 6), (5, 6), (6, 6)), dots, self.fruits, 0, 0, True)

    def mover(self, state: State) -> int:
        return 0 if state[6] else 1

    def open(self, cell: Cell) -> list[str]:
        """Return the directions that lead to no wall."""
        return [direction for direction in DIRECTIONS if beside(cell, direction) in self.cells]

    def moves(self, state: State) -> Collection[str]:
        if state[6]:
            return [f"(move {direction})" for direction in self.open(state[0])]
        return [f"(ghosts {' '.join(ways)})" for ways in itertools.product(*map(self.open, state[1]))]

    def play(self, state: State, move: str) -> State:
        pacman, ghosts, dots, fruits, points, moves, his_turn = state
        ways = words(move)[1:]
        if not his_turn:
            return (pacman, tuple(map(beside, ghosts, ways)), dots, fruits, points, moves, True)
        cell = beside(pacman, ways[0])
        points += (cell in dots) + 2 * (cell in fruits)
        return (cell, ghosts, dots - {cell}, fruits - {cell}, points, moves + 1, False)

    def is_terminal(self, state: State) -> bool:
        return state[0] in state[1] or not state[2] or state[5] == 120

    def goals(self, state: State) -> Sequence[int]:
        return (state[4] if state[2] else 100, 0)


class PacmanGhosts(Pacman):
    """The same with two ghosts, which are led by a second player; it gets what Pac-Man leaves of 100."""

    roles = ("pacman", "ghosts")

    def initial(self) -> State:
        return (self.start, ((3, 6), (6, 6)), *super().initial()[2:])

    def goals(self, state: State) -> Sequence[int]:
        pacman = super().goals(state)[0]
        return (pacman, 100 - pacman)


class Bomberman(Oracle):
    """States are both players, their bombs with the steps left, the crates, the cells on fire, and the steps made."""

    roles = ("red", "blue")
    cells = frozenset((x, y) for x in range(1, 8) for y in range(1, 8) if x % 2 or y % 2)
    crates = frozenset({(5, 1), (7, 1), (3, 3), (5, 3), (7, 3), (1, 5), (3, 5), (5, 5), (1, 7), (3, 7)})

    def initial(self) -> State:
        return (((1, 1), (7, 7)), (None, None), self.crates, frozenset(), 0)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        players, bombs, crates, _, _ = state
        closed = crates | {bomb[0] for bomb in bombs if bomb}
        result = []
        for player, bomb in zip(players, bombs, strict=True):
            free = [way for way in DIRECTIONS if beside(player, way) in self.cells - closed]
            result.append([f"(move {way})" for way in free] + ["stay"] + ([] if bomb else ["lay"]))
        return result

    def blast(self, cell: Cell, crates: frozenset[Cell]) -> set[Cell]:
        """Return the cells that a bomb sets on fire."""
        result = {cell}
        for way in DIRECTIONS:
            for steps in (1, 2):
                reached = beside(cell, way, steps)
                if reached not in self.cells:
                    break
                result.add(reached)
                if reached in crates:
                    break
        return result

    def next(self, state: State, moves: Sequence[str]) -> State:
        players, bombs, crates, _, steps = state
        fire: set[Cell] = set()
        after, laid = [], []
        for player, bomb, move in zip(players, bombs, moves, strict=True):
            after.append(beside(player, words(move)[1]) if move.startswith("(move") else player)
            if bomb and bomb[1] == 1:
                fire |= self.blast(bomb[0], crates)
            remaining = (bomb[0], bomb[1] - 1) if bomb and bomb[1] > 1 else None
            laid.append((player, 3) if move == "lay" else remaining)
        return (tuple(after), tuple(laid), crates - fire, frozenset(fire), steps + 1)

    def is_terminal(self, state: State) -> bool:
        return any(player in state[3] for player in state[0]) or state[4] == 50

    def goals(self, state: State) -> Sequence[int]:
        burned = [player in state[3] for player in state[0]]
        return zero_sum(None if burned[0] == burned[1] else int(burned[0]))
