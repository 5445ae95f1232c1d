"""Values and best responses by their definitions: every history is walked, every pure strategy is tried."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

from woodstock.equilibrium import Strategy
from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.information import InformationState
from woodstock.information.referee import next_view

Chooser = Callable[[InformationState], Mapping[str, float]]


def values(start: State, chooser: Chooser) -> dict[str, float]:
    """Return the expected goal of each role."""
    views = {role: InformationState.at(start, role) for role in start.game.roles}
    return _values(start, views, chooser)


def _values(state: State, views: dict[str, InformationState], chooser: Chooser) -> dict[str, float]:
    roles = state.game.roles
    if state.is_terminal:
        return {role: float(state.scores[role]) for role in roles}
    chances = []
    for role in roles:
        legal = state.legal(role)
        if is_chance(role) or len(legal) == 1:
            chances.append(dict.fromkeys(legal, 1 / len(legal)))
        else:
            chances.append(dict(chooser(views[role])))
    total = dict.fromkeys(roles, 0.0)
    for joint in itertools.product(*(one.items() for one in chances)):
        weight = 1.0
        for _move, p in joint:
            weight *= p
        if weight == 0:
            continue
        after = state.next([move for move, _p in joint])
        below = _values(after, {role: next_view(views[role], after) for role in roles}, chooser)
        for role in roles:
            total[role] += weight * below[role]
    return total


def choices(start: State, role: str) -> list[InformationState]:
    """Return what a role can know where it has a choice, each once."""
    found: dict[InformationState, None] = {}

    def note(view: InformationState) -> dict[str, float]:
        if view.role == role:
            found[view] = None
        return dict.fromkeys(view.legal, 1 / len(view.legal))

    values(start, note)
    return list(found)


def best_response(start: State, role: str, strategy: Strategy) -> float:
    """Return the most that a role gets by any pure strategy against the others'."""
    views = choices(start, role)
    best = float("-inf")
    for pure in itertools.product(*(view.legal for view in views)):
        plan = dict(zip(views, pure, strict=True))
        best = max(best, values(start, lambda view, plan=plan: _answer(view, role, plan, strategy))[role])  # type: ignore[misc]
    return best


def _answer(
    view: InformationState, role: str, plan: dict[InformationState, str], strategy: Strategy
) -> Mapping[str, float]:
    return {plan[view]: 1.0} if view.role == role else strategy(view)
