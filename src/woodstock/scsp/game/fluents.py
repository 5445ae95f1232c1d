"""The fluents of a game as variables of a network: multi-valued if that is proved, else Boolean.

As in [Lifschitz, Yang 2011], `(cell 1 1 x)` is read as cell(1,1) = x: the free arguments of its group are the value. If
perhaps no member holds, the variable also has the value `none`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram
from woodstock.gdl.kif import split_term
from woodstock.invariants.groups import Group, best_groups, candidate_groups, choose_groups
from woodstock.invariants.proof import prove_groups

NONE = "none"


@dataclass(frozen=True)
class FluentVariable:
    """A variable that says which of its fluents holds.

    `fluents[i]` is the fluent that value i stands for; None for the value `none`, and for false of a Boolean.
    """

    name: str
    values: tuple[object, ...]
    fluents: tuple[int | None, ...]

    @property
    def is_boolean(self) -> bool:
        """Whether it is one fluent, true or false."""
        return self.values == (False, True)

    @property
    def none(self) -> int:
        """The position of the value for "no fluent holds", -1 if one always does."""
        return self.fluents.index(None) if None in self.fluents else -1


def readable(text: str) -> str:
    """Return a ground KIF term as f(a,b).

    >>> readable("(move (pos 1 2) e)")
    'move(pos(1,2),e)'
    """
    parts = split_term(text)
    if len(parts) == 1:
        return parts[0]
    return f"{parts[0]}({','.join(map(readable, parts[1:]))})"


def find_variables(ground: GroundProgram, circuit: _native.Circuit, *, seconds: float) -> tuple[FluentVariable, ...]:
    """Return variables for all fluents, in the order of their first fluent; at most `seconds` go into proofs."""
    groups: Sequence[Group] = ()
    if seconds > 0 and ground.fluents:
        ranks = best_groups(candidate_groups(ground, circuit))
        groups = choose_groups(prove_groups(ground, circuit, ranks, seconds=seconds))
    made = [_from_group(ground, group) for group in groups]
    grouped = {fluent for group in groups for fluent in group.fluents}
    made += [
        FluentVariable(readable(text), (False, True), (None, fluent))
        for fluent, text in enumerate(ground.fluents)
        if fluent not in grouped
    ]
    return tuple(sorted(made, key=lambda v: min(f for f in v.fluents if f is not None)))


def _from_group(ground: GroundProgram, group: Group) -> FluentVariable:
    values: list[object] = [_value_name(group, ground.fluents[fluent]) for fluent in group.fluents]
    fluents: list[int | None] = list(group.fluents)
    if not group.is_exact:
        values.append(NONE if NONE not in values else f"({NONE})")
        fluents.append(None)
    return FluentVariable(_group_name(group), tuple(values), tuple(fluents))


def _group_name(group: Group) -> str:
    arguments = ["_" if argument is None else readable(argument) for argument in group.pattern[1:]]
    while arguments and arguments[-1] == "_":
        arguments.pop()
    return f"{group.pattern[0]}({','.join(arguments)})" if arguments else str(group.pattern[0])


def _value_name(group: Group, text: str) -> str:
    """Return the free arguments of a member."""
    free = [part for part, fixed in zip(split_term(text), group.pattern, strict=True) if fixed is None]
    return free[0] if len(free) == 1 else f"({' '.join(free)})"
