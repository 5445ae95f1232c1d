"""`GroundProgram`: the rules of a game without variables, what circuits, networks and symmetries are made from.

Atoms are numbered from 1; atom 0 means "never true". Rules are in three arrays: rule r has the head `heads[r]` and
the signed literals `bodies[body_offsets[r]:body_offsets[r + 1]]`; an atom is true if the body of one of its rules
is (least model; negation is stratified). `true` and `does` atoms are inputs and have no rules.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from woodstock import _native

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]


class RulesByHead:
    """The rules of each atom: an index of arrays, cheap to make; `bodies` writes all of them out as lists."""

    def __init__(self, heads: Int32, body_offsets: Int64, bodies: Int32, atom_count: int) -> None:
        self._offsets, self._bodies = body_offsets, bodies
        self._order: Int64 = np.argsort(heads, kind="stable")
        self._starts: Int64 = np.searchsorted(heads[self._order], np.arange(atom_count + 2))
        self._heads = heads

    def __getitem__(self, atom: int) -> list[list[int]]:
        """Return the bodies of one atom's rules, in the order of the rules."""
        rules = self._order[self._starts[atom] : self._starts[atom + 1]].tolist()
        return [self._bodies[self._offsets[rule] : self._offsets[rule + 1]].tolist() for rule in rules]

    def bodies(self) -> dict[int, list[list[int]]]:
        """Return the bodies of all atoms that have rules, in the order of their first rule; a new dict each time."""
        return bodies_by_head(self._heads, self._offsets, self._bodies)

    def cone(self, atoms: Int32) -> Int64:
        """Return the numbers of the rules that the atoms depend on, ascending."""
        is_seen = np.zeros(len(self._starts) - 1, dtype=bool)
        is_needed = np.zeros(len(self._order), dtype=bool)
        frontier = np.unique(atoms[atoms > 0])
        while len(frontier):
            is_seen[frontier] = True
            rules = self._order[ranges(self._starts[frontier], self._starts[frontier + 1])]
            is_needed[rules] = True
            reached = np.unique(np.abs(self.literals(rules)))
            frontier = reached[~is_seen[reached]]
        return np.flatnonzero(is_needed)

    def literals(self, rules: Int64) -> Int32:
        """Return the literals of the bodies of these rules."""
        return self._bodies[ranges(self._offsets[rules], self._offsets[rules + 1])]


def bodies_by_head(heads: Int32, body_offsets: Int64, bodies: Int32) -> dict[int, list[list[int]]]:
    """Return the bodies of the rules of each atom that has any, in the order of the atoms' first rules."""
    result: dict[int, list[list[int]]] = {}
    offsets, literals = body_offsets.tolist(), bodies.tolist()
    for head, start, end in zip(heads.tolist(), offsets, offsets[1:], strict=False):
        result.setdefault(head, []).append(literals[start:end])
    return result


def ranges(starts: Int64, ends: Int64) -> Int64:
    """Return all numbers of the ranges, one range after the other.

    >>> ranges(np.array([1, 7]), np.array([4, 9])).tolist()
    [1, 2, 3, 7, 8]
    """
    lengths = ends - starts
    shifts = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return np.arange(int(lengths.sum()), dtype=np.int64) + shifts


@dataclass(frozen=True, eq=False)
class GroundProgram:
    """A ground game. Fluents and, for each role, moves are KIF text in natural order; the index is the identity."""

    roles: tuple[str, ...]
    fluents: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]
    initial: tuple[int, ...]
    atom_count: int
    heads: Int32
    body_offsets: Int64
    bodies: Int32
    fluent_atoms: Int32
    move_atoms: Int32
    legal: Int32
    next: Int32
    terminal: int
    goals: tuple[tuple[int, int, int], ...]
    sees: tuple[tuple[int, str, int], ...] = ()
    stats: Mapping[str, float] = field(default_factory=dict)
    # Derived atoms as KIF, if they were asked for; names of predicates that grounding made for itself begin with $.
    atom_names: Mapping[int, str] = field(default_factory=dict)
    # The rules, by number, that a predicate made by grounding stems from.
    helper_sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def rule_count(self) -> int:
        """Return the number of ground rules."""
        return len(self.heads)

    @functools.cached_property
    def rules_by_head(self) -> RulesByHead:
        """Return the index of the rules by the atom that they derive."""
        return RulesByHead(self.heads, self.body_offsets, self.bodies, self.atom_count)

    @property
    def move_roles(self) -> Int32:
        """Return the role of each move, by global move id: the moves of one role follow those of the role before."""
        return np.repeat(np.arange(len(self.roles), dtype=np.int32), [len(m) for m in self.moves])

    def native_rules(self) -> _native.GroundRules:
        """Return the rules in the form that the native code takes; each call makes a copy."""
        # Imported late: rules can be read and grounded without the native module.
        from woodstock import _native

        return _native.GroundRules(
            len(self.roles),
            self.atom_count,
            self.heads,
            self.body_offsets,
            self.bodies,
            self.fluent_atoms,
            self.move_atoms,
            self.move_roles,
            self.legal,
            self.next,
            self.terminal,
            list(self.goals),
            np.array([atom for _role, _percept, atom in self.sees], dtype=np.int32),
            np.array([role for role, _percept, _atom in self.sees], dtype=np.int32),
            np.array(self.initial, dtype=np.int32),
            list(self.fluents),
        )

    @functools.cached_property
    def rules_hash(self) -> str:
        """Return a hash that is equal for equal ground programs, for caches and records."""
        digest = hashlib.sha256(repr((self.roles, self.fluents, self.moves, self.initial, self.goals)).encode())
        for array in (self.heads, self.body_offsets, self.bodies, self.fluent_atoms, self.move_atoms, self.legal):
            digest.update(array.tobytes())
        digest.update(self.next.tobytes())
        digest.update(repr((self.terminal, self.sees)).encode())
        return digest.hexdigest()[:16]
