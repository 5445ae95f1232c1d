from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.parse import parse, parse_term, read, syntax_of


@pytest.mark.parametrize(
    ("text", "name", "syntax"),
    [
        ("(role a)", "x.pl", "infix"),
        ("role(a).", "x.kif", "kif"),
        ("role(a).", "x.gdl", "infix"),
        ("(role a)", "x.gdl", "kif"),
        ("  ; note\n (role a)", "", "kif"),
        ("% note (<=\nrole(a).", "", "infix"),
        ("p :- q.", "", "infix"),
        ("p ← q.", "", "infix"),
        ("role x)\n(<= (legal x a) (true (b)))", "", "kif"),
        ("", "", "kif"),
    ],
)
def test_the_syntax_is_told_by_extension_then_by_looking(text: str, name: str, syntax: str) -> None:
    assert syntax_of(text, name) == syntax


@pytest.mark.parametrize("text", ["(mark 1 (f b))", "mark(1, f(b))", " mark( 1,f( b ) ) ", "( mark 1(f b))"])
def test_terms_in_either_syntax(text: str) -> None:
    assert str(parse_term(text)) == "(mark 1 (f b))"


@pytest.mark.parametrize("text", ["noop", "(noop)", " NOOP"])
def test_constants_as_terms(text: str) -> None:
    assert str(parse_term(text)).lower() == "noop"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "GDL017"),
        ("a b", "GDL017"),
        ("(a) (b)", "GDL017"),
        ("(mark ?x)", "GDL018"),
        ("mark(X)", "GDL018"),
        ("(mark 1", "GDL001"),
        ("mark(1", "GDL001"),
        ("mark 1)", "GDL002"),
        ("(<= a b)", "GDL008"),
    ],
)
def test_wrong_terms(text: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        parse_term(text)
    assert caught.value.diagnostics[0].code == code


def test_read_takes_bytes_as_they_come(tmp_path: Path) -> None:
    sheet = tmp_path / "game.kif"
    sheet.write_bytes(b"\xef\xbb\xbf(role a)\r(role \xc3\xa9)\r\n")
    program = read(sheet)
    assert program.roles() == ("a", "é")
    assert program.name == str(sheet)


def test_the_error_says_everything() -> None:
    with pytest.raises(RulesError) as caught:
        parse("(p ())", "game.kif")
    assert str(caught.value).startswith("game.kif:1:4: error[GDL004]")


def test_every_shared_sheet_is_read_but_two_that_are_broken(corpus: Path) -> None:
    refused = {}
    for path in sorted((corpus / "games").glob("*.kif")):
        try:
            read(path)
        except RulesError as error:
            refused[path.name] = {d.code for d in error.diagnostics}
    assert refused["7wonders__deckb.kif"] >= {"GDL006"}
    # (<= terminal not boardopen)
    assert refused["tic-tac-toe__hobson.kif"] == {"GDL011"}
    assert len(refused) == 2
