"""Clauses as Python functions: nested loops over hash indexes.

Comes in: a `Clause`. Goes out: a function that adds every head the clause derives from the relations it is given.
Literals are joined cheapest first; an index on the arguments that are bound by then gives the matching rows, already
cut down to the variables that are still needed. Once the head is bound, one way to satisfy the rest is enough.

Ground terms are strings (constants) and tuples (functions, name first): hashable, comparable, no classes needed.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from woodstock.gdl.ast import Atom, Constant, Distinct, Function, Signature, Term, Variable, signature, variable_names
from woodstock.gdl.normalise import Clause, Condition, Literal, condition_variables

Ground = str | tuple[Any, ...]
Row = tuple[Ground, ...]
Index = dict[Row, set[Row]]
# From the matching rows to (key, values of the new variables).
Project = Callable[[Iterable[Row]], Iterator[tuple[Row, Row]]]
Size = Callable[[Signature], float]

# CPython refuses more than 20 nested blocks in one function.
_MAX_LOOPS = 14


class Pattern:
    """The rows that one literal needs, given the variables bound before it; equal patterns share an index."""

    def __init__(self, atom: Atom, bound: Collection[str], needed: Collection[str]) -> None:
        self.key: list[Term] = []
        self.new: list[str] = []
        tests: list[str] = []
        key_paths: list[str] = []
        first_path: dict[str, str] = {}

        def visit(term: Term, path: str) -> None:
            if variable_names(term) <= set(bound):
                self.key.append(term)
                key_paths.append(path)
            elif isinstance(term, Variable):
                if term.name in first_path:
                    tests.append(f"{path} != {first_path[term.name]}")
                else:
                    first_path[term.name] = path
            else:
                assert isinstance(term, Function)
                size = len(term.args) + 1
                tests.append(f"{path}.__class__ is not tuple or len({path}) != {size} or {path}[0] != {term.name!r}")
                for position, arg in enumerate(term.args, 1):
                    visit(arg, f"{path}[{position}]")

        for position, arg in enumerate(atom.args):
            visit(arg, f"row[{position}]")
        # For each part of the key the number of the argument, -1 for a part of an argument.
        self.key_arguments = [int(p[4:-1]) if p.count("[") == 1 else -1 for p in key_paths]
        self.whole_arguments = tuple(p for p in self.key_arguments if p >= 0)
        self.new = [v for v in first_path if v in needed]
        # Tests run from the outside in, so the path of each is known to be a tuple by then.
        lines = ["def project(rows):", " for row in rows:", *(f"  if {test}: continue" for test in tests)]
        lines.append(f"  yield {_tuple(key_paths)}, {_tuple(first_path[v] for v in self.new)}")
        self.source = "\n".join(lines)
        self.is_whole_row = not tests and key_paths == [f"row[{i}]" for i in range(len(atom.args))]

    def __repr__(self) -> str:
        return self.source


# One relation that a clause reads: its predicate, its index, and whether it must contain the row or must not.
Read = tuple[Signature, Pattern, bool]


@functools.lru_cache(maxsize=4096)
def _project(source: str) -> Project:
    """Return the function of a pattern's source."""
    scope: dict[str, Any] = {}
    exec(source, scope)
    return scope["project"]  # type: ignore[no-any-return]


