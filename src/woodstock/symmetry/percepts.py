"""Symmetries of what roles can know: they map percepts onto percepts and every role onto itself.

A strategy is about information sets, so a symmetry that it can use has to say which percepts become which. The graphs
of the rules have a vertex for each percept: an automorphism says it. As always, the engine verifies every generator.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State, packed
from woodstock.gdl.chance import is_chance
from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry.automorphisms import generators as find_generators
from woodstock.symmetry.functions import COARSE, Limits
from woodstock.symmetry.graph import ColouredGraph
from woodstock.symmetry.network_graph import network_graph
from woodstock.symmetry.permutations import bounded_elements
from woodstock.symmetry.rule_graph import rule_graph
from woodstock.symmetry.symmetries import DEFAULT_ELEMENTS, DEFAULT_SECONDS, DEFAULT_SIZE, METHODS, split_points
from woodstock.symmetry.verify import Verifier

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PerceptSymmetries:
    """A group, the identity first: row e maps fluents, moves (of all roles) and percepts by symmetry e.

    If the rules have `sees`, the moves of chance stay in place: strategies are not about them.
    """

    method: str
    fluents: Rows
    moves: Rows
    percepts: Rows
    notes: tuple[str, ...] = ()


def percept_symmetries(
    start: State,
    method: str = "network",
    *,
    seconds: float = DEFAULT_SECONDS,
    max_size: int = DEFAULT_SIZE,
    max_elements: int = DEFAULT_ELEMENTS,
) -> PerceptSymmetries:
    """Return symmetries that keep every role and the start; the limits are as those of `find_symmetries`."""
    game = start.game
    if method not in METHODS:
        raise GameError(f"no method {method!r} of finding symmetries; there are {', '.join(METHODS)}")
    if not isinstance(game.engine, CircuitEngine):
        raise GameError(f"{game.name} was not grounded, so its symmetries cannot be found. {' '.join(game.notes)}")
    ground = game.engine.ground
    is_initial = start == game.initial
    notes: list[str] = []
    rows = np.empty((0, _width(ground)), dtype=np.int64)
    ends_at = time.perf_counter() + seconds
    attempts: list[tuple[str, Limits | None]] = [("network", None), ("network", COARSE), ("rules", None)]
    for using, limits in attempts if method == "network" else attempts[2:] if method == "rules" else []:
        try:
            graph = _graph(ground, using, limits, is_initial, (ends_at - time.perf_counter()) / 2, max_size)
            rows = _generators(graph, max(ends_at - time.perf_counter(), 0.05))
            rows = _verified(game.engine, rows, ends_at, notes)
            method = using
            break
        except BudgetExceeded as error:
            notes.append(f"the method {using} was given up: {error}")
    rows = _without_chance(ground, rows)
    group, is_whole = bounded_elements(rows, _width(ground), max_elements)
    if not is_whole:
        notes.append(f"there are more symmetries than the {len(group)} that are used")
    points = _width(ground) - len(ground.sees)
    _roles, fluents, moves = split_points(ground, group[:, :points])
    if not is_initial:
        kept = _keeping(start, fluents)
        group, fluents, moves = group[kept], fluents[kept], moves[kept]
    return PerceptSymmetries(method, fluents, moves, group[:, points:] - points, tuple(notes))


def _width(ground: GroundProgram) -> int:
    """Return the number of roles, fluents, moves and percepts."""
    return len(ground.roles) + len(ground.fluents) + sum(map(len, ground.moves)) + len(ground.sees)


def _graph(
    ground: GroundProgram, method: str, limits: Limits | None, fix_initial: bool, seconds: float, max_size: int
) -> ColouredGraph:
    if ground.rule_count + len(ground.bodies) > max_size:
        raise BudgetExceeded("symmetries", ground.rule_count + len(ground.bodies), max_size, "rules and literals")
    if method == "rules":
        graph = rule_graph(ground, swap_roles=False, fix_initial=fix_initial)
    else:
        graph = network_graph(
            ground, swap_roles=False, fix_initial=fix_initial, limits=limits, seconds=max(seconds, 0.05)
        )
    if graph.size > max_size:
        raise BudgetExceeded("symmetries", graph.size, max_size, "vertices and edges")
    return graph


def _generators(graph: ColouredGraph, seconds: float) -> Rows:
    """Return what generators do to the points and, after them, to the percepts, both numbered from 0."""
    rows, _count = find_generators(graph.colours, graph.edges, len(graph.colours), seconds)
    number = np.empty(len(graph.colours), dtype=np.int64)
    kept = np.concatenate([np.arange(graph.point_count), graph.percepts])
    number[kept] = np.arange(len(kept))
    images = number[rows[:, kept]]
    images = images[(images != np.arange(len(kept))).any(axis=1)]
    return np.unique(images, axis=0) if len(images) else images


def _verified(engine: CircuitEngine, rows: Rows, ends_at: float, notes: list[str]) -> Rows:
    """Return the generators that passed the check on the engine."""
    verifier = Verifier(engine)
    points = _width(engine.ground) - len(engine.ground.sees)
    kept = []
    for number, row in enumerate(rows):
        if time.perf_counter() > ends_at:
            notes.append(f"{len(rows) - number} of {len(rows)} generators were left out: no time to verify them")
            break
        problem = verifier.problem(*split_points(engine.ground, row[:points]), row[points:] - points)
        if problem is None:
            kept.append(row)
        else:
            notes.append(f"a generator was dropped: on the engine {problem}")
    return np.stack(kept) if kept else rows[:0]


def _without_chance(ground: GroundProgram, rows: Rows) -> Rows:
    """Return what is left if the moves of chance stay in place: nobody knows them but by percepts and states."""
    if not ground.sees or not len(rows):
        return rows
    first = len(ground.roles) + len(ground.fluents)
    kept = rows.copy()
    for role, moves in zip(ground.roles, ground.moves, strict=True):
        if is_chance(role):
            kept[:, first : first + len(moves)] = np.arange(first, first + len(moves))
        first += len(moves)
    kept = kept[(kept != np.arange(kept.shape[1])).any(axis=1)]
    return np.unique(kept, axis=0) if len(kept) else kept


def _keeping(state: State, fluents: Rows) -> NDArray[np.bool_]:
    """Return which symmetries map a state onto itself."""
    holds = np.unpackbits(np.frombuffer(packed(state), dtype=np.uint8), bitorder="little")[: fluents.shape[1]]
    images = np.zeros_like(fluents)
    np.put_along_axis(images, fluents, np.broadcast_to(holds, fluents.shape), axis=1)
    kept: NDArray[np.bool_] = (images == holds).all(axis=1)
    return kept
