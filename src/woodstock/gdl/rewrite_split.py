"""Splitting of rule bodies: variables that the head does not need are eliminated through auxiliary predicates.

Grounding makes one rule for each substitution of all variables of a body. A variable that occurs in few literals can
get a rule of its own,

    h(X) :- a(X,Y), b(Y,Z), c(Z).     becomes     h(X) :- a(X,Y), q(Y).     q(Y) :- b(Y,Z), c(Z).

which is bucket elimination on the join. Which variables, and in what order, is decided by the estimated number of
ground instances: several orders are tried and the cheapest is kept; the unchanged rule is one of them. Auxiliary
predicates are defined by one rule over predicates that the rule itself had, so they add no new cycle, and
`not` stays where all its variables are bound.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from woodstock.gdl.ast import GIVEN, Atom, Constant, Function, Term, Variable, signature
from woodstock.gdl.normalise import (
    Clause,
    Condition,
    Literal,
    atom_variables,
    condition_variables,
    substitute_condition,
)
from woodstock.gdl.rewrite_domains import Estimator
from woodstock.gdl.unify import Substitution

# A split must bring the cost below this share: it saves rules, but adds atoms and makes the circuit deeper.
_MIN_GAIN = 0.8
# Static bodies cost only gringo's time: they leave no ground rule.
_STATIC_WEIGHT = 0.25


@dataclass(frozen=True, slots=True)
class _Item:
    """A condition of a body, or a group that will be one."""

    names: frozenset[str]
    binds: bool
    density: float
    is_static: bool
    content: Condition | _Group


@dataclass(frozen=True, slots=True)
class _Group:
    """The body of an auxiliary predicate; `keep` are its arguments."""

    items: tuple[_Item, ...]
    keep: frozenset[str]


@dataclass(frozen=True, slots=True)
class Split:
    """A split body with the estimated cost of the body and all its groups."""

    items: tuple[_Item, ...]
    cost: float


class Splitter:
    """Splits clauses; auxiliary predicates with equal definitions are shared between all of them."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator
        self.auxiliaries: dict[str, Clause] = {}

    def split(self, clause: Clause) -> Split:
        """Return the cheapest way found to split a clause."""
        sizes = self.estimator.variable_sizes(clause.body)
        items = tuple(self._item(c) for c in clause.body)
        eliminator = _Eliminator(sizes, frozenset(atom_variables(clause.head)))
        items, spent = eliminator.project_inputs(items)
        best = Split(items, spent + eliminator.cost(items))
        if len(items) > 1:
            for order, must_gain in ((_by_group, True), (_by_total, True), (_by_group, False)):
                split = eliminator.eliminate(items, order, must_gain)
                if split.cost + spent < best.cost * _MIN_GAIN:
                    best = Split(split.items, split.cost + spent)
        return best

    def apply(self, clause: Clause, split: Split) -> Clause:
        """Return the clause with the auxiliary predicates of the split in its body."""
        return Clause(clause.head, tuple(self._condition(i, clause.source) for i in split.items), clause.source)

    def _item(self, condition: Condition) -> _Item:
        names = frozenset(condition_variables(condition))
        if isinstance(condition, Literal):
            is_static = signature(condition.atom) in self.estimator.static
            density = self.estimator.density(condition) if condition.positive else 1.0
            return _Item(names, condition.positive, density, is_static, condition)
        return _Item(names, False, 1.0, True, condition)

    def _condition(self, item: _Item, source: int) -> Condition:
        if isinstance(item.content, _Group):
            body = [self._condition(i, source) for i in item.content.items]
            return Literal(self._auxiliary(body, item.content.keep, source))
        return item.content

    def _auxiliary(self, body: Sequence[Condition], keep: frozenset[str], source: int) -> Atom:
        """Return an atom that holds if the body does for some values of the variables that are not kept."""
        ordered = sorted(body, key=lambda c: _skeleton(c, keep))
        names = list(dict.fromkeys(v for c in ordered for v in condition_variables(c)))
        renamed: Substitution = {v: Variable(f"{i} ") for i, v in enumerate(names)}
        canonical = tuple(dict.fromkeys(substitute_condition(c, renamed) for c in ordered))
        kept = [v for v in names if v in keep]
        key = " ".join(map(str, canonical)) + "|" + " ".join(str(renamed[v]) for v in kept)
        known = self.auxiliaries.get(key)
        if known is None:
            head = Atom(f" aux{len(self.auxiliaries)}", tuple(renamed[v] for v in kept))
            known = self.auxiliaries[key] = Clause(head, canonical, source)
        return Atom(known.head.name, tuple(Variable(v) for v in kept))


def _skeleton(condition: Condition, keep: frozenset[str]) -> str:
    """Return a condition's text with variables reduced to whether they are kept, so that names do not matter."""

    def blank(term: Term) -> str:
        match term:
            case Variable():
                return "?+" if term.name in keep else "?-"
            case Constant():
                return term.name
            case Function():
                return "(" + " ".join([term.name, *map(blank, term.args)]) + ")"

    if isinstance(condition, Literal):
        return " ".join([str(condition.positive), condition.atom.name, *map(blank, condition.atom.args)])
    return f"~ {blank(condition.left)} {blank(condition.right)}"


