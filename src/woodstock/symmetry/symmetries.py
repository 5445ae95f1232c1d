"""The symmetries of a game: found as automorphisms of a graph, verified on the engine, ready for a search.

Comes in: a grounded `Game`. Goes out: `Symmetries`: generators in terms of the game, the order of the group, orbits of
fluents and moves, and a native group for canonical hashes.

Which group. A permutation that maps legal moves, successors, ends and goals onto each other also maps the game that
begins at any state onto the game that begins at the state's image. So a state and its images have the same values,
whether or not the permutation fixes the *initial* state. A search therefore uses the larger group
(`fix_initial=False`: the heaps of nim can be exchanged although they differ at the start). The symmetries that the
literature counts (8 for tic-tac-toe) also fix the initial state; they are the default.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry import permutations
from woodstock.symmetry.automorphisms import generators as find_generators
from woodstock.symmetry.functions import COARSE, Limits
from woodstock.symmetry.graph import ColouredGraph
from woodstock.symmetry.network_graph import LITERALS_A_SECOND, network_graph
from woodstock.symmetry.rule_graph import rule_graph
from woodstock.symmetry.verify import Verifier

METHODS = ("network", "rules", "none")
DEFAULT_SECONDS = 20.0
DEFAULT_ELEMENTS = 64
DEFAULT_SIZE = 3_000_000
# So many literals of ground rules take about a second if the method is `rules`, on a slow core.
_RULE_LITERALS_A_SECOND = 250_000
# The keys of a native group: fluents * elements * 8 bytes.
DEFAULT_MEMORY_MB = 64


@dataclass(frozen=True)
class Generator:
    """One symmetry, in the words of the game. Pairs are (from, to); what stays in place is left out."""

    roles: tuple[tuple[str, str], ...]
    fluents: tuple[tuple[str, str], ...]
    moves: tuple[tuple[str, str, str, str], ...]

    def __str__(self) -> str:
        """Return it as cycles of fluents, then of moves."""
        moves = [(f"{a}:{m}", f"{b}:{n}") for a, m, b, n in self.moves]
        parts = [_cycles(self.roles), _cycles(self.fluents), _cycles(moves)]
        return "; ".join(part for part in parts if part) or "identity"


@dataclass(frozen=True, eq=False)
class Symmetries:
    """Verified symmetries of a game. Rows of `permutations` map roles, then fluents, then moves, each from 0.

    The order cannot exceed `most`. `method` is what found them (`network`, `rules`, or `none` if
    neither fitted its budget), `notes` say what was left out.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> found = woodstock.find_symmetries(game)
    >>> found.order, found.is_whole, found.group.size
    (8, True, 8)
    >>> found.move_classes(game.initial, "x")           # a corner, a side, the centre
    (('(mark 1 1)', '(mark 1 3)', '(mark 3 1)', '(mark 3 3)'), ('(mark 1 2)', ...), ('(mark 2 2)',))
    >>> len(found.generators), len(found.fluent_orbits), len(found.move_orbits)
    (2, 11, 8)
    >>> len(found.fluent_orbits_at(game.initial))
    11
    """

    ground: GroundProgram
    method: str
    rows: NDArray[np.int64]
    fixes_initial: bool
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    graph_vertices: int = 0
    graph_edges: int = 0
    most: int | None = None
    max_elements: int = DEFAULT_ELEMENTS
    memory_mb: int = DEFAULT_MEMORY_MB

    @property
    def _points(self) -> int:
        return len(self.ground.roles) + len(self.ground.fluents) + sum(map(len, self.ground.moves))

    @cached_property
    def order(self) -> int:
        """The number of symmetries."""
        return permutations.order(self.rows, self._points, bound=self.most)

    @cached_property
    def generators(self) -> tuple[Generator, ...]:
        """The generators in the words of the game."""
        return tuple(self._describe(row) for row in self.rows)

    def _describe(self, row: NDArray[np.int64]) -> Generator:
        ground = self.ground
        names = [(ground.roles[role], move) for role, moves in enumerate(ground.moves) for move in moves]
        roles, fluents, moves = split_points(ground, row)
        return Generator(
            tuple((ground.roles[i], ground.roles[j]) for i, j in enumerate(roles.tolist()) if i != j),
            tuple((ground.fluents[i], ground.fluents[j]) for i, j in enumerate(fluents.tolist()) if i != j),
            tuple((*names[i], *names[j]) for i, j in enumerate(moves.tolist()) if i != j),
        )

    @cached_property
    def _orbits(self) -> list[list[int]]:
        return permutations.orbits(self.rows, self._points)

    @property
    def fluent_orbits(self) -> tuple[tuple[str, ...], ...]:
        """Fluents that symmetries map onto each other, single ones included."""
        first = len(self.ground.roles)
        stop = first + len(self.ground.fluents)
        return tuple(
            tuple(self.ground.fluents[point - first] for point in orbit)
            for orbit in self._orbits
            if first <= orbit[0] < stop
        )

    @property
    def move_orbits(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Moves (role, move) that symmetries map onto each other, single ones included."""
        first = len(self.ground.roles) + len(self.ground.fluents)
        names = [(self.ground.roles[role], move) for role, moves in enumerate(self.ground.moves) for move in moves]
        return tuple(tuple(names[point - first] for point in orbit) for orbit in self._orbits if orbit[0] >= first)

    @cached_property
    def _elements(self) -> tuple[NDArray[np.int64], bool]:
        bytes_each = 8 * len(self.ground.fluents) + 4 * self._points
        most = max(1, min(self.max_elements, (self.memory_mb << 20) // max(bytes_each, 1)))
        return permutations.bounded_elements(self.rows, self._points, most)

    @property
    def is_whole(self) -> bool:
        """Whether `group` has every symmetry, not only a subgroup of at most `max_elements`."""
        return self._elements[1]

    @cached_property
    def group(self) -> _native.SymmetryGroup:
        """The native group for canonical hashes and merged moves; at most `max_elements` elements."""
        parts = split_points(self.ground, self._elements[0])
        roles, fluents, moves = (np.ascontiguousarray(part, dtype=np.uint32) for part in parts)
        return _native.SymmetryGroup(fluents, moves, roles)

    def fluent_orbits_at(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Return the fluents that symmetries of a state map onto each other, single ones included."""
        rows = self._elements[0][self.group.stabiliser(packed(state))]
        _roles, fluents, _moves = split_points(self.ground, rows)
        found = permutations.orbits(fluents, len(self.ground.fluents))
        return tuple(tuple(self.ground.fluents[point] for point in orbit) for orbit in found)

    def move_classes(self, state: State, role: str) -> tuple[tuple[str, ...], ...]:
        """Return the role's legal moves in classes of equal value, by the symmetries that fix the state."""
        index = state.game.role_index(role)
        first = sum(len(moves) for moves in self.ground.moves[:index])
        legal = [first + move for move in state.legal_indices(role)]
        classes: dict[int, list[str]] = {}
        for move, least in zip(legal, self.group.representatives(packed(state), legal), strict=True):
            classes.setdefault(least, []).append(self.ground.moves[index][move - first])
        return tuple(tuple(some) for some in classes.values())


def split_points(
    ground: GroundProgram, rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return where a permutation, or each row of several, maps roles, fluents and moves, each numbered from 0."""
    fluent, move = len(ground.roles), len(ground.roles) + len(ground.fluents)
    return rows[..., :fluent], rows[..., fluent:move] - fluent, rows[..., move:] - move


def find_symmetries(
    game: Game,
    method: str = "network",
    *,
    fix_initial: bool = True,
    swap_roles: bool = True,
    seconds: float = DEFAULT_SECONDS,
    max_size: int = DEFAULT_SIZE,
    max_elements: int = DEFAULT_ELEMENTS,
    memory_mb: int = DEFAULT_MEMORY_MB,
    limits: Limits | None = None,
) -> Symmetries:
    """Find the symmetries of a game by its microstructure complement (`network`) or its rule graph (`rules`).

    `max_size` limits vertices and edges of the graph, `seconds` the whole search. If a method exceeds its budget, the
    next coarser one is used, in the end no symmetries at all; `Symmetries.notes` says so.

    >>> import woodstock
    >>> woodstock.find_symmetries(woodstock.load("tic-tac-toe"), "rules").order
    8
    """
    if method not in METHODS:
        raise GameError(f"no method {method!r} of finding symmetries; there are {', '.join(METHODS)}")
    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so its symmetries cannot be found. {' '.join(game.notes)}")
    ground = game.engine.ground
    notes: list[str] = []
    spent: dict[str, float] = {}
    ends_at = time.perf_counter() + seconds
    literals = len(ground.bodies)
    attempts = _attempts(method, limits)
    for using, rate in (("network", LITERALS_A_SECOND), ("rules", _RULE_LITERALS_A_SECOND)):
        # What is clearly too large for the time is not begun: the next method gets that time instead.
        if any(attempt[0] == using for attempt in attempts) and literals > rate * seconds:
            attempts = [attempt for attempt in attempts if attempt[0] != using]
            notes.append(f"the method {using} was not begun: {literals:,} literals are too many for {seconds:.1f} s")
    for using, detail, share in attempts:
        try:
            until = time.perf_counter() + share * max(ends_at - time.perf_counter(), 0.1)
            graph, rows, most = _search(ground, using, fix_initial, swap_roles, until, max_size, detail, spent)
        except BudgetExceeded as error:
            how = " without the meaning of derived atoms" if detail is COARSE else ""
            notes.append(f"the method {using}{how} was given up: {error}")
            continue
        clock = time.perf_counter()
        rows, dropped = _verified(game.engine, rows, ends_at)
        notes += dropped
        spent["verify"] = time.perf_counter() - clock
        sizes: dict[str, int] = {"graph_vertices": len(graph.colours), "graph_edges": len(graph.edges), "most": most}
        break
    else:
        points = len(ground.roles) + len(ground.fluents) + sum(map(len, ground.moves))
        using, rows, sizes = "none", np.empty((0, points), dtype=np.int64), {}
    return Symmetries(
        ground, using, rows, fix_initial, tuple(notes), spent, max_elements=max_elements, memory_mb=memory_mb, **sizes
    )


def _attempts(method: str, limits: Limits | None) -> list[tuple[str, Limits | None, float]]:
    """Return what to try in turn: method, limits, and its share of the remaining time."""
    fine: tuple[str, Limits | None, float] = ("network", limits, 0.4)
    coarse: tuple[str, Limits | None, float] = ("network", COARSE, 0.85)
    rules: tuple[str, Limits | None, float] = ("rules", None, 1.0)
    return {"network": [fine, coarse, rules], "rules": [rules], "none": []}[method]


def _search(
    ground: GroundProgram,
    method: str,
    fix_initial: bool,
    swap_roles: bool,
    ends_at: float,
    max_size: int,
    limits: Limits | None,
    spent: dict[str, float],
) -> tuple[ColouredGraph, NDArray[np.int64], int]:
    clock = time.perf_counter()
    if ground.rule_count + len(ground.bodies) > max_size:
        raise BudgetExceeded("symmetries", ground.rule_count + len(ground.bodies), max_size, "rules and literals")
    if method == "network":
        graph = network_graph(
            ground, swap_roles=swap_roles, fix_initial=fix_initial, limits=limits, seconds=ends_at - clock
        )
    else:
        graph = rule_graph(ground, swap_roles=swap_roles, fix_initial=fix_initial)
    spent[f"{method} graph"] = time.perf_counter() - clock
    if graph.size > max_size:
        raise BudgetExceeded("symmetries", graph.size, max_size, "vertices and edges")
    clock = time.perf_counter()
    rows, most = find_generators(graph.colours, graph.edges, graph.point_count, max(ends_at - clock, 0.05))
    spent[f"{method} automorphisms"] = time.perf_counter() - clock
    return graph, rows, most


def _verified(engine: CircuitEngine, rows: NDArray[np.int64], ends_at: float) -> tuple[NDArray[np.int64], list[str]]:
    """Return the generators that passed the check, and notes about the others."""
    if not len(rows):
        return rows, []
    verifier = Verifier(engine)
    kept, notes = [], []
    for number, row in enumerate(rows):
        if time.perf_counter() > ends_at:
            notes.append(f"{len(rows) - number} of {len(rows)} generators were left out: no time to verify them")
            break
        problem = verifier.problem(*split_points(engine.ground, row))
        if problem is None:
            kept.append(row)
        else:
            notes.append(f"a generator was dropped: on the engine {problem}")
    return (np.stack(kept) if kept else rows[:0]), notes


def _cycles(pairs: Sequence[tuple[str, str]]) -> str:
    """Write a permutation, given by the pairs that differ, as its cycles."""
    image = dict(pairs)
    seen: set[str] = set()
    made = []
    for start in image:
        if start in seen:
            continue
        cycle = [start]
        while (point := image[cycle[-1]]) != start:
            cycle.append(point)
        seen.update(cycle)
        made.append("[" + " → ".join(cycle) + "]")
    return " ".join(made)
