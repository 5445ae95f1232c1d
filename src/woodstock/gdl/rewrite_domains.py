"""Size estimates of a ground program: domains of argument positions and sizes of relations.

Comes in: clauses. Every argument position of a predicate or function gets the set of constants and functors that can
reach it, by propagating the facts through the clauses to a fixpoint. From that, as query optimisers do, the number of
ground instances of a body is estimated as the product of its variables' domains and its literals' densities. Nothing
here is needed for correctness: a wrong estimate only costs time. Static relations of moderate size are computed, so
their sizes are exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from woodstock.errors import GameError
from woodstock.gdl.ast import (
    GIVEN,
    Atom,
    Constant,
    Function,
    Signature,
    Term,
    Variable,
    signature,
    variable_names,
    variables,
)
from woodstock.gdl.join import Pattern, Relation, Row, ground_value
from woodstock.gdl.normalise import Clause, Condition, Literal, condition_variables
from woodstock.gdl.relations import STATIC, Model, RowLimit, Rules

# A position: kind ("p"redicate or "f"unction), signature, argument. Values: constant names and function signatures.
Position = tuple[str, Signature, int]
Value = str | Signature

# The state holds what `next` and `init` give, the joint move what `legal` gives.
_ALIASES: dict[Signature, Signature] = {("true", 1): ("next", 1), ("init", 1): ("next", 1), ("does", 2): ("legal", 2)}
_HUGE = 1e30
# The most rows to compute, of all relations and of one (about a third of a second); the rest is estimated.
_MAX_STATIC_ROWS = 250_000
_MAX_RELATION_ROWS = 60_000
# How far a recursive relation is followed: paths over a board are rarely longer.
_RECURSION_ROUNDS = 10
_EMPTY: frozenset[Value] = frozenset()


def positions(args: Sequence[Term], kind: str, owner: Signature) -> Iterable[tuple[Position, Term]]:
    """Yield each argument with its position, those inside functions too."""
    for number, term in enumerate(args):
        yield (kind, owner, number), term
        if isinstance(term, Function):
            yield from positions(term.args, "f", signature(term))


def atom_positions(atom: Atom) -> Iterable[tuple[Position, Term]]:
    """Yield each argument of an atom with its position."""
    owner = signature(atom)
    return positions(atom.args, "p", _ALIASES.get(owner, owner))


class StaticRelations:
    """The static relations of a program, those that are not too large to compute."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.predicates = static_predicates(clauses)
        self.known: dict[Signature, Relation] = {}
        rules = Rules([c for c in clauses if signature(c.head) in self.predicates])
        left = _MAX_STATIC_ROWS
        refused: set[Signature] = set()
        for predicate in rules.component:
            # Components come in the order of their dependencies.
            if left <= 0 or rules.reads(predicate) & refused:
                refused.add(predicate)
                continue
            model = Model(rules, STATIC, limit=_MAX_RELATION_ROWS)
            model.relations = dict(self.known)
            try:
                left -= len(model.relation(predicate).rows)
            except RowLimit:
                refused.add(predicate)
                left -= _MAX_RELATION_ROWS
            except GameError:
                refused.add(predicate)
            else:
                self.known = model.relations

    def matches(self, atom: Atom) -> int | None:
        """Return the number of instances of an atom that hold; None if its relation is not known."""
        relation = self.known.get(signature(atom))
        if relation is None:
            return None
        pattern = Pattern(atom, (), [v.name for v in variables(atom)])
        if pattern.is_whole_row:
            return int(tuple(map(ground_value, atom.args)) in relation.rows)
        key = tuple(map(ground_value, pattern.key))
        found = relation.index(pattern).get(key)
        return 0 if found is None else len(found)


