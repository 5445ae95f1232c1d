"""The and/or walk that all exact searches share.

A position is (level, states, alive), as in `compiled`: the next variable, what the constraints remember, and whether
the chance constraints may still hold. A decision may take any value that the hard constraints leave. Chance must be
followed through every outcome that can happen. Three searches differ only in what they compute for a position:

* `best`: the value of the best policy, with bounds;
* `frontier`: the policies that no other policy beats for every player;
* `enumerate`: all policies, one after another.

`native/constraint/stochastic` is the same walk without memory, over the variables of a single stage.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from woodstock.scsp.compiled import CompiledNetwork, States, Step, Vector
from woodstock.scsp.limits import Limits, Memory
from woodstock.scsp.policy import Choice, Node
from woodstock.scsp.store import Stores

Position = tuple[int, States, bool]
Need = TypeVar("Need")
Answer = TypeVar("Answer")


class Walk(ABC, Generic[Need, Answer]):
    """Visits the positions of one network. After an exception a walk is of no further use."""

    def __init__(self, network: CompiledNetwork, stores: Stores, limits: Limits) -> None:
        self.network, self.stores, self.limits = network, stores, limits
        self.variables = network.variables
        self.first_chance = next((n for n, v in enumerate(self.variables) if v.is_chance), len(self.variables))
        self.memory: Memory[Answer] = Memory(limits.memory_mb)
        self._path: list[tuple[int, Any]] = []  # the values set so far, with the utility that each gained

    # What a search computes

    @abstractmethod
    def end(self, value: Any, need: Need) -> Answer:
        """Return the answer after the last variable, which adds `value`."""

    @abstractmethod
    def decide(self, position: Position, need: Need) -> Answer:
        """Return the answer for a decision."""

    @abstractmethod
    def expect(self, position: Position, need: Need) -> Answer:
        """Return the answer for a chance variable."""

    def recall(self, position: Position, need: Need) -> Answer | None:
        """Return the known answer if it will do."""
        known = self.memory.get(position)
        if known is not None:
            self.limits.recalled += 1
        return known

    def remember(self, position: Position, answer: Answer) -> Answer:
        """Keep an answer, and return it with what was known before."""
        self.memory.put(position, answer)
        return answer

    # The walk

    def begin(self) -> Position | None:
        """Propagate before the first value; None if no policy is feasible."""
        start = self.network.initial
        if self.network.is_impossible or not self.stores.begin():
            return None
        return 0, start.states, start.is_alive and self.stores.may_satisfy

    def solve(self, position: Position, need: Need) -> Answer:
        """Return the answer for a position."""
        level, _, is_alive = position
        if level == len(self.variables):
            return self.end(self.network.end(is_alive), need)
        known = self.recall(position, need)
        if known is not None:
            return known
        self.limits.count()
        answer = (self.expect if self.variables[level].is_chance else self.decide)(position, need)
        return self.remember(position, answer)

    def options(self, position: Position) -> Iterator[tuple[int, Step]]:
        """Yield the values that a decision may take, with what each leads to."""
        opening = self.network.open(*position)
        for value in self.stores.positions(position[0]):
            step = opening.step(value)
            if step is not None:
                yield value, step

    def outcomes(self, position: Position) -> list[tuple[Any, int, Step]] | None:
        """Return (probability, value, step) of all outcomes of chance; None if a hard constraint forbids one."""
        level, states, _ = position
        opening = self.network.open(*position)
        remaining = set(self.stores.positions(level))
        found = []
        for value, share in enumerate(self.network.distribution(level, states)):
            if share:
                step = opening.step(value) if value in remaining else None
                if step is None:
                    return None
                found.append((share, value, step))
        return found

    def enter(self, level: int, value: int, step: Step) -> Position | None:
        """Set a variable and propagate; None if a hard constraint fails. `leave` follows in either case."""
        self._path.append((value, step.gain))
        if not self.stores.assign(level, value, step.is_alive):
            return None
        is_alive = step.is_alive and self.stores.may_satisfy
        is_lost = step.is_alive and not is_alive
        return level + 1, self.network.forget(level, step.states) if is_lost else step.states, is_alive

    def leave(self) -> None:
        """Take back the latest value."""
        self.stores.undo()
        self._path.pop()

    def whole(self, value: Any, node: Node) -> tuple[Any, Node]:
        """Return the values set so far with a policy for the rest: before the first chance, a whole policy."""
        for variable, (position, gain) in reversed(list(zip(self.variables, self._path, strict=False))):
            value, node = gain + value, Choice(variable, position, node)
        return self.network.initial.gain + value, node


def lowered(network: CompiledNetwork, threshold: Sequence[Any]) -> Vector:
    """Return the thresholds less what rounding may cost."""
    margin = 0 if network.exact else 1e-9
    return Vector(network.number(t) - margin for t in threshold)


def reaches(value: Vector, need: Vector) -> bool:
    """Return whether every player gets at least what it needs."""
    return all(a >= b for a, b in zip(value, need, strict=True))
