"""The habits of a file: how it uses its names and lays out its lines. `repair` prices deviations from them."""

from __future__ import annotations

from collections import Counter

Token = tuple[str, int, int]
"""The text of a bracket or symbol, its start and its end."""

CONNECTIVES = ("not", "or", "and")

MAX_STEPS = 1_000_000
"""The most tokens read to price repairs in one file, about two seconds; then the last possible place is taken."""


class Habits:
    """How a file uses its names and lays out its lines, judged by every bracketed list that is closed."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.text = text
        self.signatures: Counter[tuple[str, int]] = Counter()
        self.names: Counter[str] = Counter()
        self.heads: Counter[str] = Counter()
        self.conditions: Counter[str] = Counter()
        self.terms: Counter[str] = Counter()
        self.bare_conditions: Counter[str] = Counter()
        self.ground: Counter[str] = Counter()
        self._read(tokens)
        self.lines = _Lines(tokens, text)
        self.steps_left = MAX_STEPS

    def _read(self, tokens: list[Token]) -> None:
        stack: list[list[str]] = []  # the functor, then "(name" for a list and "name" for a leaf
        items: list[str] = []
        for i, (token, _, _) in enumerate(tokens):
            if token == "(":
                if i + 1 < len(tokens) and tokens[i + 1][0] == "<=":
                    stack.clear()  # rules are top-level forms: whatever is still open is damaged
                stack.append(items)
                items = []
            elif token == ")":
                if not stack:
                    continue
                self._note(items)
                closed = "(" + items[0] if items else "("
                items = stack.pop()
                items.append(closed)
            else:
                items.append(token.lower())

    def _note(self, items: list[str]) -> None:
        if not items or items[0][0] in "(?":
            return
        name = items[0]
        self.signatures[name, len(items) - 1] += 1
        self.names[name] += 1
        self.ground[name] += all(item[0] not in "(?" for item in items)
        if name == "<=" or name in CONNECTIVES:
            for i, item in enumerate(items[1:]):
                if item[0] == "(":
                    (self.conditions if i or name != "<=" else self.heads)[item[1:]] += 1
                elif item[0] != "?":
                    self.bare_conditions[item] += 1
        else:
            # Once for each list: a damaged one may contain a whole body as its terms.
            for item in {i for i in items[1:] if i[0] == "("}:
                self.terms[item[1:]] += 1


class _Lines:
    """The positions of tokens on their lines, and how regular the layout is."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.text = text
        # Only rules that close before the next one show the habit: in others, the facts after them would count too.
        indented = unindented = flush = shifted = shared = 0
        stack: list[list[int]] = []  # column, then the lists inside that open a line: deeper than it, and not
        before = 0
        for i, (token, start, end) in enumerate(tokens):
            if token == "(":
                column = self.column_if_first(before, start)
                if i + 1 < len(tokens) and tokens[i + 1][0] == "<=":
                    stack.clear()
                if not stack:
                    shared += column < 0
                    flush += column == 0
                    shifted += column > 0
                elif column >= 0:
                    stack[0][1 if column > stack[0][0] else 2] += 1
                stack.append([column, 0, 0])
            elif token == ")" and stack:
                _, deeper, other = stack.pop()
                if not stack:
                    indented += deeper
                    unindented += other
            before = end
        self.indent_weight = _steadiness(indented, unindented)
        self.flush_weight = _steadiness(flush, shifted)
        self.top_weight = _steadiness(flush + shifted, shared)

    def column_if_first(self, before: int, start: int) -> int:
        """Return the column of a token that opens its line, else -1; `before` is where the last token ended."""
        # Only the gap is searched: a file on one line would otherwise take quadratic time.
        line = self.text.rfind("\n", before, start)
        return start - line - 1 if line >= 0 or not before else -1

    def has_gap(self, before: int, after: int) -> bool:
        """Return whether an empty line or a comment line lies between two offsets."""
        between = self.text[before:after]
        if between.count("\n") < 2:
            return False
        return any(not line.strip() or line.lstrip()[0] == ";" for line in between.split("\n")[1:-1])


def _steadiness(usual: int, unusual: int) -> float:
    """Return 0 for an irregular file, up to 1 for one with a regular habit."""
    total = usual + unusual
    return max(0.0, (usual / total - 0.5) * 2) if total else 1.0