class Domains:
    """The values that can reach each argument position."""

    def __init__(self, clauses: Sequence[Clause], statics: StaticRelations) -> None:
        self.values: dict[Position, set[Value]] = {}
        self._sizes: dict[Position, float] = {}
        for predicate, relation in statics.known.items():
            owner = _ALIASES.get(predicate, predicate)
            for row in relation.rows:
                self._add_row(row, "p", owner)
        self._propagate([c for c in clauses if signature(c.head) not in statics.known])

    def _add_row(self, row: Row, kind: str, owner: Signature) -> None:
        for number, value in enumerate(row):
            position = (kind, owner, number)
            if isinstance(value, str):
                self.values.setdefault(position, set()).add(value)
            else:
                inner = (value[0], len(value) - 1)
                self.values.setdefault(position, set()).add(inner)
                self._add_row(value[1:], "f", inner)

    def _propagate(self, clauses: Sequence[Clause]) -> None:
        flows: dict[tuple[tuple[Position, ...], Position], None] = {}
        for clause in clauses:
            sources = variable_positions(clause.body)
            for position, term in atom_positions(clause.head):
                match term:
                    case Constant():
                        self.values.setdefault(position, set()).add(term.name)
                    case Function():
                        self.values.setdefault(position, set()).add(signature(term))
                    case Variable():
                        flows[tuple(sorted(sources.get(term.name, ()))), position] = None
        readers: dict[Position, list[tuple[tuple[Position, ...], Position]]] = {}
        for flow in flows:
            for source in flow[0]:
                readers.setdefault(source, []).append(flow)
        work = dict.fromkeys(flows)
        while work:
            flow = next(iter(work))
            del work[flow]
            target = self.values.setdefault(flow[1], set())
            before = len(target)
            target |= self.common(flow[0])
            if len(target) > before:
                work.update(dict.fromkeys(readers.get(flow[1], ())))

    def common(self, where: Iterable[Position]) -> set[Value] | frozenset[Value]:
        """Return the values that can occur at all the positions."""
        sets = sorted((self.values.get(p, _EMPTY) for p in where), key=len)
        return _EMPTY.union(sets[0]).intersection(*sets[1:]) if sets else _EMPTY

    def size(self, values: Iterable[Value]) -> float:
        """Return the number of ground terms that values stand for."""
        total = 0.0
        for value in values:
            if isinstance(value, str):
                total += 1
            else:
                total += math.prod(self.position_size(("f", value, i)) for i in range(value[1]))
        return min(total, _HUGE)

    def position_size(self, position: Position) -> float:
        """Return the number of ground terms that can occur at a position."""
        found = self._sizes.get(position)
        if found is None:
            # A function that can contain itself has no bound here; gringo will find out.
            self._sizes[position] = 1e6
            found = self._sizes[position] = self.size(self.values.get(position, _EMPTY))
        return found


def variable_positions(body: Iterable[Condition]) -> dict[str, set[Position]]:
    """Return the positions at which positive literals bind each variable."""
    found: dict[str, set[Position]] = {}
    for condition in body:
        if isinstance(condition, Literal) and condition.positive:
            for position, term in atom_positions(condition.atom):
                if isinstance(term, Variable):
                    found.setdefault(term.name, set()).add(position)
    return found


def static_predicates(clauses: Sequence[Clause]) -> set[Signature]:
    """Return the predicates that depend neither on the state nor on the moves."""
    readers: dict[Signature, set[Signature]] = {}
    for clause in clauses:
        for condition in clause.body:
            if isinstance(condition, Literal):
                readers.setdefault(signature(condition.atom), set()).add(signature(clause.head))
    dynamic: set[Signature] = set()
    work: list[Signature] = list(GIVEN)
    while work:
        predicate = work.pop()
        if predicate not in dynamic:
            dynamic.add(predicate)
            work += readers.get(predicate, ())
    return {signature(c.head) for c in clauses} - dynamic


