"""Count or enumerate the assignments of a network that break no hard constraint.

Chance variables are variables like the others here: this is the plain problem that any XCSP3 solver sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from woodstock.constraint.expression import Value
from woodstock.constraint.posting import Poster, PostingOptions
from woodstock.scsp.network import Network

# Instances may have thousands of constraints: tables only if they are short, and conditions are cheap parts if not.
_OPTIONS = PostingOptions(slow_limit=2_000, truth_limit=2_000, arity_limit=8, has_joint_tables=False)


@dataclass
class Solutions:
    """The result of a count or an enumeration; `status` is ``complete`` or the limit that was reached.

    The limits are ``seconds``, ``nodes``, ``solutions`` and ``memory``; ``interrupted`` means Ctrl-C.
    """

    count: int = 0
    status: str = "running"
    nodes: int = 0
    failures: int = 0
    cpu_seconds: float = 0.0

    @property
    def is_complete(self) -> bool:
        """Whether all solutions are known."""
        return self.status == "complete"

    def take(self, outcome: Any) -> None:
        """Copy the figures of the native search."""
        self.count, self.status, self.nodes = outcome.count, outcome.status, outcome.nodes
        self.failures, self.cpu_seconds = outcome.failures, outcome.cpu_seconds


def count(
    network: Network,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: int | None = None,
    memory_mb: int = 4096,
) -> Solutions:
    """Count the solutions."""
    poster = Poster(network.declared, network.hard, _OPTIONS, memory_mb=memory_mb)
    result = Solutions()
    columns = poster.columns(network.declared)
    result.take(poster.solver.count(columns, limit=limit, seconds=seconds, nodes=nodes))
    return result


def enumerate_solutions(
    network: Network,
    result: Solutions | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    limit: int | None = None,
    memory_mb: int = 4096,
) -> Iterator[dict[str, Value]]:
    """Yield the solutions, each as values by the names of variables; `result` is updated meanwhile."""
    poster = Poster(network.declared, network.hard, _OPTIONS, memory_mb=memory_mb)
    result = Solutions() if result is None else result
    columns = poster.columns(network.declared)
    with poster.solver.batches(columns, limit=limit, seconds=seconds, nodes=nodes, batch_rows=4096) as batches:
        for rows in batches:
            positions = poster.decode(network.declared, rows)
            result.take(batches)
            for row in positions.tolist():
                yield {v.name: v.domain[position] for v, position in zip(network.declared, row, strict=True)}
        result.take(batches)
