"""Sums as chains of x + y = z. A chain is domain consistent: no two links share more than one variable."""

from __future__ import annotations

import numpy as np

from woodstock._native import Solver

Terms = list[tuple[int, int]]  # factors and variables of the kernel


class Sums:
    """Partial sums and multiples of the variables of one solver, each created once."""

    def __init__(self, solver: Solver, limit: int) -> None:
        self.solver, self.limit = solver, limit
        self._partial: dict[tuple[int, int], int] = {}
        self._multiples: dict[tuple[int, int], int] = {}

    def require_zero(self, terms: Terms, constant: int) -> bool:
        """Post sum + constant = 0 as a chain; false if the sums have too many values for that."""
        if not self.limit:
            return False
        last = next((i for i in range(len(terms) - 1, -1, -1) if abs(terms[i][0]) == 1), None)
        if last is None or len(terms) < 2:
            return False
        factor, target = terms[last]
        # target = -factor * (the others + constant)
        others = [(-factor * f, v) for i, (f, v) in enumerate(terms) if i != last]
        names = [self._multiple(f, v) for f, v in others]
        if constant:
            names.append(self.solver.add_variable([-factor * constant]))
        while len(names) > 2:
            partial = self._plus(names[0], names[1])
            if partial is None:
                return False
            names[:2] = [partial]
        if len(names) == 1:
            self.solver.add_compare(names[0], "==", target)
        elif names[0] == names[1] or target in names:
            return False
        else:
            self.solver.add_plus(names[0], names[1], target)
        return True

    def _multiple(self, factor: int, name: int) -> int:
        if factor == 1:
            return name
        if (factor, name) in self._multiples:
            return self._multiples[factor, name]
        domain = self.solver.domain(name)
        scaled = self.solver.add_variable(sorted(factor * v for v in domain))
        self.solver.add_table([name, scaled], [(v, factor * v) for v in domain])
        self._multiples[factor, name] = scaled
        return scaled

    def _plus(self, x: int, y: int) -> int | None:
        if (x, y) in self._partial:
            return self._partial[x, y]
        xs, ys = self.solver.domain(x), self.solver.domain(y)
        if x == y or len(xs) * len(ys) > 1000 * self.limit:
            return None
        values: list[int] = np.unique(np.add.outer(xs, ys)).tolist()
        if len(values) > self.limit or values[-1] - values[0] > 16 * self.limit:
            return None
        name = self.solver.add_variable(values)
        self.solver.add_plus(x, y, name)
        self._partial[x, y] = name
        return name
