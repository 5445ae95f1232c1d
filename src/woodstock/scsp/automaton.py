"""The state of a constraint under the values given so far, as an automaton over its scope in the network's order.

Two prefixes with equal states have the same future, so the keys of the search's memory are states and not values.
A state is an `Outcome` as soon as no later value can change it: true or false for constraints, a utility for soft ones,
a distribution for probabilities. Kinds: `Diagram` (a table merged into a decision diagram, exact), `Linear` (a
comparison of a sum: the partial sum), `Joined` (and, or over other conditions), `Unequal` (the values taken);
`Listed` keeps all values. A negation swaps the outcomes of yes and no.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, Table, tabulate
from woodstock.constraint.expression import Compare, Constant, Distinct, Expression, Logic, Sum
from woodstock.constraint.variable import Variable
from woodstock.scsp.soft import Number, Soft

TABULATE_LIMIT = 20_000
DIAGRAM_CELLS = 400_000


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A decided state: the constraint has this value whatever follows. Compared by identity."""

    value: Any


YES, NO = Outcome(True), Outcome(False)
# Hashable; what it is depends on the kind of automaton.
State = Any


class Automaton(Protocol):
    """Steps through `scope`; the state after the last step is an `Outcome`."""

    scope: tuple[Variable, ...]
    start: State

    def step(self, state: State, slot: int, position: int) -> State:
        """Return the state after variable number `slot` of the scope took the value at `position`."""


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """A node of a diagram: where each position of the variable at `depth` leads; those not listed lead to `other`."""

    depth: int
    children: Mapping[int, State]
    other: State


class Diagram:
    """A reduced decision diagram: nodes with equal futures are one node; state = node."""

    def __init__(self, scope: Sequence[Variable], default: Outcome) -> None:
        self.scope = tuple(scope)
        self.start: State = default
        self._default = default
        self._known: dict[Hashable, Branch] = {}
        self._budget = DIAGRAM_CELLS * 4

    @classmethod
    def build(
        cls, scope: Sequence[Variable], rows: Iterable[Sequence[int]], outcomes: Sequence[Outcome], default: Outcome
    ) -> Diagram | None:
        """Merge rows of positions with an outcome each; `default` is the outcome of what no row covers.

        None if wildcards make it grow beyond `DIAGRAM_CELLS`.
        """
        diagram = cls(scope, default)
        try:
            diagram.start = diagram._merge(0, list(zip(rows, outcomes, strict=True)))
        except _TooLarge:
            return None
        return diagram

    def _merge(self, depth: int, entries: list[tuple[Sequence[int], Outcome]]) -> State:
        self._budget -= len(entries)
        if self._budget < 0:
            raise _TooLarge
        if not entries:
            return self._default
        if depth == len(self.scope):
            return entries[0][1]
        groups: dict[int, list[tuple[Sequence[int], Outcome]]] = {}
        for entry in entries:
            groups.setdefault(entry[0][depth], []).append(entry)
        wild = groups.pop(WILDCARD, [])
        other = self._merge(depth + 1, wild)
        children = {position: self._merge(depth + 1, group + wild) for position, group in sorted(groups.items())}
        return self._node(depth, children, other)

    def _node(self, depth: int, children: dict[int, State], other: State) -> State:
        kept = {position: child for position, child in children.items() if child is not other}
        if len(kept) == len(self.scope[depth].domain):
            other = None  # No value is left for it: two nodes that differ only here are the same.
        targets = {*kept.values(), other} - {None}
        if len(targets) == 1 and isinstance(only := targets.pop(), Outcome):
            return only
        return self._known.setdefault((depth, other, tuple(kept.items())), Branch(depth, kept, other))

    def step(self, state: State, slot: int, position: int) -> State:
        return state if isinstance(state, Outcome) else state.children.get(position, state.other)


class _TooLarge(Exception):
    """A diagram grew beyond its budget."""


