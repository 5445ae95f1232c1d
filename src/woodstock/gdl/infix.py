"""The infix syntax of the papers and of Prolog-like rulesheets.

    legal(P, mark(X, Y)) :- true(cell(X, Y, b)), true(control(P)).      % a comment

Comes in: clean text. Goes out: the same trees as KIF gives, and the comments.
- A statement is `head.` or `head :- body.`; the arrow may also be `<=` or `←`. The full stop is required.
- Conditions are joined by `,` or `&` (also `∧`, `and`), alternatives by `|` or `;` (also `∨`, `or`); "and" binds
  tighter; brackets group. `not`, `~`, `\\+` and `¬` negate the one condition that follows.
  `or(a, b)` and `and(a, b)` work too.
- `distinct(S, T)` may be written `S \\= T`, `S != T` or `S ≠ T`.
- Variables start with a capital letter or `_`. The capital is part of the syntax, not of the name: `Xa` is KIF's `?xa`,
  so a sheet keeps its variables when it is translated from KIF and back. `_x` is `?_x`; `_` alone is a new variable
  each time; `_'X'` spells out any other name (`?X`). Symbols start with a small letter, a digit or a signed digit;
  `'any characters'` spells out every other one (`'+'`, `'North'`), with `\\'` and `\\\\` for quote and backslash.
- `%` starts a comment.
Cost: linear; recursion bounded by `tree.MAX_DEPTH`.
"""

from __future__ import annotations

from typing import NoReturn

from woodstock.gdl.ast import Comment, Span
from woodstock.gdl.diagnostics import Problems
from woodstock.gdl.infix_tokens import Token, statements_of, tokens_of
from woodstock.gdl.tree import MAX_DEPTH, Leaf, Node, Tree


class _Refused(Exception):
    """The problem is reported; give up the statement."""


def read_trees(text: str, problems: Problems) -> tuple[list[Tree], list[Comment]]:
    """Return one tree for each statement, and the comments."""
    statements, comments = statements_of(text, problems)
    trees: list[Tree] = []
    for tokens in statements:
        try:
            trees.append(_Statement(tokens, problems).whole())
        except _Refused:
            continue
    return trees, comments


def read_term_trees(text: str, problems: Problems) -> list[Tree]:
    """Return the tree of one term without a full stop."""
    tokens, _ = tokens_of(text, problems)
    if problems.found or not tokens:
        return []
    statement = _Statement(tokens, problems)
    try:
        tree = statement.term(0)
        statement.end()
    except _Refused:
        return []
    return [tree]


