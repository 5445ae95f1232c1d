"""Which goal counts at an end with several: the order of the `goal` rules, as `woodstock.game.scores` has it."""

from __future__ import annotations

import itertools

from woodstock.gdl.ast import Constant, Program


def goal_order(program: Program) -> tuple[int, ...]:
    """Return the goals of a one-player game in the order in which they count if several hold.

    Empty if the values alone do not say it: the rules of two values alternate, or one rule gives several.
    """
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, rule in enumerate(program.rules):
        if rule.head.name != "goal" or len(rule.head.args) != 2:
            continue
        value = rule.head.args[1]
        if not isinstance(value, Constant) or not value.name.isdecimal():
            return ()
        first.setdefault(int(value.name), number)
        last[int(value.name)] = number
    order = sorted(first, key=first.__getitem__)
    is_clear = all(last[one] < first[next_one] for one, next_one in itertools.pairwise(order))
    return tuple(order) if is_clear else ()
