"""The game of docs/write-a-game.md is clean, and its mistakes get the messages that the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from woodstock.cli import run

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "write-a-game.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
RULES = "\n".join(body for language, body in BLOCKS if language == "kif")

WAITS = "(<= (legal ?player noop)\n    (true (control ?other))\n    (opponent ?player ?other))\n"
CHANGES = "(<= (next (control ?player))\n    (true (control ?other))\n    (opponent ?player ?other))\n"
MISTAKES = {
    "bracket": ("    (true (control ?other)))\n(<= (goal", "    (true (control ?other))\n(<= (goal"),
    "unbound": ("\n    (sum ?n ?k ?m))\n(<= (next (control", ")\n(<= (next (control"),
    "no move": (WAITS, ""),
    "no change": (CHANGES, ""),
    "misspelt": ("terminal (true (count 10))", "terminal (true (counter 10))"),
}


def test_the_game_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my-game.kif"
    file.write_text(RULES, encoding="utf-8")
    assert run(["check", str(file)]) == 0
    assert "no errors, no warnings" in capsys.readouterr().out


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_get_the_messages_shown(
    mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right, wrong = MISTAKES[mistake]
    assert RULES.count(right) == 1
    monkeypatch.chdir(tmp_path)
    Path("my-game.kif").write_text(RULES.replace(right, wrong), encoding="utf-8")
    run(["check", "my-game.kif"])
    said = "".join(capsys.readouterr())
    shown = [body.strip() for language, body in BLOCKS if language == "text" and "[GDL" in body]
    assert any(block in said for block in shown), said
