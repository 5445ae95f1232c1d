"""All feasible policies that meet the thresholds, one after another.

At a chance variable the policies are all combinations over its outcomes. Bounds cut combinations that can no longer
reach the threshold; with thresholds of 0 only hard constraints cut. Memory does not grow with the number of policies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from woodstock.scsp.compiled import CompiledNetwork, Step, Vector
from woodstock.scsp.frontier import Frontier, Point
from woodstock.scsp.limits import Limits
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores
from woodstock.scsp.walk import Position, Walk, lowered, reaches


class Enumeration(Walk[Vector, Iterator[Point]]):
    """Enumerates the policies of a network whose utilities are vectors."""

    def __init__(self, network: CompiledNetwork, stores: Stores, limits: Limits, threshold: Sequence[Any]) -> None:
        super().__init__(network, stores, limits)
        self.threshold = lowered(network, threshold)
        # After the last decision there is one policy: a frontier of one point, which needs no propagation.
        self._tail = 1 + max((n for n, v in enumerate(self.variables) if not v.is_chance), default=-1)
        self._chance_only = Frontier(network, Stores(network, propagate=False), limits, threshold)

    def run(self) -> Iterator[Point]:
        """Yield expected utilities and trees."""
        start = self.begin()
        if start is not None:
            gain = self.network.initial.gain
            for value, node in self.solve(start, self.threshold - gain):
                yield gain + value, node

    def recall(self, position: Position, need: Vector) -> Iterator[Point] | None:
        if position[0] < self._tail:
            return None
        return iter([point for point in self._chance_only.solve(position, None) if reaches(point[0], need)])

    def remember(self, position: Position, answer: Iterator[Point]) -> Iterator[Point]:
        return answer  # Nothing to keep: an iterator can be used once.

    def end(self, value: Vector, need: Vector) -> Iterator[Point]:
        return iter([(value, None)] if reaches(value, need) else [])

    def decide(self, position: Position, need: Vector) -> Iterator[Point]:
        level = position[0]
        for value, step in list(self.options(position)):
            if reaches(step.gain + step.bound, need):
                for worth, node in self._child(level, value, step, need):
                    yield worth, Choice(self.variables[level], value, node)

    def expect(self, position: Position, need: Vector) -> Iterator[Point]:
        level = position[0]
        outcomes = self.outcomes(position)
        if outcomes is not None:
            for worth, children in self._combine(level, outcomes, need):
                yield worth, Outcomes(self.variables[level], children)

    def _combine(
        self, level: int, outcomes: Sequence[tuple[Any, int, Step]], need: Vector
    ) -> Iterator[tuple[Vector, tuple[tuple[int, Node], ...]]]:
        """Yield all combinations of policies for the outcomes that reach `need` together."""
        if not outcomes:
            yield self.network.zero, ()
            return
        share, value, step = outcomes[0]
        rest = self.network.zero
        for other_share, _, other in outcomes[1:]:
            rest = rest + other_share * (other.gain + other.bound)
        if not reaches(share * (step.gain + step.bound) + rest, need):
            return
        for worth, node in self._child(level, value, step, (need - rest) / share):
            for others, children in self._combine(level, outcomes[1:], need - share * worth):
                yield share * worth + others, ((value, node), *children)

    def _child(self, level: int, value: int, step: Step, need: Vector) -> Iterator[Point]:
        below = self.enter(level, value, step)
        for worth, node in () if below is None else self.solve(below, need - step.gain):
            # While the caller uses this policy, the stores serve its siblings: step out of the subtree and back in.
            self.leave()
            yield step.gain + worth, node
            self.enter(level, value, step)
        self.leave()
