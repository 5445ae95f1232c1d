"""Post a quantified problem to a native solver.

Whatever follows a restricted universal block is guarded: it holds by itself if the universal player broke the
restriction.
"""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any

from woodstock._native import Evaluator, QcspSearch, Solver
from woodstock.constraint.evaluator import compile_conditions
from woodstock.constraint.expression import Expression, all_of
from woodstock.constraint.posting import Poster, PostingOptions
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

Prefix = list[tuple[int, bool, int | None]]

LEAST_MEMORY_MB = 16  # for the posted problem; a small one needs less
# Strong propagation pays: it refutes a node before its universal values are tried one by one.
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
# Sums by bounds, as in the solver of the paper.
PUBLISHED = dataclasses.replace(OPTIONS, chain_limit=0)


class OutOfTime(Exception):
    """The time was over before the whole problem was posted."""


class Posting:
    """A native solver with all of a problem in it, and the prefix for the search.

    `rules` is none unless a restricted universal block has several variables. It is then a solver with the definitions
    and the restrictions of universal blocks alone, and `rules_prefix` has its guards: they say whether the choices
    made so far break a restriction. The guards of `solver` are also 0 if the constraints cannot hold otherwise.
    Posting raises `OutOfTime` at `deadline`, a time of `time.perf_counter`.
    """

    def __init__(
        self,
        problem: Problem,
        memory_mb: int = 4096,
        deadline: float = math.inf,
        options: PostingOptions | None = None,
    ) -> None:
        self.problem, self._memory_mb, self._deadline = problem, memory_mb, deadline
        self._options = OPTIONS if options is None else options
        self.solver, self.prefix = self._post(is_whole=True)
        self.rules: Solver | None = None
        self.rules_prefix: Prefix = []
        if any(block.is_universal and block.restrictions and len(block.variables) > 1 for block in problem.blocks):
            self.rules, self.rules_prefix = self._post(is_whole=False)

    def search(self, **options: Any) -> QcspSearch:
        """Return the search for a winning strategy; the options are those of `QcspSearch`."""
        legal, conditions = legal_choices(self.problem)
        return QcspSearch(
            self.solver,
            self.prefix,
            rules=self.rules,
            rules_prefix=self.rules_prefix,
            legal=legal,
            legal_conditions=conditions,
            **options,
        )

    def _post(self, *, is_whole: bool) -> tuple[Solver, Prefix]:
        poster = Poster(self.problem.variables, options=self._options, memory_mb=max(self._memory_mb, LEAST_MEMORY_MB))
        try:
            return poster.solver, self._post_all(poster, is_whole=is_whole)
        except MemoryError as error:
            raise ModelError(f"{poster.what}: {error}") from error

    def _post_all(self, poster: Poster, *, is_whole: bool) -> Prefix:
        problem = self.problem
        prefix: Prefix = []
        for index, term in problem.definitions.items():
            self._begin(poster, f"definition of {problem.variables[index].name}")
            poster.define(term, poster.ids[index])
        active: int | None = None  # 1 if every universal player's choice so far counts
        for block in problem.blocks:
            guard: int | None = None
            if block.restrictions:
                self._begin(poster, f"restriction of {block.names}")
                if block.is_universal:
                    is_one = len(block.restrictions) == 1
                    guard = poster.truth_of(block.restrictions[0] if is_one else all_of(block.restrictions))
                    active = guard if active is None else _both(poster.solver, active, guard)
                elif is_whole:
                    for restriction in block.restrictions:
                        poster.require(restriction, active)
            prefix += [(poster.ids[v.index], block.is_universal, guard) for v in block.variables]
        for number, constraint in enumerate(problem.constraints if is_whole else (), start=1):
            self._begin(poster, f"constraint {number}")
            poster.require(constraint, active)
        return prefix

    def _begin(self, poster: Poster, what: str) -> None:
        if time.perf_counter() > self._deadline:
            raise OutOfTime
        poster.what = self.problem.named(what)


def legal_choices(problem: Problem) -> tuple[Evaluator | None, list[int | None]]:
    """Return the restrictions of universal blocks, compiled, and the number of each for the variables of its block."""
    places = {variable.index: place for place, (variable, _) in enumerate(problem.prefix)}
    conditions: list[Expression] = []
    numbers: list[int | None] = []
    for block in problem.blocks:
        number = None
        restriction = all_of(block.restrictions)
        if block.is_universal and any(True for _ in restriction.variables()):
            number = len(conditions)
            conditions.append(restriction)
        numbers += [number] * len(block.variables)
    if not conditions:
        return None, []
    return compile_conditions(conditions, places, problem.definitions, keep_all=True), numbers


def _both(solver: Solver, x: int, y: int) -> int:
    both = solver.add_variable([0, 1])
    solver.add_all_of(both, [(x, 1), (y, 1)])
    return both
