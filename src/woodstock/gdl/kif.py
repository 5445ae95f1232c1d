"""KIF: the prefix syntax of all public rulesheets.

    (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (marked ?x ?y)))     ; a comment

Comes in: clean text. Goes out: one tree for each top-level form, and the comments. If the brackets do not match,
`brackets` finds out where. A symbol is any run of characters except white space, brackets and `;`, so signs,
quotes and leading zeros are ordinary characters. A bare symbol outside brackets is a fact without arguments.
Cost: linear, about a microsecond per character; no recursion.
"""

from __future__ import annotations

import re

from woodstock.gdl.ast import Comment, Span
from woodstock.gdl.brackets import diagnose
from woodstock.gdl.diagnostics import Problems
from woodstock.gdl.tree import MAX_DEPTH, Node, Tree

TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")


def read_trees(text: str, problems: Problems) -> tuple[list[Tree], list[Comment]]:
    """Return the top-level trees and the comments; problems with the brackets are reported."""
    trees: list[Tree] = []
    comments: list[Comment] = []
    stack: list[list[Tree]] = []  # the lists that enclose `items`
    starts: list[int] = []
    items = trees
    broken = False
    for match in TOKEN.finditer(text):
        token = match[0]
        if token == "(":
            starts.append(match.start())
            stack.append(items)
            if len(starts) > MAX_DEPTH:
                problems.error(
                    "GDL007",
                    Span(*match.span()),
                    f"brackets are nested more than {MAX_DEPTH} levels deep",
                    "give the inner parts names with rules of their own",
                )
                return [], comments
            items = []
        elif token == ")":
            if not starts:
                broken = True
                continue
            node = Node(items, starts.pop(), match.end())
            items = stack.pop()
            items.append(node)
        elif token[0] == ";":
            start, end = match.span()
            comments.append(Comment(token[1:], Span(start, end)))
        else:
            start, end = match.span()
            # An arrow anywhere but at the start of a form means that a bracket before it is missing.
            if token == "<=" and (len(starts) != 1 or items):
                broken = True
            items.append((token, start, end))
    if broken or starts:
        trees = diagnose(text, problems)
    return trees, comments


def split_term(text: str) -> list[str]:
    """Return the functor and the arguments of a ground term, given in canonical KIF.

    >>> split_term("(cell 1 (pos 2 3) b)")
    ['cell', '1', '(pos 2 3)', 'b']
    """
    return _terms(text[1:-1]) if text.startswith("(") else [text]


def read_terms(text: str) -> list[str]:
    """Return the ground terms that a user wrote one after the other, in canonical KIF.

    >>> read_terms("(cell 1(pos 2  3) ) ready")
    ['(cell 1 (pos 2 3))', 'ready']

    Raises ValueError if the brackets do not match.
    """
    spaced = " ".join(text.replace("(", " (").replace(")", ") ").split())
    terms = _terms(spaced.replace("( ", "(").replace(" )", ")"))
    if any(term.count("(") != term.count(")") for term in terms):
        raise ValueError(f"the brackets of {text[:40]!r} do not match")
    return terms


def _terms(text: str) -> list[str]:
    terms: list[str] = []
    depth = 0
    for word in text.split():
        if depth:
            terms[-1] += " " + word
        else:
            terms.append(word)
        depth += word.count("(") - word.count(")")
    return terms
