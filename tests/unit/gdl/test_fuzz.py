"""Any text gets a program or a `RulesError`, and any program survives checks and writers."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from woodstock.errors import RulesError
from woodstock.gdl.ast import And, Atom, Constant, Distinct, Formula, Function, Not, Or, Program, Rule, Term, Variable
from woodstock.gdl.check import check
from woodstock.gdl.parse import parse, parse_term
from woodstock.gdl.source import decode
from woodstock.gdl.write import write

SIGNS = "( ) (( )) <= :- ← , . & | ; % ' ~ \\+ \\= != a b c ?x ?y ?X X Y _ 1 100 101 -3 + (p ?x) p(X) 'a' _'X'"
KEYWORDS = "not or and distinct true does next legal goal terminal init role base input sees random"
WORDS = [*SIGNS.split(" "), *KEYWORDS.split(" "), "\n", "\t"]
SYNTAXES = st.sampled_from([None, "kif", "infix"])


def through(text: str, syntax: str | None) -> None:
    """Run a text through everything; only a `RulesError` with diagnostics may come out."""
    try:
        program = parse(text, "fuzz", syntax)
    except RulesError as error:
        assert error.diagnostics
        assert all(d.to_dict()["line"] >= 1 for d in error.diagnostics)
        return
    for found in check(program):
        assert str(found)
    for target in ("kif", "infix"):
        written = write(program, target)
        again = parse(written, "again", target)
        assert again.rules == program.rules
        assert write(again, target) == written


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40), st.sampled_from(["", " "]), SYNTAXES)
def test_token_soup(words: list[str], gap: str, syntax: str | None) -> None:
    through(gap.join(words), syntax)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), SYNTAXES)
def test_any_text(text: str, syntax: str | None) -> None:
    through(text, syntax)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    through(decode(data), None)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)))
def test_terms(text: str) -> None:
    try:
        term = parse_term(text)
    except RulesError as error:
        assert error.diagnostics
    else:
        assert parse_term(str(term)) == term


NAMES = (
    st.text(string.ascii_letters + string.digits + "+-*'_.,%\\|é:", min_size=1, max_size=4)
    .map(str.lower)
    .filter(lambda name: name not in ("not", "or", "and", "distinct", "<="))
)
TERMS: st.SearchStrategy[Term] = st.recursive(
    st.one_of(NAMES.map(Constant), NAMES.map(Variable)),
    lambda inner: st.builds(Function, NAMES, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    max_leaves=6,
)
ATOMS = st.builds(Atom, NAMES, st.lists(TERMS, max_size=3).map(tuple))
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.one_of(ATOMS, st.builds(Distinct, TERMS, TERMS)),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)
RULES = st.builds(Rule, ATOMS, st.lists(FORMULAS, max_size=4).map(tuple))


@settings(max_examples=100, deadline=None)
@given(st.lists(RULES, min_size=1, max_size=5).map(tuple))
def test_any_program_comes_back(rules: tuple[Rule, ...]) -> None:
    program = Program(rules)
    check(program)
    for syntax in ("kif", "infix"):
        text = write(program, syntax)
        again = parse(text, syntax=syntax)
        assert again == program
        assert write(again, syntax) == text