class Linear:
    """A sum with coefficients compared with 0; state = the partial sum."""

    def __init__(
        self,
        op: str,
        coefficients: Mapping[int, Any],
        constant: Any,
        scope: Sequence[Variable],
        yes: Outcome,
        no: Outcome,
    ) -> None:
        self.scope, self.op, self.yes, self.no = tuple(scope), op, yes, no
        self.worth: list[list[Any]] = [[coefficients[v.index] * value for value in v.domain] for v in self.scope]
        self.low: list[Any] = [0]
        self.high: list[Any] = [0]
        for row in reversed(self.worth):
            self.low.insert(0, self.low[0] + min(row))
            self.high.insert(0, self.high[0] + max(row))
        self.start = self._settle(constant, 0)

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Outcome):
            return state
        return self._settle(state + self.worth[slot][position], slot + 1)

    def _settle(self, partial: Any, slot: int) -> State:
        low, high = partial + self.low[slot], partial + self.high[slot]
        always, never = {
            "==": (low == high == 0, low > 0 or high < 0),
            "!=": (low > 0 or high < 0, low == high == 0),
            "<": (high < 0, low >= 0),
            "<=": (high <= 0, low > 0),
        }[self.op]
        if always:
            return self.yes
        return self.no if never else partial


class Joined:
    """Conditions joined by and or or, over automata with the outcomes `YES` and `NO`; state = their states."""

    def __init__(
        self, op: str, parts: Sequence[Automaton], scope: Sequence[Variable], yes: Outcome, no: Outcome
    ) -> None:
        self.scope, self.parts = tuple(scope), tuple(parts)
        # One part with the outcome `absorbing` decides; without one, the result is known when all parts are.
        self.absorbing, self.absorbed, self.rest = (YES, yes, no) if op == "|" else (NO, no, yes)
        slots = [{v.index: slot for slot, v in enumerate(part.scope)} for part in parts]
        self.slots = [[slot.get(v.index) for slot in slots] for v in self.scope]
        self.start = self._settle(tuple(part.start for part in parts))

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Outcome):
            return state
        return self._settle(
            tuple(
                old if own is None else part.step(old, own, position)
                for part, old, own in zip(self.parts, state, self.slots[slot], strict=True)
            )
        )

    def _settle(self, states: tuple[State, ...]) -> State:
        if self.absorbing in states:
            return self.absorbed
        return self.rest if all(isinstance(state, Outcome) for state in states) else states


class Unequal:
    """All variables different; state = the values taken that a variable to come could still take."""

    def __init__(self, scope: Sequence[Variable], yes: Outcome, no: Outcome) -> None:
        self.scope, self.yes, self.no = tuple(scope), yes, no
        self.later: list[frozenset[Hashable]] = [frozenset()]
        for variable in reversed(self.scope):
            self.later.insert(0, self.later[0].union(variable.domain))
        self.start: State = frozenset() if self.scope else yes

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Outcome):
            return state
        value = self.scope[slot].domain[position]
        if value in state:
            return self.no
        if slot + 1 == len(self.scope):
            return self.yes
        return (state | {value}) & self.later[slot + 1]


class Listed:
    """The fallback: state = the positions so far, the outcome computed at the end."""

    def __init__(self, scope: Sequence[Variable], finish: Callable[[tuple[int, ...]], Outcome]) -> None:
        self.scope, self.finish = tuple(scope), finish
        self.start: State = () if self.scope else finish(())

    def step(self, state: State, slot: int, position: int) -> State:
        positions = (*state, position)
        return self.finish(positions) if len(positions) == len(self.scope) else positions


def of_constraint(constraint: Constraint, yes: Outcome = YES, no: Outcome = NO) -> Automaton:
    """Return the automaton of a hard or chance constraint, or of the test of a soft one."""
    if isinstance(constraint, Condition):
        return of_expression(constraint.expression, constraint.name, yes, no)
    assert isinstance(constraint, Table)
    if constraint.rows.size <= DIAGRAM_CELLS:
        listed, others = (yes, no) if constraint.is_allowed else (no, yes)
        diagram = of_rows(constraint.scope, constraint.rows.tolist(), [listed] * len(constraint.rows), others)
        if diagram is not None:
            return diagram
    return _listed(constraint.scope, lambda row: yes if constraint.allows(row) else no)


