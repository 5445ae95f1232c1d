"""Finds the bracket that is missing or too many, and goes on as if it had been fixed.

Comes in: KIF text whose brackets do not match. Goes out: a diagnostic where the mistake most likely is, and the trees
of all forms that it does not touch, so that their own mistakes are reported too.
The place where a parser notices is often far from the place of the mistake: a missing `)` shows at the next rule, or
at the end of the file. So every repair by one bracket between two safe points is tried and priced by `repair`:
by what the form would then look like, how its names are used in the rest of the file, and how the lines are laid out.
The cheapest wins.
Cost: linear, plus for each mistake about the square of the size of its form, within `MAX_REGION`.
"""

from __future__ import annotations

import re

from woodstock.gdl.ast import Span
from woodstock.gdl.diagnostics import MAX_ERRORS, Problems
from woodstock.gdl.habits import Habits, Token
from woodstock.gdl.repair import Pricer
from woodstock.gdl.tree import Node, Tree

MAX_REGION = 300
"""The most tokens to examine around one mistake; longer stretches are cut at the end of a condition."""

_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")

_CLOSE = ")"
_OPEN = "("
_REMOVE = "-"
_MARK = ""
"""The text of a token that stands for a removed bracket, so that its form is known to be repaired."""


def diagnose(text: str, problems: Problems) -> list[Tree]:
    """Report where the brackets of `text` go wrong and return the trees of the forms that are sound."""
    tokens: list[Token] = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text) if m[0][0] != ";"]
    habits = Habits(tokens, text)
    # init normally appears in heads only, so it ends the form before it, unless this file uses it in a body.
    ends_at_init = not habits.conditions["init"]
    base = 0
    for _ in range(MAX_ERRORS):
        trouble = _next_trouble(tokens, base, ends_at_init)
        if trouble is None:
            break
        kind, first, last = trouble
        base = first
        if kind == _CLOSE:
            _close(tokens, habits, first, last, problems)
        elif kind == _OPEN:
            base = _open(tokens, habits, first, last, problems)
        else:
            _arrow(tokens, last, problems)
    else:
        return []
    return _trees(tokens)


def _next_trouble(tokens: list[Token], base: int, ends_at_init: bool) -> tuple[str, int, int] | None:
    """Return the kind of the first mistake after the form at `base`, with the safe points around it.

    Between the points lies a form with a `)` too few, forms with a `)` too many, or a lone arrow.
    """
    depth = 0
    form = rule = base  # where the present form starts, and the last one that is a rule
    for i in range(base, len(tokens)):
        token = tokens[i][0]
        if token == "(":
            if depth == 0:
                form = i
            following = tokens[i + 1][0].lower() if i + 1 < len(tokens) else ""
            if depth and (following == "<=" or (ends_at_init and following == "init" and tokens[i - 1][0] != "<=")):
                return _CLOSE, form, i
            if following == "<=":
                rule = i
            depth += 1
        elif token == ")":
            if depth == 0:
                return _OPEN, max(rule, base), i
            depth -= 1
        elif token == "<=" and (i == 0 or tokens[i - 1][0] != "("):
            return (_CLOSE, form, i) if depth else ("<=", i, i)
    return (_CLOSE, form, len(tokens)) if depth else None


def _arrow(tokens: list[Token], at: int, problems: Problems) -> None:
    _, start, end = tokens[at]
    problems.error(
        "GDL002", Span(start, end), "a ( is missing before <=", "a rule is written (<= (head) (condition) ...)"
    )
    tokens.insert(at, ("(", start, start))


def _close(tokens: list[Token], habits: Habits, first: int, last: int, problems: Problems) -> None:
    """Report the most likely place of a missing `)` in the form that starts at `first`, and put one there."""
    size = MAX_REGION
    while True:
        cut = _shortened(tokens, first, last, size)
        where = _closing_place(tokens, habits, first, cut)
        # A place at the very end of a shortened region only means that the mistake lies further on.
        if cut == last or where < cut - 1 or size > 4 * MAX_REGION:
            break
        size *= 4
    _, start, end = tokens[where]
    opened = _opener(tokens, first, where)
    line = problems.source.position(tokens[opened][1])[0]
    name = tokens[opened + 1][0] if opened + 1 < len(tokens) and tokens[opened + 1][0] not in "()" else ""
    problems.error(
        "GDL001", Span(max(start, end - 1), end), "a ) is missing after this", f"to close ({name} of line {line}"
    )
    tokens.insert(where + 1, (")", end, end))


