from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.ast import And, Atom, Constant, Distinct, Function, Not, Or, Rule, Variable
from woodstock.gdl.parse import parse


def codes(text: str) -> list[str]:
    with pytest.raises(RulesError) as caught:
        parse(text, syntax="kif")
    return [d.code for d in caught.value.diagnostics]


def only(text: str) -> Rule:
    (rule,) = parse(text, syntax="kif").rules
    return rule


def test_rule() -> None:
    x, y = Variable("x"), Variable("y")
    assert only("(<= (next (cell ?x b)) (or (a ?x) (and b (not (c ?y)))) (distinct ?x ?y) (d ?y))") == Rule(
        Atom("next", (Function("cell", (x, Constant("b"))),)),
        (
            Or((Atom("a", (x,)), And((Atom("b"), Not(Atom("c", (y,))))))),
            Distinct(x, y),
            Atom("d", (y,)),
        ),
    )


def test_odd_symbols_are_plain() -> None:
    symbols = '+ - * \' 007 -3 a.b a|b % :- ← "q"'
    assert [str(a) for a in only(f"(p {symbols})").head.args] == symbols.split()


def test_brackets_around_a_lone_name_make_no_difference() -> None:
    assert only("(<= (terminal) (open) (legal white (noop)))") == only("(<= terminal open (legal white noop))")


def test_a_rule_without_a_body_is_a_fact() -> None:
    assert only("(<= (legal white noop))") == only("(legal white noop)")


def test_names_take_the_first_spelling_and_keywords_small_letters() -> None:
    first, second = parse("(ROLE White)\n(<= (Legal WHITE Noop) (True (Control white)))").rules
    assert str(first) == "(role White)"
    assert str(second) == "(<= (legal White Noop) (true (Control White)))"


def test_variables_differ_by_more_than_case_and_belong_to_their_rule() -> None:
    first, second = parse("(<= (p ?hPos) (q ?hpos))\n(<= (p ?HPOS) (q ?HPOS))").rules
    assert str(first) == "(<= (p ?hPos) (q ?hPos))"
    assert str(second) == "(<= (p ?HPOS) (q ?HPOS))"


def test_spans_point_at_the_source() -> None:
    text = "; note\n(<= (p ?x)\r\n    (q ?x))\n"
    program = parse(text)
    rule = program.rules[0]
    assert program.text[rule.span.start : rule.span.end] == "(<= (p ?x)\n    (q ?x))"
    assert program.text[rule.body[0].span.start : rule.body[0].span.end] == "(q ?x)"
    assert [c.text for c in program.comments] == [" note"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("(<= (p ?x) (?q ?x))", "GDL006"),
        ("(p (?f a))", "GDL006"),
        ("(p ((f) a))", "GDL005"),
        ("(p ())", "GDL004"),
        ("()", "GDL004"),
        ("((a))", "GDL005"),
        ("(<=)", "GDL008"),
        ("(<= (p) (distinct a))", "GDL011"),
        ("(<= (p) (not a b))", "GDL011"),
        ("(<= (p) (or))", "GDL011"),
        ("(<= (p) not)", "GDL011"),
        ("(not (p))", "GDL012"),
        ("(<= (distinct a b) (p))", "GDL012"),
        ("(<= (p) ?x)", "GDL013"),
        ("(p ?)", "GDL009"),
        ("", "GDL016"),
        ("; nothing", "GDL016"),
        ("(p \x01)", "GDL010"),
    ],
)
def test_refused(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_all_problems_are_told_in_order() -> None:
    text = "(<= (p ?x) (?q ?x) (not a b))\n(good a)\n(p ())\n"
    assert codes(text) == ["GDL006", "GDL011", "GDL004"]


def test_at_most_twenty_problems_are_told() -> None:
    assert codes("(p ())\n" * 50) == ["GDL004"] * 20


@pytest.mark.parametrize("opening", ["(", "(f ", "(or (", "(not "])
def test_deep_nesting_is_refused(opening: str) -> None:
    assert codes("(<= (p) " + opening * 100_000)[0] == "GDL007"
    assert codes("(<= (p) " + opening * 2000 + ")" * 2000)[0] == "GDL007"


def test_nesting_within_the_limit_is_read() -> None:
    assert only("(p " + "(f " * 90 + "a" + ")" * 91)


def calls(work: Callable[[], object]) -> int:
    """Return the number of calls that the work takes."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_the_work_of_reading_grows_with_the_text() -> None:
    rule = "(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (marked ?x ?y)) (distinct ?x ?y))\n"
    assert len(parse(rule * 12_000).rules) == 12_000  # a megabyte
    assert calls(lambda: parse(rule * 200)) < 2.1 * calls(lambda: parse(rule * 100))


@pytest.mark.parametrize(
    "text",
    [
        lambda size: ")" * 10 * size,
        lambda size: "(a " * 50 + ") (" * 3 * size,
        lambda size: "(p a) " * 2 * size + "(",
        lambda size: "x " * 5 * size + ")",
        lambda size: "(<= (p) (q)\n" * size,
    ],
    ids=["closed", "in turn", "facts", "bare", "rules"],
)
def test_the_work_of_refusing_grows_with_the_text(text: Callable[[int], str]) -> None:
    assert codes(text(500))
    assert calls(lambda: codes(text(30))) < 2.1 * calls(lambda: codes(text(15)))
