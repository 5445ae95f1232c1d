"""Rewriting keeps the meaning: the same rows for the same predicates, on random programs and by demand too."""

from __future__ import annotations

import random

import pytest

from woodstock.gdl import rewrite_demand
from woodstock.gdl.ast import Atom, Constant, Distinct, Function, Program, Rule, Signature, Term, Variable, signature
from woodstock.gdl.join import Relation, Row
from woodstock.gdl.normalise import Clause, Literal, normalise
from woodstock.gdl.parse import parse
from woodstock.gdl.relations import DOES, STATE, TRUE, Model, Rules
from woodstock.gdl.rewrite import rewrite

VALUES = ("a", "b", "c", "d")
# Predicates in the order in which they may depend on each other; the first ones are static.
PREDICATES: list[Signature] = [("e", 2), ("s", 1), ("join", 3), ("p", 1), ("q", 2), ("far", 2), ("wide", 4)]
STATIC = 3


class RandomProgram:
    """Safe, stratified clauses over few values, with long bodies to split and static joins to inline."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.clauses: list[Clause] = []
        for x in VALUES:
            if self.rng.random() < 0.7:
                self.clauses.append(Clause(Atom("s", (Constant(x),)), (), 0))
            for y in VALUES:
                if self.rng.random() < 0.4:
                    self.clauses.append(Clause(Atom("e", (Constant(x), Constant(y))), (), 0))
        for number, predicate in enumerate(PREDICATES[2:], 2):
            for _ in range(1 if number < STATIC else self.rng.randint(1, 2)):
                self.clauses.append(self.clause(predicate, number))
        for _ in range(2):
            self.clauses.append(self.clause(("legal", 2), len(PREDICATES)))
            self.clauses.append(self.clause(("next", 1), len(PREDICATES)))

    def clause(self, predicate: Signature, number: int) -> Clause:
        rng = self.rng
        names = [f"v{i}" for i in range(rng.randint(3, 6))]
        body: list[Literal | Distinct] = []
        for _ in range(rng.randint(2, 5)):
            body.append(Literal(self.atom(names, number)))
        if predicate == ("far", 2) and rng.random() < 0.5:
            body.append(Literal(Atom("far", (self.term(names), self.term(names)))))
        bound = [v for v in names if any(v in str(c).replace("?", " ").replace(")", " ").split() for c in body)]
        if not bound:
            body.append(Literal(Atom("s", (Variable("v0"),))))
            bound = ["v0"]
        if rng.random() < 0.5:
            body.append(Literal(self.atom(bound, number), positive=False))
        if rng.random() < 0.5:
            body.append(Distinct(Variable(rng.choice(bound)), Variable(rng.choice(bound))))
        args: tuple[Term, ...] = tuple(Variable(rng.choice(bound)) for _ in range(predicate[1]))
        if predicate[0] == "legal":
            args = (Constant("player"), Function("move", (args[0], args[1])))
        if predicate[0] == "next":
            args = (Function("f", (args[0],)),)
        rng.shuffle(body)
        return Clause(Atom(predicate[0], args), tuple(body), 0)

    def term(self, names: list[str]) -> Term:
        return Constant(self.rng.choice(VALUES)) if self.rng.random() < 0.1 else Variable(self.rng.choice(names))

    def atom(self, names: list[str], number: int) -> Atom:
        kind = self.rng.random()
        if number >= STATIC and kind < 0.3:
            return Atom("true", (Function("f", (self.term(names),)),))
        if number >= STATIC and kind < 0.4:
            return Atom("true", (Function("g", (self.term(names), self.term(names))),))
        name, arity = self.rng.choice(PREDICATES[:number])
        return Atom(name, tuple(self.term(names) for _ in range(arity)))


def rows(clauses: list[Clause], true: set[Row]) -> dict[Signature, set[Row]]:
    """Return the relations in a state, without those that rewriting made."""
    model = Model(Rules(clauses), STATE, limit=10**9)
    static = Model(model.rules, 0, limit=10**9)
    model.below = static
    model.relations[TRUE] = Relation(true)
    model.relations[DOES] = Relation()
    predicates = {signature(c.head) for c in clauses}
    return {p: model.rows(p) for p in predicates if not p[0].startswith(" ")}


def random_state(rng: random.Random) -> set[Row]:
    state: set[Row] = {(("f", x),) for x in VALUES if rng.random() < 0.5}
    return state | {(("g", x, y),) for x in VALUES for y in VALUES if rng.random() < 0.4}


def init_facts() -> list[Clause]:
    """Return what lets every fluent of a random state occur."""
    fluents = [Function("f", (Constant(x),)) for x in VALUES]
    fluents += [Function("g", (Constant(x), Constant(y))) for x in VALUES for y in VALUES]
    return [Clause(Atom("init", (fluent,)), (), 0) for fluent in fluents]


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_keep_their_model(seed: int) -> None:
    clauses = RandomProgram(seed).clauses + init_facts()
    rewritten = rewrite(clauses)
    rng = random.Random(seed)
    for _ in range(3):
        state = random_state(rng)
        assert rows(rewritten, state) == rows(clauses, state)


@pytest.mark.parametrize("seed", range(40))
def test_demand_keeps_what_the_game_asks_for(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite_demand, "_HEAVY_ROWS", 3.0)
    monkeypatch.setattr(rewrite_demand, "_HOPELESS_ROWS", 3.0)
    clauses = RandomProgram(seed).clauses + init_facts()
    rewritten = rewrite(clauses)
    rng = random.Random(seed)
    for _ in range(3):
        state = random_state(rng)
        ours, theirs = rows(rewritten, state), rows(clauses, state)
        for predicate in (("legal", 2), ("next", 1)):
            assert ours.get(predicate) == theirs.get(predicate)


@pytest.mark.parametrize("seed", range(40))
def test_relations_by_demand_are_the_same(seed: int) -> None:
    clauses = RandomProgram(seed).clauses + init_facts()
    state = random_state(random.Random(seed))
    whole = rows(clauses, state)
    rules = Rules(clauses)
    for component in set(rules.component.values()) - rules.negated:
        rules.compute_by_demand(component)
    model = Model(rules, STATE, Model(rules, 0, limit=10**9), limit=10**9)
    model.relations[TRUE] = Relation(state)
    for predicate, expected in whole.items():
        assert model.rows(predicate) == expected


def test_a_loop_by_demand() -> None:
    edges = " ".join(f"(edge {i} {(i * 7 + 3) % 20}) (edge {i} {(i * 3 + 1) % 20})" for i in range(20))
    text = f"(role r) {edges} (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?y) (path ?x ?z) (path ?z ?y))"
    rules = Rules(normalise(parse(text + "(<= (from ?y) (path 0 ?y))")))
    whole = Model(rules, 0, limit=10**6).rows(("from", 1))
    rules.compute_by_demand((("path", 2),))
    model = Model(rules, 0, limit=10**6)
    assert model.rows(("from", 1)) == whole
    assert len(whole) > 5


def test_a_chain_is_split() -> None:
    program = parse(
        """
        (role r) (index 1) (index 2) (index 3) (index 4) (index 5) (index 6) (index 7) (index 8)
        (<= (init (at ?x ?y)) (index ?x) (index ?y))
        (<= (legal r (go ?a)) (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d)) (true (at ?d ?e)))
        (<= (next (at ?x ?y)) (true (at ?x ?y)))
        """
    )
    longest = max(len({v for v in str(c).split() if v.startswith("?")}) for c in rewrite(normalise(program)))
    assert longest <= 3


def test_equal_auxiliaries_are_shared() -> None:
    text = "(role r) " + " ".join(f"(d {i})" for i in range(9))
    text += "(<= (init (at ?x ?y)) (d ?x) (d ?y)) (<= (next (at ?x ?y)) (true (at ?x ?y)))"
    for name in ("one", "two"):
        text += f"(<= (legal r ({name} ?a ?z)) (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d)) (true (at ?z ?z)))"
    rewritten = rewrite(normalise(parse(text)))
    auxiliaries = [c for c in rewritten if c.head.name.startswith(" ")]
    assert auxiliaries
    assert len({str(c.body) for c in auxiliaries}) == len(auxiliaries)
    uses = [str(c) for c in rewritten if c.head.name == "legal"]
    assert uses[0].replace("one", "two") == uses[1]


def test_many_branches_become_a_predicate() -> None:
    condition = "(or " + " ".join(f"(p ?x {i})" for i in range(8)) + ")"
    facts = " ".join(f"(p {i} {j})" for i in range(4) for j in range(4))
    program = parse(f"(role r) {facts} (<= (q ?x) {condition} {condition} {condition} (p ?x ?y))")
    assert len(normalise(program)) < len(program.rules) + 60
    rules = Rules(normalise(program))
    assert len(Model(rules, 0, limit=10**6).rows(("q", 1))) == 4


def test_a_program_without_rules() -> None:
    assert rewrite(normalise(Program((Rule(Atom("role", (Constant("r"),))),)))) == [
        Clause(Atom("role", (Constant("r"),)), (), 0)
    ]
