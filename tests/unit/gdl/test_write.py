from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.ast import Atom, Program, Rule
from woodstock.gdl.parse import parse, read
from woodstock.gdl.write import write

UNTIDY = """
;;; Title
;;; of the game


(role   white) (role black) ; two of them
; before the rule

(<= (legal ?p (mark ?x))   ; behind the head
    ; before the condition
    (true (control ?p)) ; behind it
    (or (a ?x) ; inside
        (b ?x))
    ; after the last
)
(open)
; the end
"""

KIF = """;;; Title
;;; of the game

(role white)
(role black) ; two of them
; before the rule

(<= (legal ?p (mark ?x)) ; behind the head
    ; before the condition
    (true (control ?p)) ; behind it
    ; inside
    (or (a ?x) (b ?x)))
; after the last
(open)
; the end
"""

INFIX = """%%% Title
%%% of the game

role(white).
role(black). % two of them
% before the rule

legal(P, mark(X)) :- % behind the head
    % before the condition
    true(control(P)), % behind it
    % inside
    (a(X) | b(X)).
% after the last
open.
% the end
"""


@pytest.mark.parametrize(("syntax", "text"), [("kif", KIF), ("infix", INFIX)])
def test_comments_and_gaps_are_kept(syntax: str, text: str) -> None:
    assert write(parse(UNTIDY), syntax) == text
    assert write(parse(KIF), syntax) == text
    assert write(parse(INFIX), syntax) == text


def test_long_alternatives_are_broken_and_short_rules_are_not() -> None:
    words = [f"(a_rather_long_condition_{i} ?x ?y)" for i in range(4)]
    text = write(parse(f"(<= (p ?x ?y) (or {' '.join(words)}) (q ?x))"))
    assert text.split("\n")[1:3] == [f"    (or {words[0]}", f"        {words[1]}"]
    assert write(parse("(<= (p ?x)\n  (q ?x))")) == "(<= (p ?x) (q ?x))\n"


def test_a_program_without_source_is_written_too() -> None:
    assert (
        write(Program((Rule(Atom("open")), Rule(Atom("p"), (Atom("q"), Atom("r"))))))
        == "(open)\n(<= p\n    q\n    r)\n"
    )
    assert write(Program(())) == ""


@pytest.mark.parametrize(
    "text",
    [
        "(p + - * ' 007 -3 North \\ it's ?x ?X1 ?_ ?_y ?1 ?x-y ?x' é É ?É a,b a.b _x % :- ← not or and)",
        "(<= p (or (and a b) (or c) (and d) (not (or e f))) (not (not g)) (and h i))",
        "(<= (p ?X ?y) (q ?X ?y) (not (distinct ?X ?y)))",
    ],
)
def test_odd_names_and_shapes_come_back(text: str) -> None:
    program = parse(text)
    for syntax in ("kif", "infix"):
        assert parse(write(program, syntax), syntax=syntax) == program


def come_back(paths: list[Path]) -> None:
    """Insist that each sheet is equal after writing and reading it, and that writing twice changes nothing."""
    for path in paths:
        try:
            program = read(path)
        except RulesError:
            continue
        for syntax in ("kif", "infix"):
            text = write(program, syntax)
            again = parse(text, path.name, syntax)
            assert again.rules == program.rules, path.name
            assert write(again, syntax) == text, path.name
            assert sum(len(c.text.split()) for c in again.comments) == sum(
                len(c.text.split()) for c in program.comments
            )


def test_shared_sheets_come_back(corpus: Path) -> None:
    come_back(sorted((corpus / "games").glob("*.kif"))[::8])


@pytest.mark.full
def test_every_shared_sheet_comes_back(corpus: Path) -> None:
    come_back(sorted((corpus / "games").glob("*.kif")))
