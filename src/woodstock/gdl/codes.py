"""The diagnostic codes and their pages, read from `codes.toml` next to this file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Page:
    """The explanation of one code. The examples are KIF unless `syntax` says infix."""

    code: str
    severity: str
    title: str
    what: str
    why: str
    wrong: str
    right: str
    syntax: str = "kif"


def _read() -> dict[str, Page]:
    text = Path(__file__).with_name("codes.toml").read_text(encoding="utf-8")
    return {code: Page(code, **fields) for code, fields in tomllib.loads(text).items()}


PAGES: dict[str, Page] = _read()
"""Every code that woodstock gives for a rulesheet."""
