"""Relations that are too large to compute whole: computed for one question at a time.

A *table* holds the rows of a predicate that have given values at given argument positions. It is filled by running
the predicate's clauses with those values bound. The questions that these clauses ask of other such predicates become
tables too. A table that is asked for while it is being filled gives the rows it has so far; the first table of such a
loop repeats the loop until nothing changes, which is the least fixpoint.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from woodstock.gdl.ast import Atom, Signature
from woodstock.gdl.join import Join, Pattern, Read, Relation, Row
from woodstock.gdl.normalise import Clause, Literal

if TYPE_CHECKING:
    from woodstock.gdl.relations import Model

_CALL = " call"
_NEVER = 1 << 60


class TableLimit(Exception):
    """A question has too many answers: too few of its arguments were bound."""


class Table:
    """The rows found so far for one question."""

    def __init__(self) -> None:
        self.relation = Relation()
        self.is_complete = False
        self.is_active = False
        self.depth = 0
        self.round = -1


class Demand:
    """An index like any other for a join, but its rows are computed when they are asked for."""

    def __init__(self, tables: Tables, predicate: Signature, pattern: Pattern) -> None:
        self.tables, self.predicate, self.pattern = tables, predicate, pattern
        self.positions = pattern.whole_arguments
        self.pick = [pattern.key_arguments.index(position) for position in self.positions]

    def get(self, key: Row, default: Iterable[Row]) -> Iterable[Row]:
        """Return the values of the pattern's new variables for a key."""
        table = self._table(key)
        found = table.relation.index(self.pattern).get(key, default)
        # An incomplete table may grow while the caller iterates over it.
        return found if table.is_complete else tuple(found)

    def __contains__(self, key: Row) -> bool:
        return key in self._table(key).relation.index(self.pattern)

    def _table(self, key: Row) -> Table:
        return self.tables.ask(self.predicate, self.positions, tuple(key[i] for i in self.pick))


class Tables:
    """The tables of one model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.found: dict[tuple[Signature, tuple[int, ...], Row], Table] = {}
        self.pending: list[Table] = []
        self.active = 0
        self.round = 0
        self.changes = 0
        # The depth of the outermost active table that the one being filled depends on.
        self.low = _NEVER

    def ask(self, predicate: Signature, positions: tuple[int, ...], key: Row) -> Table:
        """Return the table for a question, complete unless it is part of a loop that is being computed."""
        table = self.found.get((predicate, positions, key))
        if table is None:
            table = self.found[predicate, positions, key] = Table()
        if not table.is_complete:
            if table.is_active or table.round == self.round:
                self.low = min(self.low, table.depth)
            else:
                self._fill(table, self.model.rules.demand_joins(predicate, positions, self.model), key)
        return table

    def _fill(self, table: Table, joins: list[Join], key: Row) -> None:
        outer, mark = self.low, len(self.pending)
        table.depth, table.is_active = self.active, True
        self.active += 1
        question = Relation({key})
        try:
            while True:
                self.low, table.round, before = _NEVER, self.round, self.changes
                self._pass(table, joins, question)
                if self.low >= table.depth and (self.low == _NEVER or self.changes == before):
                    table.is_complete = True
                    for member in self.pending[mark:]:
                        member.is_complete = True
                    del self.pending[mark:]
                    self.low = _NEVER
                    break
                if self.low < table.depth:
                    self.pending.append(table)
                    break
                self.round += 1
        finally:
            self.active -= 1
            table.is_active = False
        self.low = min(outer, self.low)

    def _pass(self, table: Table, joins: list[Join], question: Relation) -> None:
        new: set[Row] = set()
        limit = self.model.limit

        def add(row: Row) -> None:
            new.add(row)
            if len(new) > limit and not self.model.rules.is_unlimited:
                raise TableLimit

        for join in joins:

            def fetch(number: int, reads: list[Read] = join.reads) -> Any:
                predicate, pattern, _ = reads[number]
                return question.index(pattern) if number == 0 else self.model.source(predicate, pattern)

            join.run(fetch, add)
        new -= table.relation.rows
        if new:
            table.relation.extend(new)
            self.changes += 1


def demand_clause(clause: Clause, positions: tuple[int, ...]) -> Clause:
    """Return a clause that runs for one question only: its first literal binds the arguments that are given."""
    call = Literal(Atom(_CALL, tuple(clause.head.args[i] for i in positions)))
    return Clause(clause.head, (call, *clause.body), clause.source)
