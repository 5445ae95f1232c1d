"""An obvious solver: recursion over `State`, with no table of images and no native code beyond the engine."""

from __future__ import annotations

import itertools
from fractions import Fraction

import woodstock
from woodstock.gdl.chance import is_chance

Values = tuple[Fraction, ...]


def brute_force(state: woodstock.State, player: str | None = None, wins: bool = False) -> Values:
    """Return the value of a state for each role, as docs/symmetries.md defines it."""
    return _value(state, player, wins, {})


def _value(state: woodstock.State, player: str | None, wins: bool, known: dict[woodstock.State, Values]) -> Values:
    if state in known:
        return known[state]
    roles = state.game.roles
    if state.is_terminal:
        goals = [state.goals[role] or 0 for role in roles]
        best = 100
        result = tuple(Fraction(int(goal == best)) if wins else Fraction(goal) for goal in goals)
    else:
        averaged = [r for r in roles if is_chance(r) or (player is not None and r != player)]
        deciders = [r for r in roles if r not in averaged]
        table: dict[tuple[str, ...], list[Values]] = {}
        for joint in itertools.product(*[state.legal(role) for role in roles]):
            chosen = dict(zip(roles, joint, strict=True))
            key = tuple(chosen[role] for role in deciders)
            table.setdefault(key, []).append(_value(state.next(joint), player, wins, known))
        mean = {
            key: tuple(sum((row[i] for row in rows), Fraction(0)) / len(rows) for i in range(len(roles)))
            for key, rows in table.items()
        }
        result = _combine(state, deciders, mean)
    known[state] = result
    return result


def _combine(state: woodstock.State, deciders: list[str], mean: dict[tuple[str, ...], Values]) -> Values:
    roles = state.game.roles
    choosing = [role for role in deciders if len(state.legal(role)) > 1]
    if not choosing:
        return next(iter(mean.values()))
    if len(choosing) == 1:
        mover = roles.index(choosing[0])
        best = max(row[mover] for row in mean.values())
        kept = [row for row in mean.values() if row[mover] == best]
        return tuple(min(row[i] for row in kept) for i in range(len(roles)))
    result = []
    for i, role in enumerate(roles):
        if role not in choosing:
            result.append(min(row[i] for row in mean.values()))
            continue
        place = deciders.index(role)
        result.append(max(min(row[i] for key, row in mean.items() if key[place] == move) for move in state.legal(role)))
    return tuple(result)
