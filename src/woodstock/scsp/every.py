"""Every feasible policy that meets the thresholds, one after another.

At a chance variable the policies are all combinations over its outcomes. Bounds cut combinations that can no longer
reach the threshold; with thresholds of 0 nothing is cut but what hard constraints forbid. Memory does not grow with
the number of policies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from woodstock.scsp.compiled import CompiledNetwork, States, Step, Vector
from woodstock.scsp.limits import Limits, Memory
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores


class Every:
    """Enumerates policies of a network whose utilities are vectors."""

    def __init__(self, compiled: CompiledNetwork, stores: Stores, limits: Limits, need: Sequence[Any]) -> None:
        self.compiled, self.stores, self.limits = compiled, stores, limits
        margin = 0 if compiled.exact else 1e-9
        self.need = Vector(compiled.number(t) - margin for t in need)
        # From here on there is nothing to decide: one policy, whose value is remembered.
        self._tail = 1 + max((n for n, v in enumerate(compiled.variables) if not v.is_chance), default=-1)
        self._known: Memory[tuple[Vector, Node] | None] = Memory(limits.memory_mb)

    def run(self) -> Iterator[tuple[Vector, Node]]:
        """Yield expected utilities and trees."""
        start = self.compiled.initial
        if self.compiled.is_impossible or not self.stores.begin():
            return
        is_alive = start.is_alive and self.stores.may_satisfy
        for value, node in self._solve(0, start.states, is_alive, self.need - start.gain):
            yield start.gain + value, node

    def _solve(self, level: int, states: States, is_alive: bool, need: Vector) -> Iterator[tuple[Vector, Node]]:
        compiled = self.compiled
        if level >= self._tail:
            only = self._expect(level, states, is_alive)
            if only is not None and _reaches(only[0], need):
                yield only
            return
        self.limits.count()
        variable = compiled.variables[level]
        opening = compiled.open(level, states, is_alive)
        if not variable.is_chance:
            for position in list(self.stores.positions(level)):
                step = opening.step(position)
                if step is None or not _reaches(step.gain + step.bound, need):
                    continue
                for value, node in self._child(level, position, step, need):
                    yield value, Choice(variable, position, node)
            return
        remaining = set(self.stores.positions(level))
        steps = []
        for position, share in enumerate(compiled.distribution(level, states)):
            if share:
                step = opening.step(position) if position in remaining else None
                if step is None:
                    return
                steps.append((share, position, step))
        for value, children in self._combine(level, steps, need):
            yield value, Outcomes(variable, children)

    def _expect(self, level: int, states: States, is_alive: bool) -> tuple[Vector, Node] | None:
        """Return the value and the tree of what is left to chance; none where a hard constraint can break."""
        compiled = self.compiled
        if level == len(compiled.variables):
            return compiled.end(is_alive), None
        key = (level, states, is_alive)
        if key in self._known:
            return self._known[key]
        self.limits.count()
        mean = self._mean(level, states, is_alive)
        self._known.put(key, mean)
        return mean

    def _mean(self, level: int, states: States, is_alive: bool) -> tuple[Vector, Node] | None:
        value, children = self.compiled.zero, []
        opening = self.compiled.open(level, states, is_alive)
        for position, share in enumerate(self.compiled.distribution(level, states)):
            if share:
                step = opening.step(position)
                below = None if step is None else self._expect(level + 1, step.states, step.is_alive)
                if step is None or below is None:
                    return None
                value = value + share * (step.gain + below[0])
                children.append((position, below[1]))
        return value, Outcomes(self.compiled.variables[level], tuple(children))

    def _combine(
        self, level: int, steps: Sequence[tuple[Any, int, Step]], need: Vector
    ) -> Iterator[tuple[Vector, tuple[tuple[int, Node], ...]]]:
        """Yield all combinations of policies for the outcomes in `steps` that reach `need` together."""
        if not steps:
            yield self.compiled.zero, ()
            return
        share, position, step = steps[0]
        rest = self.compiled.zero
        for other_share, _, other in steps[1:]:
            rest = rest + other_share * (other.gain + other.bound)
        if not _reaches(share * (step.gain + step.bound) + rest, need):
            return
        for value, node in self._child(level, position, step, (need - rest) / share):
            for others, children in self._combine(level, steps[1:], need - share * value):
                yield share * value + others, ((position, node), *children)

    def _child(self, level: int, position: int, step: Step, need: Vector) -> Iterator[tuple[Vector, Node]]:
        stores = self.stores
        if not stores.assign(level, position, step.is_alive):
            stores.undo()
            return
        is_alive = step.is_alive and stores.may_satisfy
        states = step.states if is_alive or not step.is_alive else self.compiled.forget(level, step.states)
        below = self._solve(level + 1, states, is_alive, need - step.gain)
        for value, node in below:
            # While this policy is in use the kernels serve the siblings: step out of the subtree and back in.
            stores.undo()
            yield step.gain + value, node
            stores.assign(level, position, step.is_alive)
        stores.undo()


def _reaches(value: Vector, need: Vector) -> bool:
    return all(a >= b for a, b in zip(value, need, strict=True))
