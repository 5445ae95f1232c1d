"""The page about the architecture names every folder, and the glossary keeps to one meaning for each word."""

from __future__ import annotations

import re
from pathlib import Path

from tests.unit.docs.pages import ROOT

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


def _folders() -> set[str]:
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "native").rglob("*.[ch]pp")]
    return {str(file.parent.relative_to(ROOT)) for file in files}


def test_the_table_lists_every_folder_and_no_other() -> None:
    listed = set(re.findall(r"^\| `((?:src|native)[\w/]*)` \|", ARCHITECTURE, re.M))
    assert listed == _folders()


def test_files_that_the_page_names_are_there() -> None:
    names = {Path(path).name for folder in ("src", "native") for path in (ROOT / folder).rglob("*.?pp")}
    names |= {path.name for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py")}
    for name in re.findall(r"`(?:[\w/]+/)?(\w+\.(?:py|[ch]pp))`", ARCHITECTURE):
        assert name in names, f"architecture.md speaks of {name}, which is not there"


def test_the_glossary_has_each_word_once_and_in_order() -> None:
    words = re.findall(r"^\| ([^|]+) \|", GLOSSARY, re.M)[2:]
    assert words == sorted(set(words))
    assert {"seat", "stage", "phase", "template", "policy", "guide", "plan", "network", "engine"} <= set(words)