def of_soft(soft: Soft, convert: Callable[[tuple[Number, ...]], Any]) -> Automaton:
    """Return the automaton of a soft constraint; its outcomes are what `convert` makes of the utilities."""
    worth = {utility: Outcome(convert(utility)) for utility in {*soft.utilities, soft.otherwise}}
    if soft.test is not None:
        return of_constraint(soft.test, worth[soft.utilities[0]], worth[soft.otherwise])
    rows = [] if soft.rows is None else soft.rows.tolist()
    diagram = of_rows(soft.scope, rows, [worth[utility] for utility in soft.utilities], worth[soft.otherwise])
    return diagram or _listed(soft.scope, lambda row: worth[soft.utility_at(row)])


def of_rows(
    scope: Sequence[Variable], rows: Sequence[Sequence[int]], outcomes: Sequence[Outcome], default: Outcome
) -> Diagram | None:
    """Return the diagram of rows of positions, whose columns are in any order; None if it is too large."""
    order = sorted(range(len(scope)), key=lambda column: scope[column].order)
    ordered = [[row[column] for column in order] for row in rows]
    return Diagram.build([scope[column] for column in order], ordered, outcomes, default)


def _listed(scope: Sequence[Variable], finish: Callable[[tuple[int, ...]], Outcome]) -> Listed:
    """Return the fallback for a scope in any order; `finish` gets the positions in that order."""
    ordered = sorted(scope, key=lambda variable: variable.order)
    slots = {variable.index: slot for slot, variable in enumerate(ordered)}
    places = [slots[variable.index] for variable in scope]
    return Listed(ordered, lambda positions: finish(tuple(positions[place] for place in places)))


def of_expression(expression: Expression, name: str, yes: Outcome = YES, no: Outcome = NO) -> Automaton:
    """Return the automaton of a condition; `name` is for errors."""
    part = Condition(name, expression)
    scope = part.scope
    if part.space() <= TABULATE_LIMIT:
        rows = tabulate(part, TABULATE_LIMIT).tolist()
        diagram = Diagram.build(scope, rows, [yes] * len(rows), no)
        if diagram is not None:
            return diagram
    if isinstance(expression, Logic):
        if expression.op == "~":
            return of_expression(expression.arguments[0], name, no, yes)
        inner = [of_expression(argument, name) for argument in expression.arguments]
        return Joined(expression.op, inner, scope, yes, no)
    if isinstance(expression, Distinct):
        plain = all(isinstance(argument, Variable) for argument in expression.arguments)
        # A variable that occurs twice is never different from itself.
        if plain and len(expression.arguments) == len(scope):
            return Unequal(scope, yes, no)
    if isinstance(expression, Compare):
        form = linear_form(expression)
        if form is not None:
            return Linear(*form, scope, yes, no)

    def finish(positions: tuple[int, ...]) -> Outcome:
        return yes if part.holds({v.index: v.domain[p] for v, p in zip(scope, positions, strict=True)}) else no

    return Listed(scope, finish)


def linear_form(compare: Compare) -> tuple[str, dict[int, Any], Any] | None:
    """Write a comparison as ``sum + constant op 0`` with op one of ``== != < <=``; none if it is not linear."""
    left = _linear(compare.left)
    right = _linear(compare.right)
    if left is None or right is None:
        return None
    sign = -1 if compare.op in (">", ">=") else 1
    op = {">": "<", ">=": "<="}.get(compare.op, compare.op)
    coefficients = {index: sign * factor for index, factor in left[0].items()}
    for index, factor in right[0].items():
        coefficients[index] = coefficients.get(index, 0) - sign * factor
    if any(not isinstance(value, int | float) and not hasattr(value, "numerator") for value in (left[1], right[1])):
        return None
    return op, coefficients, sign * (left[1] - right[1])


def _linear(expression: Expression) -> tuple[dict[int, Any], Any] | None:
    if isinstance(expression, Variable):
        return ({expression.index: 1}, 0) if _is_numeric(expression) else None
    if isinstance(expression, Constant):
        return {}, expression.value
    if not isinstance(expression, Sum):
        return None
    coefficients: dict[int, Any] = {}
    for factor, term in expression.terms:
        if not isinstance(term, Variable) or not _is_numeric(term):
            return None
        coefficients[term.index] = coefficients.get(term.index, 0) + factor
    return coefficients, expression.constant


def _is_numeric(variable: Variable) -> bool:
    return all(hasattr(value, "numerator") or isinstance(value, float) for value in variable.domain)
