from __future__ import annotations

import re
from pathlib import Path

import pytest

from woodstock.errors import RulesError
from woodstock.gdl.check import check
from woodstock.gdl.codes import PAGES, UnknownCodeError, explain
from woodstock.gdl.parse import parse

STATIC = [page for page in PAGES.values() if page.code < "GDL100" and page.wrong]


def found(text: str, syntax: str) -> set[tuple[str, str]]:
    try:
        return {(d.code, d.severity) for d in check(parse(text, syntax=syntax))}
    except RulesError as error:
        return {(d.code, d.severity) for d in error.diagnostics}


@pytest.mark.parametrize("page", STATIC, ids=lambda p: p.code)
def test_the_examples_are_wrong_and_right(page: object) -> None:
    page = PAGES[page.code]  # type: ignore[attr-defined]
    assert (page.code, page.severity) in found(page.wrong, page.syntax)
    assert (page.code, page.severity) not in found(page.right, page.syntax)


def test_every_code_in_the_source_has_a_page(root: Path) -> None:
    used = {
        code
        for path in (root / "src" / "woodstock" / "gdl").rglob("*.py")
        if path.name != "codes.py"
        for code in re.findall(r'"(GDL\d{3})"', path.read_text(encoding="utf-8"))
    }
    assert used <= set(PAGES)


@pytest.mark.parametrize("code", ["GDL021", "gdl021", " GDL021 ", "21", "021"])
def test_codes_are_found_however_they_are_written(code: str) -> None:
    assert explain(code).startswith("GDL021 (error): head variable not bound")


def test_an_unknown_code_gets_the_nearest() -> None:
    with pytest.raises(UnknownCodeError, match="Did you mean GDL"):
        explain("GDL999")


def test_pages_fit_a_terminal() -> None:
    for code in PAGES:
        text = explain(code)
        assert text.endswith("\n")
        assert all(len(line) <= 110 for line in text.split("\n")), code
        assert text.replace("\n", "").isprintable(), code
