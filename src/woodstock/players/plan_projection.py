"""Proofs that a goal is out of reach, by a small part of the game that goes its own way.

Comes in: the ground program of a one-player game, a goal. Goes out: a smaller game in which that goal can be reached if
it can be in the whole one. Some fluents follow from one another and the moves alone, such as the place of the blank in
a sliding puzzle, whatever the tiles are; others from time alone, such as the step. These are kept. Everything else is
taken to be as a move, the end and the goal want it, and only an end with the goal ends a match. So if a search of all
states of the smaller game does not find the goal, it is out of reach: a blank on a black field is not back on a white
one after an even number of moves. What such a search does not meet never holds in the whole game either: a ship that is
kept on its board by what moves are legal. Linear in the rules.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.gdl.components import components
from woodstock.gdl.ground_program import GroundProgram, ranges
from woodstock.players.plan_reduction import Reduction

# Reading larger programs here takes longer than it saves.
_MOST_RULES = 200_000
_MOST_SECONDS = 1.0
_MEMORY_MB = 64
# If fewer of the fluents never hold, it is not worth beginning again without them.
_LEAST_LEFT_OUT = 0.3


def project(ground: GroundProgram, goal: int) -> Reduction | None:
    """Return the smaller game; None if it would be the whole one, or nothing, or there are too many rules."""
    atoms = [atom for _role, value, atom in ground.goals if value == goal]
    if ground.rule_count > _MOST_RULES or not ground.terminal or not atoms:
        return None
    kept = _on_their_own(ground)
    if not kept.any() or kept.all():
        return None
    fluents = np.flatnonzero(kept)
    literals, lengths = _relaxed(ground, kept)
    # One more atom: the end with the goal.
    end = ground.atom_count + 1
    ends = np.array([[atom, ground.terminal] for atom in atoms], dtype=np.int32)
    sizes = np.concatenate((lengths, np.full(len(ends), 2, dtype=np.int64)))
    small = dataclasses.replace(
        ground,
        atom_count=end,
        fluents=tuple(ground.fluents[fluent] for fluent in fluents),
        initial=tuple(np.flatnonzero(np.isin(fluents, ground.initial)).tolist()),
        heads=np.concatenate((ground.heads, np.full(len(ends), end, dtype=np.int32))),
        body_offsets=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64))),
        bodies=np.concatenate((literals, ends.ravel())),
        fluent_atoms=ground.fluent_atoms[fluents],
        next=ground.next[fluents],
        terminal=end,
        goals=((0, goal, end),),
        sees=(),
    )
    return Reduction(_needed(small), fluents, np.arange(len(ground.move_atoms)))


def is_out_of_reach(engine: CircuitEngine, start: bytes, goal: int) -> bool:
    """Return whether a search of all states of a smaller game finds no end with the goal."""
    options = _native.StateSearchOptions()
    options.target, options.memory_mb = goal, _MEMORY_MB
    search = _native.StateSearch(engine.circuit, engine.ground.native_rules(), start, options)
    return search.run(_MOST_SECONDS) == "exhausted" and search.best_goal < 0


def possible_fluents(part: Reduction, start: bytes) -> bytes | None:
    """Return a mask of the fluents of the whole game that may hold after a state; None if that is not known."""
    endless = CircuitEngine(_needed(dataclasses.replace(part.ground, terminal=0, goals=())))
    options = _native.StateSearchOptions()
    options.memory_mb = _MEMORY_MB
    search = _native.StateSearch(endless.circuit, endless.ground.native_rules(), part.state(start), options)
    if search.run(_MOST_SECONDS) != "exhausted":
        return None
    met = np.unpackbits(np.frombuffer(search.met, dtype=np.uint8), bitorder="little")[: len(part.fluents)]
    mask = np.ones(8 * len(start), dtype=np.uint8)
    mask[part.fluents] = met
    return (
        None if len(met) - met.sum() < _LEAST_LEFT_OUT * len(mask) else np.packbits(mask, bitorder="little").tobytes()
    )


def _on_their_own(ground: GroundProgram) -> NDArray[np.bool_]:
    """Return for each fluent whether it depends on time alone, or on moves and fluents that depend on one another."""
    uses = {
        head: {abs(literal) for body in bodies for literal in body}
        for head, bodies in ground.rules_by_head.bodies().items()
    }
    fluent_of = {int(atom): fluent for fluent, atom in enumerate(ground.fluent_atoms) if atom}
    for atom, fluent in fluent_of.items():
        uses[atom] = {int(ground.next[fluent])} - {0}
    moves = {int(atom) for atom in ground.move_atoms if atom}
    is_moved: dict[int, bool] = dict.fromkeys(moves, True)  # depends on a move
    is_above: dict[int, bool] = {}  # depends on a fluent that depends on a move
    kept = np.zeros(len(ground.fluents), dtype=bool)
    for component in components({head: {x for x in used if x in uses} for head, used in uses.items()}):
        below = {used for atom in component for used in uses[atom]} - set(component)
        moved = any(is_moved.get(atom, False) for atom in below)
        above = any(is_above.get(atom, False) for atom in below)
        own = [fluent_of[atom] for atom in component if atom in fluent_of]
        kept[own] = not above
        is_moved.update(dict.fromkeys(component, moved))
        is_above.update(dict.fromkeys(component, above or (moved and bool(own))))
    return kept


def _relaxed(ground: GroundProgram, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the bodies of all rules without what depends on other fluents, as far as it can be as wanted."""
    is_other = np.zeros(ground.atom_count + 1, dtype=bool)
    is_other[ground.fluent_atoms[~kept]] = True
    is_other[0] = False
    is_open = is_other.copy()  # depends on one now
    owners = np.repeat(np.arange(ground.rule_count), np.diff(ground.body_offsets))
    count = -1
    while count != (count := int(is_open.sum())):
        is_open[ground.heads[owners[is_open[np.abs(ground.bodies)]]]] = True
    used = np.abs(ground.bodies)
    stays = ~is_other[used] & ~(is_open[used] & (ground.bodies < 0))
    return ground.bodies[stays], np.bincount(owners[stays], minlength=ground.rule_count).astype(np.int64)


def _needed(ground: GroundProgram) -> GroundProgram:
    """Return the program without rules that nothing depends on."""
    wanted = np.concatenate((ground.legal, ground.next, np.array([ground.terminal], dtype=np.int32)))
    rules = ground.rules_by_head.cone(wanted.astype(np.int32))
    sizes = ground.body_offsets[rules + 1] - ground.body_offsets[rules]
    return dataclasses.replace(
        ground,
        heads=ground.heads[rules],
        body_offsets=np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64))),
        bodies=ground.bodies[ranges(ground.body_offsets[rules], ground.body_offsets[rules + 1])],
    )
