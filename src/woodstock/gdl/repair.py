"""Prices a repair of the brackets: how unusual would the form be with one bracket added or removed?

Comes in: the tokens of a region, the habits of the whole file, and the possible changes. Goes out: the change with the
lowest price. What is certainly wrong (a rule in a rule, a keyword with the wrong number of arguments, a fact
with variables) costs most; what is unusual in this file (a name with another number of arguments or on another level
than elsewhere) costs less; a deviation of the layout costs least, and only if the layout of the file is regular.
"""

from __future__ import annotations

from woodstock.gdl.ast import KEYWORD_ARITY
from woodstock.gdl.habits import CONNECTIVES, Habits, Token

_ARITY = {**KEYWORD_ARITY, "not": 1, "distinct": 2}
_NEVER_CONCLUDED = frozenset(("true", "does", "not", "or", "and", "distinct"))
_ONLY_CONCLUDED = frozenset(("next", "init", "base", "input", "sees"))

_TOP, _HEAD, _CONDITION, _TERM = range(4)

CERTAIN = 8.0
LIKELY = 4.0
SLIGHT = 1.0


class _List:
    """A bracketed list while it is being read."""

    __slots__ = ("bound", "column", "count", "head", "level", "line", "name")

    def __init__(self, level: int, column: int, line: int) -> None:
        self.level = level
        self.column = column
        self.line = line
        self.name = ""
        self.count = 0
        self.head: list[str] = []  # variables of a rule's head
        self.bound: list[str] = []  # variables inside, without those of negations in a rule

    def copy(self) -> _List:
        """Return a list in the same state."""
        other = _List(self.level, self.column, self.line)
        other.name, other.count, other.head, other.bound = self.name, self.count, self.head, self.bound.copy()
        return other


class Pricer:
    """Prices changes within one region of the tokens."""

    def __init__(self, tokens: list[Token], habits: Habits, first: int, last: int) -> None:
        self.tokens = tokens
        self.habits = habits
        self.first = first
        self.last = last
        lines = habits.lines
        self.columns: list[int] = []
        self.line_numbers: list[int] = []
        self.gaps: list[bool] = []
        text, line = habits.text, 0
        before = tokens[first - 1][2] if first else 0
        for _, start, end in tokens[first:last]:
            line += text.count("\n", before, start)
            self.line_numbers.append(line)
            self.columns.append(lines.column_if_first(before, start))
            self.gaps.append(lines.has_gap(before, start))
            before = end

    def cheapest(self, changes: list[tuple[int, str]]) -> tuple[int, str]:
        """Return the cheapest of some changes, the last one among equals.

        A change is `)` added after a token, `(` added before it, or `-` for the token removed; they come in the order
        of their tokens, so that the text before a change is read only once.
        """
        # The last one is often near the best: its price often ends the reading of others early.
        last = changes[-1]
        if self.habits.steps_left <= 0:
            return last
        reader = _Reader(self.habits)
        for i in range(self.first, last[0]):
            self._feed(reader, i)
        best, found = self._price(reader, *last, float("inf")), last
        reader = _Reader(self.habits)
        at = self.first
        for index, what in changes[:-1]:
            while at < index:
                self._feed(reader, at)
                at += 1
            if reader.cost > best or self.habits.steps_left <= 0:
                break
            price = self._price(reader.copy(), index, what, best)
            if price < best or (price == best and found != last):
                best, found = price, (index, what)
        return found

    def _feed(self, reader: _Reader, at: int) -> None:
        token = self.tokens[at][0]
        offset = at - self.first
        if token == "(":
            reader.open(self.columns[offset], self.line_numbers[offset], self.gaps[offset])
        elif token == ")":
            reader.close()
        elif token:
            reader.leaf(token, self.columns[offset], self.line_numbers[offset])

    def _price(self, reader: _Reader, at: int, what: str, limit: float) -> float:
        """Return the price of the whole region with a change at `at`, up to which the reader has come."""
        offset = at - self.first
        if what == "(":
            reader.open(self.columns[offset], self.line_numbers[offset], self.gaps[offset])
            reader.leaf(self.tokens[at][0], -1, self.line_numbers[offset])
        elif what == "-":
            # A bracket is lost more often than added; an added one is usually at the end.
            reader.cost += 0.5 if at == self.last - 1 else 1.5
        elif what == ")":
            self._feed(reader, at)
            reader.close()
            if offset + 1 < len(self.columns) and self.columns[offset + 1] < 0:
                reader.cost += 0.2  # brackets are forgotten at the end of a line rather than within it
        for i in range(at + 1, self.last):
            if reader.cost > limit:
                self.habits.steps_left -= i - at
                return float("inf")
            self._feed(reader, i)
        self.habits.steps_left -= self.last - at
        return reader.cost + 2 * CERTAIN * len(reader.stack)


