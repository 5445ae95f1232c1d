"""Recognise hexagonal boards by the neighbours that the rules give to places.

Comes in: pairs of neighbouring places, under any name. Goes out: where each place lies on a hexagonal grid, or None.
Cost: linear in the pairs. The six neighbours of an inner place form a ring; two neighbours placed side by side leave
one spot for each place next to both, and so on outwards. In the end all neighbours must lie side by side, and nearly
all places that lie side by side must be neighbours; otherwise the board is not hexagonal.
"""

from __future__ import annotations

import itertools
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

Place = TypeVar("Place", bound=Hashable)
Spot = tuple[int, int]

# The neighbours of a spot, in a ring. A spot (q, r) is drawn at x = q + r / 2, y = r, downwards.
RING: tuple[Spot, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
MIN_PLACES = 7
MAX_CENTRES = 8
# Rules may leave out a few sides: a wall, or a mistake.
MIN_SHARE = 0.9


def embed(places: Iterable[Place], pairs: Iterable[tuple[Place, Place]]) -> dict[Place, Spot] | None:
    """Return the spot of each place, or None if the places are no hexagonal grid in one piece."""
    known = dict.fromkeys(places)
    near: dict[Place, set[Place]] = defaultdict(set)
    for a, b in pairs:
        if a != b and a in known and b in known:
            near[a].add(b)
            near[b].add(a)
    if len(known) < MIN_PLACES or len(near) < len(known) or any(len(others) > 6 for others in near.values()):
        return None
    for centre in sorted((place for place in known if len(near[place]) == 6), key=str)[:MAX_CENTRES]:
        ring = _ring(centre, near)
        if ring is not None:
            spots: dict[Place, Spot] = {centre: (0, 0), **dict(zip(ring, RING, strict=True))}
            _spread(spots, near)
            if len(spots) == len(known) and _fits(spots, near):
                return spots
    return None


def _ring(centre: Place, near: Mapping[Place, set[Place]]) -> list[Place] | None:
    """Return the neighbours of a place in the order in which they touch each other."""
    left = sorted(near[centre], key=str)
    ring = [left.pop(0)]
    while left:
        following = next((place for place in left if place in near[ring[-1]]), None)
        if following is None:
            return None
        left.remove(following)
        ring.append(following)
    return ring if ring[0] in near[ring[-1]] else None


def _spread(spots: dict[Place, Spot], near: Mapping[Place, set[Place]]) -> None:
    """Place all others, each next to two placed neighbours that touch each other."""
    taken = {spot: place for place, spot in spots.items()}
    waiting = deque(spots)
    while waiting:
        place = waiting.popleft()
        q, r = spots[place]
        for turn in range(6):
            mate = taken.get((q + RING[turn][0], r + RING[turn][1]))
            if mate is None or mate not in near[place]:
                continue
            for side in ((turn + 1) % 6, (turn - 1) % 6):
                spot = (q + RING[side][0], r + RING[side][1])
                free = [one for one in near[place] & near[mate] if one not in spots]
                if spot not in taken and len(free) == 1:
                    spots[free[0]] = spot
                    taken[spot] = free[0]
                    waiting.extend((free[0], place, mate))


def _fits(spots: Mapping[Place, Spot], near: Mapping[Place, set[Place]]) -> bool:
    """Return whether all neighbours lie side by side, and nearly all that lie side by side are neighbours."""
    taken = {spot: place for place, spot in spots.items()}
    sides = pairs = 0
    for place, (q, r) in spots.items():
        beside = {taken[q + dq, r + dr] for dq, dr in RING if (q + dq, r + dr) in taken}
        if not near[place] <= beside:
            return False
        sides += len(beside)
        pairs += len(near[place])
    return len(taken) == len(spots) and pairs >= MIN_SHARE * sides


def turned(spots: Mapping[Place, Spot]) -> Iterable[dict[Place, Spot]]:
    """Yield the twelve ways to lay the same grid down."""
    for turns, flipped in itertools.product(range(6), (False, True)):
        yield {place: _turn(spot, turns, flipped) for place, spot in spots.items()}


def best_turn(spots: Mapping[Place, Spot], worth: Callable[[Mapping[Place, Spot]], float]) -> dict[Place, Spot]:
    """Return the way to lay the grid down with the highest worth, moved so that r and q + r / 2 are never negative."""
    best = max(turned(spots), key=worth)
    top = min(r for _, r in best.values())
    left = min(2 * q + r for q, r in best.values())
    # Moving by `top` rows shifts x by half of that; the rest is done in whole steps.
    shift = (left - top) // 2
    return {place: (q - shift, r - top) for place, (q, r) in best.items()}


def _turn(spot: Spot, turns: int, flipped: bool) -> Spot:
    q, r = spot
    if flipped:
        q, r = q + r, -r
    for _ in range(turns):
        q, r = -r, q + r
    return q, r
