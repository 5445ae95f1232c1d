"""Groups of fluents that exclude each other: at most one holds, or exactly one, in every state.

Fluents that agree on the functor and on some of the arguments form a group; the other arguments are the value. With the
last argument free, `(cell 1 1 x)`, `(cell 1 1 o)` and `(cell 1 1 b)` say that `cell(1,1)` has the value x, o or b.
Random matches refute most candidates. Those that are left are conjectures until `prove_groups` has proved them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram
from woodstock.gdl.kif import split_term

_MOST_STATES = 1024
# Processor time, so that the sample does not depend on how busy the machine is.
_SAMPLE_SECONDS = 0.03
_MOST_RANKS = 2  # templates of one functor that are worth a proof


@dataclass(frozen=True)
class Group:
    """Fluents of which at most one holds, or exactly one; `pattern`: functor and arguments, None if free."""

    pattern: tuple[str | None, ...]
    fluents: tuple[int, ...]
    is_exact: bool
    is_proven: bool = False

    @property
    def free_count(self) -> int:
        """The number of free arguments."""
        return self.pattern.count(None)


def candidate_groups(ground: GroundProgram, circuit: _native.Circuit) -> list[list[Group]]:
    """Return the groups that random matches do not refute, in one list per functor and choice of free arguments."""
    found: dict[int, list[Group]] = {}
    for template, free, fluents, is_exact in _native.candidate_groups(circuit, _MOST_STATES, _SAMPLE_SECONDS):
        functor, *arguments = split_term(ground.fluents[fluents[0]])
        pattern = (functor, *[None if free >> i & 1 else argument for i, argument in enumerate(arguments)])
        found.setdefault(template, []).append(Group(pattern, tuple(fluents), is_exact))
    return list(found.values())


def best_groups(candidates: Sequence[Sequence[Group]]) -> list[list[Group]]:
    """Return for each functor its best choice of free arguments, then the second best.

    The best choice is the one that leaves the fewest variables: a group of n fluents saves n - 1.
    """
    by_functor: dict[tuple[str | None, int], list[Sequence[Group]]] = {}
    for groups in candidates:
        pattern = groups[0].pattern
        by_functor.setdefault((pattern[0], len(pattern)), []).append(groups)
    ranks: list[list[Group]] = [[] for _ in range(_MOST_RANKS)]
    for choices in by_functor.values():
        choices.sort(key=lambda groups: -sum(len(group.fluents) - 1 for group in groups))
        for rank, groups in zip(ranks, choices, strict=False):
            rank += groups
    return ranks


def choose_groups(groups: Sequence[Group]) -> list[Group]:
    """Return groups that do not overlap, the largest first: each fluent is a value of one variable."""
    taken: set[int] = set()
    chosen = []
    for group in sorted(groups, key=lambda g: (-len(g.fluents), not g.is_exact, g.fluents)):
        if taken.isdisjoint(group.fluents):
            chosen.append(group)
            taken.update(group.fluents)
    return sorted(chosen, key=lambda g: g.fluents)
