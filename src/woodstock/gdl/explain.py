"""The page of a diagnostic code as text for `woodstock explain`."""

from __future__ import annotations

import difflib
import textwrap

from woodstock.errors import WoodstockError
from woodstock.gdl.codes import PAGES


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
        *_wrapped(page.what),
        "",
        *_wrapped("Why: " + page.why),
    ]
    for label, example in (("Wrong", page.wrong), ("Right", page.right)):
        if example:
            parts += ["", f"{label}:", "", *("    " + _printable(line) for line in example.split("\n"))]
    return "\n".join(parts) + "\n"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 96)


def _printable(line: str) -> str:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line)
    return shown if len(shown) <= 96 else shown[:45] + " ... " + shown[-45:]
