"""Propagation for the search: two solvers that follow it down and up.

One has the hard constraints. The other has the chance constraints as well: if it fails, no path below satisfies them
all, and the outcomes that it removed from chance variables bound the probability that one does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from woodstock.constraint.posting import Poster
from woodstock.scsp.compiled import CompiledNetwork


class Stores:
    """The solvers of one search; `assign` and `undo` come in pairs."""

    def __init__(self, compiled: CompiledNetwork, *, propagate: bool = True) -> None:
        network = compiled.network
        self.compiled, self.variables = compiled, compiled.variables
        self.hard: Poster | None = None
        if propagate and network.hard:
            self.hard = Poster(self.variables, network.hard, may_leave_out=True)
        self.both: Poster | None = None
        if propagate and network.chance_constraints:
            constraints = [*network.hard, *network.chance_constraints]
            self.both = Poster(self.variables, constraints, may_leave_out=True)
        self.may_satisfy = True
        self._undo: list[tuple[bool, bool]] = []
        # Outcomes that must stay possible: chance variables under hard constraints whose probabilities are known.
        touched = {v.index for c in network.hard for v in c.scope}
        self._watched = self._rows(touched)
        self._massed = self._rows({v.index for c in network.chance_constraints for v in c.scope} | touched)

    def _rows(self, indices: set[int]) -> list[tuple[int, tuple[Any, ...]]]:
        rows = []
        for level, variable in enumerate(self.variables):
            fixed = self.compiled.levels[level].fixed
            if fixed is not None and variable.index in indices:
                rows.append((level, fixed))
        return rows

    def begin(self) -> bool:
        """Propagate once before the search; false if no policy is feasible."""
        if self.hard is not None and not (self.hard.solver.propagate() and self._outcomes_stay(-1)):
            return False
        if self.both is not None:
            self.may_satisfy = self.both.solver.propagate()
        return True

    def assign(self, level: int, position: int, is_alive: bool) -> bool:
        """Set the variable of a level; false if a hard constraint fails or removes an outcome that can happen."""
        uses_both = self.both is not None and is_alive
        self._undo.append((self.may_satisfy, uses_both))
        variable = self.variables[level]
        result = True
        if self.hard is not None:
            self.hard.solver.push()
            result = self.hard.assign(variable, position) and self._outcomes_stay(level)
        if uses_both:
            assert self.both is not None
            self.both.solver.push()
            self.may_satisfy = result and self.both.assign(variable, position)
        return result

    def undo(self) -> None:
        """Take back the latest assignment."""
        self.may_satisfy, uses_both = self._undo.pop()
        if self.hard is not None:
            self.hard.solver.pop()
        if uses_both:
            assert self.both is not None
            self.both.solver.pop()

    def positions(self, level: int) -> Iterable[int]:
        """Return the values that hard constraints leave to the variable of a level."""
        variable = self.variables[level]
        return range(len(variable.domain)) if self.hard is None else self.hard.positions(variable)

    def mass(self, level: int) -> Any:
        """Return an upper bound on the probability that the chance after `level` satisfies every constraint.

        Independent variables only: all of them must take a value that propagation left.
        """
        result: Any = 1
        if self.both is None:
            return result
        for place, row in self._massed:
            if place > level:
                left = self.both.positions(self.variables[place])
                if len(left) < len(row):
                    result *= sum(row[position] for position in left)
        return result

    def _outcomes_stay(self, level: int) -> bool:
        assert self.hard is not None
        for place, row in self._watched:
            if place > level:
                left = self.hard.positions(self.variables[place])
                if len(left) < len(row) and any(p and position not in left for position, p in enumerate(row)):
                    return False
        return True
