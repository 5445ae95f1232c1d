"""What a game's rules mean, however they are written: legal, next, terminal and goal as functions of fluents and moves.

Comes in: a `GroundProgram`. Goes out: for each atom a `Function` over fluents, moves and those derived atoms that are
too large to be written out in their users; equal ones share one number. Rules of one head are united, derived atoms are
replaced by their meaning as long as that stays small, and the result is reduced to prime implicants. These, with the
atom false, are the minimal forbidden tuples of the completed constraint `atom <-> function`; the tuples with the atom
true follow from them, so they need no vertices.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from woodstock.errors import BudgetExceeded
from woodstock.gdl.components import components
from woodstock.gdl.ground_program import GroundProgram
from woodstock.symmetry.connections import Connection, exits_to_one_user, find_connection
from woodstock.symmetry.terms import FALSE, TRUE, Function, Term, absorb, negation, primes


@dataclass(frozen=True)
class Limits:
    """How far derived atoms are written out. A renaming of the game changes none of these counts.

    An atom is written out in its users if it (or its complement, if that is used) has at most `inlined_terms` terms and
    the user's rule gets at most `body_terms`; primes are computed up to `prime_terms`; `literals` limits the total.
    """

    inlined_terms: int = 12
    body_terms: int = 96
    prime_terms: int = 64
    literals: int = 600_000


# Derived atoms stay, except those that only stand for another: linear in the rules.
COARSE = Limits(inlined_terms=1, body_terms=1, literals=3_000_000)


class Functions:
    """The functions of a game. Variables are atoms: of fluents and moves, and derived ones in `kept`."""

    def __init__(self, ground: GroundProgram, limits: Limits | None = None, seconds: float = 1e9) -> None:
        self._ground = ground
        self._limits = limits or Limits()
        self._role_of = {
            atom: role
            for atom, role in zip(ground.move_atoms.tolist(), ground.move_roles.tolist(), strict=True)
            if atom
        }
        self._inputs = {atom for atom in [*ground.fluent_atoms.tolist(), *self._role_of] if atom}
        self._plain: dict[int, Function] = {}
        self._negated: dict[int, Function | None] = {}
        self._first_with: dict[Function, int] = {}
        self._same_as: dict[int, int] = {}
        self._literals = 0
        self._seconds, self._ends_at = seconds, time.perf_counter() + seconds
        # Recursion that means a connection is replaced by a number above all atoms.
        self.connections: dict[int, Connection] = {}
        self._define()

    def of(self, atom: int) -> Function:
        """Return the function of an atom; an input's is the input itself."""
        if atom == 0:
            return FALSE
        if atom in self._inputs:
            return frozenset([frozenset([atom])])
        return self._plain.get(atom, FALSE)

    def _define(self) -> None:
        rules = self._ground.rules_by_head.bodies()
        uses = {
            head: {abs(literal) for body in some for literal in body if abs(literal) in rules}
            for head, some in rules.items()
        }
        users: dict[int, list[int]] = {}
        for head, some in uses.items():
            for atom in some:
                users.setdefault(atom, []).append(head)
        roots = self._outputs()
        for component in components(uses):
            if time.perf_counter() > self._ends_at:
                raise BudgetExceeded("symmetries", self._seconds, self._seconds, "s")
            if len(component) == 1 and component[0] not in uses[component[0]]:
                self._define_one(component[0], rules[component[0]])
                continue
            # Atoms that define each other stay as written: their meaning is a least fixpoint.
            members = set(component)
            terms = {atom: [t for body in rules[atom] for t in self._written_out(body, members)] for atom in component}
            if not members & roots and self._connect(component, terms, rules, users):
                continue
            for atom in component:
                function = absorb(terms[atom])
                self._plain[atom] = function
                self._count(function)

    def _connect(
        self,
        component: tuple[int, ...],
        terms: dict[int, list[Term]],
        rules: dict[int, list[list[int]]],
        users: dict[int, list[int]],
    ) -> bool:
        """Replace recursive atoms that mean a connection by it, in the rules of the atom that uses them."""
        found = exits_to_one_user(component, rules, users)
        if found is None or any(not terms[atom] for atom in component):
            return False
        user, exits = found
        connection = find_connection(component, terms, exits)
        if connection is None:
            return False
        number = self._ground.atom_count + 1 + len(self.connections)
        self.connections[number] = connection
        self._inputs.add(number)
        rules[user] = [[number], *[body for body in rules[user] if not (len(body) == 1 and body[0] in exits)]]
        self._literals += sum(map(len, connection.guards.values())) + len(connection.neighbours)
        return True

    def _outputs(self) -> set[int]:
        """Return the atoms of legal, next, terminal, goal and sees."""
        ground = self._ground
        goals: Iterable[int] = (atom for _role, _value, atom in ground.goals)
        percepts: Iterable[int] = (atom for _role, _percept, atom in ground.sees)
        return {ground.terminal, *ground.legal.tolist(), *ground.next.tolist(), *goals, *percepts}

    def _define_one(self, atom: int, bodies: list[list[int]]) -> None:
        limits = self._limits
        terms = {term for body in bodies for term in self._written_out(body, ())}
        function = primes(absorb(terms), limits.prime_terms)
        self._plain[atom] = function
        self._negated[atom] = negation(function, limits.body_terms)
        self._same_as[atom] = self._first_with.setdefault(function, atom)
        self._count(function)

    def _count(self, function: Function) -> None:
        self._literals += sum(map(len, function)) + 1
        if self._literals > self._limits.literals:
            raise BudgetExceeded("symmetries", self._literals, self._limits.literals, "literals")

    def _written_out(self, body: list[int], recursive: set[int] | tuple[()]) -> list[Term]:
        """Return the body's terms with derived atoms replaced by their meaning, as far as the limits allow."""
        factors: list[Function] = []
        size = 1
        for literal in body:
            factor = self._meaning(literal, recursive)
            factors.append(factor)
            size *= max(len(factor), 1)
        if size > self._limits.body_terms:
            # All or none of the factors that branch: a choice among them would depend on their order.
            factors = [
                factor if len(factor) < 2 else frozenset([frozenset([self._kept(literal)])])
                for literal, factor in zip(body, factors, strict=True)
            ]
        terms: list[frozenset[int]] = [frozenset()]
        for factor in factors:
            terms = [term | other for term in terms for other in factor]
        return [clean for term in terms if (clean := self._clean(term)) is not None]

    def _meaning(self, literal: int, recursive: set[int] | tuple[()]) -> Function:
        atom = abs(literal)
        if atom in self._inputs or atom in recursive:
            return frozenset([frozenset([literal])])
        if atom not in self._plain:
            return FALSE if literal > 0 else TRUE
        if atom not in self._same_as:  # recursive, and complete
            return frozenset([frozenset([literal])])
        function = self._plain[atom] if literal > 0 else self._negated[atom]
        if function is None or len(function) > self._limits.inlined_terms:
            return frozenset([frozenset([self._kept(literal)])])
        return function

    def _kept(self, literal: int) -> int:
        same = self._same_as.get(abs(literal), abs(literal))
        return same if literal > 0 else -same

    def _clean(self, term: frozenset[int]) -> Term | None:
        """Use that each role makes exactly one move; None for a term that cannot hold."""
        made: dict[int, int] = {}
        for literal in term:
            if -literal in term:
                return None
            if literal > 0 and literal in self._role_of and made.setdefault(self._role_of[literal], literal) != literal:
                return None
        if not made:
            return term
        return frozenset(literal for literal in term if literal > 0 or self._role_of.get(-literal) not in made)
