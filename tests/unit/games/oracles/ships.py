"""Shmup: two ships and their bullets on a torus."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.unit.games.oracles.oracle import Oracle, State, words, zero_sum

SIZE = 8
WAYS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
"""Steps across and up."""

Cell = tuple[int, int]


def ahead(cell: Cell, way: str) -> Cell:
    """Return the next cell that way, counted from 0 and around the torus."""
    return ((cell[0] + WAYS[way][0]) % SIZE, (cell[1] + WAYS[way][1]) % SIZE)


def opposite(way: str) -> str:
    """Return the way back."""
    return next(name for name, step in WAYS.items() if step == (-WAYS[way][0], -WAYS[way][1]))


class Shmup(Oracle):
    """States are the cells of both ships, the bullets with their ways, and the number of turns made."""

    roles = ("light", "dark")

    def initial(self) -> State:
        return (((2, 2), (5, 5)), frozenset(), 0)

    def legal(self, state: State) -> Sequence[Collection[str]]:
        ships, bullets, turn = state
        if turn % 2 == 0:
            return [[f"(fire {way})" for way in WAYS]] * 2
        return [
            ["stay", *(f"(move {way})" for way in WAYS if (ahead(ship, way), opposite(way)) not in bullets)]
            for ship in ships
        ]

    def next(self, state: State, moves: Sequence[str]) -> State:
        ships, bullets, turn = state
        flying = {(ahead(cell, way), way) for cell, way in bullets}
        if turn % 2 == 0:
            ways = [words(move)[1] for move in moves]
            shots = {(ahead(ship, way), way) for ship, way in zip(ships, ways, strict=True)}
            return (ships, frozenset(flying | shots), turn + 1)
        after = [
            ship if move == "stay" else ahead(ship, words(move)[1]) for ship, move in zip(ships, moves, strict=True)
        ]
        apart = max(min((a - b) % SIZE, (b - a) % SIZE) for a, b in zip(*after, strict=True))
        if "stay" not in moves and apart <= 1:
            after = list(ships)
        return (tuple(after), frozenset(flying), turn + 1)

    def lost(self, state: State) -> list[bool]:
        """Return which ships are lost."""
        ships, bullets, _ = state
        hit = {cell for cell, _ in bullets}
        return [ship in hit or ships[0] == ships[1] for ship in ships]

    def is_terminal(self, state: State) -> bool:
        return any(self.lost(state)) or bool(state[2] == 100)

    def goals(self, state: State) -> Sequence[int]:
        lost = self.lost(state)
        return zero_sum(None if lost[0] == lost[1] else lost.index(False))
