"""The program that runs BLISS for a large graph: `python automorphisms_child.py PARENT_ID SECONDS GRAPH RESULT`."""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import sys

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


def _end_with(parent: int) -> None:
    """Ask Linux to end this process with its parent; elsewhere the limit on processor time has to do."""
    set_parent_death_signal = 1
    try:
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
    except (OSError, AttributeError):
        return
    if os.getppid() != parent:
        sys.exit("the process that wanted these symmetries is gone")


def main() -> None:
    """Read the graph, write the generators."""
    _end_with(int(sys.argv[1]))
    cpu = math.ceil(float(sys.argv[2])) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    given = np.load(sys.argv[3])
    rows, count = find(given["colours"], given["edges"], int(given["points"]))
    np.savez(sys.argv[4], rows=rows, count=np.array(str(count)))


if __name__ == "__main__":
    main()
