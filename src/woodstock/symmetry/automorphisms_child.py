"""The program that runs BLISS for a large graph: `python automorphisms_child.py PARENT_ID SECONDS GRAPH RESULT`."""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from woodstock.bounded_child import bound


def find(colours: NDArray[np.int64], edges: NDArray[np.int64], points: int) -> tuple[NDArray[np.int64], int]:
    """Return the images of the first `points` vertices under each generator, one row each, and the number of
    symmetries."""
    import igraph  # type: ignore[import-untyped]

    graph = igraph.Graph(n=len(colours), edges=edges)
    graph.simplify()
    # The splitting heuristics changes speed alone; this one is the fastest on graphs of games.
    found = graph.automorphism_group(sh="fm", color=colours.tolist())
    count = int(graph.count_automorphisms(sh="fm", color=colours.tolist())) if found else 1
    return np.array([row[:points] for row in found], dtype=np.int64).reshape(-1, points), count


def main() -> None:
    """Read the graph, write the generators."""
    bound(int(sys.argv[1]), float(sys.argv[2]))
    given = np.load(sys.argv[3])
    rows, count = find(given["colours"], given["edges"], int(given["points"]))
    np.savez(sys.argv[4], rows=rows, count=np.array(str(count)))


if __name__ == "__main__":
    main()
