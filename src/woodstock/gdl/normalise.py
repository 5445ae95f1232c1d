"""Clauses: rules without `or`, nested connectives and equalities.

Comes in: a `Program`. Goes out: a list of `Clause`, each a head and a flat conjunction of literals, that has the same
least model. The interpreter and the grounder both start here, so the meaning of unusual rules is defined in one place:

- `or` is distributed, so a rule is safe if each branch is safe as a rule of its own;
- `(not (distinct a b))` unifies a and b;
- a variable that occurs only under one `not` means "no instance": a new predicate projects it away;
- a `distinct` on a variable that nothing binds compares the terms as written;
- a clause that needs an undefined predicate never fires and is dropped;
- in `(legal ?p m)` a variable ?p that nothing binds ranges over the roles; the same holds for `goal` and `sees`;
- a head variable of another predicate that nothing binds takes the values of the calls (`bind_calls`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from woodstock.errors import RulesError
from woodstock.gdl.ast import (
    ASKED_OF_ROLES,
    GIVEN,
    KEYWORD_ARITY,
    And,
    Atom,
    Distinct,
    Formula,
    Not,
    Or,
    Program,
    Rule,
    Signature,
    Term,
    Variable,
    literals,
    signature,
    variable_names,
    variables,
)
from woodstock.gdl.unify import Substitution, substitute, unify

# A rule is distributed into at most this many clauses; beyond that, disjunctions become predicates of their own.
MAX_BRANCHES = 48

# No GDL symbol contains a space, so the names made here never collide with the user's.
_FRESH = " "


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom or its negation."""

    atom: Atom
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


Condition = Literal | Distinct


@dataclass(frozen=True, slots=True)
class Clause:
    """A rule with a flat body. `source` is the index of the rule it comes from."""

    head: Atom
    body: tuple[Condition, ...]
    source: int

    def __str__(self) -> str:
        return "(" + " ".join(["<=", str(self.head), *map(str, self.body)]) + ")"


class UnsafeClause(Exception):
    """A variable of the head that nothing in the body binds."""

    def __init__(self, variable: Variable, source: int) -> None:
        self.variable, self.source = variable, source
        super().__init__(f"variable {variable} in the head is not bound by the body")


def by_head(clauses: Iterable[Clause]) -> dict[Signature, list[Clause]]:
    """Return the clauses of each predicate, in their order."""
    found: dict[Signature, list[Clause]] = {}
    for clause in clauses:
        found.setdefault(signature(clause.head), []).append(clause)
    return found


def condition_variables(condition: Condition) -> Iterator[str]:
    """Yield the names of the variables of a condition."""
    return (v.name for v in variables(condition.atom if isinstance(condition, Literal) else condition))


def atom_variables(atom: Atom) -> tuple[str, ...]:
    """Return the names of the variables of an atom, each once, left to right."""
    return tuple(dict.fromkeys(v.name for v in variables(atom)))


def bound_variables(body: Iterable[Condition]) -> set[str]:
    """Return the variables that a positive literal of the body binds."""
    return {v for c in body if isinstance(c, Literal) and c.positive for v in condition_variables(c)}


def substitute_atom(atom: Atom, values: Substitution) -> Atom:
    """Apply a substitution to every argument."""
    return Atom(atom.name, tuple(substitute(a, values) for a in atom.args), atom.span)


def substitute_condition(condition: Condition, values: Substitution) -> Condition:
    """Apply a substitution to a condition."""
    if isinstance(condition, Literal):
        return Literal(substitute_atom(condition.atom, values), condition.positive)
    return Distinct(substitute(condition.left, values), substitute(condition.right, values))


def normalise(program: Program) -> list[Clause]:
    """Return the clauses of a program; raise `RulesError` for a head variable that nothing binds."""
    try:
        return bound_clauses(program.rules)
    except UnsafeClause as error:
        # The checker explains this, and whatever else may be wrong.
        from woodstock.gdl.check import check

        raise RulesError([d for d in check(program) if d.severity == "error"]) from error


def bound_clauses(rules: Sequence[Rule]) -> list[Clause]:
    """Return the clauses of rules; raise `UnsafeClause` for a head variable that neither body nor calls bind."""
    from woodstock.gdl.bind_calls import bind_by_calls

    return bind_by_calls(list(_Normaliser().run(rules)))


def _is_declaration(rule: Rule, used: set[Signature]) -> bool:
    """Return whether a rule only declares fluents or moves: no body uses its `base` or `input`."""
    return rule.head.name in ("base", "input") and signature(rule.head) not in used


# An unfinished branch: literals, disequalities and equalities, which are unified away later.
_Equal = tuple[Term, Term]
_Branch = tuple[Condition | _Equal, ...]


