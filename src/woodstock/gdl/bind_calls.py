"""Bind by demand: head variables that only the calls of a predicate bind.

Comes in: clauses, some of them *loose*: `(<= (adjacent ?x ?y ?x2 ?y) (succ ?x ?x2))` says nothing about ?y. Goes out:
clauses with the same meaning for every call, and nothing loose. If no clause is loose, the clauses are returned as they
are. Cost: linear in the calls of loose predicates.

Each loose predicate gets a copy for each set of arguments that a call binds, and a predicate that holds for the values
it is asked for (magic sets, [Beeri and Ramakrishnan 1991]): the copy has a condition on it, the calls define it by what
comes before them. What is asked for may depend on the state or on the moves. So copies are also made for each *level*:
a predicate that `legal` asks for must not come to depend on `does` because `next` asks for it too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from woodstock.gdl.ast import (
    KEYWORD_ARITY,
    Atom,
    Function,
    Program,
    Signature,
    Variable,
    signature,
    variable_names,
    variables,
)
from woodstock.gdl.components import components
from woodstock.gdl.normalise import (
    Clause,
    Condition,
    Literal,
    UnsafeClause,
    bound_clauses,
    bound_variables,
    by_head,
    condition_variables,
)

# A predicate is static, or it depends on the state, or on the moves.
_LEVELS = {("true", 1): 1, ("does", 2): 2}

# A condition that no rule defines: a rule with it has no effect.
_NEVER = Atom(" never", ())

_Key = tuple[Signature, tuple[int, ...], int]


def loose_variables(clause: Clause) -> list[Variable]:
    """Return the variables of the head that no positive literal of the body mentions."""
    bound = bound_variables(clause.body)
    return [v for v in variables(clause.head) if v.name not in bound]


def bind_by_calls(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses without loose ones; raise `UnsafeClause` if a call leaves a variable unbound, or there is none."""
    loose = {signature(clause.head) for clause in clauses if loose_variables(clause)}
    if not loose:
        return list(clauses)
    levels = _levels(clauses)
    while True:
        binder = _Binder(clauses, loose, levels)
        try:
            bound = binder.run()
            break
        except _PassedOn as error:
            # Its own calls must bind what it passes on.
            loose = loose | {error.predicate}
    called = {predicate for predicate, _, _ in binder.copies}
    for clause in clauses:
        if loose_variables(clause) and signature(clause.head) not in called:
            raise UnsafeClause(loose_variables(clause)[0], clause.source)
    _check_loops(bound, clauses)
    return bound


def unbound_rules(program: Program) -> frozenset[int]:
    """Return the indices of rules with a head variable that neither the body nor the calls bind."""
    rules = list(program.rules)
    failed: set[int] = set()
    while True:
        try:
            bound_clauses(rules)
            return frozenset(failed)
        except UnsafeClause as error:
            failed.add(error.source)
            rules[error.source] = replace(rules[error.source], body=(_NEVER,))


class _PassedOn(Exception):
    """A clause calls a loose predicate with a variable of its own head that nothing else binds."""

    def __init__(self, predicate: Signature) -> None:
        self.predicate = predicate
        super().__init__(predicate)


@dataclass(slots=True)
class _Body:
    """A body while its calls are bound: what is known, and the conditions that come before the next call."""

    known: set[str]
    before: list[Condition]

    def add(self, literal: Literal) -> None:
        self.known |= set(condition_variables(literal))
        self.before.append(literal)