class Relation:
    """A set of rows with indexes that are kept up to date."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: set[Row] = set(rows)
        self.indexes: dict[str, Index] = {}

    def index(self, pattern: Pattern) -> Any:
        """Return the index for a pattern: from key to the values of its new variables."""
        if pattern.is_whole_row:
            return self.rows
        found = self.indexes.get(pattern.source)
        if found is None:
            found = self.indexes[pattern.source] = {}
            self._fill(found, pattern.source, self.rows)
        return found

    def extend(self, rows: set[Row]) -> None:
        """Add rows, to the indexes too."""
        self.rows |= rows
        for source, index in self.indexes.items():
            self._fill(index, source, rows)

    @staticmethod
    def _fill(index: Index, source: str, rows: Iterable[Row]) -> None:
        for key, values in _project(source)(rows):
            index.setdefault(key, set()).add(values)


def ground_value(term: Term) -> Ground:
    """Return a term without variables as the strings and tuples used here."""
    if isinstance(term, Function):
        return (term.name, *map(ground_value, term.args))
    return term.name


def _tuple(parts: Iterable[str]) -> str:
    return "(" + "".join(part + ", " for part in parts) + ")"


def join_order(clause: Clause, size: Size, first: int | None) -> list[Condition]:
    """Return the body, cheapest condition first; the one with the index `first` comes before all."""
    left = list(clause.body)
    order: list[Condition] = []
    bound: set[str] = set()

    def cost(condition: Condition) -> float:
        free = set(condition_variables(condition)) - bound
        if not free:
            return 0.0
        if isinstance(condition, Distinct) or not condition.positive:
            return float("inf")
        every = len(set(condition_variables(condition))) + sum(not variable_names(a) for a in condition.atom.args)
        return 1.0 + float(size(signature(condition.atom)) ** (len(free) / max(1, every)))

    def take(condition: Condition) -> None:
        left.remove(condition)
        order.append(condition)
        if isinstance(condition, Literal) and condition.positive:
            bound.update(condition_variables(condition))

    if first is not None:
        take(clause.body[first])
    while left:
        take(min(left, key=cost))
    return order


class _Writer:
    """The source of one clause's function. Locals: `v<n>` variables, `x<n>` indexes, `add` for the heads."""

    def __init__(self, clause: Clause, order: list[Condition]) -> None:
        self.order = order
        self.head = clause.head
        self.names: dict[str, str] = {}
        self.functions: list[str] = []
        self.patterns: list[Read] = []
        self.counter = itertools.count()

    def local(self, name: str) -> str:
        return self.names.setdefault(name, f"v{len(self.names)}")

    def expression(self, term: Term) -> str:
        match term:
            case Constant():
                return repr(term.name)
            case Variable():
                return self.local(term.name)
            case Function():
                return _tuple([repr(term.name), *map(self.expression, term.args)])

    def write(self) -> str:
        body = self.steps(0, set(), loops=0, is_tail=False, indent=" ")
        fetch = []
        for number, _ in enumerate(self.patterns):
            fetch.append(f" x{number} = fetch({number})")
            if number in self.required:
                fetch.append(f" if not x{number}: return")
        return "\n".join(["def run(fetch, add):", *fetch, *self.functions, *body])

    @property
    def required(self) -> set[int]:
        """The indexes that must not be empty: those of positive literals."""
        literals = [c for c in self.order if isinstance(c, Literal)]
        return {n for n, literal in enumerate(literals) if literal.positive}

    def steps(self, at: int, bound: set[str], loops: int, is_tail: bool, indent: str) -> list[str]:
        """Return the lines from one condition on; a tail returns True at its first solution."""
        if at == len(self.order):
            if is_tail:
                return [indent + "return True"]
            return [f"{indent}add({_tuple(self.expression(a) for a in self.head.args)})"]
        head_names = variable_names(self.head)
        becomes_tail = not is_tail and head_names <= bound and self.has_loop(at, bound)
        if becomes_tail or loops >= _MAX_LOOPS:
            return self.call(at, bound, is_tail, becomes_tail, indent)
        condition = self.order[at]
        if isinstance(condition, Distinct):
            test = f"{self.expression(condition.left)} != {self.expression(condition.right)}"
            return [f"{indent}if {test}:", *self.steps(at + 1, bound, loops, is_tail, indent + " ")]
        later = {v for c in self.order[at + 1 :] for v in condition_variables(c)} | head_names
        pattern = Pattern(condition.atom, bound, later)
        number = len(self.patterns)
        self.patterns.append((signature(condition.atom), pattern, condition.positive))
        key = _tuple(self.expression(t) for t in pattern.key)
        if not condition.positive or not pattern.new:
            word = "in" if condition.positive else "not in"
            return [f"{indent}if {key} {word} x{number}:", *self.steps(at + 1, bound, loops, is_tail, indent + " ")]
        target = _tuple(self.local(v) for v in pattern.new)
        line = f"{indent}for {target} in x{number}.get({key}, ()):"
        return [line, *self.steps(at + 1, bound | set(pattern.new), loops + 1, is_tail, indent + " ")]

    def has_loop(self, at: int, bound: set[str]) -> bool:
        return any(set(condition_variables(c)) - bound for c in self.order[at:])

    def call(self, at: int, bound: set[str], is_tail: bool, becomes_tail: bool, indent: str) -> list[str]:
        """Move the rest of the clause to a function of its own."""
        name = f"rest{next(self.counter)}"
        arguments = ", ".join(map(self.local, sorted(bound)))
        lines = self.steps(at, bound, 0, is_tail or becomes_tail, "  ")
        # The functions are local to `run`: they see its indexes, and concurrent runs do not meet.
        self.functions.append("\n".join([f" def {name}({arguments}):", *lines, "  return False"]))
        if becomes_tail:
            return [f"{indent}if {name}({arguments}): add({_tuple(self.expression(a) for a in self.head.args)})"]
        if is_tail:
            return [f"{indent}if {name}({arguments}): return True"]
        return [f"{indent}{name}({arguments})"]


class Join:
    """A compiled clause; `reads` are the relations and index patterns that `run` fetches by number."""

    def __init__(self, clause: Clause, size: Size, first: int | None = None) -> None:
        self.head = signature(clause.head)
        self.reads: list[Read] = []
        self.run: Callable[[Callable[[int], Any], Callable[[Row], None]], None]
        if not clause.body:
            # A fact: there is nothing to compile, and some rulesheets have a hundred thousand of them.
            row = tuple(map(ground_value, clause.head.args))
            self.run = lambda _fetch, add: add(row)
            return
        writer = _Writer(clause, join_order(clause, size, first))
        scope: dict[str, Any] = {}
        exec(writer.write(), scope)
        self.reads = writer.patterns
        self.run = scope["run"]