class _Statement:
    """A recursive descent over the tokens of one statement."""

    def __init__(self, tokens: list[Token], problems: Problems) -> None:
        self.tokens = tokens
        self.at = 0
        self.problems = problems

    def whole(self) -> Tree:
        head = self.term(0)
        if self._kind() == "arrow":
            arrow = self._take()
            leaf: Leaf = ("<=", arrow.start, arrow.end)
            if self.at == len(self.tokens):
                self._refuse("GDL014", arrow, "nothing follows the arrow", "write a condition, or leave out the arrow")
            parts = self._alternatives(0)
            body = parts[0] if len(parts) == 1 else [self._either(parts)]
            self.end()
            return Node([leaf, head, *body], self.tokens[0].start, self.tokens[-1].end)
        self.end()
        return head

    def end(self) -> None:
        """Refuse tokens that are left over."""
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind == "close":
                self._refuse("GDL002", token, "this ) closes nothing", "add the missing ( before it, or remove it")
            self._refuse(
                "GDL014", token, f"unexpected {self._shown(token)}", "is a comma or a full stop missing before it?"
            )

    def _alternatives(self, depth: int) -> list[list[Tree]]:
        """Return the alternatives of a body, each a list of conditions."""
        found = [self._conditions(depth)]
        while self._kind() == "either" or self._word("or"):
            self.at += 1
            found.append(self._conditions(depth))
        return found

    def _conditions(self, depth: int) -> list[Tree]:
        found = [self._condition(depth)]
        while self._kind() == "both" or self._word("and"):
            self.at += 1
            found.append(self._condition(depth))
        return found

    def _condition(self, depth: int) -> Tree:
        token = self._peek()
        if depth > MAX_DEPTH:
            self._too_deep(token)
        if token.kind == "negate":
            self.at += 1
            inner = self._condition(depth + 1)
            return Node([("not", token.start, token.end), inner], token.start, _end(inner))
        if token.kind == "open":
            self.at += 1
            parts = self._alternatives(depth + 1)
            self._close(token)
            return self._either(parts) if len(parts) > 1 else self._both(parts[0])
        if token.text in ("or", "and") and token.kind == "name" and self._kind(1) == "open":
            self.at += 2
            items: list[Tree] = [(token.text, token.start, token.end), self._condition(depth + 1)]
            while self._kind() == "both":
                self.at += 1
                items.append(self._condition(depth + 1))
            close = self._close(self.tokens[self.at - 1])
            return Node(items, token.start, close.end)
        left = self.term(depth)
        if self._kind() == "unequal":
            sign = self._take()
            right = self.term(depth)
            return Node([("distinct", sign.start, sign.end), left, right], _start(left), _end(right))
        return left

    def term(self, depth: int) -> Tree:
        """Return a term, or the atom that looks like one."""
        token = self._peek()
        if depth > MAX_DEPTH:
            self._too_deep(token)
        if token.kind not in ("name", "quoted", "variable") and token.text != "not":
            self._refuse(
                "GDL014", token, f"a name is expected here, not {self._shown(token)}", "is something missing before it?"
            )
        self.at += 1
        leaf: Leaf = (token.text, token.start, token.end)
        if self._kind() != "open":
            return leaf
        opening = self._take()
        items: list[Tree] = [leaf]
        if self._kind() != "close":
            items.append(self.term(depth + 1))
            while self._kind() == "both":
                self.at += 1
                items.append(self.term(depth + 1))
        close = self._close(opening)
        return Node(items, token.start, close.end)

    def _either(self, parts: list[list[Tree]]) -> Tree:
        trees = [self._both(p) for p in parts]
        return Node([("or", _start(trees[0]), _start(trees[0])), *trees], _start(trees[0]), _end(trees[-1]))

    def _both(self, parts: list[Tree]) -> Tree:
        if len(parts) == 1:
            return parts[0]
        return Node([("and", _start(parts[0]), _start(parts[0])), *parts], _start(parts[0]), _end(parts[-1]))

    def _kind(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].kind if at < len(self.tokens) else ""

    def _word(self, word: str) -> bool:
        return self._kind() == "name" and self.tokens[self.at].text == word

    def _take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _peek(self) -> Token:
        if self.at >= len(self.tokens):
            last = self.tokens[-1]
            self._refuse(
                "GDL014", last, f"the statement ends too early, after {self._shown(last)}", "what should come next?"
            )
        return self.tokens[self.at]

    def _close(self, opening: Token) -> Token:
        if self._kind() == "close":
            return self._take()
        before = self._end_of_line(opening)
        if before is None and self._kind() in ("name", "quoted", "variable", "negate", "open"):
            token = self.tokens[self.at]
            shown = self._shown(token)
            self._refuse("GDL014", token, f"unexpected {shown}", "is a comma or a closing bracket missing before it?")
        last = before or self.tokens[self.at - 1]
        line = self._line(opening)
        self.problems.error(
            "GDL001", Span(last.end - 1, last.end), "a ) is missing after this", f"to close ( of line {line}"
        )
        raise _Refused

    def _end_of_line(self, opening: Token) -> Token | None:
        """Return the last token on the line of a bracket; None if the statement ends there.

        Arguments rarely span lines, so a bracket that is left open was probably meant to close on its own line.
        """
        line = self._line(opening)
        index = self.tokens.index(opening)
        end = index
        while end + 1 < len(self.tokens) and self._line(self.tokens[end + 1]) == line:
            end += 1
        if end + 1 == len(self.tokens):
            return None
        while end > index and self.tokens[end].kind in ("both", "either"):
            end -= 1
        return self.tokens[end]

    def _line(self, token: Token) -> int:
        return self.problems.source.position(token.start)[0]

    def _shown(self, token: Token) -> str:
        return self.problems.source.text[token.start : token.end]

    def _too_deep(self, token: Token) -> NoReturn:
        self._refuse(
            "GDL007",
            token,
            f"brackets are nested more than {MAX_DEPTH} levels deep",
            "give the inner parts names with rules of their own",
        )

    def _refuse(self, code: str, token: Token, message: str, *helps: str) -> NoReturn:
        self.problems.error(code, token, message, *helps)
        raise _Refused


def _start(tree: Tree) -> int:
    return tree[1] if isinstance(tree, tuple) else tree.start


def _end(tree: Tree) -> int:
    return tree[2] if isinstance(tree, tuple) else tree.end
