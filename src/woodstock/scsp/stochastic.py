"""Networks of one stage handed to the native forward checking for stochastic constraints.

Comes in: a network. Goes out: the decisions of every policy that reaches the thresholds, with their values; or None if
the kernel cannot take the network: a condition without a propagator, a soft constraint or a distribution over too many
combinations, exact numbers beyond 120 bits. Exact numbers are integers there, all scaled by the common denominators of
probabilities and utilities.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.constraint.posting import Poster
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.limits import Limits
from woodstock.scsp.network import Network
from woodstock.scsp.soft import Soft, exact_fraction

_MOST_ROWS = 100_000  # of a soft constraint or a distribution, written out
_MOST_BITS = 120
_FLOAT_MARGIN = 1e-9


@dataclass(frozen=True)
class Decided:
    """The decisions found, one row of positions for each; and the value of each for every player."""

    rows: NDArray[np.int32]
    values: list[tuple[Any, ...]]
    status: str


def forward_check(
    network: Network,
    threshold: Sequence[Any],
    *,
    exact: bool,
    limits: Limits,
    consistency: str | None = None,
) -> Decided | None:
    """Run the native search; None if the kernel cannot take the network.

    `consistency` is `fc` or `mac`; by default forward checking, unless conditions need variables of the kernel's own.
    """
    # Propagated variables are no levels of the search: they follow from those that are.
    searched = [v for v in network.variables if not v.is_propagated]
    model = _Model.of(network, searched, exact)
    if model is None:
        return None
    hard = Poster(network.variables, network.hard, may_leave_out=True) if network.hard else None
    constraints = [*network.hard, *network.chance_constraints]
    both = Poster(network.variables, constraints, may_leave_out=True) if network.chance_constraints else None
    kernels = [kernel for kernel in (hard, both) if kernel is not None]
    if not all(kernel.is_complete for kernel in kernels):
        return None
    is_plain = all(kernel.solver.variable_count == len(searched) for kernel in kernels)
    if consistency == "fc" and not is_plain:
        raise ModelError(f"network {network.name}: some conditions are too large for forward checking; use mac")
    # For each position in a domain, the index of its value in the kernel, which sorts them.
    place = {variable.index: number for number, variable in enumerate(network.variables)}
    levels = [
        (place[v.index], np.argsort(np.argsort(v.codes)).tolist(), v.is_chance, *model.chance[level])
        for level, v in enumerate(searched)
    ]
    rows, values, status, nodes, cuts, is_settled = _native.solve_stochastic(
        hard.solver if hard else None,
        both.solver if both else None,
        levels,
        model.soft,
        [model.need(t) for t in threshold],
        model.one,
        bool(network.chance_constraints),
        exact,
        consistency or ("fc" if is_plain else "mac"),
        None if limits.seconds is None else max(0.0, limits.seconds - limits.elapsed),
        None if limits.node_limit is None else max(0, limits.node_limit - limits.nodes),
    )
    limits.nodes += nodes
    limits.pruned += cuts
    if not is_settled and len(searched) < len(network.variables):
        return None  # A propagated variable does not follow: only a search can tell whether it has a value.
    players = len(network.players)
    worth = [model.worth(value) for value in values]
    return Decided(rows, [tuple(worth[i : i + players]) for i in range(0, len(worth), players)], status)


@dataclass(frozen=True)
class _Model:
    """Weights of chance by level, (given levels, weights, total), and soft constraints, in scaled numbers."""

    chance: list[tuple[list[int], list[Any], Any]]
    soft: list[tuple[list[int], list[Any]]]
    one: Any
    scale: Any
    exact: bool

    @classmethod
    def of(cls, network: Network, searched: Sequence[Variable], exact: bool) -> _Model | None:
        place = {v.index: level for level, v in enumerate(searched)}
        if any(v.index not in place for soft in network.soft for v in soft.scope):
            return None
        chance = []
        for variable in searched:
            made = _weights(network, variable, place, exact) if variable.is_chance else ([], [], 1)
            if made is None:
                return None
            chance.append(made)
        utilities = [u for soft in network.soft for row in (*soft.utilities, soft.otherwise) for u in row]
        one: Any = math.lcm(*(exact_fraction(u).denominator for u in utilities)) if exact else 1.0
        soft_tables = []
        for soft in network.soft:
            table = _utilities(network, soft, place, one, exact)
            if table is None:
                return None
            soft_tables.append(table)
        scale = one * math.prod(total for _, _, total in chance)
        if exact and (scale * (len(network.soft) + 1)).bit_length() > _MOST_BITS:
            return None
        return cls(chance, soft_tables, one, scale, exact)

    def need(self, threshold: Any) -> Any:
        return math.ceil(exact_fraction(threshold) * self.scale) if self.exact else float(threshold) - _FLOAT_MARGIN

    def worth(self, value: Any) -> Any:
        return Fraction(value, self.scale) if self.exact else value


def _weights(
    network: Network, variable: Variable, place: dict[int, int], exact: bool
) -> tuple[list[int], list[Any], Any] | None:
    table = network.probabilities[variable.index]
    given = [place[v.index] for v in table.given]
    if math.prod(len(v.domain) for v in table.given) * len(variable.domain) > _MOST_ROWS:
        return None
    conditions = itertools.product(*(range(len(v.domain)) for v in table.given))
    rows: list[Sequence[Any]] = [table.exact(c) if exact else table.at(c) for c in conditions]
    if not exact:
        return given, [float(p) for row in rows for p in row], 1.0
    total = math.lcm(*(p.denominator for row in rows for p in row))
    return given, [int(p * total) for row in rows for p in row], total


def _utilities(
    network: Network, soft: Soft, place: dict[int, int], one: Any, exact: bool
) -> tuple[list[int], list[Any]] | None:
    scope = sorted(soft.scope, key=lambda v: place[v.index])
    if not scope or math.prod(len(v.domain) for v in scope) > _MOST_ROWS:
        return None
    found = []
    for values in itertools.product(*(v.domain for v in scope)):
        for u in soft.utility({v.index: value for v, value in zip(scope, values, strict=True)}):
            found.append(int(exact_fraction(u) * one) if exact else float(u))
    return [place[v.index] for v in scope], found
