"""The poster: variables and constraints of a model in a native solver."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, ElementOf, Rows, Table
from woodstock.constraint.posting.conditions import ConditionPoster
from woodstock.constraint.posting.options import PostingOptions
from woodstock.constraint.posting.terms import FREE, CannotPost
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError

DEFAULT = PostingOptions()


class Poster(ConditionPoster):
    """A native solver with the variables of a model and constraints over them.

    Everything is posted exactly. A condition that cannot be is an error; with `may_leave_out` it is left out and
    `is_complete` becomes false, for callers that check complete assignments themselves.
    """

    def __init__(
        self,
        variables: Sequence[Variable],
        constraints: Iterable[Constraint] = (),
        options: PostingOptions = DEFAULT,
        *,
        may_leave_out: bool = False,
        memory_mb: int = 4096,
    ) -> None:
        super().__init__(variables, options, memory_mb)
        self.may_leave_out = may_leave_out
        self.is_complete = True
        for constraint in constraints:
            self.post(constraint)

    def post(self, constraint: Constraint) -> None:
        """Post one constraint."""
        self.what = f"constraint {constraint.name}"
        try:
            if isinstance(constraint, Table):
                self._post_table(constraint)
            elif isinstance(constraint, ElementOf):
                self._post_element(constraint)
            elif isinstance(constraint, Condition):
                for part in self.conjuncts(constraint.expression):
                    try:
                        self.require(part)
                    except CannotPost:
                        if not self.may_leave_out:
                            raise
                        self.is_complete = False
            else:
                raise ModelError(f"{self.what}: a {type(constraint).__name__} cannot be solved")
        except MemoryError as error:
            raise ModelError(f"{self.what}: {error}") from error

    def positions(self, variable: Variable) -> list[int]:
        """Return what is left of the domain, as positions in ascending order."""
        left = set(self.solver.domain(self.ids[variable.index]))
        return [position for position, code in enumerate(variable.codes) if code in left]

    def assign(self, variable: Variable, position: int) -> bool:
        """Set a variable and propagate; false if no solution is left."""
        return self.solver.assign(self.ids[variable.index], variable.codes[position])

    def decode(self, variables: Sequence[Variable], rows: np.ndarray) -> Rows:
        """Turn rows of the solver's values into rows of positions in the domains."""
        result = np.empty_like(rows)
        for column, variable in enumerate(variables):
            codes = np.array(variable.codes, dtype=np.int64)
            order = np.argsort(codes)
            result[:, column] = order[np.searchsorted(codes[order], rows[:, column])]
        return result

    def _post_table(self, table: Table) -> None:
        values = np.empty(table.rows.shape, dtype=np.int32)
        for column, variable in enumerate(table.scope):
            # One entry more at the end: the wildcard is position -1.
            lookup = np.array([*variable.codes, FREE], dtype=np.int32)
            values[:, column] = lookup[table.rows[:, column]]
        wildcard = FREE if bool((table.rows == WILDCARD).any()) else None
        self.solver.add_table(self.columns(table.scope), values, is_allowed=table.is_allowed, wildcard=wildcard)

    def _post_element(self, constraint: ElementOf) -> None:
        index = self.ids[constraint.index.index]
        if constraint.start:
            shifted = self.solver.add_variable(list(range(len(constraint.entries))))
            self.solver.add_linear([index, shifted], [1, -1], "==", constraint.start)
            index = shifted
        self.solver.add_element(index, self.columns(constraint.entries), self.ids[constraint.value.index])
