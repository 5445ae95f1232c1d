"""How large things will get when ground: domains of argument positions and estimated sizes of relations.

Comes in: clauses. Every argument position of a predicate or function gets the set of constants and functors that can
reach it, by propagating the facts through the clauses to a fixpoint. From that, as query optimisers do, the number of
ground instances of a body is guessed as the product of its variables' domains and its literals' densities. Nothing
here is needed for correctness: a wrong guess costs time only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from woodstock.gdl.ast import Atom, Constant, Function, Term, Variable
from woodstock.gdl.normalise import Clause, Condition, Literal, Signature, condition_variables, signature

# A position: kind ("p"redicate or "f"unction), signature, argument. Values: constant names and function signatures.
Position = tuple[str, Signature, int]
Value = str | Signature

# What the state and the joint move may hold is what the rules may put there.
_ALIASES: dict[Signature, Signature] = {("true", 1): ("next", 1), ("init", 1): ("next", 1), ("does", 2): ("legal", 2)}
_HUGE = 1e30
_EMPTY: frozenset[Value] = frozenset()


def positions(args: Sequence[Term], kind: str, owner: Signature) -> Iterable[tuple[Position, Term]]:
    """Yield each argument with its position, those inside functions too."""
    for number, term in enumerate(args):
        yield (kind, owner, number), term
        if isinstance(term, Function):
            yield from positions(term.args, "f", (term.name, len(term.args)))


def atom_positions(atom: Atom) -> Iterable[tuple[Position, Term]]:
    """Yield each argument of an atom with its position."""
    owner = signature(atom)
    return positions(atom.args, "p", _ALIASES.get(owner, owner))


class Domains:
    """The values that can reach each argument position."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.values: dict[Position, set[Value]] = {}
        self._sizes: dict[Position, float] = {}
        self._propagate(clauses)

    def _propagate(self, clauses: Sequence[Clause]) -> None:
        flows: dict[tuple[tuple[Position, ...], Position], None] = {}
        for clause in clauses:
            sources = variable_positions(clause.body)
            for position, term in atom_positions(clause.head):
                match term:
                    case Constant():
                        self.values.setdefault(position, set()).add(term.name)
                    case Function():
                        self.values.setdefault(position, set()).add((term.name, len(term.args)))
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
        """Return the values that can stand at all the positions."""
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
        """Return the number of ground terms that can stand at a position."""
        found = self._sizes.get(position)
        if found is None:
            # A function that can hold itself has no bound here; gringo finds out.
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
    work: list[Signature] = [("true", 1), ("does", 2)]
    while work:
        predicate = work.pop()
        if predicate not in dynamic:
            dynamic.add(predicate)
            work += readers.get(predicate, ())
    return {signature(c.head) for c in clauses} - dynamic


class Estimator:
    """Guesses of relation sizes and of the number of instances of bodies."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.domains = Domains(clauses)
        self.static = static_predicates(clauses)
        self._clauses: dict[Signature, list[Clause]] = {}
        for clause in clauses:
            self._clauses.setdefault(signature(clause.head), []).append(clause)
        self._densities: dict[Literal, float] = {}
        self._shapes: dict[Signature, dict[tuple[Value | None, ...], float]] = {}
        self._facts: dict[Signature, list[Atom] | None] = {}

    def variable_sizes(self, body: Sequence[Condition]) -> dict[str, float]:
        """Return the size of the domain of each variable that a body binds."""
        return {
            v: self.domains.size(self.domains.common(where)) for v, where in variable_positions(body).items()
        }

    def instances(self, body: Sequence[Condition], sizes: Mapping[str, float]) -> float:
        """Return the guessed number of substitutions that satisfy the positive part of a body."""
        names = {v for c in body for v in condition_variables(c)}
        product = math.prod(sizes.get(v, 1.0) for v in names)
        for condition in body:
            if isinstance(condition, Literal) and condition.positive:
                product *= self.density(condition)
        return min(product, _HUGE)

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
        facts = self._fact_list(owner)
        if facts is not None:
            return float(sum(_matches(atom.args, fact.args, {}) for fact in facts))
        if _ALIASES.get(owner, owner) == ("next", 1):
            return possible
        total = 0.0
        shape = _shape(atom)
        for other, size in self._shape_sizes(_ALIASES.get(owner, owner)).items():
            if all(a is None or b is None or a == b for a, b in zip(shape, other, strict=True)):
                # Constants where the relation has variables thin it out.
                for number, (mine, theirs) in enumerate(zip(shape, other, strict=True)):
                    if mine is not None and theirs is None:
                        size /= max(1.0, self.domains.position_size(("p", _ALIASES.get(owner, owner), number)))
                total += size
        return total

    def _fact_list(self, predicate: Signature) -> list[Atom] | None:
        """Return the rows of a predicate that is defined by ground facts alone, else None."""
        if predicate not in self._facts:
            clauses = self._clauses.get(predicate, [])
            is_plain = predicate not in _ALIASES and not any(c.body for c in clauses)
            self._facts[predicate] = [c.head for c in clauses] if is_plain else None
        return self._facts[predicate]

    def _shape_sizes(self, predicate: Signature) -> dict[tuple[Value | None, ...], float]:
        found = self._shapes.get(predicate)
        if found is not None:
            return found
        # Met again while it is computed: recursion, bounded by the domains alone.
        bound = self._bound(predicate)
        self._shapes[predicate] = {(None,) * predicate[1]: bound}
        sizes: dict[tuple[Value | None, ...], float] = {}
        for clause in self._clauses.get(predicate, []):
            body_sizes = self.variable_sizes(clause.body)
            rows = min(
                self.instances(clause.body, body_sizes),
                math.prod(body_sizes.get(v, 1.0) for v in set(_variables(clause.head))),
            )
            shape = _shape(clause.head)
            sizes[shape] = min(_HUGE, sizes.get(shape, 0.0) + rows)
        total = sum(sizes.values())
        if total > bound:
            sizes = {shape: size * bound / total for shape, size in sizes.items()}
        self._shapes[predicate] = sizes
        self._densities.clear()
        return sizes

    def _bound(self, predicate: Signature) -> float:
        return min(_HUGE, math.prod(self.domains.position_size(("p", predicate, i)) for i in range(predicate[1])))


def _variables(atom: Atom) -> Iterable[str]:
    return (term.name for _, term in atom_positions(atom) if isinstance(term, Variable))


def _shape(atom: Atom) -> tuple[Value | None, ...]:
    """Return what is known of each argument without its variables: a constant, a functor or None."""
    shape: list[Value | None] = []
    for arg in atom.args:
        match arg:
            case Constant():
                shape.append(arg.name)
            case Function():
                shape.append((arg.name, len(arg.args)))
            case Variable():
                shape.append(None)
    return tuple(shape)


def _matches(pattern: Sequence[Term], ground: Sequence[Term], values: dict[str, Term]) -> bool:
    """Tell whether a fact is an instance of a pattern."""
    for mine, theirs in zip(pattern, ground, strict=True):
        match mine:
            case Variable():
                if values.setdefault(mine.name, theirs) != theirs:
                    return False
            case Constant():
                if mine != theirs:
                    return False
            case Function():
                if not (
                    isinstance(theirs, Function)
                    and (theirs.name, len(theirs.args)) == (mine.name, len(mine.args))
                    and _matches(mine.args, theirs.args, values)
                ):
                    return False
    return True
