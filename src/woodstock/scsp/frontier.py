"""Search for several players: for each position, the policies that no other policy beats for every player.

Thresholds of several players cannot be weighed against each other in one number, so a position keeps its Pareto
frontier. Chance adds the frontiers of its outcomes pointwise. If the players' interests agree, a frontier has one
point, and the search costs as much as for one player.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from woodstock.scsp.compiled import CompiledNetwork, Step, Vector
from woodstock.scsp.limits import Limits
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores
from woodstock.scsp.walk import Position, Walk, lowered, reaches

Point = tuple[Vector, Node]
T = TypeVar("T")


class Frontier(Walk[None, list[Point]]):
    """Solves a network whose utilities are vectors; `found` is the frontier above the thresholds so far."""

    def __init__(self, network: CompiledNetwork, stores: Stores, limits: Limits, threshold: Sequence[Any]) -> None:
        super().__init__(network, stores, limits)
        self.threshold = lowered(network, threshold)
        self.found: list[Point] = []

    def run(self) -> None:
        """Search everything; if a limit ends the search early, `found` has what was found until then."""
        start = self.begin()
        if start is not None:
            self._lead(start, self.network.initial.gain)

    def _lead(self, position: Position, gained: Vector) -> None:
        """Search the decisions before the first chance: here bounds can be compared with the whole policies found."""
        level = position[0]
        if level == self.first_chance:
            for point in self.solve(position, None):
                value, node = self.whole(*point)
                if self._is_wanted(value):
                    self.found = best_points([*self.found, (value, node)])
            return
        self.limits.count()
        options = [(gained + step.gain + step.bound, value, step) for value, step in self.options(position)]
        options.sort(key=lambda option: sum(option[0]), reverse=True)
        for bound, choice, step in options:
            if not self._is_wanted(bound):
                self.limits.pruned += 1
                continue
            below = self.enter(level, choice, step)
            if below is not None:
                self._lead(below, gained + step.gain)
            self.leave()

    def _is_wanted(self, value: Vector) -> bool:
        return reaches(value, self.threshold) and not any(reaches(known, value) for known, _ in self.found)

    def end(self, value: Vector, need: None) -> list[Point]:
        return [(value, None)]

    def decide(self, position: Position, need: None) -> list[Point]:
        level, variable = position[0], self.variables[position[0]]
        points: list[Point] = []
        for value, step in self.options(position):
            below = self._child(level, value, step)
            points = best_points([*points, *((worth, Choice(variable, value, node)) for worth, node in below)])
        return points

    def expect(self, position: Position, need: None) -> list[Point]:
        level = position[0]
        outcomes = self.outcomes(position)
        if outcomes is None:
            return []
        sums: list[tuple[Vector, tuple[tuple[int, Node], ...]]] = [(self.network.zero, ())]
        for share, value, step in outcomes:
            options = self._child(level, value, step)
            if not options:
                return []
            joined = []
            for total, children in sums:
                if len(sums) > 1:
                    self.limits.count()  # Long sums look at the clock too.
                joined += [(total + share * worth, (*children, (value, node))) for worth, node in options]
            sums = best_points(joined)
        return [(total, Outcomes(self.variables[level], children)) for total, children in sums]

    def _child(self, level: int, value: int, step: Step) -> list[Point]:
        below = self.enter(level, value, step)
        points = [] if below is None else self.solve(below, None)
        self.leave()
        return [(step.gain + worth, node) for worth, node in points]


def best_points(points: Sequence[tuple[Vector, T]]) -> list[tuple[Vector, T]]:
    """Return the points that no other is at least as good as, the first of equal ones."""
    if len(points) == 1:
        return list(points)
    kept: list[tuple[Vector, T]] = []
    # By falling sum: a point can only be beaten by one before it.
    for value, item in sorted(points, key=lambda point: sum(point[0]), reverse=True):
        if not any(reaches(other, value) for other, _ in kept):
            kept.append((value, item))
    return kept
