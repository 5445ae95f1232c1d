"""Links between pages lead somewhere: to a file that is there, and to a heading that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.docs.pages import PAGES, ROOT, name_of

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", _CODE.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        goal = page.parent / path if path else page
        assert goal.exists(), f"{name_of(page)} links to {target}, which is not there"
        if anchor and goal.suffix == ".md":
            assert anchor in _anchors(goal), f"{name_of(page)} links to {target}: no such heading"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_paths_that_a_page_names_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"`((?:src|native|tests|bench|scripts|docs|examples|experiments)/[\w/.-]+)`", text):
        assert (ROOT / path).exists(), f"{name_of(page)} speaks of {path}, which is not there"
