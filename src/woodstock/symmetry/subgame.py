"""Symmetries of what is left of a game at a state: more than the game's own symmetries that fix the state.

Comes in: a state. Goes out: classes of its moves with equal values, and a group for a search. Ours, not the papers':
some fluents never change again (a mark stays where it is), so rules that need the contrary never apply again (a line
that both have marked). With these settled, the rest of the rules is a smaller game, and its automorphisms that fix the
state are symmetries of all that can follow. They are found as those of any game, by the microstructure complement, and
are exact.

What is settled is the greatest set of fluents, true or false, that every step keeps: evaluated in three values, with
all legal moves unknown, each is derived again from the others. Linear in the rules for each round.
"""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State, packed
from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry import permutations
from woodstock.symmetry.automorphisms import generators
from woodstock.symmetry.network_graph import LITERALS_A_SECOND, network_graph
from woodstock.symmetry.symmetries import split_points

Bools = NDArray[np.bool_]

# So many literals of ground rules are settled in about a second, on a slow core.
_SETTLED_A_SECOND = 300_000


@dataclass(frozen=True, eq=False)
class Subgame:
    """The rest of a game: its rules, and its fluents and moves by their numbers in the whole one."""

    ground: GroundProgram
    fluents: NDArray[np.int64]
    moves: NDArray[np.int64]


def subgame(ground: GroundProgram, state: bytes) -> Subgame:
    """Return what is left of a game at a packed state."""
    holds = np.unpackbits(np.frombuffer(state, dtype=np.uint8), bitorder="little")[: len(ground.fluents)].astype(bool)
    return _Settled(ground, holds).rest()


class SubgameSymmetries:
    """Symmetries of all that can follow from a state. Rows map roles, fluents and moves of the whole game."""

    def __init__(self, ground: GroundProgram, rows: NDArray[np.int64], max_elements: int = 64) -> None:
        self.ground, self.rows, self._max_elements = ground, rows, max_elements
        self._first = len(ground.roles) + len(ground.fluents)

    def classes(self, state: State, role: str) -> tuple[tuple[str, ...], ...]:
        """Return the role's legal moves at the state in classes of equal value."""
        return self._classes(self.rows, state, role)

    def merged(self, state: State, role: str) -> tuple[tuple[str, ...], ...]:
        """Return the classes by `group`, which may have fewer elements."""
        return self._classes(self._elements, state, role)

    def _classes(self, rows: NDArray[np.int64], state: State, role: str) -> tuple[tuple[str, ...], ...]:
        index = state.game.role_index(role)
        first = self._first + sum(len(moves) for moves in self.ground.moves[:index])
        class_of = np.arange(len(rows[0]) if len(rows) else 0)
        for number, orbit in enumerate(permutations.orbits(rows, len(class_of))):
            class_of[orbit] = number
        classes: dict[int, list[str]] = {}
        for move in state.legal_indices(role):
            key = int(class_of[first + move]) if len(class_of) else move
            classes.setdefault(key, []).append(self.ground.moves[index][move])
        return tuple(map(tuple, classes.values()))

    @cached_property
    def _elements(self) -> NDArray[np.int64]:
        points = self._first + sum(map(len, self.ground.moves))
        return permutations.bounded_elements(self.rows, points, self._max_elements)[0]

    @cached_property
    def group(self) -> _native.SymmetryGroup:
        """The native group for a search from the state; a subgroup if there are more than `max_elements`."""
        parts = split_points(self.ground, self._elements)
        roles, fluents, moves = (np.ascontiguousarray(part, dtype=np.uint32) for part in parts)
        return _native.SymmetryGroup(fluents, moves, roles)


def subgame_symmetries(state: State, *, seconds: float = 5.0, max_elements: int = 64) -> SubgameSymmetries:
    """Return the symmetries of what is left at a state, which fix it; BudgetExceeded after about `seconds`."""
    engine = state.game.engine
    if not isinstance(engine, CircuitEngine):
        raise GameError(f"{state.game.name} was not grounded, so its symmetries cannot be found")
    ground, ends_at = engine.ground, time.perf_counter() + seconds
    _check_size(ground, _SETTLED_A_SECOND * seconds)
    left = subgame(ground, packed(state))
    _check_size(left.ground, LITERALS_A_SECOND * (ends_at - time.perf_counter()))
    graph = network_graph(left.ground, swap_roles=False, seconds=ends_at - time.perf_counter())
    if time.perf_counter() > ends_at:
        raise BudgetExceeded("symmetries", seconds, seconds, "s")
    rows, _count = generators(graph.colours, graph.edges, graph.point_count, ends_at - time.perf_counter())
    # Roles, fluents and moves of the rest by their numbers in the whole game; what is settled stays in place.
    first_move = len(ground.roles) + len(ground.fluents)
    points = np.concatenate((np.arange(len(ground.roles)), len(ground.roles) + left.fluents, first_move + left.moves))
    whole = np.tile(np.arange(first_move + len(ground.move_atoms)), (len(rows), 1))
    whole[:, points] = points[rows]
    return SubgameSymmetries(ground, whole, max_elements)


def _check_size(ground: GroundProgram, most: float) -> None:
    """Raise BudgetExceeded if a program is clearly too large for the time: most of the work looks at no clock."""
    if len(ground.bodies) > most:
        raise BudgetExceeded("symmetries", len(ground.bodies), max(most, 0.0), "literals")


