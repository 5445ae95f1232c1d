"""Demand: restrict huge relations to the rows that their callers can ask for.

A predicate with thousands of rows for each question, but few questions, grounds small once the questions are known.
For example, rules that count stones define `(count ?pit ?so_far ?total)` for all values, but ask it with small
`?so_far` only. For each such predicate this adds a *demand* predicate over the arguments that every caller binds (magic
sets, [Beeri and Ramakrishnan 1991]) and guards its clauses with it.

Demand is static: a predicate that depends on the state or the moves is replaced by a *relaxed* version, which holds
whenever the original can. So the guards vanish in grounding. Relaxed clauses drop `not`, so no loop through negation
can arise. Relaxed versions may themselves be large, so this is only for programs that would not ground otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from woodstock.gdl.ast import GIVEN, KEYWORD_ARITY, Atom, Constant, Signature, Term, Variable, signature, variable_names
from woodstock.gdl.normalise import Clause, Condition, Literal, bound_variables, by_head, condition_variables
from woodstock.gdl.rewrite_domains import Estimator, Position, atom_positions

# Relations estimated to be larger than `_HEAVY_ROWS` get a guard if one of them is larger than `_HOPELESS_ROWS`.
_HEAVY_ROWS = 1e5
_HOPELESS_ROWS = 2e6


def restrict(clauses: Sequence[Clause], estimator: Estimator) -> list[Clause] | None:
    """Return clauses in which huge relations are guarded by demand; None if there is nothing to guard."""
    try:
        return _Restrictor(clauses, estimator).run()
    except _NoDomain:
        return None


class _Restrictor:
    def __init__(self, clauses: Sequence[Clause], estimator: Estimator) -> None:
        self.clauses, self.estimator = clauses, estimator
        self.by_head = by_head(clauses)
        rows = {p: self.estimator.rows(p) for p in self.by_head if p[0] not in KEYWORD_ARITY}
        is_hopeless = max(rows.values(), default=0.0) > _HOPELESS_ROWS
        self.heavy = {p for p, guess in rows.items() if is_hopeless and guess > _HEAVY_ROWS}
        self.tainted = self._tainted()
        self.domain_facts: dict[Position, str] = {}
        self.relaxed: set[Signature] = set()
        self.guards: dict[Signature, tuple[int, ...]] = {}
        self.out: list[Clause] = []

    def _tainted(self) -> set[Signature]:
        """Return the predicates that depend on the state, the moves or a heavy predicate: demand must relax them."""
        tainted = self.heavy | (self.by_head.keys() - self.estimator.static) | GIVEN
        changed = True
        while changed:
            changed = False
            for predicate, clauses in self.by_head.items():
                if predicate not in tainted and any(
                    isinstance(c, Literal) and signature(c.atom) in tainted for k in clauses for c in k.body
                ):
                    tainted.add(predicate)
                    changed = True
        return tainted

    def run(self) -> list[Clause] | None:
        if not self.heavy:
            return None
        bound = self._bound_positions()
        self.guards = {predicate: positions for predicate, positions in bound.items() if positions}
        if not self.guards:
            return None
        for clause in self.clauses:
            self._demand_of(clause)
        for clause in self.clauses:
            guard = self._guard(clause.head)
            self.out.append(Clause(clause.head, (*guard, *clause.body), clause.source))
        return self.out

    def _bound_positions(self) -> dict[Signature, tuple[int, ...]]:
        """Return for each heavy predicate the arguments that all its callers bind, given that its own are bound."""
        bound = {predicate: tuple(range(predicate[1])) for predicate in self.heavy}
        changed = True
        while changed:
            changed = False
            self.guards = bound
            for clause in self.clauses:
                for call, before in self._calls(clause):
                    known = self._known(clause, before)
                    target = signature(call.atom)
                    kept = tuple(i for i in bound[target] if variable_names(call.atom.args[i]) <= known)
                    if kept != bound[target]:
                        bound[target] = kept
                        changed = True
        return bound

    def _calls(self, clause: Clause) -> Iterable[tuple[Literal, list[Condition]]]:
        """Yield each heavy literal of a clause with the literals that may restrict it; no two restrict each other."""
        light = [c for c in clause.body if not self._is_heavy(c)]
        heavy = [c for c in clause.body if isinstance(c, Literal) and self._is_heavy(c)]
        # Those with the most bound go first; negated ones bind nothing and go last.
        before = list(light)
        while heavy:
            known = self._known(clause, before)
            best = max(heavy, key=lambda c: (c.positive, sum(variable_names(a) <= known for a in c.atom.args)))
            heavy.remove(best)
            yield best, list(before)
            before.append(best)

    def _is_heavy(self, condition: Condition) -> bool:
        return isinstance(condition, Literal) and signature(condition.atom) in self.heavy

    def _known(self, clause: Clause, before: Sequence[Condition]) -> set[str]:
        positions = self.guards.get(signature(clause.head), ())
        known = {v for i in positions for v in variable_names(clause.head.args[i])}
        return known | bound_variables(before)

    def _guard(self, head: Atom) -> tuple[Literal, ...]:
        positions = self.guards.get(signature(head))
        if not positions:
            return ()
        return (Literal(Atom(f" demand {head.name}/{len(head.args)}", tuple(head.args[i] for i in positions))),)

    def _demand_of(self, clause: Clause) -> None:
        """Add the questions that a clause asks of guarded predicates."""
        for call, before in self._calls(clause):
            guard = self._guard(call.atom)
            if guard:
                body = [*self._guard(clause.head), *self._relax_body(before)]
                self._add(guard[0].atom, body, clause.source)

    def _add(self, head: Atom, body: list[Condition], source: int) -> None:
        # A test on variables that the relaxed body does not bind is dropped; those of the head are known to be bound.
        bound = bound_variables(body)
        kept = [c for c in body if isinstance(c, Literal) or set(condition_variables(c)) <= bound]
        self.out.append(Clause(head, tuple(dict.fromkeys(kept)), source))

    def _relax_body(self, body: Iterable[Condition]) -> list[Condition]:
        result: list[Condition] = []
        for condition in body:
            if not isinstance(condition, Literal):
                result.append(condition)
            elif condition.positive:
                result += self._relax(condition)
            elif signature(condition.atom) not in self.tainted:
                result.append(condition)
        # A negated static literal stays only if its variables are still bound.
        bound = bound_variables(result)
        return [c for c in result if (isinstance(c, Literal) and c.positive) or set(condition_variables(c)) <= bound]

    def _relax(self, literal: Literal) -> list[Condition]:
        predicate = signature(literal.atom)
        if predicate not in self.tainted:
            return [literal]
        if predicate in GIVEN:
            return [
                Literal(Atom(self._domain(position), (term,)))
                for position, term in atom_positions(literal.atom)
                if isinstance(term, Variable)
            ]
        if predicate not in self.relaxed:
            self.relaxed.add(predicate)
            for clause in self.by_head.get(predicate, []):
                body = [*self._guard(clause.head), *self._relax_body(clause.body)]
                self._add(Atom(f" relaxed {clause.head.name}", clause.head.args), body, clause.source)
        return [Literal(Atom(f" relaxed {literal.atom.name}", literal.atom.args))]

    def _domain(self, position: Position) -> str:
        """Return a predicate that holds for all values that can occur at a position."""
        name = self.domain_facts.get(position)
        if name is None:
            name = self.domain_facts[position] = f" domain{len(self.domain_facts)}"
            for term in self._terms(position):
                self.out.append(Clause(Atom(name, (term,)), (), 0))
        return name

    def _terms(self, position: Position) -> Iterable[Term]:
        for value in sorted(self.estimator.domains.values.get(position, ()), key=str):
            if not isinstance(value, str):
                raise _NoDomain
            yield Constant(value)


class _NoDomain(Exception):
    """A variable that ranges over functions: its domain is not listed."""
