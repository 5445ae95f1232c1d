"""And/or search for several players: for each position, the policies that no other policy beats for every player.

Thresholds of several players cannot be traded against one number, so a position keeps its Pareto frontier; chance adds
the frontiers of its outcomes pointwise. Where the players' interests agree the frontiers have one point, and the cost
is that of one player.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from woodstock.constraint.variable import Variable
from woodstock.scsp.compiled import CompiledNetwork, States, Step, Vector
from woodstock.scsp.limits import Limits, Memory
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores

Point = tuple[Vector, Node]
T = TypeVar("T")


class Frontier:
    """Solves a network whose utilities are vectors; `found` is the frontier above the thresholds so far."""

    def __init__(self, compiled: CompiledNetwork, stores: Stores, limits: Limits, need: Sequence[Any]) -> None:
        self.compiled, self.stores, self.limits = compiled, stores, limits
        margin = 0 if compiled.exact else 1e-9
        self.need = Vector(compiled.number(t) - margin for t in need)
        self.found: list[Point] = []
        self.memory: Memory[list[Point]] = Memory(limits.memory_mb)

    def run(self) -> None:
        """Search everything; when a limit ends it early, `found` keeps what there is."""
        start = self.compiled.initial
        if self.compiled.is_impossible or not self.stores.begin():
            return
        self._first(0, start.states, start.is_alive and self.stores.may_satisfy, start.gain, ())

    def _first(
        self, level: int, states: States, is_alive: bool, gained: Vector, prefix: tuple[tuple[Variable, int], ...]
    ) -> None:
        """Search the decisions before the first chance: here policies are whole, so bounds can be held against them."""
        compiled = self.compiled
        if level == len(compiled.variables) or compiled.variables[level].is_chance:
            for value, node in self._solve(level, states, is_alive):
                for variable, position in reversed(prefix):
                    node = Choice(variable, position, node)
                if self._is_wanted(gained + value):
                    self.found = best_points([*self.found, (gained + value, node)])
            return
        self.limits.count()
        variable = compiled.variables[level]
        opening = compiled.open(level, states, is_alive)
        options = []
        for position in self.stores.positions(level):
            step = opening.step(position)
            if step is not None:
                options.append((gained + step.gain + step.bound, position, step))
        options.sort(key=lambda option: sum(option[0]), reverse=True)
        for bound, position, step in options:
            if not self._is_wanted(bound):
                self.limits.pruned += 1
                continue
            with self._set(level, position, step) as below:
                if below is not None:
                    self._first(level + 1, *below, gained + step.gain, (*prefix, (variable, position)))

    def _is_wanted(self, value: Vector) -> bool:
        return _reaches(value, self.need) and not any(_reaches(known, value) for known, _ in self.found)

    def _solve(self, level: int, states: States, is_alive: bool) -> list[Point]:
        """Return the whole frontier of a position."""
        compiled = self.compiled
        if level == len(compiled.variables):
            return [(compiled.end(is_alive), None)]
        key = (level, states, is_alive)
        known = self.memory.get(key)
        if known is not None:
            self.limits.recalled += 1
            return known
        self.limits.count()
        if compiled.variables[level].is_chance:
            points = self._chance(level, states, is_alive)
        else:
            points = self._decision(level, states, is_alive)
        self.memory.put(key, points)
        return points

    def _decision(self, level: int, states: States, is_alive: bool) -> list[Point]:
        variable = self.compiled.variables[level]
        opening = self.compiled.open(level, states, is_alive)
        points: list[Point] = []
        for position in self.stores.positions(level):
            step = opening.step(position)
            if step is not None:
                for value, node in self._child(level, position, step):
                    points.append((value, Choice(variable, position, node)))
                points = best_points(points)
        return points

    def _chance(self, level: int, states: States, is_alive: bool) -> list[Point]:
        variable = self.compiled.variables[level]
        remaining = set(self.stores.positions(level))
        opening = self.compiled.open(level, states, is_alive)
        sums: list[tuple[Vector, tuple[tuple[int, Node], ...]]] = [(self.compiled.zero, ())]
        for position, share in enumerate(self.compiled.distribution(level, states)):
            if not share:
                continue
            step = opening.step(position) if position in remaining else None
            options = [] if step is None else self._child(level, position, step)
            if not options:
                return []
            joined = []
            for total, children in sums:
                self.limits.count()
                joined += [(total + share * value, (*children, (position, node))) for value, node in options]
            sums = best_points(joined)
        return [(total, Outcomes(variable, children)) for total, children in sums]

    def _child(self, level: int, position: int, step: Step) -> list[Point]:
        with self._set(level, position, step) as below:
            points = [] if below is None else self._solve(level + 1, *below)
        return [(step.gain + value, node) for value, node in points]

    @contextlib.contextmanager
    def _set(self, level: int, position: int, step: Step) -> Iterator[tuple[States, bool] | None]:
        """Set a variable for a while; gives the states and whether satisfaction is possible, none where nothing is."""
        is_possible = self.stores.assign(level, position, step.is_alive)
        try:
            if not is_possible:
                yield None
            else:
                is_alive = step.is_alive and self.stores.may_satisfy
                is_lost = step.is_alive and not is_alive
                yield (self.compiled.forget(level, step.states) if is_lost else step.states), is_alive
        finally:
            self.stores.undo()


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
