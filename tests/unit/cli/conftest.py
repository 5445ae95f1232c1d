"""Run command lines inside this process, with what they print."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from woodstock.cli import run


@dataclass(frozen=True)
class Outcome:
    """What a command line gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Woodstock = Callable[..., Outcome]


@pytest.fixture
def woodstock(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Woodstock:
    """Run `woodstock WORDS...` with `stdin` as its standard input."""
    monkeypatch.delenv("WOODSTOCK_DEBUG", raising=False)

    def call(*words: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run(words)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return call
