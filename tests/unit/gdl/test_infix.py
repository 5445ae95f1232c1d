from __future__ import annotations

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.parse import parse

PENNIES = """% Matching pennies, as printed
role(j1). role(j2).
cote(pile). cote(face).
init(piece(J,inconnue)) ← role(J).
legal(J,retourne(C)) ← role(J), cote(C), true(piece(J,inconnue)).
next(piece(P,C)) :- does(P,retourne(C)).
terminal <= not(true(piece(P,inconnue))).
goal(j1,100) :- true(piece(j1,S)) & true(piece(j2,S)).
goal(j1,0) :- true(piece(j1,S1)), true(piece(j2,S2)), distinct(S1,S2).
"""


def kif(text: str) -> list[str]:
    return [str(rule) for rule in parse(text, syntax="infix").rules]


def codes(text: str) -> list[str]:
    with pytest.raises(RulesError) as caught:
        parse(text, syntax="infix")
    return [d.code for d in caught.value.diagnostics]


def test_the_papers_game_reads_as_its_kif() -> None:
    assert kif(PENNIES) == [
        "(role j1)",
        "(role j2)",
        "(cote pile)",
        "(cote face)",
        "(<= (init (piece ?j inconnue)) (role ?j))",
        "(<= (legal ?j (retourne ?c)) (role ?j) (cote ?c) (true (piece ?j inconnue)))",
        "(<= (next (piece ?p ?c)) (does ?p (retourne ?c)))",
        "(<= terminal (not (true (piece ?p inconnue))))",
        "(<= (goal j1 100) (true (piece j1 ?s)) (true (piece j2 ?s)))",
        "(<= (goal j1 0) (true (piece j1 ?s1)) (true (piece j2 ?s2)) (distinct ?s1 ?s2))",
    ]
    assert [c.text for c in parse(PENNIES).comments] == [" Matching pennies, as printed"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("p :- a, b | c.", "(<= p (or (and a b) c))"),
        ("p :- a & (b ; c).", "(<= p a (or b c))"),
        ("p :- a ∧ (b ∨ c).", "(<= p a (or b c))"),
        ("p :- a and (b or c).", "(<= p a (or b c))"),
        ("p :- (a, b), c.", "(<= p (and a b) c)"),
        ("p :- ((a | b) | c).", "(<= p (or (or a b) c))"),
        ("p :- or(a, and(b), c).", "(<= p (or a (and b) c))"),
        (
            "p :- ~a, \\+ b, ¬c, not d, not(e), not (f, g).",
            "(<= p (not a) (not b) (not c) (not d) (not e) (not (and f g)))",
        ),
        ("p :- not not a.", "(<= p (not (not a)))"),
        ("p(X,Y) :- q(X,Y), X \\= Y.", "(<= (p ?x ?y) (q ?x ?y) (distinct ?x ?y))"),
        ("p(X,Y) :- q(X,Y), f(X) != Y, X ≠ a.", "(<= (p ?x ?y) (q ?x ?y) (distinct (f ?x) ?y) (distinct ?x a))"),
        ("p(-3, +1, 007, 1a).", "(p -3 +1 007 1a)"),
        ("p('+', 'North', 'it\\'s', '\\\\', ':-').", "(p + North it's \\ :-)"),
        ("p(Xa, _x, _'X', _'1').", "(p ?xa ?_x ?X ?1)"),
        ("p() :- q().", "(<= p q)"),
        ("p(not, or).", "(p not or)"),
    ],
)
def test_reads(text: str, rule: str) -> None:
    assert kif(text) == [rule]


def test_each_underscore_is_a_new_variable() -> None:
    assert kif("p(X) :- q(X, _, _), r(_1).") == ["(<= (p ?x) (q ?x ?_2 ?_3) (r ?_1))"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p :- q", ["GDL015"]),
        ("p\nq :- r.", ["GDL015"]),
        ("p :- q\nr :- s.\nt.", ["GDL015"]),
        ("p :- .", ["GDL014"]),
        (".", ["GDL014"]),
        ("p(a b).", ["GDL014"]),
        ("p(a,).", ["GDL014"]),
        ("p(?x).", ["GDL014"]),
        ("p(a.", ["GDL001"]),
        ("p(a)).", ["GDL002"]),
        ("p('a b').", ["GDL019"]),
        ("p('').", ["GDL019"]),
        ("p('a).", ["GDL019"]),
        ("p :- X.", ["GDL013"]),
        ("X(a).", ["GDL006"]),
        ("p :- " + "not " * 5000 + "a.", ["GDL007"]),
        ("p :- " + "(" * 5000 + "a.", ["GDL007"]),
        ("p(" + "f(" * 5000, ["GDL015", "GDL007"]),
    ],
)
def test_refused(text: str, found: list[str]) -> None:
    assert sorted(codes(text)) == sorted(found)


def test_a_bad_statement_does_not_hide_the_next() -> None:
    assert codes("p(a b).\nq(c).\nr(a,).\n") == ["GDL014", "GDL014"]
