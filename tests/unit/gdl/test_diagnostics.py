from __future__ import annotations

import json

from woodstock.gdl.ast import Span
from woodstock.gdl.diagnostics import ERROR, MAX_ERRORS, WARNING, WIDTH, Diagnostic, limited
from woodstock.gdl.source import Source

SHEET = Source("checkers.kif", "(role x)\n(<= (legal ?p (move ?x ?y))\n    (true (control ?p)) (cell ?x))\n")


def at(start: int, end: int, source: Source = SHEET, severity: str = ERROR) -> Diagnostic:
    return Diagnostic("GDL021", severity, "variable ?y is odd", Span(start, end), source, ("bind it",))


def test_text_has_place_line_caret_and_helps() -> None:
    start = SHEET.text.index("?y")
    assert str(at(start, start + 2)) == (
        "checkers.kif:2:24: error[GDL021]: variable ?y is odd\n"
        "  2 | (<= (legal ?p (move ?x ?y))\n"
        "    |                        ^^\n"
        "  3 |     (true (control ?p)) (cell ?x))\n"
        "help: bind it\n"
        "help: `woodstock explain GDL021` shows the rule and an example"
    )


def test_a_span_over_lines_is_marked_on_its_first() -> None:
    lines = str(at(9, len(SHEET.text))).split("\n")
    assert lines[2].rstrip().endswith("^" * len("(<= (legal ?p (move ?x ?y))"))


def test_tabs_count_one_column_and_keep_the_caret_in_place() -> None:
    source = Source("t", "\t(a ?x)")
    lines = str(at(4, 6, source)).split("\n")
    assert lines[1].index("?x") == lines[2].index("^^")


def test_long_lines_are_cut_around_the_caret() -> None:
    source = Source("t", "x" * 5000 + "HERE" + "y" * 5000)
    lines = str(at(5000, 5004, source)).split("\n")
    assert len(lines[1]) < WIDTH + 20
    assert lines[1].index("HERE") == lines[2].index("^^^^")


def test_dictionary_is_json() -> None:
    start = SHEET.text.index("?y")
    found = json.loads(json.dumps(at(start, start + 2).to_dict()))
    assert (found["file"], found["line"], found["column"], found["end_column"]) == ("checkers.kif", 2, 24, 26)
    assert found["helps"] == ["bind it"]


def test_limited_sorts_drops_repeats_and_stops_at_twenty_of_each_kind() -> None:
    errors = [at(i, i + 1) for i in range(30, 0, -1)] * 2
    warnings = [at(i, i + 1, severity=WARNING) for i in range(30)]
    kept = limited([*errors, *warnings])
    assert len([d for d in kept if d.is_error]) == MAX_ERRORS
    assert len(kept) == 2 * MAX_ERRORS
    assert [d.span.start for d in kept] == sorted(d.span.start for d in kept)
