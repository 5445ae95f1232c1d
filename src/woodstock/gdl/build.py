"""Trees to syntax: gives every bracketed list its meaning as a rule, formula or term.

Comes in: the trees of `kif` or `infix`. Goes out: `Rule`s with spans; every list that cannot be one is reported and
left out, so that one mistake does not hide the next. Symbols are case-insensitive and take the spelling that
comes first in the file; keywords become lower case; variables take the spelling that comes first in their rule.
Cost: linear; the recursion is bounded by `tree.MAX_DEPTH`.
"""

from __future__ import annotations

from typing import NoReturn

from woodstock.gdl.ast import (
    KEYWORDS,
    And,
    Atom,
    Constant,
    Distinct,
    Formula,
    Function,
    Not,
    Or,
    Rule,
    Span,
    Term,
    Variable,
    variables,
)
from woodstock.gdl.diagnostics import Problems
from woodstock.gdl.tree import Leaf, Node, Tree

ARROW = "<="
_CONNECTIVES = frozenset(("not", "or", "and", "distinct"))


class _Refused(Exception):
    """The problem is reported; give up the formula around it."""


class Builder:
    """Builds the rules of one file; keeps the spellings met so far."""

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self._names: dict[str, str] = {k: k for k in KEYWORDS}
        self._spelt: dict[str, str] = {}  # any spelling -> the one to use: spares lower() for nearly every symbol
        self._variables: dict[str, str] = {}

    def rules(self, trees: list[Tree]) -> list[Rule]:
        """Return the rules that the trees make, without those that had a problem."""
        found = []
        for tree in trees:
            try:
                found.append(self.rule(tree))
            except _Refused:
                continue
        return found

    def rule(self, tree: Tree) -> Rule:
        """Return the rule that one top-level tree makes."""
        self._variables.clear()
        if not isinstance(tree, Node) or not _is_arrow(tree):
            head = self._head(tree)
            return Rule(head, (), head.span)
        if len(tree.items) < 2:
            self._refuse("GDL008", tree, "a rule needs a head after <=", "write (<= (head ...) (condition ...) ...)")
        head = self._head(tree.items[1])
        # Every part is built even when one is refused: its problems belong in the same report.
        parts: list[Formula] = []
        refused = False
        for item in tree.items[2:]:
            try:
                parts.append(self.formula(item))
            except _Refused:
                refused = True
        if refused:
            raise _Refused
        return Rule(head, tuple(parts), Span(tree.start, tree.end))

    def _head(self, tree: Tree) -> Atom:
        if isinstance(tree, Node) and tree.items and isinstance(tree.items[0], tuple):
            name = tree.items[0][0].lower()
            if name in _CONNECTIVES:
                self._refuse("GDL012", tree, f"'{name}' cannot be a head or a fact", f"move {name} to the body")
        found = self.formula(tree)
        assert isinstance(found, Atom)
        return found

    def formula(self, tree: Tree) -> Formula:
        """Return the formula of a body."""
        if isinstance(tree, tuple):
            text, start, end = tree
            if text[0] == "?":
                self._refuse(
                    "GDL013",
                    tree,
                    f"variable {self._shown(tree)} is not a condition",
                    "a condition is a name with arguments, such as (true ?x)",
                )
            self._refuse_arrow(tree, "write one rule for each <=")
            name = self._spelt.get(text) or self._spell(text)
            if name in _CONNECTIVES:
                self._refuse("GDL011", tree, f"{name} has no arguments", f"write what it applies to: ({name} ...)")
            return Atom(name, (), Span(start, end))
        name = self._functor(tree)
        span = Span(tree.start, tree.end)
        items = tree.items
        if name == "not":
            self._count(tree, 1, "one condition")
            return Not(self.formula(items[1]), span)
        if name == "distinct":
            self._count(tree, 2, "two terms")
            return Distinct(self.term(items[1]), self.term(items[2]), span)
        if name == "or" or name == "and":
            if len(items) < 2:
                self._refuse("GDL011", tree, f"{name} needs at least one condition", f"write ({name} (a) (b))")
            parts = tuple([self.formula(i) for i in items[1:]])
            return Or(parts, span) if name == "or" else And(parts, span)
        return Atom(name, tuple([self.term(i) for i in items[1:]]), span)

    def term(self, tree: Tree) -> Term:
        """Return the term of an argument."""
        if isinstance(tree, tuple):
            text, start, end = tree
            if text[0] == "?":
                return Variable(self._variable(tree), Span(start, end))
            self._refuse_arrow(tree, "write one rule for each <=")
            return Constant(self._spelt.get(text) or self._spell(text), Span(start, end))
        name = self._functor(tree)
        if len(tree.items) == 1:
            return Constant(name, Span(tree.start, tree.end))
        return Function(name, tuple([self.term(i) for i in tree.items[1:]]), Span(tree.start, tree.end))

    def whole_term(self, tree: Tree) -> Term | None:
        """Return a ground term that is the whole text; None if a problem was reported."""
        try:
            found = self.term(tree)
            for variable in variables(found):
                leaf = (str(variable), variable.span.start, variable.span.end)
                self._refuse(
                    "GDL018",
                    leaf,
                    f"variable {self._shown(leaf)} in a term that must be ground",
                    "write a value instead",
                )
        except _Refused:
            return None
        return found

    def _functor(self, tree: Node) -> str:
        if not tree.items:
            self._refuse("GDL004", tree, "empty brackets", "remove them, or write a name after the opening bracket")
        first = tree.items[0]
        if not isinstance(first, tuple):
            self._refuse(
                "GDL005",
                first,
                "a name is expected here, not a bracket",
                "the first thing after ( is a name; is there one bracket too many?",
            )
        text = first[0]
        if text[0] == "?":
            self._refuse(
                "GDL006",
                first,
                f"variable {self._shown(first)} cannot be the name of a predicate or function",
                "predicates and functions need names; only their arguments can be variables",
            )
        self._refuse_arrow(first, "is a closing bracket missing before it?")
        return self._spelt.get(text) or self._spell(text)

    def _spell(self, text: str) -> str:
        name = self._spelt[text] = self._names.setdefault(text.lower(), text)
        return name

    def _variable(self, leaf: Leaf) -> str:
        text = leaf[0]
        if len(text) == 1:
            self._refuse(
                "GDL009", leaf, "a variable needs a name after its question mark", "give it a name, for example ?x"
            )
        return self._variables.setdefault(text.lower(), text[1:])

    def _count(self, tree: Node, wanted: int, what: str) -> None:
        if len(tree.items) - 1 != wanted:
            name = tree.items[0][0].lower()  # type: ignore[index]
            self._refuse(
                "GDL011", tree, f"{name} takes {what}, not {len(tree.items) - 1}", "is a bracket in the wrong place?"
            )

    def _shown(self, leaf: Leaf) -> str:
        return self.problems.source.text[leaf[1] : leaf[2]] or leaf[0]

    def _refuse_arrow(self, leaf: Leaf, hint: str) -> None:
        if leaf[0] == ARROW:
            self._refuse("GDL008", leaf, f"{ARROW} is only allowed at the start of a rule", hint)

    def _refuse(self, code: str, tree: Tree, message: str, *helps: str) -> NoReturn:
        self.problems.error(code, Span(tree[1], tree[2]) if isinstance(tree, tuple) else tree, message, *helps)
        raise _Refused


def _is_arrow(tree: Node) -> bool:
    first = tree.items[0] if tree.items else None
    return isinstance(first, tuple) and first[0] == ARROW
