"""Rules text to `Program`: the entry point of both syntaxes.

Comes in: text or a file. Goes out: a `Program`, or `RulesError` with every syntax problem (at most 20).
The file's extension decides the syntax (`.kif`; `.pl` and `.hrf` for infix), otherwise the look of the text.

>>> program = parse("(role white) (<= (legal white noop) (true (control white)))")
>>> print(program.rules[1].head)
(legal white noop)
>>> parse("legal(white, noop) :- true(control(white)).").rules[0] == program.rules[1]
True
"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

from woodstock.errors import RulesError
from woodstock.gdl import infix, kif
from woodstock.gdl.ast import NOWHERE, Program, Span, Term
from woodstock.gdl.build import Builder
from woodstock.gdl.diagnostics import Problems, limited
from woodstock.gdl.source import MAX_CHARACTERS, Source, clean, decode
from woodstock.gdl.tree import Tree

KIF = "kif"
INFIX = "infix"
_BY_EXTENSION = {".kif": KIF, ".pl": INFIX, ".hrf": INFIX}
_GAPS_AND_COMMENTS = re.compile(r"(?:\s+|[;%][^\n]*)*")
_INFIX_SHAPE = re.compile(r":-|←|[\w']\([^()\s]*[,)]|\)\s*\.\s*$", re.M)
_INFIX_TERM = re.compile(r"\s*(?:[^\s();]+\s*\(|[_'])")
_PERCENT_COMMENT = re.compile(r"%[^\n]*")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def parse(text: str, name: str = "<rules>", syntax: str | None = None) -> Program:
    """Return the program that a text of rules describes.

    `syntax` is "kif" or "infix"; None decides by the extension of `name`, then by the look of the text.
    """
    text = clean(text)
    problems = Problems(Source(name, text))
    _refuse_what_is_no_text(text, problems)
    with _no_collection(len(text)):
        if (syntax or syntax_of(text, name)) == INFIX:
            trees, comments = infix.read_trees(text, problems)
        else:
            trees, comments = kif.read_trees(text, problems)
        rules = Builder(problems).rules(trees)
    if not rules and not problems.found:
        problems.error("GDL016", NOWHERE, "this text has no rules", "a rulesheet has at least (role ...) facts")
    if problems.found:
        raise RulesError(limited(problems.found))
    return Program(tuple(rules), text, name, tuple(comments))


def parse_term(text: str) -> Term:
    """Return the ground term in a text, in either syntax, for example the move `(mark 1 1)` or `mark(1,1)`."""
    text = clean(text)
    problems = Problems(Source("<term>", text))
    _refuse_what_is_no_text(text, problems)
    trees: list[Tree]
    if _INFIX_TERM.match(text):
        trees = infix.read_term_trees(text, problems)
    else:
        trees, _ = kif.read_trees(text, problems)
    if not problems.found and len(trees) != 1:
        problems.error("GDL017", Span(0, len(text)), f"expected one term, not {len(trees)}", "write (mark 1 1) or noop")
    found = None
    if not problems.found:
        found = Builder(problems).whole_term(trees[0])
    if found is None or problems.found:
        raise RulesError(limited(problems.found))
    return found


def read(path: str | os.PathLike[str]) -> Program:
    """Return the program in a file, with any encoding and line ends."""
    path = Path(path)
    return parse(decode(path.read_bytes()), str(path))


def syntax_of(text: str, name: str = "") -> str:
    """Return "kif" or "infix", by the extension of `name` or by the look of the text."""
    known = _BY_EXTENSION.get(PurePath(name).suffix.lower())
    return known or (INFIX if _looks_infix(text) else KIF)


@contextmanager
def _no_collection(size: int) -> Iterator[None]:
    """Keep the garbage collector from walking a growing tree again and again: for long texts that is most of the time.

    Only the thread that switches it off switches it on again, so parallel parsers do not leave it off.
    """
    if size < 50_000 or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _looks_infix(text: str) -> bool:
    """Return whether the first statement is infix: KIF opens with a bracket or `;`, infix with a name or `%`."""
    at = _GAPS_AND_COMMENTS.match(text)
    start = at.end() if at else 0
    if text.startswith("(", start):
        return False
    if text.lstrip()[:1] == "%":
        return True
    head = _PERCENT_COMMENT.sub("", text[start : start + 4000])
    return "(<=" not in head and _INFIX_SHAPE.search(head) is not None


def _refuse_what_is_no_text(text: str, problems: Problems) -> None:
    if len(text) > MAX_CHARACTERS:
        problems.error(
            "GDL010",
            NOWHERE,
            f"the text has {len(text)} characters; the limit is {MAX_CHARACTERS}",
            "is this a rulesheet?",
        )
    elif control := _CONTROL.search(text):
        problems.error(
            "GDL010",
            Span(*control.span()),
            f"control character {ord(control[0]):#04x} in the text",
            "a rulesheet is plain text: save it as UTF-8",
        )
    if problems.found:
        raise RulesError(problems.found)
