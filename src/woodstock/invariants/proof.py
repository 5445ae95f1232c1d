"""Proof that groups of fluents are exclusive, by induction with clingo.

Base: the initial state. Step: take any state in which all groups are exclusive (and exact ones have a member) that is
not terminal, and any joint move of legal moves; no group is broken in the next state. Candidates whose step fails are
dropped and the rest is tried again, until what is left proves itself [Flanagan, Leino 2001].

The step is first tried natively by unit consequences, then by clingo on an abstraction: the rules that `next` needs,
and of legality only the fluents that must hold for a move to be legal. Leaving constraints out admits more states and
moves, so what is proved there is proved. The rest is tried with all rules while there is time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from woodstock import _native
from woodstock.gdl.ground_program import GroundProgram
from woodstock.invariants.groups import Group
from woodstock.invariants.step import Step, solve

_MOST_TERMINAL_BODIES = 2000
# With more rules clingo takes too long for a start clock.
_MOST_RULES = 30_000
# A step that takes more conflicts is given up: nearly all need a few hundred.
_MOST_CONFLICTS = 500
# Claims of one family resemble each other: after so many were given up, the rest is not tried.
_MOST_GIVEN_UP = 3

# The budget is processor time: what is proved must not depend on how busy the machine is.
_clock = time.process_time


def prove_groups(
    ground: GroundProgram, circuit: _native.Circuit, ranks: Sequence[Sequence[Group]], *, seconds: float
) -> list[Group]:
    """Return the candidates that are invariants; one that is only sometimes exact comes back as at most one.

    Candidates of a later rank are tried for fluents that no earlier one covers.
    """
    end = _clock() + seconds
    abstract = _Abstract(ground, circuit)
    proved: list[Group] = []
    for rank in ranks:
        covered = {fluent for group in proved for fluent in group.fluents}
        left = [group for group in _started(ground, rank) if covered.isdisjoint(group.fluents)]
        proved += _induction(abstract, left, proved, end)
    kept = {(group.pattern, group.is_exact) for group in proved}
    best = _started(ground, ranks[0]) if ranks else []
    left = [group for group in best if (group.pattern, group.is_exact) not in kept]
    if left and ground.rule_count <= _MOST_RULES:
        proved = _joined(proved, _induction(_Whole(ground), left, proved, end))
    return proved


def _started(ground: GroundProgram, candidates: Sequence[Group]) -> list[Group]:
    """Return the candidates that hold in the initial state."""
    initial = set(ground.initial)
    counts = [sum(fluent in initial for fluent in group.fluents) for group in candidates]
    return [
        group if count == 1 else replace(group, is_exact=False)
        for group, count in zip(candidates, counts, strict=True)
        if count <= 1
    ]


@dataclass(frozen=True)
class _Claim:
    """At most one member holds, or at least one does."""

    group: Group
    is_at_most: bool

    @property
    def family(self) -> object:
        """What claims that resemble each other have in common: the functor and its free arguments."""
        return self.group.pattern[0], tuple(a is None for a in self.group.pattern), self.is_at_most


def _claims(groups: Iterable[Group]) -> list[_Claim]:
    made = []
    for group in groups:
        made.append(_Claim(group, True))
        if group.is_exact:
            made.append(_Claim(group, False))
    return made


def _induction(
    program: _Abstract | _Whole, candidates: Sequence[Group], known: Sequence[Group], end: float
) -> list[Group]:
    """Return the groups that prove themselves with the help of the known ones."""
    alive = _claims(candidates)
    while alive:
        failed = _failing(program, alive, known, end)
        if failed is None:
            return []
        if not failed:
            break
        alive = [claim for claim in alive if claim not in failed]
        # "At least one" without "at most one" says nothing about a variable's values.
        exclusive = {claim.group for claim in alive if claim.is_at_most}
        alive = [claim for claim in alive if claim.group in exclusive]
    exact = {claim.group for claim in alive if not claim.is_at_most}
    return [replace(claim.group, is_exact=claim.group in exact, is_proven=True) for claim in alive if claim.is_at_most]


def _joined(proved: list[Group], more: list[Group]) -> list[Group]:
    by_pattern = {group.pattern: group for group in proved}
    for group in more:
        known = by_pattern.get(group.pattern)
        if known is None or group.is_exact:
            by_pattern[group.pattern] = group
    return list(by_pattern.values())


def _failing(
    program: _Abstract | _Whole, claims: Sequence[_Claim], known: Sequence[Group], end: float
) -> set[_Claim] | None:
    """Return the claims that do not survive a step; None if the time is over."""
    if _clock() >= end:
        return None
    assumed = [*claims, *_claims(known)]
    claims = program.unsettled(claims, assumed)
    if not claims:
        return set()
    step = program.step(assumed, claims)
    if step is None:
        return set(claims)
    of_query = {query: claim for claim in claims if (query := _violation(step, program.ground, claim)) is not None}
    control = step.load(_MOST_CONFLICTS)
    failed: set[_Claim] = set()
    given_up: dict[object, int] = {}
    for query, claim in of_query.items():
        if claim in failed:
            continue
        if given_up.get(claim.family, 0) >= _MOST_GIVEN_UP:
            failed.add(claim)
            continue
        answer = solve(control, [query], of_query, lambda: _clock() >= end)
        if answer == "stopped":
            return None
        if answer == "unknown":
            failed.add(claim)
            given_up[claim.family] = given_up.get(claim.family, 0) + 1
        elif answer != "none":
            # One counterexample may break several claims.
            failed.update(of_query[literal] for literal in answer)
    return failed


def _assume(step: Step, claim: _Claim) -> None:
    atoms = [step.fluents[fluent] for fluent in claim.group.fluents]
    step.never([step.at_least(2, atoms)] if claim.is_at_most else [-step.at_least(1, atoms)])


def _violation(step: Step, ground: GroundProgram, claim: _Claim) -> int | None:
    """Return a literal for "the claim is broken in the next state"; None if that cannot be."""
    atoms = [atom for atom in ground.next[list(claim.group.fluents)].tolist() if atom]
    if not claim.is_at_most:
        return -step.at_least(1, atoms)
    return step.at_least(2, atoms) if len(atoms) > 1 else None


class _Whole:
    """The step with all rules."""

    def __init__(self, ground: GroundProgram) -> None:
        self.ground = ground

    def unsettled(self, claims: Sequence[_Claim], assumed: Sequence[_Claim]) -> Sequence[_Claim]:
        return claims

    def step(self, assumed: Sequence[_Claim], claims: Sequence[_Claim]) -> Step | None:
        made = Step(self.ground)
        made.all_rules()
        for claim in assumed:
            _assume(made, claim)
        return made


class _Abstract:
    """The step with the rules of `next`, what legality implies, and the simple reasons for an end."""

    def __init__(self, ground: GroundProgram, circuit: _native.Circuit) -> None:
        self.ground, self._circuit, self._rules = ground, circuit, ground.native_rules()
        self._ends: list[list[int]] | None = None

    def unsettled(self, claims: Sequence[_Claim], assumed: Sequence[_Claim]) -> Sequence[_Claim]:
        """Return the claims that the quick proof by unit consequences leaves open."""
        exclusive = [claim for claim in assumed if claim.is_at_most]
        families: dict[object, int] = {}
        kept = _native.keeps_exclusive(
            self._circuit,
            self._rules,
            [claim.group.fluents for claim in exclusive],
            [families.setdefault(claim.family, len(families)) for claim in exclusive],
        )
        settled = {claim for claim, is_kept in zip(exclusive, kept, strict=True) if is_kept}
        return [claim for claim in claims if claim not in settled]

    def step(self, assumed: Sequence[_Claim], claims: Sequence[_Claim]) -> Step | None:
        ground = self.ground
        asked = np.array(sorted({f for claim in claims for f in claim.group.fluents}), dtype=np.int64)
        cone = ground.rules_by_head.cone(ground.next[asked])
        if len(cone) > _MOST_RULES:
            return None
        made = Step(ground)
        made.rules(cone.tolist())
        made.inputs()
        # What legality implies matters only for moves that these rules read.
        is_used = np.zeros(ground.atom_count + 1, dtype=bool)
        is_used[np.abs(ground.rules_by_head.literals(cone))] = True
        is_used[ground.next[asked]] = True
        is_used[0] = False
        implied: list[list[int]] = []
        if is_used[ground.move_atoms].any():
            implied = _native.implied_fluents(self._circuit, [c.group.fluents for c in assumed if c.is_at_most])
        for move, facts in zip(ground.move_atoms.tolist(), implied, strict=False):
            for fact in facts if is_used[move] else ():
                atom = made.fluents[abs(fact) - 1]
                made.never([move, -atom] if fact > 0 else [move, atom])
        if self._ends is None:
            self._ends = _simple_ends(ground)
        for body in self._ends:
            made.never(body)
        for claim in assumed:
            _assume(made, claim)
        return made


def _simple_ends(ground: GroundProgram) -> list[list[int]]:
    """Return sets of fluent literals each of which makes a state terminal, as far as they are easy to see."""
    if not ground.terminal:
        return []
    inputs = set(ground.fluent_atoms.tolist())
    rules = ground.rules_by_head
    is_large = len(rules.cone(np.array([ground.terminal], dtype=np.int32))) > 20 * _MOST_TERMINAL_BODIES
    found: list[list[int]] = []
    work = [(body, 3) for body in rules[ground.terminal]]
    while work and len(found) + len(work) < _MOST_TERMINAL_BODIES:
        body, depth = work.pop()
        derived = next((literal for literal in body if abs(literal) not in inputs), None)
        if derived is None:
            found.append(body)
        elif derived > 0 and depth and not is_large:
            rest = [literal for literal in body if literal != derived]
            work += [(rest + other, depth - 1) for other in rules[derived]]
    return found
