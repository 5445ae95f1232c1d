"""Proof that two players' goals always add up to the same, so that what one is sure of the other cannot get.

By induction over one step: no legal joint move leads from a state that is not terminal, and in which some invariants
hold, to an end whose goals add up to anything else. The invariants are groups of fluents of which exactly one holds,
such as the contents of a cell. Groups that a step may break are dropped until none is left that a step breaks
[Flanagan, Leino 2001].
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction

from woodstock import _native
from woodstock.gdl.chance import is_chance
from woodstock.gdl.ground_program import GroundProgram
from woodstock.invariants.groups import candidate_groups
from woodstock.invariants.step import Step, solve

# Larger rules take too long to be worth it: they are stated twice.
_MOST_LITERALS = 150_000
# A number and not a time, so that a search with a seed and without a clock is always the same.
_MOST_CONFLICTS = 20_000


def has_constant_sum(ground: GroundProgram, circuit: _native.Circuit, seconds: float) -> bool:
    """Return whether it is proved, within the time, that the goals of two players add up to the same at every end.

    False says nothing. The goals of each player are scaled to 0..1 first.
    """
    players = [role for role, name in enumerate(ground.roles) if not is_chance(name)]
    if len(players) != 2 or len(ground.bodies) > _MOST_LITERALS or _native.Stepper(circuit).is_terminal():
        return False
    ends_at = time.monotonic() + seconds
    step = Step(ground)
    step.all_rules()
    shift = step.state_after()
    after = [atom + shift if atom else 0 for atom in ground.fluent_atoms.tolist()]
    # Whether exactly one member holds before the step -> whether this fails after it.
    alive = {
        step.exactly_one([step.fluents[f] for f in group]): -step.exactly_one([after[f] for f in group])
        for group in _exact_groups(ground, circuit)
        if all(after[f] for f in group)
    }
    wanted = list(alive.values())
    # A selector for each group makes one program serve all rounds: only groups that are still alive count as broken.
    selectors = {breaks: step.switch() for breaks in wanted}
    some_breaks = step.any_of([[breaks, selectors[breaks]] for breaks in wanted])
    bad = _bad_end(step, ground, shift, players)
    control = step.load(_MOST_CONFLICTS)

    def is_over() -> bool:
        return time.monotonic() >= ends_at

    while alive:
        used = set(alive.values())
        chosen = [selector if breaks in used else -selector for breaks, selector in selectors.items()]
        broken = solve(control, [*alive, *chosen, some_breaks], wanted, is_over)
        if broken == "none":
            break
        if isinstance(broken, str):
            return False
        alive = {holds: breaks for holds, breaks in alive.items() if breaks not in broken}
    return solve(control, [*alive, bad], [], is_over) == "none"


def _exact_groups(ground: GroundProgram, circuit: _native.Circuit) -> list[tuple[int, ...]]:
    """Return groups that may be exact: fluents that differ in one argument, or in all, and single fluents."""
    initial = set(ground.initial)
    candidates = [group for groups in candidate_groups(ground, circuit) for group in groups]
    grouped = {fluent for group in candidates for fluent in group.fluents}
    found = {
        group.fluents for group in candidates if group.is_exact and group.free_count in (1, len(group.pattern) - 1)
    }
    found.update((fluent,) for fluent in initial - grouped)
    return sorted(found)


def _bad_end(step: Step, ground: GroundProgram, shift: int, players: Sequence[int]) -> int:
    """Return a literal for "the step leads to an end whose goals do not add up, or where one is missing"."""
    end = ground.terminal + shift
    values: list[list[tuple[Fraction, int]]] = []
    for role in players:
        named = [(value, atom + shift) for other, value, atom in ground.goals if other == role and atom]
        least = min((value for value, _ in named), default=0)
        most = max((value for value, _ in named), default=0)
        values.append([(Fraction(value - least, max(most - least, 1)), literal) for value, literal in named])
    bad = [[end, of_a, of_b] for a, of_a in values[0] for b, of_b in values[1] if a + b != 1]
    bad += [[end, -step.exactly_one([literal for _, literal in goals])] for goals in values]
    return step.any_of(bad) if ground.terminal else step.any_of([])
