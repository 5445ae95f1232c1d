"""The lines of the keys in a TOML file, so that an error can name the line.

The standard parser has no positions. This reader knows tables, arrays of tables and `key = value` lines. A key that it
does not find, such as one inside an inline table, has the line of its table.
"""

from __future__ import annotations

import re

_NAME = r"(?:[\w\-]+|\"[^\"]*\"|'[^']*')"
_TABLE = re.compile(rf"^\s*(\[\[?)\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]\]?")
_KEY = re.compile(rf"^\s*({_NAME})\s*=")

Path = tuple[str | int, ...]


class Lines:
    """The line of each key of a TOML text, by its path such as `("player", 0, "spec")`."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        table: Path = ()
        counts: dict[Path, int] = {}
        for number, line in enumerate(text.splitlines(), 1):
            if found := _TABLE.match(line):
                table = tuple(_plain(name) for name in re.findall(_NAME, found[2]))
                if found[1] == "[[":
                    counts[table] = counts.get(table, -1) + 1
                    table = (*table, counts[table])
                self._lines.setdefault(table, number)
            elif found := _KEY.match(line):
                self._lines.setdefault((*table, _plain(found[1])), number)

    def __getitem__(self, path: Path) -> int:
        """Return the line of a key, or of the nearest table around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)


def _plain(name: str) -> str:
    return name[1:-1] if name[0] in "\"'" else name