def _closing_place(tokens: list[Token], habits: Habits, first: int, last: int) -> int:
    """Return the token after which a `)` fits best."""
    # Before another ) the bracket would do the same as after it.
    places = [
        (i, _CLOSE)
        for i in range(first + 1, last)
        if tokens[i][0] not in ("(", _MARK) and (i + 1 >= last or tokens[i + 1][0] != ")")
    ]
    return Pricer(tokens, habits, first, last).cheapest(places or [(last - 1, _CLOSE)])[0]


def _shortened(tokens: list[Token], first: int, last: int, size: int) -> int:
    """Return an earlier end for a long region: where a condition of the form ends."""
    if last - first <= size:
        return last
    depth = 0
    cut = 0
    for i in range(first, last):
        token = tokens[i][0]
        depth += (token == "(") - (token == ")")
        if depth == 1 and i > first:
            cut = i + 1
            if i - first >= size:
                break
    return cut if cut > first + 1 else last


def _opener(tokens: list[Token], first: int, where: int) -> int:
    """Return the bracket that a `)` after token `where` closes."""
    depth = 0
    for i in range(where, first - 1, -1):
        token = tokens[i][0]
        if token == ")":
            depth += 1
        elif token == "(":
            if depth == 0:
                return i
            depth -= 1
    return first


def _open(tokens: list[Token], habits: Habits, first: int, last: int, problems: Problems) -> int:
    """Report the most likely place of a missing `(` before the surplus `)` at `last`, or that `)` itself."""
    if last - first > MAX_REGION:
        first = _later_start(tokens, first, last)
    changes = [(i, what) for i in range(first, last + 1) if (what := _change_at(tokens, i, last))]
    where, what = Pricer(tokens, habits, first, last + 1).cheapest(changes)
    token, start, end = tokens[where]
    if what == _OPEN:
        problems.error("GDL002", Span(start, end), f"a ( is missing before {token}", "or remove a ) after it")
        tokens.insert(where, ("(", start, start))
    else:
        problems.error("GDL002", Span(start, end), "this ) closes nothing", "remove it, or add the missing ( before it")
        tokens[where] = (_MARK, start, start)
    return first


def _change_at(tokens: list[Token], at: int, last: int) -> str:
    """Return what could put a surplus `)` right at this token: "" when nothing new."""
    token = tokens[at][0]
    if token == ")":
        return _REMOVE if at == last or tokens[at + 1][0] != ")" else ""
    # A bracket is followed by a name, so only names can have lost theirs.
    is_name = token not in ("(", _MARK) and token[0] != "?"
    return _OPEN if is_name and (at == 0 or tokens[at - 1][0] != "(") else ""


def _later_start(tokens: list[Token], first: int, last: int) -> int:
    """Return the start of the first form that is near enough to `last`."""
    depth = 0
    for i in range(first, last):
        token = tokens[i][0]
        if depth == 0 and last - i <= MAX_REGION:
            return i
        depth += (token == "(") - (token == ")")
    return first


def _trees(tokens: list[Token]) -> list[Tree]:
    """Return the trees of the forms in which nothing was repaired."""
    trees: list[Tree] = []
    stack: list[tuple[list[Tree], int]] = []
    items: list[Tree] = []
    is_sound = True
    for text, start, end in tokens:
        if start == end:
            is_sound = False
        if text == "(":
            stack.append((items, start))
            items = []
        elif text == ")":
            node = Node(items, stack[-1][1], end)
            items = stack.pop()[0]
            items.append(node)
        elif text:
            items.append((text, start, end))
        if not stack:
            if is_sound:
                trees += items
            items, is_sound = [], True
    return trees
