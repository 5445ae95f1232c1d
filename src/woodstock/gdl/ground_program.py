"""`GroundProgram`: the rules of a game without variables, the value that circuits, networks and symmetries start from.

Atoms are numbered from 1; atom 0 means "never true". Rules are in three arrays: rule r has the head `heads[r]` and
the signed literals `bodies[body_offsets[r]:body_offsets[r + 1]]`; an atom is true when the body of one of its rules
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
    # Derived atoms as KIF, where they were asked for; names of predicates that grounding made for itself begin with $.
    atom_names: Mapping[int, str] = field(default_factory=dict)
    # The rules, by number, that a predicate made by grounding stems from.
    helper_sources: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def rule_count(self) -> int:
        """Return the number of ground rules."""
        return len(self.heads)

    @property
    def move_roles(self) -> Int32:
        """Return the role of each move, by global move id: the roles' moves stand one role after the other."""
        return np.repeat(np.arange(len(self.roles), dtype=np.int32), [len(m) for m in self.moves])

    def native_rules(self) -> _native.GroundRules:
        """Return the rules as the native parts take them: a copy, made anew by each call."""
        # Imported late: rules are read and grounded also where the native module is not built.
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
