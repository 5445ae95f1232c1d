"""Where the entries of a problem are in its file, for messages.

TOML and JSON readers keep no lines, so the texts of the entries are looked up in the file, in their order. An entry
that is not found as it is has no line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


class Lines:
    """The lines of one list of a file, such as `constraints`."""

    def __init__(self, text: str, key: str) -> None:
        self._text = text
        found = re.search(rf"^[\s{{,]*[\"']?{re.escape(key)}[\"']?\s*[=:]", text, re.MULTILINE)
        self._at = found.end() if found else len(text)

    def next(self, forms: Sequence[str]) -> int | None:
        """Return the line of the next place that has one of the texts."""
        places = [place for form in forms if (place := self._text.find(form, self._at)) >= 0]
        if not places:
            return None
        self._at = min(places) + 1
        return self._text.count("\n", 0, min(places)) + 1


def place(where: str, line: int | None) -> str:
    """Return the file and the line, if it is known."""
    return where if line is None else f"{where}:{line}"
