"""Leave out what cannot matter to one goal: fluents that nothing of interest depends on, and moves that do the same.

Comes in: the ground program of a one-player game, a goal. Goes out: a smaller one with the same plans to that goal, and
how to translate states and moves. A fluent matters if the end, the goal or the legality of a move depends on it, now or
later; other goals do not matter, so an end may have several, and a plan must be checked on the whole game. Two moves do
the same if they are legal under the same rules and stand in the same rules, as far as these matter; one of them is
kept. In ten boards of buttons of which two count, 59,049 moves become 9. Linear in the rules.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.gdl.ground_program import GroundProgram, ranges

# Reading larger programs here takes longer than it saves.
_MOST_RULES = 3_000_000
# With as many moves, a game with more than this part of the fluents is not worth a search of its own.
_WORTH_A_SEARCH = 0.7


@dataclass(frozen=True)
class Reduction:
    """The smaller program, its fluents and its moves by their numbers in the whole one."""

    ground: GroundProgram
    fluents: NDArray[np.int64]
    moves: NDArray[np.int64]

    def state(self, packed: bytes) -> bytes:
        """Return a packed state of the whole game as one of the smaller."""
        bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little")[self.fluents]
        padded = np.zeros(64 * ((len(bits) + 63) // 64), dtype=np.uint8)
        padded[: len(bits)] = bits
        return np.packbits(padded, bitorder="little").tobytes()

    def plan(self, moves: Sequence[int]) -> list[int]:
        """Return the numbers of the moves in the whole game."""
        return [int(self.moves[move]) for move in moves]


def reduce(ground: GroundProgram, goal: int) -> Reduction | None:
    """Return what matters for one goal; None if that is nearly everything, or too much to look at."""
    if ground.rule_count > _MOST_RULES:
        return None
    ground = dataclasses.replace(ground, goals=tuple(one for one in ground.goals if one[1] == goal))
    rules, fluents = _relevant(ground)
    moves = _different_moves(ground, rules)
    if len(moves) == len(ground.move_atoms) and len(fluents) > _WORTH_A_SEARCH * len(ground.fluents):
        return None
    return Reduction(_smaller(ground, rules, fluents, moves), fluents, moves)


def _relevant(ground: GroundProgram) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rules and the fluents that the end, the goal and the legality of moves depend on."""
    fluent_of = np.full(ground.atom_count + 1, -1, dtype=np.int64)
    held = np.flatnonzero(ground.fluent_atoms)
    fluent_of[ground.fluent_atoms[held]] = held
    wanted = np.array([ground.terminal, *(atom for _role, _value, atom in ground.goals)], dtype=np.int32)
    wanted = np.concatenate((wanted, ground.legal.astype(np.int32)))
    matters = np.zeros(len(ground.fluents), dtype=bool)
    while True:
        rules = ground.rules_by_head.cone(wanted)
        atoms = np.unique(np.concatenate((np.abs(ground.rules_by_head.literals(rules)), wanted[wanted > 0])))
        found = fluent_of[atoms]
        found = found[(found >= 0)]
        fresh = found[~matters[found]]
        if not len(fresh):
            return rules, np.flatnonzero(matters)
        matters[fresh] = True
        wanted = np.concatenate((wanted, ground.next[fresh].astype(np.int32)))


def _different_moves(ground: GroundProgram, rules: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return one move of each class that does the same."""
    move_of = np.full(ground.atom_count + 1, -1, dtype=np.int64)
    made = np.flatnonzero(ground.move_atoms)
    move_of[ground.move_atoms[made]] = made
    offsets, bodies = ground.body_offsets, ground.bodies
    lengths = offsets[rules + 1] - offsets[rules]
    literals = bodies[ranges(offsets[rules], offsets[rules + 1])]
    owners = np.repeat(rules, lengths)
    of_moves = np.flatnonzero(move_of[np.abs(literals)] >= 0)
    uses: list[list[tuple[object, ...]]] = [[] for _ in range(len(ground.move_atoms))]
    for at in of_moves.tolist():
        rule, literal = int(owners[at]), int(literals[at])
        rest = tuple(x for x in bodies[offsets[rule] : offsets[rule + 1]].tolist() if x != literal)
        uses[int(move_of[abs(literal)])].append((int(ground.heads[rule]), literal > 0, rest))
    kept: dict[tuple[object, ...], int] = {}
    for move, legal in enumerate(ground.legal.tolist()):
        why = tuple(sorted(map(tuple, ground.rules_by_head[legal]))) if legal else None
        kept.setdefault((why, frozenset(uses[move])), move)
    return np.array(sorted(kept.values()), dtype=np.int64)


def _smaller(
    ground: GroundProgram, rules: NDArray[np.int64], fluents: NDArray[np.int64], moves: NDArray[np.int64]
) -> GroundProgram:
    """Return the program of these rules, fluents and moves; atoms keep their numbers."""
    is_gone = np.zeros(ground.atom_count + 1, dtype=bool)
    is_gone[ground.move_atoms[ground.move_atoms > 0]] = True
    is_gone[ground.move_atoms[moves]] = False
    is_gone[0] = False
    offsets = ground.body_offsets
    literals = ground.bodies[ranges(offsets[rules], offsets[rules + 1])]
    owners = np.repeat(np.arange(len(rules)), offsets[rules + 1] - offsets[rules])
    # A rule with a move that nobody makes never applies; that the move is not made always holds.
    never = np.zeros(len(rules), dtype=bool)
    never[owners[is_gone[np.abs(literals)] & (literals > 0)]] = True
    stays = ~is_gone[np.abs(literals)] & ~never[owners]
    kept = np.flatnonzero(~never)
    sizes = np.bincount(owners[stays], minlength=len(rules))[kept]
    names = ground.moves[0]
    place = {int(fluent): position for position, fluent in enumerate(fluents)}
    return dataclasses.replace(
        ground,
        fluents=tuple(ground.fluents[fluent] for fluent in fluents),
        moves=(tuple(names[move] for move in moves),),
        initial=tuple(place[fluent] for fluent in ground.initial if fluent in place),
        heads=ground.heads[rules[kept]],
        body_offsets=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64))),
        bodies=literals[stays],
        fluent_atoms=ground.fluent_atoms[fluents],
        move_atoms=ground.move_atoms[moves],
        legal=ground.legal[moves],
        next=ground.next[fluents],
        sees=(),
    )
