"""Search for one number: the best policy, one that meets a threshold, or any feasible one.

Decisions take the best child, chance takes the mean over all of its outcomes. Three things make it faster than brute
force:

* propagation by the kernel on the hard constraints, and on hard and chance constraints together, level by level;
* memory keyed on what the constraints remember (`compiled`), so that equal futures are solved once;
* upper bounds: each constraint served alone, and the mass of the outcomes that propagation leaves. A child is searched
  only if its bound can lift the value of its parent above what is needed; the need rises with every better policy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from woodstock.scsp.compiled import CompiledNetwork, Step
from woodstock.scsp.limits import Limits
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores
from woodstock.scsp.walk import Position, Walk


@dataclass(frozen=True, slots=True)
class Found:
    """The best policy known for a position, if any; no policy is worth more than `upper`.

    `upper` is None if no policy is feasible.
    """

    value: Any
    node: Node
    upper: Any
    has_policy: bool

    def plus(self, gain: Any) -> Found:
        """Return the same with a gain added to every worth."""
        if not gain or self.upper is None:
            return self
        return Found(self.value + gain if self.has_policy else None, self.node, self.upper + gain, self.has_policy)

    def joined(self, newer: Found) -> Found:
        """Return what two searches of the same position have found together."""
        if self.upper is None or newer.upper is None:
            return _INFEASIBLE
        keep = newer if newer.has_policy and (not self.has_policy or newer.value >= self.value) else self
        return Found(keep.value, keep.node, min(self.upper, newer.upper), keep.has_policy)


_INFEASIBLE = Found(None, None, None, False)


@dataclass(frozen=True, slots=True)
class Need:
    """Policies worth less than `value` (or no more, if `is_strict`) are of no use; `enough` ends the search."""

    value: Any
    is_strict: bool
    enough: Any

    def admits(self, bound: Any, margin: float) -> bool:
        """Return whether a policy worth `bound` would be of use."""
        if self.value is None:
            return True
        return bool(bound > self.value + margin) if self.is_strict else bool(bound >= self.value - margin)

    def is_reached(self, value: Any) -> bool:
        """Return whether the value is enough."""
        return self.enough is not None and bool(value >= self.enough)

    def less(self, gain: Any) -> Need:
        """Return what is needed of the rest after a gain."""
        if not gain:
            return self
        value = None if self.value is None else self.value - gain
        return Need(value, self.is_strict, None if self.enough is None else self.enough - gain)


class Best(Walk[Need, Found]):
    """Finds the best policy of a network whose utilities are numbers; `on_better` hears of each better whole policy."""

    def __init__(
        self,
        network: CompiledNetwork,
        stores: Stores,
        limits: Limits,
        on_better: Callable[[Any, Node], None] | None = None,
    ) -> None:
        super().__init__(network, stores, limits)
        self.on_better = on_better
        self.margin = 0 if network.exact else 1e-12

    def run(self, need: Need) -> Found:
        """Solve from the start."""
        start = self.begin()
        if start is None:
            return _INFEASIBLE
        gain = self.network.initial.gain
        found = self.solve(start, need.less(gain)).plus(gain)
        if found.has_policy and not need.admits(found.value, self.margin):
            # Known from below or from memory, but of no use here.
            return Found(None, None, found.upper, False)
        return found

    def recall(self, position: Position, need: Need) -> Found | None:
        known = self.memory.get(position)
        if known is None:
            return None
        is_settled = known.upper is None or not need.admits(known.upper, self.margin)
        if is_settled or (known.has_policy and (known.value == known.upper or need.is_reached(known.value))):
            self.limits.recalled += 1
            return known
        return None

    def remember(self, position: Position, answer: Found) -> Found:
        known = self.memory.get(position)
        return super().remember(position, answer if known is None else known.joined(answer))

    def end(self, value: Any, need: Need) -> Found:
        return Found(value, None, value, True)

    def decide(self, position: Position, need: Need) -> Found:
        level = position[0]
        options = [(step.gain + step.bound, value, step) for value, step in self.options(position)]
        options.sort(key=lambda option: option[0], reverse=True)
        best = _INFEASIBLE
        upper: Any = None
        for bound, value, step in options:
            if not need.admits(bound, self.margin):
                # Sorted: the rest cannot do better either.
                self.limits.pruned += 1
                upper = bound if upper is None else max(upper, bound)
                break
            child = self._child(level, value, step, need)
            if child.upper is None:
                continue
            upper = child.upper if upper is None else max(upper, child.upper)
            if child.has_policy and (not best.has_policy or child.value > best.value):
                best = Found(child.value, Choice(self.variables[level], value, child.node), None, True)
                if self.on_better is not None and level < self.first_chance:
                    self.on_better(*self.whole(best.value, best.node))
                if need.value is None or best.value >= need.value:
                    need = Need(best.value, True, need.enough)
                if need.is_reached(best.value):
                    # Sorted: the values not tried are worth no more than this bound.
                    upper = max(upper, bound)
                    break
        if best.has_policy and upper <= best.value + self.margin:
            upper = best.value
        return Found(best.value, best.node, upper, best.has_policy)

    def expect(self, position: Position, need: Need) -> Found:
        level = position[0]
        outcomes = self.outcomes(position)
        if outcomes is None:
            return _INFEASIBLE
        # The likeliest first: it says most about what the others have to add.
        outcomes.sort(key=lambda outcome: outcome[0], reverse=True)
        upper = sum((share * (step.gain + step.bound) for share, _, step in outcomes), self.network.zero)
        is_exact = True
        total: Any = self.network.zero
        children: list[tuple[int, Node]] = []
        for share, value, step in outcomes:
            if not need.admits(upper, self.margin):
                self.limits.pruned += 1
                return Found(None, None, upper, False)
            others = upper - share * (step.gain + step.bound)
            wanted = None if need.value is None else (need.value - others) / share
            enough = None if need.enough is None else (need.enough - total) / share
            child = self._child(level, value, step, Need(wanted, need.is_strict, enough))
            if child.upper is None:
                return _INFEASIBLE
            upper = others + share * child.upper
            if not child.has_policy:
                return Found(None, None, upper, False)
            total = total + share * child.value
            is_exact = is_exact and child.value == child.upper
            children.append((value, child.node))
        children.sort(key=lambda child: child[0])
        return Found(total, Outcomes(self.variables[level], tuple(children)), total if is_exact else upper, True)

    def _child(self, level: int, value: int, step: Step, need: Need) -> Found:
        """Set the variable, tighten the bound, and solve the rest; the result includes the step's gain."""
        below = self.enter(level, value, step)
        found = _INFEASIBLE
        if below is not None:
            bound, rest = self._bound(level, step, below[2]), need.less(step.gain)
            if rest.admits(bound, self.margin):
                found = self.solve(below, rest).plus(step.gain)
            else:
                self.limits.pruned += 1
                found = Found(None, None, step.gain + bound, False)
        self.leave()
        return found

    def _bound(self, level: int, step: Step, is_alive: bool) -> Any:
        """Return the bound of a step after propagation: the outcomes that it removed cannot satisfy."""
        if self.network.has_satisfaction and step.is_alive:
            mass = self.stores.mass(level) if is_alive else 0
            if mass < step.chance:
                return step.bound - self.network.one * (step.chance - mass)
        return step.bound
