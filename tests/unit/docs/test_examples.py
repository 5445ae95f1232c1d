"""Every example in README, docs and docstrings runs and gives what it says."""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil
import re
import shlex
import sys
from pathlib import Path

import pytest

import woodstock
from woodstock.cli import run
from woodstock.scsp import Network
from woodstock.scsp.xcsp3 import write

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODULES = sorted(m.name for m in pkgutil.walk_packages(woodstock.__path__, "woodstock.") if "_native" not in m.name)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)


def _blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in _BLOCK.findall(page.read_text(encoding="utf-8")) if name == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path) -> None:
    source = "\n".join(_blocks(page, "python"))
    if ">>>" not in source:
        return
    parsed = doctest.DocTestParser().get_doctest(source, {}, page.name, str(page), 0)
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(parsed)
    assert failed.failed == 0, f"examples of {page.name} failed; see the output above"


def _commands() -> list[str]:
    lines = [line for page in PAGES for body in _blocks(page, "console") for line in body.splitlines()]
    return sorted({line[2:].split(" #")[0].strip() for line in lines if line.startswith("$ woodstock")})


@pytest.mark.parametrize("line", _commands())
def test_commands(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(line)[1:]
    if "|" in words or "<" in words:
        pytest.skip("shell pipes are tested with the command line")
    (tmp_path / "my-game.kif").write_text(woodstock.games.find("tic-tac-toe").read(), encoding="utf-8")
    network = Network("my-network")
    network.require(network.decision("x", [0, 1, 2]) < network.decision("y", [0, 1, 2]))
    write(network, tmp_path / "my-network.xml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # nobody is there: `play` shows the board and leaves
    if words[0] == "watch":
        words += ["--delay", "0"]
    words = ["0.2" if before == "--seconds" else word for before, word in zip(["", *words], words, strict=False)]
    assert run(words) == 0


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.testmod(importlib.import_module(name), optionflags=options).failed == 0


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"
