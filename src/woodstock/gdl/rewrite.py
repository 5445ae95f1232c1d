"""Rewrites that keep grounding small: static joins are inlined, rule bodies split, huge relations restricted.

Comes in: the clauses of a program. Goes out: clauses with the same least model on the same predicates, plus clauses of
auxiliary predicates. Cost: milliseconds, a few tenths of a second for the largest sheets.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from woodstock.gdl.ast import Signature, Variable, signature
from woodstock.gdl.normalise import (
    Clause,
    Condition,
    Literal,
    by_head,
    condition_variables,
    substitute_atom,
    substitute_condition,
)
from woodstock.gdl.rewrite_demand import restrict
from woodstock.gdl.rewrite_domains import Estimator
from woodstock.gdl.rewrite_split import Splitter
from woodstock.gdl.unify import Substitution, unify

# Inlining is tried on bodies up to this long; the search for a split is quadratic in the length.
_MAX_INLINED = 24


def rewrite(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses that ground smaller and mean the same."""
    estimator = Estimator(clauses)
    restricted = restrict(clauses, estimator)
    if restricted is not None:
        clauses, estimator = restricted, Estimator(restricted)
    splitter = Splitter(estimator)
    views = _static_views(clauses, estimator.static)
    fresh = itertools.count()
    result = []
    for clause in clauses:
        split = splitter.split(clause)
        unfolded = _unfold(clause, views, fresh)
        if unfolded is not None:
            other = splitter.split(unfolded)
            if other.cost < split.cost:
                clause, split = unfolded, other
        result.append(splitter.apply(clause, split))
    return result + list(splitter.auxiliaries.values())


def _static_views(clauses: Sequence[Clause], static: set[Signature]) -> dict[Signature, Clause]:
    """Return the static predicates that one join defines: a literal of one hides which variables really meet."""
    return {
        predicate: rules[0]
        for predicate, rules in by_head(clauses).items()
        if predicate in static and len(rules) == 1 and predicate[1] >= 2 and _is_join(rules[0])
    }


def _is_join(clause: Clause) -> bool:
    arity = len({a.name for a in clause.head.args if isinstance(a, Variable)})
    return bool(clause.body) and all(
        (not isinstance(c, Literal))
        or (c.positive and signature(c.atom) != signature(clause.head) and len(set(condition_variables(c))) < arity)
        for c in clause.body
    )


def _unfold(clause: Clause, views: dict[Signature, Clause], fresh: Iterator[int]) -> Clause | None:
    """Return a clause with its literals over views replaced by their definitions; None if there are none."""
    values: Substitution = {}
    body: list[Condition] = []
    pending = list(clause.body)
    changed = False
    while pending:
        condition = pending.pop(0)
        view = views.get(signature(condition.atom)) if isinstance(condition, Literal) and condition.positive else None
        if view is clause:
            view = None
        if view is None or len(body) + len(pending) + len(view.body) > _MAX_INLINED:
            body.append(condition)
            continue
        assert isinstance(condition, Literal)
        names = {v for c in view.body for v in condition_variables(c)}
        local: Substitution = {v: Variable(f"{v} {next(fresh)}") for v in names}
        head = substitute_atom(view.head, local)
        if not all(unify(a, b, values) for a, b in zip(head.args, condition.atom.args, strict=True)):
            return None
        pending = [substitute_condition(c, local) for c in view.body] + pending
        changed = True
    if not changed:
        return None
    body = list(dict.fromkeys(substitute_condition(c, values) for c in body))
    return Clause(substitute_atom(clause.head, values), tuple(body), clause.source)
