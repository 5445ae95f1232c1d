"""`Program` to text, in either syntax, in one canonical form.

Comes in: a `Program`; if it was parsed, its source shows where comments and empty lines were. Goes out: text that
parses to an equal program. One form to a line; a rule with more than one condition has each on a line of its own;
comments stay next to their rules; empty lines are kept, at most one in a row. Writing the result again changes nothing.

>>> from woodstock.gdl.parse import parse
>>> print(write(parse("(<=   terminal (true (step 9)) open) ; late"), "infix"), end="")
terminal :-
    true(step(9)),
    open. % late
"""

from __future__ import annotations

from dataclasses import dataclass, field

from woodstock.gdl.ast import Comment, Program, Rule
from woodstock.gdl.source import Source
from woodstock.gdl.style import InfixStyle, KifStyle, Style

_STYLES: dict[str, Style] = {"kif": KifStyle(), "infix": InfixStyle()}


def write(program: Program, syntax: str = "kif") -> str:
    """Return the program as text in "kif" or "infix" syntax, with its comments."""
    style = _STYLES[syntax]
    lines: list[str] = []
    for item in _items(program):
        if item.has_gap and lines:
            lines.append("")
        if item.rule is None:
            lines += [style.comment(c) for c in item.leading]
        else:
            lines += _rule_lines(item, item.rule, style)
    return "\n".join(lines) + "\n" if lines else ""


@dataclass(slots=True)
class _Item:
    """A rule with the comments in and behind it, or comments of their own."""

    rule: Rule | None
    has_gap: bool = False
    leading: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)  # on the last line
    behind_head: list[str] = field(default_factory=list)
    before_part: dict[int, list[str]] = field(default_factory=dict)  # by index in the body
    behind_part: dict[int, list[str]] = field(default_factory=dict)


def _rule_lines(item: _Item, rule: Rule, style: Style) -> list[str]:
    lines = [style.comment(c) for c in item.leading]
    behind = list(item.behind)
    last = len(rule.body) - 1
    behind += item.behind_part.get(last, []) if rule.body else item.behind_head
    has_inner = bool(item.before_part) or any(i < last for i in item.behind_part) or (rule.body and item.behind_head)
    short = None if has_inner else style.on_one_line(rule)
    if short is not None:
        lines.append(short)
    else:
        lines.append(_with(style.head(rule), item.behind_head, style))
        for i, part in enumerate(rule.body):
            lines += [style.indent + style.comment(c) for c in item.before_part.get(i, ())]
            text = style.condition(part, is_last=i == last)
            lines.append(_with(text, item.behind_part.get(i, []) if i < last else [], style))
    lines[-1] = _with(lines[-1], behind, style)
    return lines


def _with(line: str, comments: list[str], style: Style) -> str:
    """Return a line with comments behind it; several become one, since a line can have only one."""
    if not comments:
        return line
    return f"{line} {style.comment(' '.join(c.strip() if i else c for i, c in enumerate(comments)))}"


def _items(program: Program) -> list[_Item]:
    """Return rules and lone comments in the order of the source, each comment with its rule."""
    source = Source(program.name, program.text)
    if not program.text:
        return [_Item(rule) for rule in program.rules]
    items: list[_Item] = []
    comments = sorted(program.comments, key=lambda c: c.span.start)
    at = 0
    end = -1  # where the last item ended
    for rule in program.rules:
        while at < len(comments) and comments[at].span.start < rule.span.start:
            end = _lone(items, comments[at], end, source)
            at += 1
        item = _Item(rule, _has_gap(program.text, end, rule.span.start))
        items.append(item)
        tail: list[Comment] = []
        while at < len(comments) and comments[at].span.start < rule.span.end:
            _inner(item, rule, comments[at], tail, source)
            at += 1
        end = rule.span.end
        # The canonical form has no place between the last condition and the closing bracket: put it below the rule.
        for comment in tail:
            items.append(_Item(None, leading=[comment.text]))
    for comment in comments[at:]:
        end = _lone(items, comment, end, source)
    return items


def _lone(items: list[_Item], comment: Comment, end: int, source: Source) -> int:
    """Add a comment outside rules: behind the last item if on its line, else as an item of its own."""
    start = comment.span.start
    if items and items[-1].rule is not None and "\n" not in source.text[end:start] and end <= start:
        items[-1].behind.append(comment.text)
    else:
        items.append(_Item(None, _has_gap(source.text, end, start), [comment.text]))
    return comment.span.end


def _inner(item: _Item, rule: Rule, comment: Comment, tail: list[Comment], source: Source) -> None:
    """Add a comment inside a rule."""
    start = comment.span.start
    if start < rule.head.span.end:
        item.leading.append(comment.text)
        return
    previous_end = rule.head.span.end
    for i, part in enumerate(rule.body):
        if start < part.span.end:
            own_line = "\n" in source.text[previous_end:start] or start > part.span.start
            if own_line:
                item.before_part.setdefault(i, []).append(comment.text)
            elif i:
                item.behind_part.setdefault(i - 1, []).append(comment.text)
            else:
                item.behind_head.append(comment.text)
            return
        previous_end = part.span.end
    if "\n" not in source.text[previous_end:start]:
        item.behind.append(comment.text)
    else:
        tail.append(comment)


def _has_gap(text: str, end: int, start: int) -> bool:
    """Return whether an empty line lies between two items."""
    return end >= 0 and text.count("\n", end, start) > 1
