"""Post a quantified problem to a native solver.

Whatever follows a restricted universal block is guarded: it holds by itself if the universal player broke the
restriction.
"""

from __future__ import annotations

from woodstock.constraint.expression import all_of
from woodstock.constraint.posting import Poster, PostingOptions
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

Prefix = list[tuple[int, bool, int | None]]

# Strong propagation pays: it is what keeps universal values from being tried one by one.
OPTIONS = PostingOptions(
    table_limit=100_000,
    parts_limit=20_000,
    truth_limit=20_000,
    term_limit=5_000,
    pair_limit=50_000,
    chain_limit=4_096,
    value_limit=100_000,
    has_joint_tables=False,
)


class Posting:
    """A native solver with all of a problem in it, and the prefix for the search."""

    def __init__(self, problem: Problem, memory_mb: int = 4096) -> None:
        self.problem = problem
        self.prefix: Prefix = []
        self._poster = Poster(problem.variables, options=OPTIONS, memory_mb=memory_mb)
        self.solver = self._poster.solver
        try:
            self._post_all()
        except MemoryError as error:
            raise ModelError(f"{self._poster.what}: {error}") from error

    def _post_all(self) -> None:
        problem, poster = self.problem, self._poster
        for index, term in problem.definitions.items():
            poster.what = f"definition of {problem.variables[index].name}"
            poster.define(term, poster.ids[index])
        active: int | None = None  # 1 if every universal player's choice so far counts
        for block in problem.blocks:
            guard: int | None = None
            if block.restrictions:
                poster.what = f"restriction of {', '.join(v.name for v in block.variables)}"
                if block.is_universal:
                    is_one = len(block.restrictions) == 1
                    guard = poster.truth_of(block.restrictions[0] if is_one else all_of(block.restrictions))
                    active = guard if active is None else self._both(active, guard)
                else:
                    for restriction in block.restrictions:
                        poster.require(restriction, active)
            self.prefix += [(poster.ids[v.index], block.is_universal, guard) for v in block.variables]
        for number, constraint in enumerate(problem.constraints, start=1):
            poster.what = f"constraint {number}"
            poster.require(constraint, active)

    def _both(self, x: int, y: int) -> int:
        both = self.solver.add_variable([0, 1])
        self.solver.add_all_of(both, [(x, 1), (y, 1)])
        return both
