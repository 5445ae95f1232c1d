"""Coloured graphs whose automorphisms are symmetries of a game.

A `GraphBuilder` numbers the vertices, each with a colour (any hashable value), and collects edges. The vertices of
roles, fluents and moves come first: a symmetry is what an automorphism does to them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.gdl.chance import CHANCE, is_chance
from woodstock.gdl.ground_program import GroundProgram

Int64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ColouredGraph:
    """Vertices with colours 0, 1, ... and undirected edges [n, 2].

    The first `point_count` vertices are what a symmetry permutes: roles, then fluents, then moves. `percepts` has the
    vertex of each percept that the rules name.
    """

    colours: Int64
    edges: Int64
    point_count: int
    percepts: Int64

    @property
    def size(self) -> int:
        """Vertices and edges together, for budgets."""
        return len(self.colours) + len(self.edges)


class GraphBuilder:
    """Collects vertices and edges; starts with the vertices of roles, fluents and moves.

    With `swap_roles` all roles but chance have one colour, else each has its own. With `fix_initial` the fluents that
    hold initially have a colour of their own.
    """

    def __init__(self, ground: GroundProgram, *, swap_roles: bool, fix_initial: bool) -> None:
        self._ground = ground
        self._colours: list[Hashable] = []
        self._edges: list[tuple[int, int]] = []
        self._blocks: list[Int64] = []
        for index, name in enumerate(ground.roles):
            self.vertex(("role", CHANCE if is_chance(name) else "" if swap_roles else index))
        initial = set(ground.initial) if fix_initial else set()
        self.first_fluent = len(ground.roles)
        for fluent in range(len(ground.fluents)):
            self.vertex(("fluent", fluent in initial))
        self.first_move = len(self._colours)
        for role, moves in enumerate(ground.moves):
            for _ in moves:
                self.edge(role, self.vertex("move"))
        self._point_count = len(self._colours)
        self._percepts: list[int] = []

    def percept(self, vertex: int) -> None:
        """Say that a vertex is that of the next percept."""
        self._percepts.append(vertex)

    def vertex(self, colour: Hashable) -> int:
        """Add a vertex and return its number."""
        self._colours.append(colour)
        return len(self._colours) - 1

    def vertices(self, count: int, colour: Hashable) -> int:
        """Add several vertices of one colour and return the number of the first."""
        first = len(self._colours)
        self._colours.extend([colour] * count)
        return first

    def edge(self, a: int, b: int) -> None:
        """Add an edge."""
        self._edges.append((a, b))

    def edges(self, pairs: Int64) -> None:
        """Add edges by an array [n, 2]."""
        if len(pairs):
            self._blocks.append(pairs)

    def star(self, centre: int, ends: Iterable[int]) -> None:
        """Add an edge from the centre to each end."""
        self._edges.extend((centre, end) for end in ends)

    @property
    def size(self) -> int:
        """Vertices and edges so far."""
        return len(self._colours) + len(self._edges) + sum(map(len, self._blocks))

    def build(self) -> ColouredGraph:
        """Return the graph."""
        numbers: dict[Hashable, int] = {}
        colours = np.fromiter(
            (numbers.setdefault(colour, len(numbers)) for colour in self._colours), np.int64, len(self._colours)
        )
        single = np.array(self._edges, dtype=np.int64).reshape(-1, 2)
        edges = np.concatenate([single, *self._blocks]) if self._blocks else single
        return ColouredGraph(colours, edges, self._point_count, np.array(self._percepts, dtype=np.int64))


def pairs(left: Sequence[int] | NDArray[np.integer], right: Sequence[int] | NDArray[np.integer]) -> Int64:
    """Return the edges between elements at the same positions of two arrays."""
    return np.stack([np.asarray(left, dtype=np.int64), np.asarray(right, dtype=np.int64)], axis=1)
