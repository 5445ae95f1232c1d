"""Recursion that means "there is a chain from here to there", as in hex, whichever end it is followed from.

Rules such as `linked(v) <- cell(v)` for v on one side, `linked(v) <- linked(u), cell(v)` for neighbours u and v, and
`won <- linked(v)` for v on the other side walk from one side to the other. If being neighbours is mutual, walking back
is the same. Such a set of rules is replaced by a `Connection`, in which both sides look alike; any other recursion
stays as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from woodstock.symmetry.terms import Term


@dataclass(frozen=True)
class Connection:
    """Places, each with what must hold there, pairs of neighbours, and the places of the two ends."""

    guards: Mapping[int, Term]
    neighbours: frozenset[tuple[int, int]]
    ends: tuple[frozenset[int], frozenset[int]]


def find_connection(
    members: Sequence[int], terms: Mapping[int, Sequence[Term]], exits: frozenset[int]
) -> Connection | None:
    """Return the connection that recursive atoms describe; None if they mean something else.

    `terms` are the bodies of each member, `exits` the members that are used from outside.
    """
    inside = set(members)
    guards: dict[int, Term] = {}
    arrows: set[tuple[int, int]] = set()
    starts: set[int] = set()
    for member in members:
        bodies = [(term - inside, [x for x in term if abs(x) in inside]) for term in terms[member]]
        shared = frozenset.intersection(*[rest for rest, _before in bodies])
        for rest, before in bodies:
            if rest != shared or len(before) > 1 or any(x < 0 for x in before):
                return None
            if before:
                arrows.add((before[0], member))
            else:
                starts.add(member)
        guards[member] = shared
    if any((b, a) not in arrows for a, b in arrows):
        return None
    return Connection(guards, frozenset(arrows), (frozenset(starts), exits))


def exits_to_one_user(
    members: Sequence[int], rules: Mapping[int, Sequence[Sequence[int]]], uses: Mapping[int, Sequence[int]]
) -> tuple[int, frozenset[int]] | None:
    """Return the only atom outside that uses the members, one at a time and nothing with it, and which it uses."""
    inside = set(members)
    users = {user for member in members for user in uses.get(member, ()) if user not in inside}
    if len(users) != 1:
        return None
    (user,) = users
    exits = set()
    for body in rules[user]:
        used = [literal for literal in body if abs(literal) in inside]
        if not used:
            continue
        if len(body) != 1 or used[0] < 0:
            return None
        exits.add(used[0])
    return user, frozenset(exits)