class _Binder:
    def __init__(self, clauses: Sequence[Clause], loose: set[Signature], levels: dict[Signature, int]) -> None:
        self.clauses, self.loose, self.levels = clauses, loose, levels
        self.by_head = by_head(clauses)
        self.copies: set[_Key] = set()
        self.out: list[Clause] = []

    def run(self) -> list[Clause]:
        for clause in self.clauses:
            head = signature(clause.head)
            if head in self.loose:
                continue
            try:
                self.out.append(self.bind(clause, self.levels[head], ()))
            except UnsafeClause:
                if head[0] in KEYWORD_ARITY or head[1] == 0:
                    raise
                raise _PassedOn(head) from None
        return self.out

    def bind(self, clause: Clause, level: int, guard: tuple[Literal, ...]) -> Clause:
        """Return a clause whose calls of loose predicates go to copies, and add those copies."""
        closed = [c for c in clause.body if isinstance(c, Literal) and c.positive and not self.is_loose(c)]
        body = _Body(bound_variables((*guard, *closed)), [*guard, *closed])
        calls = [c for c in clause.body if isinstance(c, Literal) and c.positive and self.is_loose(c)]
        new: dict[Condition, Condition] = {}
        while calls:
            call, copy = self.next_call(calls, body, level, clause.source)
            calls.remove(call)
            new[call] = copy
            body.add(copy)
        for condition in clause.body:
            if isinstance(condition, Literal) and not condition.positive and self.is_loose(condition):
                new[condition] = self.copy(condition, body, level, clause.source)
        for variable in variables(clause.head):
            if variable.name not in body.known:
                raise UnsafeClause(variable, clause.source)
        return Clause(clause.head, (*guard, *(new.get(c, c) for c in clause.body)), clause.source)

    def is_loose(self, literal: Literal) -> bool:
        return signature(literal.atom) in self.loose

    def next_call(self, calls: list[Literal], body: _Body, level: int, source: int) -> tuple[Literal, Literal]:
        """Return the call that binds most and can be answered, with the copy that it goes to."""

        def bound(call: Literal) -> int:
            return sum(variable_names(arg) <= body.known for arg in call.atom.args)

        failure: UnsafeClause | None = None
        for call in sorted(calls, key=bound, reverse=True):
            size, known = len(self.out), set(self.copies)
            try:
                return call, self.copy(call, body, level, source)
            except UnsafeClause as error:
                del self.out[size:]
                self.copies = known
                failure = failure or error
        assert failure is not None
        raise failure

    def copy(self, call: Literal, body: _Body, level: int, source: int) -> Literal:
        """Return a call of the copy for the arguments that are bound here, and add what it asks for."""
        predicate = signature(call.atom)
        positions = tuple(i for i, arg in enumerate(call.atom.args) if variable_names(arg) <= body.known)
        key = (predicate, positions, level)
        asked = Literal(Atom(_name("asked", key), tuple(call.atom.args[i] for i in positions)))
        self.out.append(Clause(asked.atom, tuple(body.before), source))
        if key not in self.copies:
            self.copies.add(key)
            for clause in self.by_head[predicate]:
                guard = Literal(Atom(_name("asked", key), tuple(clause.head.args[i] for i in positions)))
                answer = Clause(Atom(_name("answer", key), clause.head.args), clause.body, clause.source)
                self.out.append(self.bind(answer, level, (guard,)))
        return Literal(Atom(_name("answer", key), call.atom.args), call.positive)


def _name(word: str, key: _Key) -> str:
    """Return the name of a predicate for a copy; no symbol of a rulesheet contains a space."""
    (name, arity), positions, level = key
    return f" {word} {name}/{arity} {','.join(map(str, positions))} {level}"


def _levels(clauses: Sequence[Clause]) -> dict[Signature, int]:
    """Return the level of each predicate that is defined or called."""
    below: dict[Signature, set[Signature]] = {}
    for clause in clauses:
        called = [signature(c.atom) for c in clause.body if isinstance(c, Literal)]
        below.setdefault(signature(clause.head), set()).update(called)
        for predicate in called:
            below.setdefault(predicate, set())
    levels: dict[Signature, int] = {}
    for component in components(below):
        inside = [p for member in component for p in below[member]]
        level = max((levels.get(p, _LEVELS.get(p, 0)) for p in (*inside, *component)), default=0)
        levels.update(dict.fromkeys(component, level))
    return levels


def _check_loops(bound: Sequence[Clause], clauses: Sequence[Clause]) -> None:
    """Raise `UnsafeClause` if what is asked for depends on the absence of the answer, or grows without end."""
    graph: dict[Signature, set[Signature]] = {}
    for clause in bound:
        called = {signature(c.atom) for c in clause.body if isinstance(c, Literal)}
        graph.setdefault(signature(clause.head), set()).update(called)
    component_of = {p: number for number, component in enumerate(components(graph)) for p in component}
    for clause in bound:
        own = component_of[signature(clause.head)]
        around = [c for c in clause.body if isinstance(c, Literal) and component_of.get(signature(c.atom)) == own]
        is_absent = any(not c.positive and c.atom.name.startswith(" answer") for c in around)
        if is_absent or (clause.head.name.startswith(" asked") and _grows(clause.head, around)):
            first = next(c for c in clauses if loose_variables(c))
            raise UnsafeClause(loose_variables(first)[0], first.source)


def _grows(asked: Atom, around: Sequence[Literal]) -> bool:
    """Return whether a question is asked with a larger term than those that led to it."""
    known = {arg for literal in around for arg in literal.atom.args}
    built = [arg for arg in asked.args if isinstance(arg, Function) and variable_names(arg) and arg not in known]
    return bool(around) and bool(built)
