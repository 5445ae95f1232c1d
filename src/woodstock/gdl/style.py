"""How rules, conditions and terms are spelt in each syntax; `write` decides what goes on which line."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from woodstock.gdl.ast import And, Atom, Constant, Distinct, Formula, Function, Not, Or, Rule, Term, Variable

WIDTH = 100
_MARKS = re.compile(r"^[;%]*")


class Style(ABC):
    """The spelling of one syntax: the mark of comments, and the signs after a condition and after the last one."""

    mark: str
    after: str
    end: str
    indent = "    "

    @abstractmethod
    def rule(self, rule: Rule) -> str:
        """Return a rule on one line."""

    @abstractmethod
    def head(self, rule: Rule) -> str:
        """Return the first line of a rule with a body."""

    @abstractmethod
    def formula(self, part: Formula) -> str:
        """Return a formula on one line."""

    @abstractmethod
    def frame(self, part: Not | Or | And) -> tuple[str, str, str]:
        """Return the text before the parts of a formula, between them and behind them."""

    def comment(self, text: str) -> str:
        """Return a comment with its mark; rows of marks, as in `;;; Title`, follow the syntax."""
        return self.mark + _MARKS.sub(lambda found: self.mark * len(found[0]), text.rstrip())

    def on_one_line(self, rule: Rule) -> str | None:
        """Return a whole rule if it belongs on one line."""
        text = self.rule(rule)
        return text if not rule.body or (len(rule.body) == 1 and len(text) <= WIDTH) else None

    def condition(self, part: Formula, is_last: bool) -> str:
        """Return the line or lines of one condition."""
        return self.indent + self._broken(part, len(self.indent)) + (self.end if is_last else self.after)

    def _broken(self, part: Formula, column: int) -> str:
        """Return a formula, over several lines if it is long and has parts."""
        text = self.formula(part)
        if column + len(text) <= WIDTH or not isinstance(part, Or | And | Not):
            return text
        before, between, behind = self.frame(part)
        inner = column + len(before)
        parts = [self._broken(child, inner) for child in (part.parts if not isinstance(part, Not) else (part.body,))]
        return before + f"{between}\n{' ' * inner}".join(parts) + behind


class KifStyle(Style):
    """Prefix KIF."""

    mark, after, end = ";", "", ")"

    def rule(self, rule: Rule) -> str:
        return str(rule) if rule.body or rule.head.args else f"({rule.head.name})"

    def head(self, rule: Rule) -> str:
        return f"(<= {rule.head}"

    def formula(self, part: Formula) -> str:
        return str(part)

    def frame(self, part: Not | Or | And) -> tuple[str, str, str]:
        return f"({type(part).__name__.lower()} ", "", ")"


_PLAIN_SYMBOL = re.compile(r"[a-z][A-Za-z0-9_]*|[+-]?[0-9][A-Za-z0-9_]*")
_PLAIN_VARIABLE = re.compile(r"[a-z][A-Za-z0-9_]*|_[A-Za-z0-9_]+")
_OPERATORS = frozenset(("not", "or", "and"))


class InfixStyle(Style):
    """The papers' syntax; the head of `infix` describes how unusual names are quoted."""

    mark, after, end = "%", ",", "."

    def rule(self, rule: Rule) -> str:
        body = ", ".join(map(self.formula, rule.body))
        return f"{self.head(rule)} {body}." if body else f"{self.atom(rule.head)}."

    def head(self, rule: Rule) -> str:
        return f"{self.atom(rule.head)} :-"

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
                before, between, behind = self.frame(part)
                return before + f"{between} ".join(map(self.formula, part.parts)) + behind

    def frame(self, part: Not | Or | And) -> tuple[str, str, str]:
        if isinstance(part, Not):
            return "not ", "", ""
        word, sign = ("or", " |") if isinstance(part, Or) else ("and", ",")
        return (word if len(part.parts) == 1 else "") + "(", sign, ")"

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
