"""Diagnostics: what is wrong with a rulesheet, where, and what to do about it.

Comes in: a code, a span and a sentence, from the parsers and the checks. Goes out: `Diagnostic` values that render as

    checkers.kif:41:24: error[GDL021]: variable ?y in the head is not bound by the body
      41 | (<= (legal ?p (move ?x ?y))
         |                        ^^
      42 |     (true (control ?p)) (cell ?x))
    help: add a positive condition that mentions ?y
    help: `woodstock explain GDL021` shows the rule and an example

They always point into the file as written. A diagnostic holds its source and is rendered only when it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from woodstock.gdl.ast import Span
from woodstock.gdl.source import Source

MAX_ERRORS = 20
"""The first problems of a broken file are explained, not all their consequences."""

ERROR = "error"
WARNING = "warning"

WIDTH = 100
"""Longer source lines are cut to this many characters around the caret."""


class Place(Protocol):
    """A part of the source: a span, or a token or tree that knows its place."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. `helps` are sentences that say what to do; the hint at `explain` is added when it is rendered."""

    code: str
    severity: str
    message: str
    span: Span
    source: Source = field(repr=False)
    helps: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file or text."""
        return self.source.name

    @property
    def line(self) -> int:
        """The 1-based line."""
        return self.source.position(self.span.start)[0]

    @property
    def column(self) -> int:
        """The 1-based column."""
        return self.source.position(self.span.start)[1]

    @property
    def is_error(self) -> bool:
        return self.severity == ERROR

    def __str__(self) -> str:
        line, column = self.source.position(self.span.start)
        lines = [f"{self.name}:{line}:{column}: {self.severity}[{self.code}]: {self.message}"]
        lines += _excerpt(self.source, self.span, line, column)
        lines += [f"help: {h}" for h in self.helps]
        lines.append(f"help: `woodstock explain {self.code}` shows the rule and an example")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnostic as plain values for JSON; lines and columns are 1-based, the end is exclusive."""
        line, column = self.source.position(self.span.start)
        end_line, end_column = self.source.position(self.span.end)
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "file": self.name,
            "line": line,
            "column": column,
            "end_line": end_line,
            "end_column": end_column,
            "helps": list(self.helps),
        }


def _excerpt(source: Source, span: Span, line: int, column: int) -> list[str]:
    """Return the source line with carets below it, and the next line if the clause continues there."""
    text = source.line(line)
    if not text.strip():
        return []
    length = max(1, min(span.end - span.start, len(text) - column + 1))
    shown, shift = _cut(text, column - 1)
    length = max(1, min(length, len(shown) - (column - 1 - shift)))
    following = source.line(line + 1)
    # An indented next line, or one of brackets only, belongs to the same clause in every layout in use.
    goes_on = bool(following.strip()) and (following[0] in " \t" or not following.strip(" \t()")) and not shift
    gutter = len(str(line + 1 if goes_on else line))
    lines = [f"  {line:>{gutter}} | {shown}", f"  {'':>{gutter}} | {' ' * (column - 1 - shift)}{'^' * length}"]
    if goes_on:
        lines.append(f"  {line + 1:>{gutter}} | {_cut(following, 0)[0]}")
    return [s.rstrip() for s in lines]


def _cut(text: str, at: int) -> tuple[str, int]:
    """Return at most WIDTH characters of a line around offset `at`, and how far the text was shifted."""
    text = "".join(c if c.isprintable() else " " for c in text) if not text.isprintable() else text
    if len(text) <= WIDTH:
        return text, 0
    start = max(0, min(at - WIDTH // 2, len(text) - WIDTH))
    head = "..." if start else ""
    tail = "..." if start + WIDTH < len(text) else ""
    return head + text[start : start + WIDTH] + tail, start - len(head)


def limited(diagnostics: Iterable[Diagnostic], most: int = MAX_ERRORS) -> tuple[Diagnostic, ...]:
    """Return the diagnostics by position, at most `most` errors and as many warnings, repeats dropped."""
    unique = dict.fromkeys(diagnostics)
    kept: list[Diagnostic] = []
    counts = {ERROR: 0, WARNING: 0}
    for d in sorted(unique, key=lambda d: (d.span.start, d.span.end, d.code)):
        counts[d.severity] = counts.get(d.severity, 0) + 1
        if counts[d.severity] <= most:
            kept.append(d)
    return tuple(kept)


class Problems:
    """Collects the diagnostics of one source: producers add them, the caller reads `found`."""

    __slots__ = ("found", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []

    def error(self, code: str, place: Place, message: str, *helps: str) -> None:
        """Add an error."""
        self._add(code, ERROR, place, message, helps)

    def warn(self, code: str, place: Place, message: str, *helps: str) -> None:
        """Add a warning."""
        self._add(code, WARNING, place, message, helps)

    def _add(self, code: str, severity: str, place: Place, message: str, helps: tuple[str, ...]) -> None:
        span = Span(place.start, place.end)
        self.found.append(Diagnostic(code, severity, message, span, self.source, helps))
