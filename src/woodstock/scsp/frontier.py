"""And/or search for several players: for each position, the policies that no other policy beats for every player.

Thresholds of several players cannot be traded against one number, so a position keeps its Pareto frontier; chance adds
the frontiers of its outcomes pointwise. Where the players' interests agree the frontiers have one point, and the cost
is that of one player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from woodstock.scsp.limits import Limits
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.program import Program, States, Step, Vector
from woodstock.scsp.store import Stores

Point = tuple[Vector, Node]
T = TypeVar("T")


class Frontier:
    """Solves positions of a program whose utilities are vectors."""

    def __init__(self, program: Program, stores: Stores, limits: Limits, need: Sequence[Any]) -> None:
        self.program, self.stores, self.limits = program, stores, limits
        margin = 0 if program.exact else 1e-9
        self.need = Vector(program.number(t) - margin for t in need)
        self.memory: dict[tuple[int, States, bool], list[Point]] = {}

    def run(self) -> list[Point]:
        """Return the frontier of the whole network above the thresholds."""
        start = self.program.initial
        if self.program.is_impossible or not self.stores.begin():
            return []
        is_alive = start.is_alive and self.stores.may_satisfy
        points = self._solve(0, start.states, is_alive, self.need - start.gain)
        return [(start.gain + value, node) for value, node in points if _reaches(start.gain + value, self.need)]

    def _solve(self, level: int, states: States, is_alive: bool, need: Vector | None) -> list[Point]:
        """Return the frontier; `need` is given before the first chance only, where a bound below it can be cut."""
        program = self.program
        if level == len(program.variables):
            return [(program.end(is_alive), None)]
        key = (level, states, is_alive)
        known = self.memory.get(key)
        if known is not None:
            self.limits.recalled += 1
            return known
        self.limits.count()
        if program.variables[level].is_chance:
            points = self._chance(level, states, is_alive)
        else:
            points = self._decision(level, states, is_alive, need)
        if need is None:
            # A frontier that was cut at a need is not that of the position.
            if len(self.memory) >= self.limits.entry_limit:
                self.memory.clear()
            self.memory[key] = points
        return points

    def _decision(self, level: int, states: States, is_alive: bool, need: Vector | None) -> list[Point]:
        variable = self.program.variables[level]
        points: list[Point] = []
        for position in self.stores.positions(level):
            step = self.program.step(level, states, is_alive, position)
            if step is None:
                continue
            if need is not None and not _reaches(step.gain + step.bound, need):
                self.limits.pruned += 1
                continue
            below = None if need is None else need - step.gain
            for value, node in self._child(level, position, step, below):
                points.append((value, Choice(variable, position, node)))
            points = best_points(points)
        return points

    def _chance(self, level: int, states: States, is_alive: bool) -> list[Point]:
        variable = self.program.variables[level]
        remaining = set(self.stores.positions(level))
        sums: list[tuple[Vector, tuple[tuple[int, Node], ...]]] = [(self.program.zero, ())]
        for position, share in enumerate(self.program.distribution(level, states)):
            if not share:
                continue
            step = self.program.step(level, states, is_alive, position) if position in remaining else None
            options = [] if step is None else self._child(level, position, step, None)
            if not options:
                return []
            joined = []
            for total, children in sums:
                self.limits.count()
                joined += [(total + share * value, (*children, (position, node))) for value, node in options]
            sums = best_points(joined)
        return [(total, Outcomes(variable, children)) for total, children in sums]

    def _child(self, level: int, position: int, step: Step, need: Vector | None) -> list[Point]:
        stores = self.stores
        is_possible = stores.assign(level, position, step.is_alive)
        try:
            if not is_possible:
                return []
            is_alive = step.is_alive and stores.may_satisfy
            states = step.states if is_alive or not step.is_alive else self.program.forget(level, step.states)
            points = self._solve(level + 1, states, is_alive, need)
        finally:
            stores.undo()
        return [(step.gain + value, node) for value, node in points]


def best_points(points: Sequence[tuple[Vector, T]]) -> list[tuple[Vector, T]]:
    """Return the points that no other is at least as good as, the first of equal ones."""
    kept: list[tuple[Vector, T]] = []
    # By falling sum: a point can only be beaten by one before it.
    for value, item in sorted(points, key=lambda point: sum(point[0]), reverse=True):
        if not any(_reaches(other, value) for other, _ in kept):
            kept.append((value, item))
    return kept


def _reaches(value: Vector, need: Vector) -> bool:
    return all(a >= b for a, b in zip(value, need, strict=True))
