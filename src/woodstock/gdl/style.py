"""How rules, conditions and terms are spelt in each syntax; `write` decides what goes on which line."""

from __future__ import annotations

import re
from typing import Protocol

from woodstock.gdl.ast import And, Atom, Constant, Distinct, Formula, Function, Not, Or, Rule, Term, Variable

WIDTH = 100
_MARKS = re.compile(r"^[;%]*")


class Style(Protocol):
    """The spelling of one syntax."""

    indent: str

    def comment(self, text: str) -> str:
        """Return a comment with its mark."""

    def on_one_line(self, rule: Rule) -> str | None:
        """Return a whole rule if it belongs on one line."""

    def head(self, rule: Rule) -> str:
        """Return the first line of a rule with a body."""

    def condition(self, part: Formula, is_last: bool) -> str:
        """Return the line or lines of one condition."""


def _comment(mark: str, text: str) -> str:
    # Rows of marks, as in `;;; Title`, follow the syntax.
    text = _MARKS.sub(lambda m: mark * len(m[0]), text.rstrip())
    return mark + text


class KifStyle:
    """Prefix KIF."""

    indent = "    "

    def comment(self, text: str) -> str:
        return _comment(";", text)

    def on_one_line(self, rule: Rule) -> str | None:
        if not rule.body:
            return str(rule.head) if rule.head.args else f"({rule.head.name})"
        text = str(rule)
        return text if len(rule.body) == 1 and len(text) <= WIDTH else None

    def head(self, rule: Rule) -> str:
        return f"(<= {rule.head}"

    def condition(self, part: Formula, is_last: bool) -> str:
        return self.indent + self._broken(part, len(self.indent)) + (")" if is_last else "")

    def _broken(self, part: Formula, column: int) -> str:
        """Return a formula, over several lines when it is long and has parts."""
        text = str(part)
        if column + len(text) <= WIDTH or not isinstance(part, Or | And | Not):
            return text
        if isinstance(part, Not):
            return f"(not {self._broken(part.body, column + 5)})"
        name = "or" if isinstance(part, Or) else "and"
        inner = column + len(name) + 2
        return f"({name} " + ("\n" + " " * inner).join(self._broken(p, inner) for p in part.parts) + ")"


_PLAIN_SYMBOL = re.compile(r"[a-z][A-Za-z0-9_]*|[+-]?[0-9][A-Za-z0-9_]*")
_PLAIN_VARIABLE = re.compile(r"[a-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+")
_OPERATORS = frozenset(("not", "or", "and"))


class InfixStyle:
    """The papers' syntax; the file head of `infix` says how odd names are quoted."""

    indent = "    "

    def comment(self, text: str) -> str:
        return _comment("%", text)

    def on_one_line(self, rule: Rule) -> str | None:
        if not rule.body:
            return self.atom(rule.head) + "."
        text = f"{self.atom(rule.head)} :- {', '.join(self.formula(f) for f in rule.body)}."
        return text if len(rule.body) == 1 and len(text) <= WIDTH else None

    def head(self, rule: Rule) -> str:
        return f"{self.atom(rule.head)} :-"

    def condition(self, part: Formula, is_last: bool) -> str:
        return self.indent + self._broken(part, len(self.indent)) + ("." if is_last else ",")

    def formula(self, part: Formula) -> str:
        """Return a formula on one line; `or` and `and` are always in brackets."""
        match part:
            case Atom():
                return self.atom(part)
            case Distinct():
                return f"distinct({self.term(part.left)}, {self.term(part.right)})"
            case Not():
                return f"not {self.formula(part.body)}"
            case Or() | And():
                word, sign = ("or", " | ") if isinstance(part, Or) else ("and", ", ")
                if len(part.parts) == 1:
                    return f"{word}({self.formula(part.parts[0])})"
                return "(" + sign.join(self.formula(p) for p in part.parts) + ")"

    def _broken(self, part: Formula, column: int) -> str:
        text = self.formula(part)
        if column + len(text) <= WIDTH or not isinstance(part, Or | And | Not):
            return text
        if isinstance(part, Not):
            return f"not {self._broken(part.body, column + 4)}"
        if len(part.parts) == 1:
            return text
        sign = " |" if isinstance(part, Or) else ","
        gap = f"{sign}\n" + " " * (column + 1)
        return "(" + gap.join(self._broken(p, column + 1) for p in part.parts) + ")"

    def atom(self, atom: Atom) -> str:
        """Return a predicate with its arguments."""
        return _applied(self.symbol(atom.name), [self.term(a) for a in atom.args])

    def term(self, term: Term) -> str:
        """Return a term."""
        match term:
            case Constant():
                return self.symbol(term.name)
            case Variable():
                return self.variable(term.name)
            case Function():
                return _applied(self.symbol(term.name), [self.term(a) for a in term.args])

    @staticmethod
    def symbol(name: str) -> str:
        """Return a symbol, quoted unless it is plain."""
        return name if _PLAIN_SYMBOL.fullmatch(name) and name not in _OPERATORS else _quoted(name)

    @staticmethod
    def variable(name: str) -> str:
        """Return a variable with its capital, or spelt out."""
        if not _PLAIN_VARIABLE.fullmatch(name):
            return "_" + _quoted(name)
        return name if name[0] == "_" else name[0].upper() + name[1:]


def _applied(name: str, args: list[str]) -> str:
    return f"{name}({', '.join(args)})" if args else name


def _quoted(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