class Estimator:
    """Estimates of relation sizes and of the number of instances of bodies."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.statics = StaticRelations(clauses)
        self.static = self.statics.predicates
        self.domains = Domains(clauses, self.statics)
        self._rules = Rules(clauses)
        self._components = self._rules.component
        self._densities: dict[Literal, float] = {}
        self._shapes: dict[Signature, dict[tuple[Value | None, ...], float]] = {}

    def rows(self, predicate: Signature) -> float:
        """Return the estimated number of rows of a relation."""
        known = self.statics.known.get(predicate)
        return float(len(known.rows)) if known is not None else sum(self._shape_sizes(predicate).values())

    def variable_sizes(self, body: Sequence[Condition]) -> dict[str, float]:
        """Return the size of the domain of each variable that a body binds."""
        return {v: self.domains.size(self.domains.common(where)) for v, where in variable_positions(body).items()}

    def instances(self, body: Sequence[Condition], sizes: Mapping[str, float]) -> float:
        """Return the estimated number of substitutions that satisfy the positive part of a body."""
        names = {v for c in body for v in condition_variables(c)}
        product = math.prod(sizes.get(v, 1.0) for v in names)
        for condition in body:
            if isinstance(condition, Literal) and condition.positive:
                product *= self.density(condition)
        if product <= 0.0:
            return 0.0
        # Literals are not independent, so a long product becomes far too small: a value that can reach a variable most
        # likely has an instance.
        return min(max(product, *(sizes.get(v, 1.0) for v in names)), _HUGE) if names else product

    def density(self, literal: Literal) -> float:
        """Return the share of a positive literal's possible instances that can hold."""
        found = self._densities.get(literal)
        if found is None:
            found = self._densities[literal] = self._density(literal)
        return found

    def _density(self, literal: Literal) -> float:
        sizes = self.variable_sizes([literal])
        possible = math.prod(sizes.values())
        if possible == 0.0:
            return 0.0
        return min(1.0, self._matches(literal.atom, possible) / possible)

    def _matches(self, atom: Atom, possible: float) -> float:
        owner = signature(atom)
        exact = self.statics.matches(atom)
        if exact is not None:
            return float(exact)
        if _ALIASES.get(owner, owner) == ("next", 1):
            return possible
        total = 0.0
        shape = _shape(atom)
        for other, size in self._shape_sizes(_ALIASES.get(owner, owner)).items():
            if all(a is None or b is None or a == b for a, b in zip(shape, other, strict=True)):
                # A constant where the relation has a variable makes it smaller.
                for number, (mine, theirs) in enumerate(zip(shape, other, strict=True)):
                    if mine is not None and theirs is None:
                        size /= max(1.0, self.domains.position_size(("p", _ALIASES.get(owner, owner), number)))
                total += size
        return total

    def _shape_sizes(self, predicate: Signature) -> dict[tuple[Value | None, ...], float]:
        found = self._shapes.get(predicate)
        if found is None:
            # Predicates that depend on each other start empty and grow together, as their relations would.
            component = self._components.get(predicate, ())
            for member in component:
                self._shapes[member] = {}
            for _ in range(_RECURSION_ROUNDS if self._is_recursive(component) else 1):
                before = sum(sum(self._shapes[member].values()) for member in component)
                for member in component:
                    self._shapes[member] = self._sum_clauses(member)
                self._densities.clear()
                if sum(sum(self._shapes[member].values()) for member in component) < 1.1 * before:
                    break
            found = self._shapes.setdefault(predicate, {})
        return found

    def _is_recursive(self, component: tuple[Signature, ...]) -> bool:
        return len(component) > 1 or any(p in self._rules.reads(p) for p in component)

    def _sum_clauses(self, predicate: Signature) -> dict[tuple[Value | None, ...], float]:
        sizes: dict[tuple[Value | None, ...], float] = {}
        for clause in self._rules.clauses.get(predicate, []):
            body_sizes = self.variable_sizes(clause.body)
            rows = min(
                self.instances(clause.body, body_sizes),
                math.prod(body_sizes.get(v, 1.0) for v in variable_names(clause.head)),
            )
            shape = _shape(clause.head)
            sizes[shape] = min(_HUGE, sizes.get(shape, 0.0) + rows)
        total, bound = sum(sizes.values()), self._bound(predicate)
        if total > bound:
            sizes = {shape: size * bound / total for shape, size in sizes.items()}
        return sizes

    def _bound(self, predicate: Signature) -> float:
        return min(_HUGE, math.prod(self.domains.position_size(("p", predicate, i)) for i in range(predicate[1])))


def _shape(atom: Atom) -> tuple[Value | None, ...]:
    """Return what is known of each argument without its variables: a constant, a functor or None."""
    shape: list[Value | None] = []
    for arg in atom.args:
        match arg:
            case Constant():
                shape.append(arg.name)
            case Function():
                shape.append(signature(arg))
            case Variable():
                shape.append(None)
    return tuple(shape)