@dataclass(frozen=True, slots=True)
class _Candidate:
    """One variable's elimination: the group, what is left of the body, and both estimated costs."""

    group: _Item
    rest: tuple[_Item, ...]
    group_cost: float
    rest_cost: float


_Order = Callable[[_Candidate], tuple[float, float]]


def _by_group(candidate: _Candidate) -> tuple[float, float]:
    return candidate.group_cost, candidate.rest_cost


def _by_total(candidate: _Candidate) -> tuple[float, float]:
    return candidate.group_cost + candidate.rest_cost, candidate.group_cost


class _Eliminator:
    """The elimination of one clause's variables."""

    def __init__(self, sizes: Mapping[str, float], head: frozenset[str]) -> None:
        self.sizes, self.head = sizes, head

    def instances(self, items: Iterable[_Item]) -> float:
        items = list(items)
        names = frozenset().union(*(i.names for i in items))
        product = math.prod(self.sizes.get(v, 1.0) for v in names)
        return product * math.prod(i.density for i in items)

    def cost(self, items: Sequence[_Item]) -> float:
        """Return the estimated number of ground rules; longer ones cost a little more."""
        dynamic = sum(not i.is_static for i in items)
        weight = 1.0 + 0.15 * dynamic if dynamic else _STATIC_WEIGHT
        return self.instances(items) * weight

    def project_inputs(self, items: tuple[_Item, ...]) -> tuple[tuple[_Item, ...], float]:
        """Project away variables that occur in one `true` or `does` only, if other literals have their own variables.

        That costs at most one rule for each fluent or move, whatever the estimates are, and saves a factor in the body.
        """
        spent = 0.0
        for item in items:
            content = item.content
            if isinstance(content, Literal) and content.positive and signature(content.atom) in GIVEN:
                outside = self.head.union(*(i.names for i in items if i is not item))
                once = item.names - outside
                if once and any(i.binds and i.names - item.names for i in items if i is not item):
                    candidate = self.candidate(items, once)
                    if candidate is not None:
                        spent += candidate.group_cost
                        items = (*candidate.rest, candidate.group)
        return items, spent

    def eliminate(self, items: tuple[_Item, ...], order: _Order, must_gain: bool) -> Split:
        spent = 0.0
        while True:
            names = sorted(frozenset().union(*(i.names for i in items)) - self.head)
            candidates = [c for s in self.sets(items, names) if (c := self.candidate(items, s)) is not None]
            if must_gain:
                now = self.cost(items)
                candidates = [c for c in candidates if c.group_cost + c.rest_cost < now]
            if not candidates:
                return Split(items, spent + self.cost(items))
            chosen = min(candidates, key=order)
            spent += chosen.group_cost
            items = (*chosen.rest, chosen.group)

    def sets(self, items: tuple[_Item, ...], names: Sequence[str]) -> Iterable[frozenset[str]]:
        """Return the sets of variables to try: each alone, with those it shares a literal with, and with theirs.

        Eliminated one by one, the coordinates of a move would leave a chain of predicates each as large as the first.
        """
        tried = {frozenset([name]) for name in names}
        for name in names:
            met = frozenset([name])
            for _ in range(2):
                met = met.union(*(i.names for i in items if i.names & met)) - self.head
                tried.add(met)
        return sorted(tried, key=lambda s: (len(s), sorted(s)))

    def candidate(self, items: tuple[_Item, ...], chosen: frozenset[str]) -> _Candidate | None:
        """Return the result of eliminating some variables; None if it is useless or gives no safe rule."""
        group = [i for i in items if chosen & i.names]
        rest = tuple(i for i in items if not chosen & i.names)
        if not rest:
            return None
        outside = self.head.union(*(i.names for i in rest))
        inside = frozenset().union(*(i.names for i in group))
        keep = inside & outside
        if not any(i.binds for i in group):
            return None
        # Conditions on kept variables alone may filter the group too; facts do so for free.
        group += [i for i in rest if i.is_static and i.names and i.names <= keep and (i.density < 0.5 or not i.binds)]
        missing = inside.difference(*(i.names for i in group if i.binds))
        for name in sorted(missing):
            binder = self.binder(rest, name, inside)
            if binder is None:
                return None
            group.append(binder)
        bound_rest = keep.union(*(i.names for i in rest if i.binds))
        if not all(i.names <= bound_rest for i in rest):
            return None
        if len(group) == 1 and keep == inside:
            return None
        count = self.instances(group)
        density = min(1.0, count / max(1.0, math.prod(self.sizes.get(v, 1.0) for v in keep)))
        item = _Item(keep, True, density, all(i.is_static for i in group), _Group(tuple(group), keep))
        # A filter that moved into the group is not repeated unless it binds.
        after = (*rest, item)
        return _Candidate(item, rest, self.cost(group), self.cost(after))

    def binder(self, rest: Sequence[_Item], name: str, inside: frozenset[str]) -> _Item | None:
        """Return a static item that binds a variable the group lacks a positive literal for."""
        choices = [i for i in rest if i.binds and i.is_static and name in i.names]
        if not choices:
            return None
        best = min(choices, key=lambda i: (not i.names <= inside, len(i.names), self.instances([i])))
        if best.names <= inside:
            return best
        keep = best.names & inside
        return _Item(keep, True, 1.0, True, _Group((best,), keep))