class _Reader:
    """Reads tokens and adds up the prices of what is unusual."""

    def __init__(self, habits: Habits) -> None:
        self.habits = habits
        self.stack: list[_List] = []
        self.cost = 0.0
        # Layout is one piece of evidence, however often it repeats: its total is bounded.
        self.inner_left = 3.0
        self.outer_left = 1.0

    def copy(self) -> _Reader:
        """Return a reader that has read the same."""
        other = _Reader(self.habits)
        other.stack = [entry.copy() for entry in self.stack]
        other.cost = self.cost
        other.inner_left, other.outer_left = self.inner_left, self.outer_left
        return other

    def _odd_inside(self, cost: float) -> None:
        cost = min(cost, self.inner_left)
        self.inner_left -= cost
        self.cost += cost

    def _odd_outside(self, cost: float) -> None:
        cost = min(cost, self.outer_left)
        self.outer_left -= cost
        self.cost += cost

    def open(self, column: int, line: int, gap: bool) -> None:
        lines = self.habits.lines
        level = _TOP
        if self.stack:
            parent = self.stack[-1]
            if not parent.name:
                self.cost += CERTAIN
            level = self._level_below(parent)
            parent.count += 1
            if column >= 0 and parent.line < line and column <= parent.column:
                self._odd_inside(SLIGHT * lines.indent_weight)
            if gap:
                self._odd_inside(0.7 * SLIGHT)
        elif column < 0:
            self._odd_outside(0.5 * SLIGHT * lines.top_weight)
        elif column > 0:
            self._odd_outside(0.5 * SLIGHT * lines.flush_weight)
        self.stack.append(_List(level, column, line))

    @staticmethod
    def _level_below(parent: _List) -> int:
        if parent.level == _TERM:
            return _TERM
        if parent.name == "<=":
            return _CONDITION if parent.count else _HEAD
        return _CONDITION if parent.name in CONNECTIVES else _TERM

    def leaf(self, token: str, column: int, line: int) -> None:
        name = token.lower()
        if not self.stack:
            self.cost += CERTAIN if token[0] == "?" else 5.0
            return
        parent = self.stack[-1]
        if not parent.name:
            parent.name = name
            if token[0] == "?":
                self.cost += CERTAIN
            return
        level = self._level_below(parent)
        parent.count += 1
        if token[0] == "?":
            if level != _TERM:
                self.cost += CERTAIN
            parent.bound.append(name)
        elif level != _TERM:
            self._price_bare(name, level)
        if column >= 0 and parent.line < line and column <= parent.column:
            self._odd_inside(SLIGHT * self.habits.lines.indent_weight)

    def _price_bare(self, name: str, level: int) -> None:
        habits = self.habits
        if _ARITY.get(name, 0):
            self.cost += CERTAIN
        elif name == "terminal" or (level == _CONDITION and habits.bare_conditions[name] > 1):
            return
        elif habits.names[name]:
            self.cost += LIKELY
        else:
            self.cost += SLIGHT if level == _CONDITION else 2 * SLIGHT

    def close(self) -> None:
        if not self.stack:
            self.cost += 2 * CERTAIN
            return
        closed = self.stack.pop()
        name, level = closed.name, closed.level
        if not name:
            self.cost += CERTAIN
        elif name == "<=":
            self._price_rule(closed)
        else:
            if level == _TERM:
                self._price_term(closed)
            else:
                self._price_atom(closed)
            if level == _TOP and closed.bound and name not in ("base", "input"):
                self.cost += LIKELY
        if self.stack:
            parent = self.stack[-1]
            if level == _HEAD:
                parent.head = closed.bound
            elif level == _TERM or name not in ("not", "distinct"):
                parent.bound += closed.bound

    def _price_rule(self, rule: _List) -> None:
        if rule.level != _TOP or not rule.count:
            self.cost += CERTAIN
        if rule.count == 1:
            self.cost += 2 * SLIGHT
        self.cost += 3 * SLIGHT * len(set(rule.head).difference(rule.bound))

    def _price_term(self, closed: _List) -> None:
        name, habits = closed.name, self.habits
        is_predicate = habits.terms[name] <= 1 and habits.conditions[name] + habits.heads[name] > habits.terms[name]
        if is_predicate or name in _ARITY or name in CONNECTIVES:
            self.cost += LIKELY
        self._price_signature(name, closed.count)

    def _price_atom(self, closed: _List) -> None:
        name, level, habits = closed.name, closed.level, self.habits
        wanted = _ARITY.get(name)
        if wanted is not None and wanted != closed.count:
            self.cost += CERTAIN
        if name in CONNECTIVES and not closed.count:
            self.cost += CERTAIN
        if level != _CONDITION:
            if name in _NEVER_CONCLUDED:
                self.cost += CERTAIN
            elif level == _TOP and name in ("legal", "goal", "next", "terminal"):
                self.cost += SLIGHT
        elif name in _ONLY_CONCLUDED:
            self.cost += LIKELY
        elif name == "role" and not closed.bound:
            self.cost += SLIGHT
        if wanted is None and name not in CONNECTIVES:
            if habits.terms[name] > 1 and not habits.conditions[name] and not habits.heads[name]:
                self.cost += LIKELY
            if closed.count and not closed.bound:
                # A predicate that has only facts is rarely ground in a condition, and vice versa.
                is_fact = habits.ground[name] > 2 and not habits.heads[name]
                if level == _CONDITION and is_fact:
                    self._odd_inside(0.3 * SLIGHT)
                elif level == _TOP and habits.heads[name]:
                    self._odd_outside(0.4 * SLIGHT)
            self._price_signature(name, closed.count)

    def _price_signature(self, name: str, count: int) -> None:
        signatures = self.habits.signatures
        here = signatures[name, count]
        if here > 1:
            return
        # A single occurrence may be the damaged one itself.
        self.cost += LIKELY if self.habits.names[name] - here > 1 else SLIGHT
