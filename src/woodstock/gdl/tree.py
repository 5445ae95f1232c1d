"""Bracketed trees: what both parsers produce, before names have a meaning.

Both syntaxes are read into leaves and nodes; `build` turns those into the syntax tree. A leaf is a plain tuple because
a rulesheet of a megabyte has a quarter of a million of them. Variables are leaves whose text starts with `?`.
"""

from __future__ import annotations

Leaf = tuple[str, int, int]
"""The text of a symbol or variable, and its start and end in the source."""


class Node:
    """A bracketed list: `items[0]` is its functor. `start` and `end` cover both brackets."""

    __slots__ = ("end", "items", "start")

    def __init__(self, items: list[Tree], start: int, end: int) -> None:
        self.items = items
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return "(" + " ".join(i[0] if isinstance(i, tuple) else repr(i) for i in self.items) + ")"


Tree = Leaf | Node

MAX_DEPTH = 100
"""Deeper nesting is refused: later phases recurse, and no public rulesheet goes beyond 12."""
