"""The state of a constraint under the values given so far, as an automaton over its scope in the network's order.

Two prefixes with equal states have the same future, so the keys of the search's memory are states and not values.
A state also says whether the outcome is decided before the last variable. Three kinds: `Diagram` (a table merged into a
decision diagram, exact), `Linear` (a comparison of a sum: the partial sum), `Joined` (conditions with and, or, not
over others); `Listed` keeps the values. An outcome is any hashable: true or false for constraints, a utility vector
for soft ones, a distribution for probabilities.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from woodstock.constraint.constraint import WILDCARD, Condition, Constraint, Table, tabulate
from woodstock.constraint.expression import Compare, Constant, Distinct, Expression, Logic, Sum
from woodstock.constraint.variable import Variable
from woodstock.scsp.soft import Number, Soft

State = Hashable
TABULATE_LIMIT = 20_000
DIAGRAM_CELLS = 400_000
_UNDECIDED = object()


class Automaton:
    """Steps through `scope`; the state after the last step is decided."""

    scope: tuple[Variable, ...]
    start: State

    def step(self, state: State, slot: int, position: int) -> State:
        """Return the state after variable number `slot` of the scope took the value at `position`."""
        raise NotImplementedError

    def is_decided(self, state: State) -> bool:
        """Return whether the outcome is the same whatever follows."""
        raise NotImplementedError

    def outcome(self, state: State) -> Any:
        """Return the outcome of a decided state."""
        raise NotImplementedError


class Diagram(Automaton):
    """A reduced decision diagram: nodes with equal futures are one node; state = node number.

    Built from rows of positions with an outcome each; `default` is the outcome of what no row covers.
    """

    def __init__(self, scope: Sequence[Variable], default: Hashable) -> None:
        self.scope = tuple(scope)
        self.depths: list[int] = []
        self.children: list[Mapping[int, int]] = []
        self.others: list[int] = []
        self.outcomes: list[Any] = []
        self._known: dict[Hashable, int] = {}
        self.start: int = 0
        self._default = self._leaf(default)

    @classmethod
    def build(
        cls, scope: Sequence[Variable], rows: Sequence[Sequence[int]], outcomes: Sequence[Hashable], default: Hashable
    ) -> Diagram | None:
        """Merge the rows, bottom up; none when wildcards make it grow beyond `DIAGRAM_CELLS`."""
        diagram = cls(scope, default)
        leaves = [diagram._leaf(outcome) for outcome in outcomes]
        budget = [DIAGRAM_CELLS * 4]
        try:
            diagram.start = diagram._merge(
                0, [(tuple(row), leaf) for row, leaf in zip(rows, leaves, strict=True)], budget
            )
        except _TooLarge:
            return None
        return diagram

    def _merge(self, depth: int, entries: list[tuple[tuple[int, ...], int]], budget: list[int]) -> int:
        budget[0] -= len(entries)
        if budget[0] < 0:
            raise _TooLarge
        if not entries:
            return self._default
        if depth == len(self.scope):
            return entries[0][1]
        groups: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        wild: list[tuple[tuple[int, ...], int]] = []
        for entry in entries:
            if entry[0][depth] == WILDCARD:
                wild.append(entry)
            else:
                groups.setdefault(entry[0][depth], []).append(entry)
        other = self._merge(depth + 1, wild, budget)
        children = {
            position: self._merge(depth + 1, group + wild, budget) for position, group in sorted(groups.items())
        }
        return self._node(depth, children, other)

    def _node(self, depth: int, children: dict[int, int], other: int) -> int:
        size = len(self.scope[depth].domain)
        kept = {position: child for position, child in children.items() if child != other}
        if len(kept) == size:
            other = -1  # No value is left for it: two nodes that differ only here are the same.
        targets = {*kept.values(), other} - {-1}
        if len(targets) == 1 and self.outcomes[only := targets.pop()] is not _UNDECIDED:
            return only
        key = (depth, other, tuple(kept.items()))
        if key not in self._known:
            self._known[key] = len(self.depths)
            self.depths.append(depth)
            self.children.append(kept)
            self.others.append(other)
            self.outcomes.append(_UNDECIDED)
        return self._known[key]

    def _leaf(self, outcome: Hashable) -> int:
        key = ("leaf", outcome)
        if key not in self._known:
            self._known[key] = len(self.depths)
            self.depths.append(len(self.scope))
            self.children.append({})
            self.others.append(-1)
            self.outcomes.append(outcome)
        return self._known[key]

    def step(self, state: State, slot: int, position: int) -> State:
        assert isinstance(state, int)
        if self.outcomes[state] is not _UNDECIDED:
            return state
        return self.children[state].get(position, self.others[state])

    def is_decided(self, state: State) -> bool:
        return self.outcomes[state] is not _UNDECIDED  # type: ignore[call-overload]

    def outcome(self, state: State) -> Any:
        return self.outcomes[state]  # type: ignore[call-overload]


class _TooLarge(Exception):
    """A diagram grew beyond its budget."""


class Answer(enum.Enum):
    """A decided condition. Not a bool: as a key, True would equal the partial sum 1."""

    NO = "no"
    YES = "yes"


class Linear(Automaton):
    """A sum with coefficients compared with 0; state = the partial sum, or the answer once no value can change it."""

    def __init__(self, op: str, coefficients: Mapping[int, Any], constant: Any, scope: Sequence[Variable]) -> None:
        self.scope, self.op = tuple(scope), op
        self.worth: list[list[Any]] = [[coefficients[v.index] * value for value in v.domain] for v in self.scope]
        self.low: list[Any] = [0]
        self.high: list[Any] = [0]
        for row in reversed(self.worth):
            self.low.insert(0, self.low[0] + min(row))
            self.high.insert(0, self.high[0] + max(row))
        self.start = self._settle(constant, 0)

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Answer):
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
            return Answer.YES
        return Answer.NO if never else partial

    def is_decided(self, state: State) -> bool:
        return isinstance(state, Answer)

    def outcome(self, state: State) -> Any:
        return state is Answer.YES


class _Met(enum.Enum):
    """A part of a joined condition that is decided, negation done."""

    NO = "no"
    YES = "yes"


class Joined(Automaton):
    """Conditions joined by and or or, over automata of their own; state = their states, or the answer."""

    def __init__(self, op: str, parts: Sequence[Automaton], negated: Sequence[bool], scope: Sequence[Variable]) -> None:
        self.scope, self.op, self.parts, self.negated = tuple(scope), op, tuple(parts), tuple(negated)
        slots = [{v.index: slot for slot, v in enumerate(part.scope)} for part in parts]
        self.slots = [[slot.get(v.index) for slot in slots] for v in self.scope]
        self.start = self._settle([part.start for part in parts])

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Answer):
            return state
        assert isinstance(state, tuple)
        states = [
            old if own is None or isinstance(old, _Met) else part.step(old, own, position)
            for part, old, own in zip(self.parts, state, self.slots[slot], strict=True)
        ]
        return self._settle(states)

    def _settle(self, states: list[State]) -> State:
        absorbing = Answer.YES if self.op == "|" else Answer.NO
        is_open = False
        for number, part in enumerate(self.parts):
            state = states[number]
            if not isinstance(state, _Met):
                if not part.is_decided(state):
                    is_open = True
                    continue
                # What the part said after negation; its own answer would be negated again at the next step.
                state = states[number] = _Met.YES if bool(part.outcome(state)) ^ self.negated[number] else _Met.NO
            if state.name == absorbing.name:
                return absorbing
        if is_open:
            return tuple(states)
        return Answer.NO if self.op == "|" else Answer.YES

    def is_decided(self, state: State) -> bool:
        return isinstance(state, Answer)

    def outcome(self, state: State) -> Any:
        return state is Answer.YES


class Unequal(Automaton):
    """All variables different; state = the values taken that a variable to come could still take."""

    def __init__(self, scope: Sequence[Variable]) -> None:
        self.scope = tuple(scope)
        self.later: list[frozenset[Hashable]] = [frozenset()]
        for variable in reversed(self.scope):
            self.later.insert(0, self.later[0].union(variable.domain))
        self.start: State = frozenset() if self.scope else Answer.YES

    def step(self, state: State, slot: int, position: int) -> State:
        if isinstance(state, Answer):
            return state
        assert isinstance(state, frozenset)
        value = self.scope[slot].domain[position]
        if value in state:
            return Answer.NO
        if slot + 1 == len(self.scope):
            return Answer.YES
        return (state | {value}) & self.later[slot + 1]

    def is_decided(self, state: State) -> bool:
        return isinstance(state, Answer)

    def outcome(self, state: State) -> Any:
        return state is Answer.YES


class Listed(Automaton):
    """The fallback: state = the positions so far, the outcome computed at the end."""

    def __init__(self, scope: Sequence[Variable], finish: Callable[[tuple[int, ...]], Any]) -> None:
        self.scope, self.finish = tuple(scope), finish
        self.start = ()

    def step(self, state: State, slot: int, position: int) -> State:
        assert isinstance(state, tuple)
        return (*state, position)

    def is_decided(self, state: State) -> bool:
        return isinstance(state, tuple) and len(state) == len(self.scope)

    def outcome(self, state: State) -> Any:
        return self.finish(state)  # type: ignore[arg-type]


def of_constraint(constraint: Constraint) -> Automaton:
    """Return the automaton of a hard or chance constraint; its outcomes are true and false."""
    if isinstance(constraint, Table):
        order = sorted(range(constraint.arity), key=lambda column: constraint.scope[column].order)
        scope = [constraint.scope[column] for column in order]
        if constraint.rows.size <= DIAGRAM_CELLS:
            listed = constraint.is_allowed
            rows = constraint.rows[:, order].tolist()
            diagram = Diagram.build(scope, rows, [listed] * len(rows), not listed)
            if diagram is not None:
                return diagram
        back = sorted(range(len(order)), key=lambda column: order[column])
        return Listed(scope, lambda positions: constraint.allows([positions[column] for column in back]))
    assert isinstance(constraint, Condition)
    return of_expression(constraint.expression, constraint)


def of_soft(soft: Soft, convert: Callable[[tuple[Number, ...]], Any]) -> Automaton:
    """Return the automaton of a soft constraint; its outcomes are what `convert` makes of the utilities."""
    if soft.test is not None:
        then, otherwise = convert(soft.utilities[0]), convert(soft.otherwise)
        test = of_constraint(soft.test)
        if not isinstance(test, Diagram):
            return Valued(test, then, otherwise)
        test.outcomes = [o if o is _UNDECIDED else then if o else otherwise for o in test.outcomes]
        return test
    order = sorted(range(len(soft.scope)), key=lambda column: soft.scope[column].order)
    scope = [soft.scope[column] for column in order]
    rows = [] if soft.rows is None else soft.rows[:, order].tolist()
    diagram = Diagram.build(scope, rows, soft.utilities, soft.otherwise)
    if diagram is None:
        back = sorted(range(len(order)), key=lambda column: order[column])
        return Listed(scope, lambda positions: convert(soft.utility_at(tuple(positions[column] for column in back))))
    diagram.outcomes = [o if o is _UNDECIDED else convert(o) for o in diagram.outcomes]
    return diagram


class Valued(Automaton):
    """A condition as a soft constraint: one outcome if it holds, another if not."""

    def __init__(self, test: Automaton, then: Any, otherwise: Any) -> None:
        self.test, self.then, self.otherwise = test, then, otherwise
        self.scope, self.start = test.scope, test.start

    def step(self, state: State, slot: int, position: int) -> State:
        return self.test.step(state, slot, position)

    def is_decided(self, state: State) -> bool:
        return self.test.is_decided(state)

    def outcome(self, state: State) -> Any:
        return self.then if self.test.outcome(state) else self.otherwise


def of_expression(expression: Expression, origin: Condition) -> Automaton:
    """Return the automaton of a condition; `origin` names it in errors."""
    part = Condition(origin.name, expression)
    scope = part.scope
    if part.space() <= TABULATE_LIMIT:
        rows = tabulate(part, TABULATE_LIMIT).tolist()
        diagram = Diagram.build(scope, rows, [True] * len(rows), False)
        if diagram is not None:
            return diagram
    if isinstance(expression, Logic):
        negated = [isinstance(a, Logic) and a.op == "~" for a in expression.arguments]
        if expression.op == "~":
            return Joined("&", [of_expression(expression.arguments[0], origin)], [True], scope)
        inner = [
            of_expression(a.arguments[0] if n else a, origin)  # type: ignore[attr-defined]
            for a, n in zip(expression.arguments, negated, strict=True)
        ]
        return Joined(expression.op, inner, negated, scope)
    if isinstance(expression, Distinct):
        plain = all(isinstance(argument, Variable) for argument in expression.arguments)
        # A variable that occurs twice is never different from itself.
        if plain and len(expression.arguments) == len(scope):
            return Unequal(scope)
    if isinstance(expression, Compare):
        form = linear_form(expression)
        if form is not None:
            return Linear(*form, scope)
    return Listed(
        scope,
        lambda positions: part.holds({v.index: v.domain[p] for v, p in zip(scope, positions, strict=True)}),
    )


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
