"""Run BLISS on a graph; as a child process its arguments are the files of the graph and of the result."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


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


def main(arguments: Sequence[str]) -> None:
    """Read the graph, write the generators."""
    graph, result = arguments
    given = np.load(graph)
    rows, count = find(given["colours"], given["edges"], int(given["points"]))
    np.savez(result, rows=rows, count=np.array(str(count)))
