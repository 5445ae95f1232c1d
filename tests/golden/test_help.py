"""The help texts, kept as files that a person can read. `WRITE_GOLDEN=1 pytest tests/golden` writes them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer

from woodstock.cli import run

FOLDER = Path(__file__).parent / "help"
COMMANDS = [
    "", "check", "explain", "export", "fmt", "games", "info", "match", "network", "perft", "play", "players",
    "protocol check", "replay", "search", "serve", "simulate", "solve", "symmetries", "tournament check",
    "tournament report", "tournament resume", "tournament run", "watch", "web",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_text(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*command.split(), "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example: woodstock" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    path = FOLDER / f"{command.replace(' ', '-') or 'woodstock'}.txt"
    version = FOLDER / "typer-version"
    if os.environ.get("WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
        version.write_text(typer.__version__ + "\n", encoding="utf-8")
    if version.read_text(encoding="utf-8").strip() != typer.__version__:
        pytest.skip(f"the texts are laid out by typer {version.read_text().strip()}, this is {typer.__version__}")
    assert text == path.read_text(encoding="utf-8"), "WRITE_GOLDEN=1 writes the texts anew"
