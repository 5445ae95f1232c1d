"""One stage as in the papers: split the network, solve the chance part by forward checking, the rest by MAC.

P' has the hard constraints without a chance variable, P'' everything else [Koriche et al. 2016, sec. 4.2]. Variables
that are propagated, such as the fluents at t+1 of a game, belong to P'' if they follow from chance. The
solution policies of P'', found by forward checking for stochastic constraints [Balafoutis, Stergiou 2006], projected
on its decisions are the feasibility constraint c_f. MAC on P' with c_f enumerates exactly the decisions of the
solution policies of the whole network. Both run in the native kernel. A network that the kernel cannot take goes to the
slower search over policies (`enumerate`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from woodstock.constraint.constraint import Constraint, Rows, Table
from woodstock.constraint.expression import Value
from woodstock.constraint.posting import Poster
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.compiled import CompiledNetwork
from woodstock.scsp.enumerate import Enumeration
from woodstock.scsp.limits import Interrupted, Limits
from woodstock.scsp.network import Network
from woodstock.scsp.policy import Choice, Node, Outcomes, distribution
from woodstock.scsp.soft import Soft
from woodstock.scsp.stochastic import forward_check
from woodstock.scsp.store import Stores


def hard_part(network: Network) -> Network:
    """Return P': the decisions, and the hard constraints without a chance variable or what follows from one."""
    after = _after_chance(network)
    return network.part(
        f"{network.name} (hard part)",
        [v for v in network.decisions if v.index not in after],
        hard=[c for c in network.hard if not _has_chance(c, after)],
    )


def chance_part(network: Network) -> Network:
    """Return P'': all other constraints, and the variables that they or their probabilities depend on."""
    after = _after_chance(network)
    hard = [c for c in network.hard if _has_chance(c, after)]
    others: list[Constraint | Soft] = [*hard, *network.chance_constraints, *network.soft]
    needed = {v.index for c in others for v in c.scope}
    # Backwards, so that the variables on which a condition's own probabilities depend are included too.
    for variable in reversed(network.variables):
        if variable.index in needed and variable.is_chance:
            needed |= {v.index for v in network.probabilities[variable.index].given}
    return network.part(
        f"{network.name} (chance part)",
        [v for v in network.variables if v.index in needed],
        hard=hard,
        chance=network.chance_constraints,
        soft=network.soft,
    )


def _after_chance(network: Network) -> set[int]:
    """Return the propagated variables that hard constraints connect with chance, through each other if need be."""
    after: set[int] = set()
    left = [c for c in network.hard if any(v.is_propagated for v in c.scope)]
    while True:
        found = [c for c in left if _has_chance(c, after)]
        if not found:
            return after
        left = [c for c in left if c not in found]
        after |= {v.index for c in found for v in c.scope if v.is_propagated}


def _has_chance(constraint: Constraint, after: set[int]) -> bool:
    return constraint.is_stochastic or any(v.index in after for v in constraint.scope)


def feasibility_constraint(
    network: Network, *, threshold: Sequence[Any] | None = None, exact: bool = True, limits: Limits | None = None
) -> Table:
    """Return c_f: the decisions of P'' that belong to a solution policy of it.

    If P'' has no decision, the scope is empty and the table has one row or none. Propagated variables are not in it.

    Raises `ModelError` if a decision follows chance: then a policy is more than a tuple of decisions.
    """
    check_one_stage(network)
    part = chance_part(network)
    limits = limits or Limits()
    need = network.threshold if threshold is None else threshold
    found = forward_check(part, need, exact=exact, limits=limits)
    if found is None:
        rows = _rows_by_search(part, need, exact, limits)
    else:
        rows = found.rows
        raise_interrupted(found.status)
    return Table("feasibility", _decided(part), rows)


def _decided(network: Network) -> tuple[Variable, ...]:
    return tuple(v for v in network.decisions if not v.is_propagated)


