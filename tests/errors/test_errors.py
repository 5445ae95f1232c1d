"""Exact diagnostics: next to each bad rulesheet is the text that a user reads.

Run this file as a program to rewrite the texts after a change of wording; read the difference before you commit it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.check import check
from woodstock.gdl.codes import PAGES
from woodstock.gdl.parse import parse
from woodstock.gdl.source import decode

FOLDER = Path(__file__).parent
SHEETS = sorted(p for p in FOLDER.iterdir() if p.suffix in (".kif", ".pl"))
TERM_CODES = {"GDL017", "GDL018"}
"""About terms that people type, not about sheets: tested with the parser."""


def rendered(path: Path) -> str:
    """Return what a user reads about a rulesheet."""
    try:
        found = check(parse(decode(path.read_bytes()), path.name))
    except RulesError as error:
        found = error.diagnostics
    return "\n\n".join(str(d) for d in found) + "\n"


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda p: p.stem)
def test_diagnostics_are_exactly_these(sheet: Path) -> None:
    assert rendered(sheet) == sheet.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_code_has_a_sheet() -> None:
    told = "".join(p.with_suffix(".txt").read_text(encoding="utf-8") for p in SHEETS)
    static = {code for code in PAGES if code < "GDL100"} - TERM_CODES
    assert {code for code in static if f"[{code}]" not in told} == set()


if __name__ == "__main__":
    for bad in SHEETS:
        bad.with_suffix(".txt").write_text(rendered(bad), encoding="utf-8")
