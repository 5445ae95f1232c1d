"""And/or search for one number: the best policy, one that meets a threshold, or any feasible one.

Decisions take the best child, chance takes the mean over all of its outcomes. Three things keep it from being brute
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

from woodstock.scsp.compiled import CompiledNetwork, States, Step
from woodstock.scsp.limits import Limits, Memory
from woodstock.scsp.policy import Choice, Node, Outcomes
from woodstock.scsp.store import Stores


@dataclass(frozen=True, slots=True)
class Found:
    """The best policy known for a position, none where none is; no policy is worth more than `upper`.

    `upper` is none where no policy is feasible.
    """

    value: Any
    node: Node
    upper: Any
    has_policy: bool


_INFEASIBLE = Found(None, None, None, False)


@dataclass(frozen=True, slots=True)
class Need:
    """Policies worth less than `value` (or no more, where `is_strict`) are of no use; `enough` ends the search."""

    value: Any
    is_strict: bool
    enough: Any

    def admits(self, bound: Any, margin: float) -> bool:
        if self.value is None:
            return True
        return bool(bound > self.value + margin) if self.is_strict else bool(bound >= self.value - margin)


class Search:
    """Solves positions of one network; made once for each call of `solve`."""

    def __init__(
        self,
        compiled: CompiledNetwork,
        stores: Stores,
        limits: Limits,
        on_better: Callable[[Any, Node], None] | None = None,
    ) -> None:
        self.compiled, self.stores, self.limits, self.on_better = compiled, stores, limits, on_better
        self.margin = 0 if compiled.exact else 1e-12
        self.memory: Memory[Found] = Memory(limits.memory_mb)
        self._first_chance = next(
            (level for level, v in enumerate(compiled.variables) if v.is_chance), len(compiled.variables)
        )

    def run(self, need: Need) -> Found:
        """Solve from the start."""
        initial = self.compiled.initial
        if self.compiled.is_impossible or not self.stores.begin():
            return _INFEASIBLE
        is_alive = initial.is_alive and self.stores.may_satisfy
        shifted = self._shift(need, initial.gain)
        found = _add(self._solve(0, initial.states, is_alive, shifted, initial.gain, ()), initial.gain)
        if found.has_policy and not need.admits(found.value, self.margin):
            # Known from below or from memory, but of no use here.
            return Found(None, None, found.upper, False)
        return found

    def _solve(
        self, level: int, states: States, is_alive: bool, need: Need, gained: Any, prefix: tuple[int, ...]
    ) -> Found:
        """Solve a position; `gained` and `prefix` say how the start of the policy came here, for reports only."""
        compiled = self.compiled
        if level == len(compiled.variables):
            value = compiled.end(is_alive)
            return Found(value, None, value, True)
        key = (level, states, is_alive)
        known = self.memory.get(key)
        if known is not None:
            if known.upper is None or not need.admits(known.upper, self.margin):
                self.limits.recalled += 1
                return known
            if known.has_policy and (known.value == known.upper or _reaches(known.value, need.enough)):
                self.limits.recalled += 1
                return known
        self.limits.count()
        if compiled.variables[level].is_chance:
            found = self._chance(level, states, is_alive, need)
        else:
            found = self._decision(level, states, is_alive, need, gained, prefix)
        if known is not None:
            found = _merge(known, found)
        self.memory.put(key, found)
        return found

    def _decision(
        self, level: int, states: States, is_alive: bool, need: Need, gained: Any, prefix: tuple[int, ...]
    ) -> Found:
        compiled, stores = self.compiled, self.stores
        variable = compiled.variables[level]
        opening = compiled.open(level, states, is_alive)
        options: list[tuple[Any, int, Step]] = []
        for position in stores.positions(level):
            step = opening.step(position)
            if step is not None:
                options.append((step.gain + step.bound, position, step))
        options.sort(key=lambda option: option[0], reverse=True)
        best = _INFEASIBLE
        upper: Any = None
        for bound, position, step in options:
            if not need.admits(bound, self.margin):
                # Sorted: the rest cannot do better either.
                self.limits.pruned += 1
                upper = bound if upper is None else max(upper, bound)
                break
            child = self._child(level, position, step, need, gained, (*prefix, position))
            if child.upper is None:
                continue
            upper = child.upper if upper is None else max(upper, child.upper)
            if child.has_policy and (not best.has_policy or child.value > best.value):
                best = Found(child.value, Choice(variable, position, child.node), None, True)
                if self.on_better is not None and level < self._first_chance:
                    self._report(gained + best.value, best.node, prefix)
                if need.value is None or best.value >= need.value:
                    need = Need(best.value, True, need.enough)
                if _reaches(best.value, need.enough):
                    # Sorted: what was not looked at is worth no more than this bound.
                    upper = max(upper, bound)
                    break
        if best.has_policy and upper <= best.value + self.margin:
            upper = best.value
        return Found(best.value, best.node, upper, best.has_policy)

    def _child(self, level: int, position: int, step: Step, need: Need, gained: Any, prefix: tuple[int, ...]) -> Found:
        """Set the variable, propagate, tighten the bound, and solve what follows; worth includes the step's gain."""
        stores, compiled = self.stores, self.compiled
        if not stores.assign(level, position, step.is_alive):
            stores.undo()
            return _INFEASIBLE
        try:
            is_alive = step.is_alive and stores.may_satisfy
            bound = step.bound
            if compiled.has_satisfaction and step.is_alive:
                # Propagation knows more than each constraint alone: outcomes that it removed cannot satisfy.
                mass = stores.mass(level) if is_alive else 0
                if mass < step.chance:
                    bound = bound - compiled.one * (step.chance - mass)
            shifted = self._shift(need, step.gain)
            if not shifted.admits(bound, self.margin):
                self.limits.pruned += 1
                return Found(None, None, step.gain + bound, False)
            states = step.states if is_alive or not step.is_alive else compiled.forget(level, step.states)
            found = self._solve(level + 1, states, is_alive, shifted, gained + step.gain, prefix)
        finally:
            stores.undo()
        return _add(found, step.gain)

    def _chance(self, level: int, states: States, is_alive: bool, need: Need) -> Found:
        compiled = self.compiled
        variable = compiled.variables[level]
        row = compiled.distribution(level, states)
        remaining = set(self.stores.positions(level))
        opening = compiled.open(level, states, is_alive)
        steps: list[tuple[Any, int, Step]] = []
        for position, share in enumerate(row):
            if not share:
                continue
            step = opening.step(position) if position in remaining else None
            if step is None:
                return _INFEASIBLE
            steps.append((share, position, step))
        # The likeliest first: what it leaves to the others is known soonest.
        steps.sort(key=lambda entry: entry[0], reverse=True)
        upper = sum((share * (step.gain + step.bound) for share, _, step in steps), compiled.zero)
        is_exact = True
        value: Any = compiled.zero
        children: list[tuple[int, Node]] = []
        for share, position, step in steps:
            if not need.admits(upper, self.margin):
                self.limits.pruned += 1
                return Found(None, None, upper, False)
            ceiling = step.gain + step.bound
            others = upper - share * ceiling
            wanted = None if need.value is None else (need.value - others) / share
            enough = None if need.enough is None else (need.enough - value) / share
            child = self._child(level, position, step, Need(wanted, need.is_strict, enough), compiled.zero, (-1,))
            if child.upper is None:
                return _INFEASIBLE
            upper = others + share * child.upper
            if not child.has_policy:
                return Found(None, None, upper, False)
            value = value + share * child.value
            is_exact = is_exact and child.value == child.upper
            children.append((position, child.node))
        children.sort(key=lambda entry: entry[0])
        return Found(value, Outcomes(variable, tuple(children)), value if is_exact else upper, True)

    def _shift(self, need: Need, gain: Any) -> Need:
        if not gain:
            return need
        value = None if need.value is None else need.value - gain
        return Need(value, need.is_strict, None if need.enough is None else need.enough - gain)

    def _report(self, value: Any, node: Node, prefix: tuple[int, ...]) -> None:
        for level in range(len(prefix) - 1, -1, -1):
            node = Choice(self.compiled.variables[level], prefix[level], node)
        assert self.on_better is not None
        self.on_better(value, node)


def _add(found: Found, gain: Any) -> Found:
    if not gain or found.upper is None:
        return found
    value = found.value + gain if found.has_policy else None
    return Found(value, found.node, found.upper + gain, found.has_policy)


def _merge(old: Found, new: Found) -> Found:
    """Join what two searches of the same position learnt."""
    if new.upper is None or old.upper is None:
        return _INFEASIBLE
    upper = min(old.upper, new.upper)
    keep = new if new.has_policy and (not old.has_policy or new.value >= old.value) else old
    return Found(keep.value, keep.node, upper, keep.has_policy)


def _reaches(value: Any, enough: Any) -> bool:
    return enough is not None and bool(value >= enough)