class _Settled:
    """What stays true and what stays false from a state on."""

    def __init__(self, ground: GroundProgram, holds: Bools) -> None:
        self._ground = ground
        self._owner = np.repeat(np.arange(ground.rule_count), np.diff(ground.body_offsets))
        self._atoms = np.abs(ground.bodies)
        self._is_positive = ground.bodies > 0
        self._fluent_atoms = ground.fluent_atoms.astype(np.int64)
        self._holds = holds
        self.stays_true, self.stays_false = holds.copy(), ~holds
        self.must, self.may = self._evaluated()
        while self._shrink():
            self.must, self.may = self._evaluated()

    def _shrink(self) -> bool:
        """Drop what is not derived again; return whether there was any."""
        after = self._ground.next
        is_kept = self.stays_true & self.must[after]
        is_gone = self.stays_false & ~self.may[after]
        changed = bool((is_kept != self.stays_true).any() or (is_gone != self.stays_false).any())
        self.stays_true, self.stays_false = is_kept, is_gone
        return changed

    def _evaluated(self) -> tuple[Bools, Bools]:
        """Return for each atom whether it must hold and whether it may, whatever is open."""
        ground = self._ground
        derived = np.zeros(ground.atom_count + 1, dtype=bool)
        derived[ground.heads] = True
        must, may = np.zeros_like(derived), derived.copy()
        must[self._fluent_atoms] = self.stays_true
        may[self._fluent_atoms] = ~self.stays_false
        must[0] = may[0] = False
        while True:
            may[ground.move_atoms] = may[ground.legal]
            may[0] = False
            sure, possible = self._literals(must, may)
            now_must, now_may = must.copy(), may.copy()
            now_must[derived] = now_may[derived] = False
            now_must[ground.heads[self._all_of(sure)]] = True
            now_may[ground.heads[self._all_of(possible)]] = True
            if (now_must == must).all() and (now_may == may).all():
                return must, may
            must, may = now_must, now_may

    def _literals(self, must: Bools, may: Bools) -> tuple[Bools, Bools]:
        """Return for each literal of each body whether it must hold and whether it may."""
        sure = np.where(self._is_positive, must[self._atoms], ~may[self._atoms])
        possible = np.where(self._is_positive, may[self._atoms], ~must[self._atoms])
        return sure, possible

    def _all_of(self, literals: Bools) -> Bools:
        """Return for each rule whether all its literals have the property."""
        found: Bools = np.bincount(self._owner[~literals], minlength=self._ground.rule_count) == 0
        return found

    def rest(self) -> Subgame:
        """Return the rules of what is open; atoms are numbered anew."""
        ground = self._ground
        fluents = np.flatnonzero(~self.stays_true & ~self.stays_false)
        moves = np.flatnonzero(self.may[ground.legal])
        sure, possible = self._literals(self.must, self.may)
        open_rules = self._all_of(possible) & ~self.must[ground.heads]
        rules: dict[tuple[int, tuple[int, ...]], None] = {}
        starts = ground.body_offsets
        for rule in np.flatnonzero(open_rules).tolist():
            span = slice(int(starts[rule]), int(starts[rule + 1]))
            body = tuple(sorted(ground.bodies[span][~sure[span]].tolist()))
            rules[int(ground.heads[rule]), body] = None
        outputs = [*ground.next[fluents].tolist(), *ground.legal[moves].tolist(), ground.terminal]
        outputs += [atom for _role, _value, atom in ground.goals]
        for atom in dict.fromkeys(outputs):
            if atom and self.must[atom]:
                rules[atom, ()] = None
        return Subgame(self._renumbered(fluents, moves, list(rules)), fluents, moves)

    def _renumbered(
        self, fluents: NDArray[np.int64], moves: NDArray[np.int64], rules: list[tuple[int, tuple[int, ...]]]
    ) -> GroundProgram:
        ground = self._ground
        numbers: dict[int, int] = {0: 0}

        def renamed(atom: int) -> int:
            return numbers.setdefault(atom, len(numbers)) if self.may[atom] else 0

        fluent_atoms = [renamed(atom) for atom in ground.fluent_atoms[fluents].tolist()]
        move_atoms = [renamed(atom) for atom in ground.move_atoms[moves].tolist()]
        heads = [renamed(head) for head, _body in rules]
        bodies = [[renamed(x) if x > 0 else -renamed(-x) for x in body] for _head, body in rules]
        state = set(np.flatnonzero(self._holds).tolist())
        roles = ground.move_roles[moves]
        names = [move for some in ground.moves for move in some]
        made = dataclasses.replace(
            ground,
            fluents=tuple(ground.fluents[fluent] for fluent in fluents),
            moves=tuple(tuple(names[move] for move in moves[roles == role]) for role in range(len(ground.roles))),
            initial=tuple(place for place, fluent in enumerate(fluents.tolist()) if fluent in state),
            heads=np.array(heads, dtype=np.int32),
            body_offsets=np.cumsum([0, *map(len, bodies)], dtype=np.int64),
            bodies=np.array([x for body in bodies for x in body], dtype=np.int32),
            fluent_atoms=np.array(fluent_atoms, dtype=np.int32),
            move_atoms=np.array(move_atoms, dtype=np.int32),
            legal=np.array([renamed(atom) for atom in ground.legal[moves].tolist()], dtype=np.int32),
            next=np.array([renamed(atom) for atom in ground.next[fluents].tolist()], dtype=np.int32),
            terminal=renamed(ground.terminal),
            goals=tuple((role, value, renamed(atom)) for role, value, atom in ground.goals if self.may[atom]),
            sees=(),
            atom_names={},
            helper_sources={},
        )
        return dataclasses.replace(made, atom_count=len(numbers) - 1)
