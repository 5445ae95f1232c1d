"""Which variables of a state a learned value looks at together: those that a rule relates.

Comes in: the ground rules of a game. Goes out: `Patterns`, variables and scopes. A variable is a group of fluents of
which at most one holds, such as the content of a cell. A scope is a few variables that occur together in a rule of ends
and goals, such as four cells in a row. Whose turn it is belongs to every scope.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram
from woodstock.invariants.groups import best_groups, candidate_groups, choose_groups

# Variables of a scope, and their combinations with the turn. The net's own units see pairs.
_LEAST_VARIABLES, _MOST_VARIABLES, _MOST_COMBINATIONS = 3, 6, 512
# A variable with more values is a counter rather than the content of a place.
_MOST_VALUES = 20
# The variable of the turn has no more values than this.
_MOST_ROLES = 5
# With more scopes than this a value would cost more than playouts; some of them alone would mislead.
_MOST_SCOPES = 512
# Rules are looked at up to this number; a larger game has no time to learn much.
_MOST_RULES = 200_000

Scope = frozenset[int]


@dataclass(frozen=True, slots=True)
class Patterns:
    """The fluents that are the values of each variable, except the value 0, and the variables of each scope."""

    variables: tuple[tuple[int, ...], ...] = ()
    scopes: tuple[tuple[int, ...], ...] = ()


def find_patterns(ground: GroundProgram, circuit: _native.Circuit) -> Patterns:
    """Return the variables and scopes of the rules that say when the game ends and who wins."""
    if len(ground.heads) > _MOST_RULES:
        return Patterns()
    variables, held = _variables(ground, circuit)
    sizes = [len(fluents) + 1 for fluents in variables]
    finder = _Scopes(ground, variables, held)
    turn = finder.turn(sizes)
    turns = () if turn is None else (turn,)
    usable = {v for v, size in enumerate(sizes) if size <= _MOST_VALUES and v != turn}
    found = dict.fromkeys(scope & usable for scope in finder.of_ends())
    fitting = [
        scope
        for scope in found
        if len(scope) >= _LEAST_VARIABLES and _combinations((*scope, *turns), sizes) <= _MOST_COMBINATIONS
    ]
    kept = _maximal(fitting) if len(fitting) <= 4 * _MOST_SCOPES else []
    if not 0 < len(kept) <= _MOST_SCOPES:
        return Patterns()
    return Patterns(variables, tuple((*sorted(scope), *turns) for scope in kept))


def _variables(ground: GroundProgram, circuit: _native.Circuit) -> tuple[tuple[tuple[int, ...], ...], list[int]]:
    """Return the fluents of each variable, and the one that is its value 0; -1: none of its fluents holds then."""
    candidates = candidate_groups(ground, circuit)
    groups = choose_groups(best_groups(candidates)[0]) if candidates else []
    taken = {fluent for group in groups for fluent in group.fluents}
    # If exactly one of them always holds, the value 0 is the one that holds at first.
    initial = set(ground.initial)
    held = [next((f for f in group.fluents if group.is_exact and f in initial), -1) for group in groups]
    found = [tuple(f for f in group.fluents if f != zero) for group, zero in zip(groups, held, strict=True)]
    others = [(fluent,) for fluent in range(len(ground.fluents)) if fluent not in taken]
    return (*found, *others), held + [-1] * len(others)


class _Scopes:
    """The scopes of ground rules."""

    def __init__(self, ground: GroundProgram, variables: Sequence[Sequence[int]], held: Sequence[int]) -> None:
        self._ground = ground
        self._bodies = ground.rules_by_head.bodies()
        atoms = ground.fluent_atoms.tolist()
        self._variable_of = {atoms[f]: v for v, fluents in enumerate(variables) for f in fluents if atoms[f] > 0}
        self._variable_of |= {atoms[f]: v for v, f in enumerate(held) if f >= 0 and atoms[f] > 0}
        # For each atom the variables that it depends on, as far as there are few.
        self._needs: dict[int, Scope] = {atom: frozenset((v,)) for atom, v in self._variable_of.items()}

    def turn(self, sizes: Sequence[int]) -> int | None:
        """Return the variable that most rules of legal moves name, if it has few values: it says whose turn it is."""
        legal = [body for atom in set(self._ground.legal.tolist()) for body in self._bodies.get(atom, ())]
        counts = Counter(v for body in legal for v in {self._variable_of.get(abs(one)) for one in body})
        del counts[None]
        found = max(counts, key=lambda v: counts[v], default=None)
        return found if found is not None and sizes[found] <= _MOST_ROLES and 2 * counts[found] > len(legal) else None

    def of_ends(self) -> Iterator[Scope]:
        """Yield the scope of each rule that ends and goals depend on, and legal moves do not."""
        ground, by_head = self._ground, self._ground.rules_by_head
        ends = by_head.cone(np.array([ground.terminal, *(atom for _, _, atom in ground.goals)], dtype=np.int32))
        rules = np.setdiff1d(ends, by_head.cone(ground.legal))
        for head in dict.fromkeys(ground.heads[rules].tolist()):
            yield from map(self._scope, self._bodies[head])

    def _scope(self, body: Sequence[int]) -> Scope:
        few, own = set[int](), set[int]()
        for literal in body:
            needs = self._needs_of(abs(literal))
            few |= needs if len(needs) <= _MOST_VARIABLES else set()
            own |= needs if len(needs) == 1 else set()
        return frozenset(few if len(few) <= _MOST_VARIABLES + 1 else own)

    def _needs_of(self, atom: int) -> Scope:
        """Return the variables that an atom depends on; of too many, some. Without recursion: rules are deep."""
        waiting = [atom]
        while waiting:
            at = waiting[-1]
            used = {abs(one) for body in self._bodies.get(at, ()) for one in body}
            # Atoms under way depend on this one; what they need is left out.
            missing = [one for one in used if one not in self._needs]
            if at not in self._needs and missing:
                self._needs[at] = frozenset()
                waiting += missing
                continue
            waiting.pop()
            if at not in self._variable_of:
                needs = frozenset[int]().union(*(self._needs[one] for one in used))
                self._needs[at] = (
                    needs if len(needs) <= 2 * _MOST_VARIABLES else frozenset(sorted(needs)[: 2 * _MOST_VARIABLES])
                )
        return self._needs[atom]


def _combinations(scope: Iterable[int], sizes: Sequence[int]) -> int:
    return math.prod(sizes[v] for v in scope)


def _maximal(scopes: Iterable[Scope]) -> list[Scope]:
    """Return the scopes that are no part of another one, in their order."""
    kept = list(scopes)
    by_variable = defaultdict[int, list[Scope]](list)
    for scope in kept:
        for v in scope:
            by_variable[v].append(scope)
    return [scope for scope in kept if not any(scope < other for other in by_variable[min(scope)])]
