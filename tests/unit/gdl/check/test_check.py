"""Each check on small sheets, and all of them on the shared ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.ast import Program
from woodstock.gdl.check import check
from woodstock.gdl.parse import parse, read

FRAME = """(role white)
(role black)
(init (control white))
(<= (legal ?p noop) (role ?p))
(<= (next (control black)) (true (control white)))
(<= terminal (true (control black)))
(goal white 100)
(goal black 0)
(cell 1)
(link 1 1)
"""


def told(text: str) -> list[str]:
    return [f"{d.code} {d.line - FRAME.count(chr(10))}" for d in check(parse(FRAME + text, syntax="kif"))]


def test_the_frame_is_sound() -> None:
    assert told("") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(<= (p ?x) (cell ?x) (or (link ?x ?y) (cell ?y)) (distinct ?x ?y))", []),
        ("(<= (p ?y) (or (link ?x ?y) (cell ?x)))", ["GDL021 1"]),
        ("(<= (p ?y) (or (link ?x ?y) (cell ?y)))", []),
        ("(<= (p ?y) (and (cell ?y) (not (link ?y ?y))))", []),
        ("(<= (p ?y) (not (not (cell ?y))))", []),
        ("(<= (p ?y) (cell ?x) (not (distinct ?x ?y)))", []),
        ("(<= (p ?x) (cell ?x) (or (not (link ?x ?z)) (cell ?z)))", ["GDL022 1"]),
        ("(<= (p ?x) (cell ?x) (or (and (cell ?z) (not (link ?x ?z))) (link ?x ?x)))", []),
        ("(<= (p ?x) (cell ?x) (not (or (cell ?z) (link ?x ?x))))", ["GDL022 1"]),
        ("(<= (p ?x) (cell ?x) (distinct ?z 1))", ["GDL023 1"]),
        ("(<= (p ?x) (not (cell ?x)))", ["GDL021 1"]),
        ("(cell ?x)", ["GDL024 1"]),
        ("(base (step ?n))", ["GDL025 1"]),
        ("(<= (goal ?p 50) (true (control white)))", ["GDL026 1"]),
        ("(<= (q ?x) nothing)", ["GDL027 1", "GDL061 1"]),
    ],
)
def test_safety(text: str, found: list[str]) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(<= (p ?x) (cell ?x) (not (p ?x)))", ["GDL031 1"]),
        ("(<= (p ?x) (cell ?x) (not (q ?x)))\n(<= (q ?x) (cell ?x) (p ?x))", ["GDL031 1"]),
        ("(<= (p 1) (not (p 2)))\n(p 2)", ["GDL034 1"]),
        ("(<= (p (f ?x)) (cell ?x) (not (p (g ?x))))", ["GDL034 1"]),
        ("(<= (p ?x) (link ?x ?y) (p ?y))", []),
        ("(<= (p ?x ?z) (p ?x ?y) (p ?y ?z))", ["GDL033 1"]),
        ("(<= (p (s ?x)) (p ?x))", ["GDL032 1"]),
        ("(<= (p (s ?x)) (cell ?x) (p ?x))", []),
        ("(<= (p ?x) (p (s ?x)) (cell ?x))", []),
    ],
)
def test_recursion(text: str, found: list[str]) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(<= (role ?p) (cell ?p))", ["GDL051 1"]),
        ("(role (f a))", ["GDL051 1"]),
        ("(<= (init (at ?x)) (true (at ?x)))", ["GDL052 1"]),
        ("(<= (init (at ?x)) (p ?x))\n(<= (p ?x) (cell ?x) (legal white noop))", ["GDL052 1"]),
        ("(true (at 1))", ["GDL053 1"]),
        ("(<= terminal (p))\n(<= (p) (not (q)))\n(<= (q) (does white noop))", ["GDL054 1"]),
        ("(goal white -1)", ["GDL055 1"]),
        ("(goal white (f 1))", ["GDL055 1"]),
        ("(goal white half)", ["GDL055 1"]),
        ("(goal white 0100)", []),
        ("(<= (p) (true))", ["GDL011 1"]),
        ("(base a b)", ["GDL028 1"]),
        ("(<= (p) (next (control black)))", ["GDL058 1"]),
        ("(<= (p) (not (true (not (control white)))))", ["GDL059 1", "GDL063 1"]),
    ],
)
def test_keywords(text: str, found: list[str]) -> None:
    assert told(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(<= (p) (cell 1 2))", ["GDL061 1"]),
        ("(cell 1 2)", ["GDL041 1"]),
        ("(p (f 1))\n(p (f 1 2))", ["GDL042 2"]),
        ("(p cell)\n(p (link 1 1))", []),
        ("(<= (p) (Cell 1))", ["GDL043 1"]),
        ("(<= (p ?xA) (cell ?xa))", ["GDL043 1"]),
        ("(legal green noop)", ["GDL062 1"]),
        ("(<= (p) (true (at 1)))", ["GDL063 1"]),
        ("(<= (p) (does white (move 1)))", ["GDL064 1"]),
        ("open", ["GDL003 1"]),
    ],
)
def test_names(text: str, found: list[str]) -> None:
    assert told(text) == found


def test_presence() -> None:
    assert {d.code for d in check(parse("(p a)"))} == {"GDL056", "GDL057", "GDL060"}


def test_an_empty_program_is_checked() -> None:
    assert {d.code for d in check(Program(()))} == {"GDL056", "GDL057", "GDL060"}


def test_the_cycle_is_told_as_a_path() -> None:
    (found,) = check(parse(FRAME + "(<= (p) (not (q)))\n(<= (q) (r))\n(<= (r) (p))\n"))
    assert "the cycle: p (line 11) -> not q (line 11) -> r (line 12) -> p (line 13)" in found.helps


def test_infix_sheets_are_checked_in_their_own_words() -> None:
    found = check(parse("role(a).\nlegal(a, go(X)) :- true(at(Y)).\n", syntax="infix"))
    assert "variable X in the head is not bound by the body" in {d.message for d in found}
    assert not {"GDL003", "GDL043"} & {d.code for d in found}


def test_a_chain_of_thousands_of_predicates_is_no_matter() -> None:
    text = "\n".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(5000)) + "\n(p5000 a)"
    assert told(text) == []


def test_no_sheet_that_was_played_elsewhere_has_an_error(corpus: Path) -> None:
    rows = [line.split("\t") for line in (corpus / "games" / "INDEX.tsv").read_text(encoding="utf-8").splitlines()]
    played = [row[0] for row in rows[1:] if row[7] == "y"]
    wrong = [name for name in played if any(d.is_error for d in check(read(corpus / "games" / name)))]
    assert wrong == []


def test_the_shared_sheets_with_errors_are_known(corpus: Path) -> None:
    found: dict[str, set[str]] = {}
    for path in sorted((corpus / "games").glob("*.kif")):
        try:
            codes = {d.code for d in check(read(path)) if d.is_error}
        except RulesError as error:
            codes = {d.code for d in error.diagnostics}
        if codes:
            found[path.stem] = codes
    assert found == {
        "7wonders__deckb": found["7wonders__deckb"],  # variables as functors, and what follows from them
        "Corridor__deckb": {"GDL021", "GDL024"},
        "Modified-ticTacToe2__sancho": {"GDL021"},
        "clobber_-_Copy_2___tflah": {"GDL021"},
        "clobber_-_Copy__tflah": {"GDL021"},
        "fireSheep__ic2012": {"GDL054"},
        "firesheep__tflah": {"GDL054"},
        "oneCardGame__deckb": {"GDL021"},
        "std_connectfour__yannou": {"GDL024"},
        "tic-tac-toe__hobson": {"GDL011"},
    }
