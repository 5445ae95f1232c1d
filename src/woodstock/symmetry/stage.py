"""Symmetries at one state: which of its moves are alike, judged by one stage and the values known so far.

*Minimax symmetries* [Koriche et al. 2017, 4.2]: in the network of one stage with the state injected, the variables left
are the actions and the fluents of the next state. Tuples (state, joint action) that a search found to be globally
inconsistent, because some role would not choose them, are marked in its complement. Automorphisms of the marked graph
preserve the strategies that are still possible. If all inconsistent tuples are known (exact values), they are minimax
symmetries: moves of one orbit are equally good. If only some are known, moves of one orbit are alike as far as the
search can tell.

The symmetries of the game that fix a state (`Symmetries.move_classes`) are something else; they always hold.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.symmetry import permutations
from woodstock.symmetry.automorphisms import generators

Joint = Mapping[str, str]

_MOST_JOINT_MOVES = 20_000


class StageSymmetries:
    """Symmetries between the legal moves of a state. Rows permute `moves`, pairs of role and move."""

    def __init__(self, moves: Sequence[tuple[str, str]], rows: NDArray[np.int64]) -> None:
        self.moves = tuple(moves)
        self.rows = rows

    @property
    def order(self) -> int:
        """The number of symmetries."""
        return permutations.order(self.rows, len(self.moves))

    def orbits(self, role: str) -> tuple[tuple[str, ...], ...]:
        """Return the role's legal moves in classes."""
        found = permutations.orbits(self.rows, len(self.moves))
        return tuple(
            tuple(self.moves[point][1] for point in orbit) for orbit in found if self.moves[orbit[0]][0] == role
        )


@dataclass
class StageStatistics:
    """What the analyses of one search cost and found."""

    seconds: float = 0.0
    stages: int = 0
    recalled: int = 0  # found in the table: an equal graph was analysed before
    groups: int = 0  # stages with a symmetry at all
    merged: int = 0  # moves that share a class with an earlier one


class StageAnalyses:
    """Finds the symmetries of one stage after the other, for a player that searches.

    Incremental: the circuit goes from a state to the next by difference, and graphs that were seen before are recalled
    by their contents. Bounded: the table holds `most_kept` graphs, and a stage with more joint moves is refused.
    """

    def __init__(self, game: Game, *, most_kept: int = 10_000, max_joint_moves: int = _MOST_JOINT_MOVES) -> None:
        if not isinstance(game.engine, CircuitEngine):
            raise GameError(f"{game.name} was not grounded, so its symmetries cannot be found")
        self._ground = game.engine.ground
        self._expander = _native.Expander(game.engine.circuit)
        self._most_kept, self._max_joint_moves = most_kept, max_joint_moves
        self._known: OrderedDict[bytes, NDArray[np.int64]] = OrderedDict()
        self.statistics = StageStatistics()

    def at(self, state: State, inconsistent: Iterable[Joint] = (), *, seconds: float = 20.0) -> StageSymmetries:
        """Return the symmetries of the stage at a state, enriched by inconsistent tuples.

        Each tuple is a joint action by role, or a part of one: moves that together are known not to be chosen.
        """
        clock, ground = time.perf_counter(), self._ground
        _is_terminal, _goals, joint, after, is_complete = self._expander.expand(packed(state), self._max_joint_moves)
        if not is_complete:
            raise BudgetExceeded("symmetries", len(joint) + 1, self._max_joint_moves, "joint moves")
        moves = [
            (role, names[index])
            for role, names in zip(ground.roles, ground.moves, strict=True)
            for index in state.legal_indices(role)
        ]
        place = {pair: number for number, pair in enumerate(moves)}
        columns = [
            np.array([place[role, names[index]] for index in joint[:, number].tolist()], dtype=np.int64)
            for number, (role, names) in enumerate(zip(ground.roles, ground.moves, strict=True))
        ]
        is_bad = _marked(state, joint, inconsistent)
        # Vertices: the moves by role, the joint moves, the fluents of the next state on which these differ.
        colours = [ground.roles.index(role) for role, _move in moves]
        first_joint = len(colours)
        colours += [len(ground.roles) + int(bad) for bad in is_bad]
        first_next = len(colours)
        bits = np.unpackbits(np.ascontiguousarray(after).view(np.uint8), axis=1, bitorder="little")
        bits = bits[:, np.flatnonzero(bits.any(axis=0) & ~bits.all(axis=0))]
        colours += [len(ground.roles) + 2] * bits.shape[1]
        numbers = np.arange(len(joint)) + first_joint
        edges = [np.stack([numbers, column], axis=1) for column in columns]
        edges.append(np.argwhere(bits) + np.array([first_joint, first_next]))
        rows = self._generators(np.array(colours, dtype=np.int64), np.concatenate(edges), len(moves), seconds)
        found = StageSymmetries(moves, rows)
        self._count(found, len(moves), time.perf_counter() - clock)
        return found

    def _generators(
        self, colours: NDArray[np.int64], edges: NDArray[np.int64], points: int, seconds: float
    ) -> NDArray[np.int64]:
        digest = hashlib.blake2b(colours.tobytes(), digest_size=16)
        digest.update(edges.tobytes())
        key = digest.digest()
        rows = self._known.get(key)
        if rows is None:
            rows, _count = generators(colours, edges, points, seconds)
            self._known[key] = rows
            while len(self._known) > self._most_kept:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
            self.statistics.recalled += 1
        return rows

    def _count(self, found: StageSymmetries, moves: int, seconds: float) -> None:
        told = self.statistics
        told.stages += 1
        told.seconds += seconds
        told.groups += len(found.rows) > 0
        told.merged += moves - len(permutations.orbits(found.rows, moves))


def stage_symmetries(
    state: State,
    inconsistent: Iterable[Joint] = (),
    *,
    seconds: float = 20.0,
    max_joint_moves: int = _MOST_JOINT_MOVES,
) -> StageSymmetries:
    """Return the symmetries of the stage at a state, enriched by inconsistent tuples; see `StageAnalyses.at`."""
    return StageAnalyses(state.game, max_joint_moves=max_joint_moves).at(state, inconsistent, seconds=seconds)


def _marked(state: State, joint: NDArray[np.uint32], inconsistent: Iterable[Joint]) -> NDArray[np.bool_]:
    """Return for each joint move whether it contains one of the tuples."""
    game = state.game
    is_bad = np.zeros(len(joint), dtype=bool)
    for given in inconsistent:
        matches = np.ones(len(joint), dtype=bool)
        for role, move in given.items():
            column = game.role_index(role)
            names = game.moves(game.roles[column])
            legal = {names[index].lower(): index for index in state.legal_indices(game.roles[column])}
            if move.lower() not in legal:
                raise GameError(f"{move} is not a legal move of {role} at this state")
            matches &= joint[:, column] == legal[move.lower()]
        is_bad |= matches
    return is_bad
