"""A whole quantified problem in a native solver."""

from __future__ import annotations

from woodstock._native import Solver
from woodstock.constraint.expression import Expression, Logic
from woodstock.constraint.posting.conditions import ConditionPoster
from woodstock.constraint.values import integers
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

Prefix = list[tuple[int, bool, int | None]]


class Posting:
    """A native solver with all of a problem in it, and the prefix for the search."""

    def __init__(self, problem: Problem, memory_mb: int = 4096) -> None:
        self.problem = problem
        self.solver = Solver(memory_mb=memory_mb)
        self.prefix: Prefix = []
        self._poster = ConditionPoster(self.solver, problem.name)
        for variable in problem.variables:
            self._poster.ids[variable.index] = self.solver.add_variable(integers(variable))
        try:
            self._post_all()
        except MemoryError as error:
            raise ModelError(f"{self._poster.what}: {error}") from error

    def _post_all(self) -> None:
        problem, poster = self.problem, self._poster
        for index, term in problem.definitions.items():
            poster.what = f"definition of {problem.variables[index].name}"
            poster.define(term, poster.ids[index])
        active: int | None = None  # 1 where every universal player's choice so far counts
        for block in problem.blocks:
            guard: int | None = None
            if block.restrictions:
                poster.what = f"restriction of {', '.join(v.name for v in block.variables)}"
                if block.is_universal:
                    guard = poster.truth_of(_conjunction(block.restrictions))
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


def _conjunction(conditions: list[Expression]) -> Expression:
    return conditions[0] if len(conditions) == 1 else Logic("&", tuple(conditions))
