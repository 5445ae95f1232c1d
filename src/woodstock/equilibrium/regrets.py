"""Equilibria by regret minimisation over a tree of information sets.

For two roles whose goals add up to a constant the exploitability of the average strategies goes to zero. For any other
game the same loop runs, and the result is only what its NashConv says. Two rules are known: CFR+ and PCFR+. Neither is
better in all games, so `auto` runs both for a short while and goes on with the one that is ahead.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from woodstock import _native
from woodstock.equilibrium.profile import Behaviour, ProfileValues
from woodstock.equilibrium.tree import InformationTree
from woodstock.errors import GameError

RULES = ("auto", "cfr+", "pcfr+")
DEFAULT_TARGET = 1e-3
# Iterations of each rule before `auto` decides.
_RACE = 128
# Evaluating a profile costs about as much as two iterations: it is done when there are so many times more iterations.
_GROWTH = 1.25
_SLICE_S = 1.0


@dataclass(frozen=True, eq=False)
class Regrets:
    """Average strategies in the order of a tree, their values, and why the minimisation ended.

    `ended` is `target`, `iterations`, `seconds` or `interrupted`.
    """

    behaviours: list[Behaviour]
    values: ProfileValues
    iterations: int
    rule: str
    seconds: float
    ended: str


def minimise_regret(
    tree: InformationTree,
    *,
    rule: str = "auto",
    target: float = DEFAULT_TARGET,
    iterations: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int, ProfileValues], None] | None = None,
) -> Regrets:
    """Return average strategies whose exploitability is at most `target` goals, or what a limit or Ctrl-C left.

    >>> import woodstock
    >>> tree = woodstock.equilibrium.InformationTree(woodstock.load("kuhn-poker"))
    >>> found = minimise_regret(tree, target=0.01)
    >>> found.ended, round(found.values.values["first"], 1), found.values.exploitability <= 0.01
    ('target', 48.6, True)
    """
    if rule not in RULES:
        raise GameError(f"no rule {rule!r} of regret minimisation; there are {', '.join(RULES)}")
    if not target >= 0:
        raise GameError(f"the target is an exploitability of at least 0 goals, not {target}")
    began = time.perf_counter()
    run = _Run(tree, target, iterations, None if seconds is None else began + seconds, progress)
    found = run.race() if rule == "auto" else _Rule(tree, rule)
    run.go_on(found)
    behaviours = [found.native.average(player) for player in range(len(tree.roles))]
    spent = time.perf_counter() - began
    return Regrets(behaviours, found.evaluate(), found.native.iterations, found.name, spent, run.ended)


class _Rule:
    """One rule under way."""

    def __init__(self, tree: InformationTree, name: str) -> None:
        self.name, self._tree = name, tree
        self.native = _native.RegretMinimiser(tree.form, name)
        self._evaluated: tuple[int, ProfileValues] | None = None

    def evaluate(self) -> ProfileValues:
        if self._evaluated is None or self._evaluated[0] != self.native.iterations:
            self._evaluated = self.native.iterations, self._tree.named(*self.native.evaluate())
        return self._evaluated[1]


class _Run:
    """The limits, and how far it got."""

    def __init__(
        self,
        tree: InformationTree,
        target: float,
        iterations: int | None,
        ends_at: float | None,
        progress: Callable[[int, ProfileValues], None] | None,
    ) -> None:
        self._tree, self._target, self._ends_at, self._progress = tree, target, ends_at, progress
        self._most = 2**62 if iterations is None else iterations
        self.ended = ""

    def race(self) -> _Rule:
        """Run both rules for a while and return the one that is ahead."""
        rules = [_Rule(self._tree, name) for name in RULES[1:]]
        until = min(_RACE, self._most)
        for rule in rules:
            while rule.native.iterations < until and not self._is_over(rule):
                self._step(rule, min(until, self._next(rule)))
            if self.ended:
                break
        return min(rules, key=lambda rule: rule.evaluate().nash_conv)

    def go_on(self, rule: _Rule) -> None:
        """Run one rule to the end."""
        while not self._is_over(rule):
            self._step(rule, min(self._most, self._next(rule)))

    @staticmethod
    def _next(rule: _Rule) -> int:
        return int(rule.native.iterations * _GROWTH) + 8

    def _step(self, rule: _Rule, until: int) -> None:
        left = _SLICE_S if self._ends_at is None else min(_SLICE_S, max(0.0, self._ends_at - time.perf_counter()))
        try:
            rule.native.run(until - rule.native.iterations, left)
            if self._progress is not None:
                self._progress(rule.native.iterations, rule.evaluate())
        except KeyboardInterrupt:
            self.ended = "interrupted"

    def _is_over(self, rule: _Rule) -> bool:
        if not self.ended and rule.native.iterations and rule.evaluate().exploitability <= self._target:
            self.ended = "target"
        if not self.ended and self._ends_at is not None and time.perf_counter() >= self._ends_at:
            self.ended = "seconds"
        if not self.ended and rule.native.iterations >= self._most:
            self.ended = "iterations"
        return bool(self.ended)
