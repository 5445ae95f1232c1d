"""The fluents of a game as variables of a network: multi-valued where that is proved, else Boolean.

Function symbols go the way of [Lifschitz, Yang 2011]: `(cell 1 1 x)` is read as cell(1,1) = x, with the arguments that
are left as the value. Where at most one member holds but perhaps none, the variable has the value `none`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram
from woodstock.scsp.game.candidates import (
    Group,
    candidate_groups,
    choose_groups,
    sample_states,
    split_term,
    value_name,
)
from woodstock.scsp.game.prove import prove_groups

NONE = "none"
_SAMPLE_SECONDS = 0.03


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
        """The position of the value that says that no fluent holds, -1 where one always does."""
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
        ranks = candidate_groups(ground, sample_states(ground, circuit, seconds=_SAMPLE_SECONDS))
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
    values: list[object] = [value_name(group, ground.fluents[fluent]) for fluent in group.fluents]
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
