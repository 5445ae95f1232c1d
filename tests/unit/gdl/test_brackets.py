"""Delete one bracket and check whether the first diagnostic is near it."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.check import check
from woodstock.gdl.parse import parse, read
from woodstock.gdl.source import Source
from woodstock.gdl.write import write

SEED = 20
WITHIN = 2
TOKEN = {"kif": re.compile(r"[()]|;[^\n]*"), "infix": re.compile(r"[()]|%[^\n]*|'(?:[^'\\]|\\.)*'")}


def is_near(text: str, offset: int, name: str, syntax: str) -> bool:
    """Return whether the first diagnostic after deleting the bracket at `offset` is within two lines of it."""
    try:
        found = check(parse(text[:offset] + text[offset + 1 :], name, syntax))
    except RulesError as error:
        found = error.diagnostics
    return bool(found) and abs(found[0].line - Source(name, text).position(offset)[0]) <= WITHIN


def share(corpus: Path, syntax: str, sheets: int, brackets: int) -> float:
    """Return the share of deletions with a diagnostic near their place."""
    rng = random.Random(SEED)
    paths = sorted((corpus / "games").glob("*.kif"))
    near = total = 0
    for path in rng.sample(paths, min(sheets, len(paths))):
        try:
            program = read(path)
        except RulesError:
            continue  # its own mistakes are reported first
        text = program.text if syntax == "kif" else write(program, "infix")
        offsets = [m.start() for m in TOKEN[syntax].finditer(text) if m[0] in "()"]
        for offset in rng.sample(offsets, min(brackets, len(offsets))):
            total += 1
            near += is_near(text, offset, path.name, syntax)
    return near / total


@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_a_deleted_bracket_is_told_within_two_lines(corpus: Path, syntax: str) -> None:
    assert share(corpus, syntax, sheets=50, brackets=4) >= 0.95


@pytest.mark.full
@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_a_deleted_bracket_of_any_sheet_is_told_within_two_lines(corpus: Path, syntax: str) -> None:
    assert share(corpus, syntax, sheets=10_000, brackets=20) >= 0.95


SHEET = """(role white)
(succ 1 2)
(succ 2 3)
(succ 3 4)
(<= (next (step ?m))
    (true (step ?n))
    (succ ?n ?m))
(<= terminal
    (or (true (step 4))
        (not open))
    (true done))
"""


@pytest.mark.parametrize("offset", [m.start() for m in re.finditer(r"[()]", SHEET)])
def test_every_bracket_of_a_small_sheet_is_told_near(offset: int) -> None:
    assert is_near(SHEET, offset, "small.kif", "kif")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("(a 1)\n(b 2))\n(c 3)", "GDL002", 2),
        ("(a 1)\n<= (p ?x) (q ?x))\n(c 3)", "GDL002", 2),
        ("(<= (p ?x) (q ?x)\n(<= (r ?x) (q ?x))", "GDL001", 1),
        ("(a 1)\n(a 2\n(a 3)\n(a 4)\n(a 5)", "GDL001", 2),
        ("(a 1)\n(a 2)\n(a", "GDL001", 3),
    ],
)
def test_places(text: str, code: str, line: int) -> None:
    with pytest.raises(RulesError) as caught:
        parse(text, syntax="kif")
    (found,) = caught.value.diagnostics
    assert (found.code, found.line) == (code, line)


def test_mistakes_elsewhere_are_told_too() -> None:
    with pytest.raises(RulesError) as caught:
        parse("(<= (p ?x) (q ?x)\n(<= (r ?x) (?q ?x))\n(s ())", syntax="kif")
    assert [d.code for d in caught.value.diagnostics] == ["GDL001", "GDL006", "GDL004"]


def test_no_more_than_twenty_are_told() -> None:
    with pytest.raises(RulesError) as caught:
        parse("(<= (p ?x) (q ?x)\n" * 60, syntax="kif")
    assert len(caught.value.diagnostics) == 20
