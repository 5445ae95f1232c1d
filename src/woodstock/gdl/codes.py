"""The diagnostic codes and their pages, read from `codes.toml` next to this file; `explain` shows one as text."""

from __future__ import annotations

import difflib
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

from woodstock.errors import WoodstockError

WIDTH = 96


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


class UnknownCodeError(WoodstockError):
    """There is no diagnostic with this code."""

    def __init__(self, code: str) -> None:
        self.code = code
        near = difflib.get_close_matches(code.upper(), PAGES, n=1, cutoff=0.5)
        hint = f" Did you mean {near[0]}?" if near else ""
        super().__init__(f"No code {code!r}.{hint} The codes run from {min(PAGES)} to {max(PAGES)}.")


def explain(code: str) -> str:
    """Return the page of a code: what it checks, why, a wrong example and a right one.

    >>> print(explain("gdl016").splitlines()[0])
    GDL016 (error): no rules
    """
    key = code.strip().upper()
    if key.isdigit():
        key = f"GDL{int(key):03d}"
    page = PAGES.get(key)
    if page is None:
        raise UnknownCodeError(code)
    parts = [
        f"{page.code} ({page.severity}): {page.title}",
        "",
        *textwrap.wrap(page.what, WIDTH),
        "",
        *textwrap.wrap("Why: " + page.why, WIDTH),
    ]
    for label, example in (("Wrong", page.wrong), ("Right", page.right)):
        if example:
            parts += ["", f"{label}:", "", *("    " + _printable(line) for line in example.split("\n"))]
    return "\n".join(parts) + "\n"


def _printable(line: str) -> str:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return shown if len(shown) <= WIDTH else shown[:45] + " ... " + shown[-45:]
