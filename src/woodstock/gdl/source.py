"""Source text: bytes to characters, and character offsets to lines and columns.

Comes in: the bytes or the text of a rulesheet. Goes out: text with one kind of line end and no byte order mark, and a
`Source` that turns the offsets kept in spans into the 1-based lines and columns shown to people.
Public rulesheets come with CR, LF and CRLF line ends (some mix them), with byte order marks and in Latin-1.
Cost: one pass over the text for the line table, made when the first position is asked for.
"""

from __future__ import annotations

from bisect import bisect_right

MAX_CHARACTERS = 32_000_000
"""Texts beyond this are refused: the largest public rulesheet has a quarter of a million characters."""


class Source:
    """A named text with a line table. Equal names and texts make equal sources."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: list[int] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and (self.name, self.text) == (other.name, other.text)

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    def __repr__(self) -> str:
        return f"Source({self.name!r}, {len(self.text)} characters)"

    @property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        if self._starts is None:
            starts = [0]
            find, at = self.text.find, 0
            while (at := find("\n", at) + 1) > 0:
                starts.append(at)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of a character offset."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def line(self, number: int) -> str:
        """Return the text of a 1-based line without its end; empty if there is no such line."""
        if not 1 <= number <= len(self.starts):
            return ""
        end = self.starts[number] - 1 if number < len(self.starts) else len(self.text)
        return self.text[self.starts[number - 1] : end]


def clean(text: str) -> str:
    """Return `text` with line feeds as its only line ends and without byte order marks."""
    if "\ufeff" in text:
        # In the middle of a file it comes from joined files; there it can only mean white space.
        text = text.removeprefix("\ufeff").replace("\ufeff", " ")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def decode(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 if it has the mark, otherwise Latin-1, which never fails."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            pass  # two odd bytes, not a mark: Latin-1 below
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
