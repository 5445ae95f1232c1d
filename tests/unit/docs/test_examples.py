"""Every example of README and docs runs and gives what it says, and so does every example of a docstring."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import tomllib
from pathlib import Path

import pytest
from tests.unit.docs.pages import PAGES, RUN, SHOWN, Block, blocks, name_of

import woodstock
from woodstock.gdl.parse import parse

MODULES = sorted(m.name for m in pkgutil.walk_packages(woodstock.__path__, "woodstock.") if "_native" not in m.name)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_block_says_what_it_is(page: Path) -> None:
    for block in blocks(page):
        where = f"{name_of(page)}:{block.line}"
        assert block.language in SHOWN | RUN, f"{where}: unknown language {block.language!r} of a block"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks with prompts are doctests, the others are scripts; the blocks of a page share their names."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.language == "python":
            _run(page, block, names)


def _run(page: Path, block: Block, names: dict[str, object]) -> None:
    where = f"{name_of(page)}:{block.line}"
    if ">>>" not in block.text:
        exec(compile(block.text, where, "exec"), names)
        return
    parsed = doctest.DocTestParser().get_doctest(block.text, names, where, str(page), block.line)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    runner.run(parsed, clear_globs=False)
    names.update(parsed.globs)
    assert runner.failures == 0, f"the example at {where} failed; see the output above"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_rules_and_plans_can_be_read(page: Path) -> None:
    found = blocks(page)
    for block in found:
        if block.language == "toml":
            tomllib.loads(block.text)
    for language, syntax in (("kif", "kif"), ("prolog", "infix")):
        if text := "\n".join(block.text for block in found if block.language == language):
            parse(text, name_of(page), syntax)


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name), optionflags=OPTIONS).failed == 0
