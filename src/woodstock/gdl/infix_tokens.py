"""The infix syntax, first half: text to the tokens of each statement. `infix` describes the syntax."""

from __future__ import annotations

import re
from typing import NamedTuple

from woodstock.gdl.ast import Comment, Span
from woodstock.gdl.diagnostics import Problems

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>%[^\n]*)
      | (?P<arrow>:-|<=|←|⇐)
      | (?P<unequal>\\=|!=|≠)
      | (?P<negate>\\\+|~|¬)
      | (?P<both>[,&∧])
      | (?P<either>[|;∨])
      | (?P<open>\() | (?P<close>\)) | (?P<stop>\.)
      | (?P<variable>_'(?:[^'\\\n]|\\.)*'|[A-Z_]\w*)
      | (?P<quoted>'(?:[^'\\\n]|\\.)*')
      | (?P<name>\w+|[+-]\d\w*)
      | (?P<other>.)""",
    re.X,
)
_ESCAPE = re.compile(r"\\(.)")
_UNSPEAKABLE = re.compile(r"[\s();]|^\?|^<=$|^$")
"""What a KIF symbol cannot contain or be: a quoted symbol must be possible in both syntaxes."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def tokens_of(text: str, problems: Problems) -> tuple[list[Token], list[Comment]]:
    tokens: list[Token] = []
    comments: list[Comment] = []
    anonymous = 0
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span()
        part = match[0]
        if kind == "space":
            continue
        if kind == "comment":
            comments.append(Comment(part[1:], Span(start, end)))
            continue
        if kind == "other":
            _odd_character(part, start, problems)
            continue
        if kind == "variable":
            if part == "_":
                anonymous += 1
                while f"_{anonymous}" in text:
                    anonymous += 1
            part = _variable(part, anonymous)
        elif kind == "quoted":
            part = _ESCAPE.sub(r"\1", part[1:-1])
        elif kind == "name":
            # Only the English capitals are mapped to small letters and back; others keep their spelling.
            if part[0].isupper():
                kind, part = "variable", "?" + part
            elif part == "not":
                kind = "negate"
        if kind in ("quoted", "variable") and _UNSPEAKABLE.search(
            part.removeprefix("?") if kind == "variable" else part
        ):
            problems.error(
                "GDL019",
                Span(start, end),
                "a quoted name must not be empty or contain white space, brackets or semicolons",
                "KIF cannot write such a name",
            )
            part = "?x" if kind == "variable" else "x"
        tokens.append(Token(kind, part, start, end))
    return tokens, comments


def _variable(text: str, anonymous: int) -> str:
    if text == "_":
        return f"?_{anonymous}"
    if text.startswith("_'"):
        return "?" + _ESCAPE.sub(r"\1", text[2:-1])
    return "?" + (text if text[0] == "_" else text[0].lower() + text[1:])


def _odd_character(char: str, at: int, problems: Problems) -> None:
    place = Span(at, at + 1)
    if char == "'":
        problems.error("GDL019", place, "a quoted name is not closed on its line", "add the closing '")
    elif char == "?":
        problems.error(
            "GDL014", place, "unexpected ?", "in this syntax variables start with a capital letter: X, not ?x"
        )
    else:
        problems.error("GDL014", place, f"unexpected character {char}", "quote unusual names: '+'")


def statements_of(text: str, problems: Problems) -> tuple[list[list[Token]], list[Comment]]:
    """Return the tokens of each statement without its full stop."""
    tokens, comments = tokens_of(text, problems)
    statements: list[list[Token]] = []
    current: list[Token] = []
    has_arrow = False
    line_starts = 0  # index in `current` of the last name that opens a line: where a missing full stop belongs
    for token in tokens:
        if token.kind == "stop":
            if current:
                statements.append(current)
            else:
                problems.error("GDL014", token, "a full stop without a statement before it", "remove it")
            current, has_arrow, line_starts = [], False, 0
            continue
        if token.kind == "arrow":
            if has_arrow and line_starts:
                _missing_stop(current[line_starts - 1], problems)
                statements.append(current[:line_starts])
                current = current[line_starts:]
                line_starts = 0
            has_arrow = True
        elif current and token.kind in ("name", "quoted") and _opens_line(text, token.start):
            line_starts = len(current)
            if _is_new_statement(text, current[-1], token):
                _missing_stop(current[-1], problems)
                statements.append(current)
                current, has_arrow, line_starts = [], False, 0
        current.append(token)
    if current:
        _missing_stop(current[-1], problems)
        statements.append(current)
    return statements, comments


def _opens_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _is_new_statement(text: str, before: Token, token: Token) -> bool:
    """Return whether a name in the first column follows a finished term: only a full stop can be missing."""
    in_first_column = token.start == 0 or text[token.start - 1] == "\n"
    is_finished = before.kind in ("close", "name", "quoted", "variable") and before.text not in ("or", "and")
    return in_first_column and is_finished and token.text not in ("or", "and")


def _missing_stop(last: Token, problems: Problems) -> None:
    problems.error("GDL015", last, "a full stop is missing after this", "end each statement with `.`")
