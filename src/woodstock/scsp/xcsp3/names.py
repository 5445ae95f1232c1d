"""Ids that XCSP3 allows, made from names of any kind."""

from __future__ import annotations

import re
from collections.abc import Iterable

from woodstock.scsp.xcsp3.functional import ARITIES

_LONGEST = 60
_ODD = re.compile(r"[^A-Za-z0-9]+")
_RESERVED = {*ARITIES, "others", "true", "false", "not", "iff", "infinity"}


def make_ids(names: Iterable[str]) -> list[str]:
    """Return an id for each name: letters, digits and _ of the name, with a number if two would be equal.

    >>> make_ids(["(cell 1 2)", "cell_1_2", "7", "eq"])
    ['cell_1_2', 'cell_1_2_2', 'v7', 'v_eq']
    """
    used: set[str] = set()
    result = []
    for name in names:
        base = _ODD.sub("_", name).strip("_")[:_LONGEST].strip("_") or "v"
        if base in _RESERVED:
            base = f"v_{base}"
        elif not base[0].isalpha():
            base = f"v{base}"
        candidate, number = base, 1
        while candidate.lower() in used:
            number += 1
            candidate = f"{base}_{number}"
        used.add(candidate.lower())
        result.append(candidate)
    return result