class _Normaliser:
    def __init__(self) -> None:
        self.counter = itertools.count(1)
        self.extra: list[Clause] = []
        self.defined: set[Signature] = set(GIVEN)

    def run(self, rules: Sequence[Rule]) -> Iterator[Clause]:
        used = {signature(atom) for rule in rules for atom, _ in literals(rule.body)}
        self.defined |= {signature(rule.head) for rule in rules}
        for source, rule in enumerate(rules):
            if _is_declaration(rule, used):
                continue
            for branch in self.branches(rule, source):
                clause = self.finish(rule.head, branch, source)
                if clause is not None:
                    yield clause
        yield from self.extra

    def branches(self, rule: Rule, source: int) -> Iterable[_Branch]:
        body = list(rule.body)
        while math.prod(_width(f, True) for f in body) > MAX_BRANCHES:
            widest = max(range(len(body)), key=lambda i: _width(body[i], True))
            if not self.name_disjunction(rule, body, widest, source):
                break
        return _product([_distribute(f, True) for f in body])

    def name_disjunction(self, rule: Rule, body: list[Formula], index: int, source: int) -> bool:
        """Replace one formula of a body by a new predicate defined by its branches, if each branch is safe."""
        formula = body[index]
        others = variable_names(rule.head, *body[:index], *body[index + 1 :])
        shared = tuple(sorted(variable_names(formula) & others))
        branches = [b for b in map(self._solve, _distribute(formula, True)) if b is not None]
        head = Atom(f"{_FRESH}or{next(self.counter)}", tuple(Variable(v) for v in shared))
        clauses = []
        for values, branch in branches:
            bound = bound_variables(branch)
            clause_head = substitute_atom(head, values)
            if not {v for c in branch for v in condition_variables(c)} | set(atom_variables(clause_head)) <= bound:
                return False
            clauses.append(Clause(clause_head, branch, source))
        self.extra += clauses
        self.defined.add(signature(head))
        body[index] = head
        return True

    @staticmethod
    def _solve(branch: _Branch) -> tuple[Substitution, tuple[Condition, ...]] | None:
        """Unify the equalities away and evaluate the disequalities that are decided; None for a false branch."""
        values: Substitution = {}
        for part in branch:
            if isinstance(part, tuple) and not unify(part[0], part[1], values):
                return None
        conditions: list[Condition] = []
        for part in branch:
            if isinstance(part, tuple):
                continue
            condition = substitute_condition(part, values)
            if isinstance(condition, Distinct):
                if condition.left == condition.right:
                    return None
                if not unify(condition.left, condition.right, {}):
                    continue
            if condition not in conditions:
                conditions.append(condition)
        return values, tuple(conditions)

    def finish(self, head: Atom, branch: _Branch, source: int) -> Clause | None:
        solved = self._solve(branch)
        if solved is None:
            return None
        values, conditions = solved
        head = substitute_atom(head, values)
        if any(c.positive and signature(c.atom) not in self.defined for c in conditions if isinstance(c, Literal)):
            return None
        bound = bound_variables(conditions)
        for position, arg in enumerate(head.args):
            for variable in variables(arg):
                if variable.name in bound:
                    continue
                if head.name not in KEYWORD_ARITY:
                    # Its calls bind it.
                    bound.add(variable.name)
                    continue
                if position > 0 or arg != variable or signature(head) not in ASKED_OF_ROLES:
                    raise UnsafeClause(variable, source)
                conditions = (Literal(Atom("role", (variable,))), *conditions)
                bound.add(variable.name)
        body: list[Condition] = []
        for condition in conditions:
            free = [v for v in dict.fromkeys(condition_variables(condition)) if v not in bound]
            if not free:
                body.append(condition)
            elif isinstance(condition, Literal):
                body.append(Literal(self.project(condition.atom, set(free), source), positive=False))
        return Clause(head, tuple(body), source)

    def project(self, atom: Atom, free: set[str], source: int) -> Atom:
        """Return an atom that holds if `atom` holds for some values of its free variables."""
        kept = tuple(v for v in atom_variables(atom) if v not in free)
        name = f"{_FRESH}some{next(self.counter)}"
        projected = Atom(name, tuple(Variable(v) for v in kept))
        self.extra.append(Clause(projected, (Literal(atom),), source))
        return projected


def _width(formula: Formula, positive: bool) -> int:
    match formula:
        case Not():
            return _width(formula.body, not positive)
        case Or() | And():
            widths = [_width(p, positive) for p in formula.parts]
            return sum(widths) if isinstance(formula, Or) == positive else math.prod(widths)
        case _:
            return 1


def _distribute(formula: Formula, positive: bool) -> list[_Branch]:
    """Return the disjunctive normal form of a formula or of its negation."""
    match formula:
        case Not():
            return _distribute(formula.body, not positive)
        case Or() | And():
            parts = [_distribute(p, positive) for p in formula.parts]
            if isinstance(formula, Or) == positive:
                return [branch for part in parts for branch in part]
            return list(_product(parts))
        case Distinct():
            if positive:
                return [(formula,)]
            return [((formula.left, formula.right),)]
        case _:
            return [(Literal(formula, positive),)]


def _product(parts: Sequence[list[_Branch]]) -> Iterator[_Branch]:
    for choice in itertools.product(*parts):
        yield tuple(itertools.chain.from_iterable(choice))
