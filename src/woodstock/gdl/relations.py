"""The relations that follow from the rules: computed when asked for, each once.

A `Rules` is compiled once for a game. A `Model` holds relations. Models are stacked: the static one, on it one for each
state, on that one for each joint move, so that only what depends on a change is computed again. A set of predicates
that depend on each other is computed to its least fixpoint, semi-naively. In some sheets a predicate depends on its own
negation for other arguments, `(goal p 0)` on `(not (goal p 100))`. There the alternating fixpoint gives the
well-founded model, which is the stratified model if the ground rules are stratified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from woodstock.errors import GameError
from woodstock.gdl.ast import Signature, signature
from woodstock.gdl.components import components
from woodstock.gdl.demand import Demand, TableLimit, Tables, demand_clause
from woodstock.gdl.join import Join, Pattern, Read, Relation, Row
from woodstock.gdl.normalise import Clause, Literal, by_head

STATIC, STATE, JOINT = 0, 1, 2
TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)


_EMPTY = Relation()
# The assumed size of a relation that is too large to compute: it is joined last, with as much bound as possible.
_LARGE = 1e9


class Rules:
    """The clauses of a game by predicate, with the strongly connected components and their dependencies."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.clauses = by_head(clauses)
        # The state and the joint move give these relations; rules cannot define them.
        self.clauses.pop(TRUE, None)
        self.clauses.pop(DOES, None)
        self.component: dict[Signature, tuple[Signature, ...]] = {}
        self.negated: set[tuple[Signature, ...]] = set()
        self.layer: dict[Signature, int] = {TRUE: STATE, DOES: JOINT}
        for component in components({p: self.reads(p) for p in self.clauses}):
            self._place(component)
        self.joins: dict[tuple[Signature, ...], tuple[list[Join], list[Join]]] = {}
        # Components that are too large to compute whole.
        self.demanded: set[tuple[Signature, ...]] = set()
        # Set when a question that cannot be narrowed down still has many answers.
        self.is_unlimited = False
        self._demand_joins: dict[tuple[Signature, tuple[int, ...]], list[Join]] = {}

    def reads(self, predicate: Signature) -> set[Signature]:
        """Return the predicates that the clauses of a predicate use, those that are defined."""
        return {
            signature(c.atom) for k in self.clauses[predicate] for c in k.body if isinstance(c, Literal)
        } & self.clauses.keys()

    def _place(self, component: tuple[Signature, ...]) -> None:
        layer = STATIC
        for predicate in component:
            self.component[predicate] = component
            for clause in self.clauses[predicate]:
                for condition in clause.body:
                    if isinstance(condition, Literal):
                        read = signature(condition.atom)
                        layer = max(layer, self.layer.get(read, STATIC))
                        if read in component and not condition.positive:
                            self.negated.add(component)
        for predicate in component:
            self.layer[predicate] = layer

    def compute_by_demand(self, component: tuple[Signature, ...]) -> None:
        """From now on compute only the rows of a component that are asked for; all models must be rebuilt."""
        self.demanded.add(component)
        # The order of joins depends on how each relation is computed.
        self.joins.clear()
        self._demand_joins.clear()

    def is_demanded(self, predicate: Signature) -> bool:
        """Return whether a predicate is computed only for the questions asked."""
        return bool(self.demanded) and self.component.get(predicate) in self.demanded

    def is_plain(self, predicate: Signature) -> bool:
        """Return whether a predicate does not depend on itself, so that it may be asked for a few rows at a time."""
        component = self.component.get(predicate)
        return component is not None and len(component) == 1 and predicate not in self.reads(predicate)

    def demand_joins(self, predicate: Signature, positions: tuple[int, ...], model: Model) -> list[Join]:
        """Return the joins that answer a question with values at the given argument positions."""
        found = self._demand_joins.get((predicate, positions))
        if found is None:
            clauses = [demand_clause(clause, positions) for clause in self.clauses[predicate]]
            found = self._demand_joins[predicate, positions] = [Join(c, model.size, 0) for c in clauses]
        return found

    def compiled(self, component: tuple[Signature, ...], model: Model) -> tuple[list[Join], list[Join]]:
        """Return the joins that start a component and those that propagate new rows."""
        found = self.joins.get(component)
        if found is None:
            found = self.joins[component] = self._compile(component, model)
        return found

    def _compile(self, component: tuple[Signature, ...], model: Model) -> tuple[list[Join], list[Join]]:
        start, repeat = [], []
        for predicate in component:
            for clause in self.clauses[predicate]:
                inside = [
                    i
                    for i, c in enumerate(clause.body)
                    if isinstance(c, Literal) and c.positive and signature(c.atom) in component
                ]
                if not inside:
                    start.append(Join(clause, model.size))
                repeat += [Join(clause, model.size, first) for first in inside]
        return start, repeat


class RowLimit(Exception):
    """A component derived more rows than it was allowed to."""

    def __init__(self, component: tuple[Signature, ...]) -> None:
        self.component = component
        super().__init__(component)


class _Budget:
    """The rows that a component may still derive."""

    def __init__(self, component: tuple[Signature, ...], limit: int | None) -> None:
        self.component, self.left = component, limit

    def adder(self, rows: set[Row]) -> Callable[[Row], None]:
        """Return a function that adds a row to a set while the budget lasts."""
        if self.left is None:
            return rows.add

        def add(row: Row) -> None:
            assert self.left is not None
            self.left -= 1
            if self.left < 0:
                raise RowLimit(self.component)
            rows.add(row)

        return add


