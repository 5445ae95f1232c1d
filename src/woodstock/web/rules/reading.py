"""What can be said about a text of rules without playing it: diagnostics, outline, names, its standard form.

Comes in: text. Goes out: plain values for the page. Offsets count UTF-16 units, as browsers do.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from woodstock.errors import RulesError
from woodstock.gdl.ast import KEYWORDS, Constant, Program, Signature
from woodstock.gdl.check import check
from woodstock.gdl.check.survey import Survey, survey
from woodstock.gdl.codes import PAGES
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.parse import parse, syntax_of
from woodstock.gdl.source import clean
from woodstock.gdl.write import write

JsonObject = dict[str, Any]

MOST_NAMES = 2_000
# The outline shows the parts of a game in the order in which people write them.
_PARTS = ("role", "base", "input", "init", "legal", "sees", "next", "terminal", "goal")


class Offsets:
    """Turns offsets of characters into offsets of UTF-16 units."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_plain = text.isascii() or max(text) <= "\uffff"

    def __call__(self, offset: int) -> int:
        return offset if self._is_plain else len(self._text[:offset].encode("utf-16-le")) // 2


def read_rules(text: str) -> JsonObject:
    """Return the diagnostics of a text and, if it can be parsed, its outline and names."""
    text = clean(text)
    offsets = Offsets(text)
    syntax = syntax_of(text, "")
    try:
        program = parse(text, "rules", syntax)
    except RulesError as error:
        return {**_problems(error.diagnostics, offsets), "syntax": syntax, "is_parsed": False}
    found = survey(program)
    return {
        **_problems(check(program), offsets),
        "syntax": syntax,
        "is_parsed": True,
        "rules": len(program.rules),
        "roles": list(program.roles()),
        "outline": _outline(found, offsets),
        "names": _names(program, found),
    }


def formatted(text: str, to: str | None) -> JsonObject:
    """Return the text in its standard form, in its own syntax or in another one."""
    text = clean(text)
    syntax = syntax_of(text, "")
    program = parse(text, "rules", syntax)
    target = to or syntax
    result = write(program, target)
    # A formatter must never change the meaning, so the result is parsed again before it is shown.
    if parse(result, syntax=target).rules != program.rules:
        raise RulesError(())
    return {"text": result, "syntax": target}


def diagnostic_json(one: Diagnostic, offsets: Offsets) -> JsonObject:
    """Return a diagnostic with its place in the text."""
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "helps": list(one.helps),
        "start": offsets(one.span.start),
        "end": offsets(one.span.end),
        "line": one.line,
        "column": one.column,
    }


def _problems(diagnostics: tuple[Diagnostic, ...], offsets: Offsets) -> JsonObject:
    codes = {one.code for one in diagnostics} & PAGES.keys()
    return {
        "diagnostics": [diagnostic_json(one, offsets) for one in diagnostics],
        "errors": sum(one.is_error for one in diagnostics),
        "warnings": sum(not one.is_error for one in diagnostics),
        "pages": {code: asdict(PAGES[code]) for code in sorted(codes)},
    }


def _outline(found: Survey, offsets: Offsets) -> list[JsonObject]:
    """Return the relations: keywords first, in the usual order, then the others as they come in the text."""

    def order(item: tuple[Signature, Any]) -> tuple[int, int]:
        (name, _), rules = item
        return (_PARTS.index(name) if name in _PARTS else len(_PARTS)), rules[0].span.start

    return [
        {
            "name": name,
            "arity": arity,
            "is_keyword": name in KEYWORDS,
            "rules": len(rules),
            "uses": len(found.uses.get((name, arity), ())),
            "start": offsets(rules[0].span.start),
        }
        for (name, arity), rules in sorted(found.heads.items(), key=order)
    ]


def _names(program: Program, found: Survey) -> list[JsonObject]:
    """Return what can be completed: relations, functions, constants."""
    names: dict[str, JsonObject] = {}
    for name, arity in found.heads:
        if name not in KEYWORDS:
            names.setdefault(name, {"name": name, "kind": "relation", "arity": arity})
    for name, arity in found.functions:
        names.setdefault(name, {"name": name, "kind": "function", "arity": arity})
    for node in program.nodes():
        if isinstance(node, Constant) and len(names) < MOST_NAMES:
            names.setdefault(node.name, {"name": node.name, "kind": "constant", "arity": 0})
    return list(names.values())[:MOST_NAMES]