def _rows_by_search(part: Network, need: Sequence[Any], exact: bool, limits: Limits) -> Rows:
    compiled = CompiledNetwork(part, exact=exact)
    decided = _decided(part)
    rows: dict[tuple[int, ...], None] = {}
    for _, node in Enumeration(compiled, Stores(compiled), limits, need).run():
        row: list[int] = []
        while isinstance(node, Choice) and len(row) < len(decided):
            row.append(node.position)
            node = node.child
        rows[tuple(row)] = None
    return np.array(list(rows), dtype=np.int32).reshape(len(rows), len(decided))


def raise_interrupted(status: str) -> None:
    """Raise `Interrupted` if a limit stopped a native search."""
    if status != "complete":
        raise Interrupted(status)


def solutions(
    network: Network, *, threshold: Sequence[Any] | None = None, exact: bool = True, limits: Limits | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the decisions of every solution policy, as positions in the domains, by MAC on P' with c_f.

    They are the variables of `hard_part`: propagated variables that follow from chance are not among them.
    """
    limits = limits or Limits()
    cut = feasibility_constraint(network, threshold=threshold, exact=exact, limits=limits)
    rest = hard_part(network)
    variables = rest.variables
    if not len(cut.rows):
        return
    if not variables:
        yield ()
        return
    kernel = Poster(variables, [*rest.hard, cut] if cut.scope else rest.hard, may_leave_out=True)
    seconds = None if limits.seconds is None else max(0.0, limits.seconds - limits.elapsed)
    nodes = None if limits.node_limit is None else max(0, limits.node_limit - limits.nodes)
    search = kernel.solver.batches(
        [kernel.ids[v.index] for v in variables], seconds=seconds, nodes=nodes, batch_rows=4096
    )
    for batch in search:
        for number, row in enumerate(kernel.decode(variables, batch).tolist()):
            if number % 64 == 0:
                limits.look()
            if kernel.is_complete or _holds(rest, variables, row):
                yield tuple(row)
    limits.nodes += search.nodes
    raise_interrupted(search.status)


def policy_of(network: Network, decisions: Sequence[int]) -> Node:
    """Return the policy tree of one stage: these decisions, then every outcome, equal subtrees shared."""
    chance = network.stochastic
    values = {v.index: v.domain[p] for v, p in zip(network.decisions, decisions, strict=True)}
    # The variables on which later probabilities depend: subtrees of one level that agree in them are equal.
    needed: list[set[int]] = [set()]
    for variable in reversed(chance):
        needed.insert(0, needed[0] | {v.index for v in network.probabilities[variable.index].given})
    known: dict[tuple[int, tuple[Value, ...]], Node] = {}

    def build(level: int) -> Node:
        if level == len(chance):
            return None
        key = (level, tuple(values[index] for index in sorted(needed[level]) if index in values))
        if key not in known:
            variable = chance[level]
            row = distribution(network, variable, values, exact=False)
            children = []
            for position, share in enumerate(row):
                if share:
                    values[variable.index] = variable.domain[position]
                    children.append((position, build(level + 1)))
                    del values[variable.index]
            known[key] = Outcomes(variable, tuple(children))
        return known[key]

    node = build(0)
    for variable, position in zip(reversed(network.decisions), reversed(decisions), strict=True):
        node = Choice(variable, position, node)
    return node


def check_one_stage(network: Network) -> None:
    """Raise `ModelError` if a decision comes after chance."""
    seen: Variable | None = None
    for variable in network.variables:
        if variable.is_chance:
            seen = variable if seen is None else seen
        elif seen is not None and not variable.is_propagated:
            raise ModelError(
                f"network {network.name}: decision {variable.name} comes after chance {seen.name}; "
                "the split into hard and chance part is for one stage"
            )


def _holds(network: Network, variables: Sequence[Variable], row: Sequence[int]) -> bool:
    values = {v.index: v.domain[p] for v, p in zip(variables, row, strict=True)}
    return all(constraint.holds(values) for constraint in network.hard)