class Model:
    """The relations of one layer, on top of those of the layers below.

    A component may derive `limit` rows, repeats included; `RowLimit` is raised if it needs more.
    """

    def __init__(self, rules: Rules, layer: int, below: Model | None = None, *, limit: int) -> None:
        self.rules, self.layer, self.below, self.limit = rules, layer, below, limit
        self.relations: dict[Signature, Relation] = {}
        self.tables = Tables(self)

    def rows(self, predicate: Signature, first: Row = ()) -> set[Row]:
        """Return the rows of a relation, computed now if necessary.

        With `first`, those that begin with these arguments are enough.
        """
        model = self.home(predicate)
        if model is not None and (self.rules.is_demanded(predicate) or (first and self.rules.is_plain(predicate))):
            return model.tables.ask(predicate, tuple(range(len(first))), first).relation.rows
        return self.relation(predicate).rows

    def source(self, predicate: Signature, pattern: Pattern) -> Any:
        """Return the index from which a join reads a predicate, whole or computed on demand."""
        if self.rules.is_demanded(predicate):
            model = self.home(predicate)
            return Demand(model.tables, predicate, pattern) if model is not None else {}
        return self.relation(predicate).index(pattern)

    def home(self, predicate: Signature) -> Model | None:
        """Return the model, this or one below, that a predicate is computed in; None if it has no rows here."""
        layer = self.rules.layer.get(predicate, JOINT + 1)
        model: Model | None = self if layer <= self.layer else None
        while model is not None and model.layer > layer:
            model = model.below
        return model

    def relation(self, predicate: Signature) -> Relation:
        """Return a relation, computed now if this is the first time."""
        found = self.relations.get(predicate)
        if found is not None:
            return found
        layer = self.rules.layer.get(predicate)
        if layer is None:
            return _EMPTY
        if layer < self.layer and self.below is not None:
            return self.below.relation(predicate)
        component = self.rules.component.get(predicate)
        if layer > self.layer or component is None:
            return _EMPTY
        self._compute(component)
        return self.relations[predicate]

    def size(self, predicate: Signature) -> float:
        """Return an estimate of the size of a relation, exact if it is already computed."""
        if self.rules.is_demanded(predicate):
            return _LARGE
        model: Model | None = self
        while model is not None:
            if predicate in model.relations:
                return len(model.relations[predicate].rows)
            model = model.below
        return 50.0 if predicate in self.rules.layer else 0.0

    def _compute(self, component: tuple[Signature, ...]) -> None:
        try:
            if component in self.rules.negated:
                self._alternate(component)
            else:
                self._fixpoint(component, {})
        except TableLimit:
            for predicate in component:
                self.relations.pop(predicate, None)
            if component in self.rules.negated:
                raise
            raise RowLimit(component) from None
        except BaseException:
            # An incomplete relation must not be found later.
            for predicate in component:
                self.relations.pop(predicate, None)
            raise

    def _alternate(self, component: tuple[Signature, ...]) -> None:
        """Compute a component that negates itself: the sure rows grow until they meet the possible ones."""
        sure: dict[Signature, Relation] = {predicate: Relation() for predicate in component}
        while True:
            self._fixpoint(component, sure)
            possible = {predicate: self.relations[predicate] for predicate in component}
            if all(possible[p].rows == sure[p].rows for p in component):
                return
            self._fixpoint(component, possible)
            if all(self.relations[p].rows == sure[p].rows for p in component):
                names = ", ".join(sorted(p[0] for p in component))
                raise GameError(f"{names} depends on its own negation: the rules have no meaning in this state")
            sure = {predicate: self.relations[predicate] for predicate in component}

    def _fixpoint(self, component: tuple[Signature, ...], assumed: dict[Signature, Relation]) -> None:
        """Compute the least fixpoint of a component; its own negations are looked up in `assumed`."""
        for predicate in component:
            self.relations[predicate] = Relation()
        start, repeat = self.rules.compiled(component, self)
        # If a predicate negates itself, only the whole relation has a meaning.
        budget = _Budget(component, self.limit if component not in self.rules.negated else None)
        new = self._round(start, None, assumed, budget)
        while any(new.values()):
            delta = {predicate: Relation(rows) for predicate, rows in new.items()}
            for predicate, rows in new.items():
                self.relations[predicate].extend(rows)
            new = self._round(repeat, delta, assumed, budget)

    def _round(
        self,
        joins: Sequence[Join],
        delta: dict[Signature, Relation] | None,
        assumed: dict[Signature, Relation],
        budget: _Budget,
    ) -> dict[Signature, set[Row]]:
        new: dict[Signature, set[Row]] = {}
        for join in joins:

            def fetch(number: int, reads: Sequence[Read] = join.reads) -> Any:
                predicate, pattern, positive = reads[number]
                if number == 0 and delta is not None:
                    changed = delta.get(predicate)
                    return changed.index(pattern) if changed is not None else ()
                if not positive and predicate in assumed:
                    return assumed[predicate].index(pattern)
                return self.source(predicate, pattern)

            join.run(fetch, budget.adder(new.setdefault(join.head, set())))
        return {predicate: rows - self.relations[predicate].rows for predicate, rows in new.items()}
