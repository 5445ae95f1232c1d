"""Which fluents are alike, so that what a net learns of one of them says something of the others.

Fluents are alike if they have the same name and agree in some of their arguments: a white knight on any square, any
piece on this square, any black piece in this row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from woodstock.gdl.kif import split_term

# A net meets each fluent of a smaller game soon, and kinds would only take time. A larger game has no time to learn.
_LEAST_FLUENTS, _MOST_FLUENTS = 500, 20_000
# A fluent with so many arguments has up to 30 kinds.
_MOST_ARGUMENTS = 5


def find_kinds(fluents: Sequence[str]) -> list[list[int]]:
    """Return the kinds of two or more fluents, given as KIF text; a fluent may be of several kinds or of none."""
    return kinds_of(fluents) if _LEAST_FLUENTS <= len(fluents) <= _MOST_FLUENTS else []


def kinds_of(fluents: Sequence[str]) -> list[list[int]]:
    """Return the kinds, however many fluents there are.

    >>> kinds_of(["(cell 1 a king)", "(cell 1 b king)", "(cell 2 b rook)", "(control white)"])
    [[0, 1], [1, 2]]
    """
    groups = defaultdict[tuple[object, ...], list[int]](list)
    for fluent, text in enumerate(fluents):
        name, *arguments = split_term(text)
        if len(arguments) > _MOST_ARGUMENTS:
            continue
        places = range(len(arguments))
        for count in range(1, len(arguments)):
            for kept in combinations(places, count):
                groups[(name, kept, *(arguments[place] for place in kept))].append(fluent)
    # Two ways of being alike may give the same fluents.
    return [list(kind) for kind in dict.fromkeys(map(tuple, groups.values())) if len(kind) > 1]
