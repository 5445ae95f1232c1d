"""Generators of a graph's automorphisms by igraph's BLISS [Junttila, Kaski 2007], inside a time budget.

Small graphs take milliseconds and are done here. A large one goes to a child process, which can be killed: BLISS cannot
be interrupted, and blocks all other threads of the interpreter.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from woodstock.child import ChildOverrun, Limits, run_child
from woodstock.errors import BudgetExceeded

# For a smaller graph, BLISS is faster than the start of a child process. Vertices and edges together.
_SIZE_DONE_HERE = 30_000


def generators(
    colours: NDArray[np.int64], edges: NDArray[np.int64], points: int, seconds: float
) -> tuple[NDArray[np.int64], int]:
    """Return generators of the group's action on the first vertices, one row each, none of them trivial.

    The number is that of the graph's automorphisms, at least the order of the group.
    """
    if len(colours) + len(edges) <= _SIZE_DONE_HERE:
        from woodstock.symmetry.automorphisms_child import find

        rows, count = find(colours, edges, points)
    else:
        rows, count = _in_child(colours, edges, points, seconds)
    identity = np.arange(points)
    rows = rows[(rows != identity).any(axis=1)]
    return (np.unique(rows, axis=0) if len(rows) else rows), count


def _in_child(
    colours: NDArray[np.int64], edges: NDArray[np.int64], points: int, seconds: float
) -> tuple[NDArray[np.int64], int]:
    size = f"the graph has {len(colours):,} vertices and {len(edges):,} edges"
    with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
        given, found = Path(folder) / "graph.npz", Path(folder) / "found.npz"
        np.savez(given, colours=colours, edges=edges, points=np.array(points))
        try:
            run_child("woodstock.symmetry.automorphisms_child", given, found, limits=Limits(seconds))
        except ChildOverrun:
            raise BudgetExceeded("symmetries", seconds, seconds, "s", size) from None
        with np.load(found) as answer:
            return answer["rows"], int(str(answer["count"]))
