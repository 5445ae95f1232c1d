"""The network as the search sees it: for each variable in order, which automata step and which end.

A *position* in the search is (level, states, alive): the next variable, the states of the constraints that are begun
and not ended, and whether all chance constraints may still hold. Everything that can follow depends on nothing else.
Numbers are fractions or floats; utilities are plain numbers for one objective (a weighted sum over the players) or
vectors with one entry for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from woodstock.constraint.variable import Variable
from woodstock.scsp.automaton import Automaton, Branch, Outcome, State, of_constraint, of_rows, of_soft
from woodstock.scsp.network import Network
from woodstock.scsp.soft import exact_fraction

States = tuple[State, ...]
HARD, CHANCE, SOFT, GIVEN = range(4)


class Vector(tuple[Any, ...]):
    """Utilities of several players, with the arithmetic that expectations need."""

    __slots__ = ()

    def __add__(self, other: Any) -> Vector:
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __sub__(self, other: Any) -> Vector:
        return Vector(a - b for a, b in zip(self, other, strict=True))

    def __mul__(self, factor: Any) -> Vector:
        return Vector(a * factor for a in self)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Vector:
        return Vector(a / divisor for a in self)


@dataclass(slots=True)
class _Track:
    """One automaton: its kind, the slot of each level at which it steps, the level after which it is done.

    `ceiling` bounds what it gives in a state that is not a node of a diagram.
    """

    kind: int
    automaton: Automaton
    slots: dict[int, int]
    last: int
    ceiling: Any
    bounds: dict[Branch, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Move:
    """How one next state is made: from entry `source` (or the start) by a step at `slot` (or kept)."""

    track: _Track
    source: int
    slot: int

    def before(self, states: States) -> State:
        """Return the state that the move starts from."""
        return self.track.automaton.start if self.source < 0 else states[self.source]


@dataclass(slots=True)
class Level:
    """The effect of setting the variable of this level.

    Constraints that go on are `kept` or `moved`, in this order in the states; others are `ending` here. `unbegun`
    bounds the soft constraints that begin later.
    """

    variable: Variable
    fixed: tuple[Any, ...] | None
    kept: list[_Move] = field(default_factory=list)
    moved: list[_Move] = field(default_factory=list)
    ending: list[_Move] = field(default_factory=list)
    distribution: _Move | None = None
    unbegun: Any = 0


@dataclass(slots=True)
class Step:
    """The position after a value: `gain` is the utility that is now certain, `bound` an upper bound on the rest.

    `chance` is the part of the bound that the satisfaction has: a probability.
    """

    states: States
    is_alive: bool
    gain: Any
    bound: Any
    chance: Any


class CompiledNetwork:
    """A compiled network; `weights` turns utilities into one number, without them they are vectors."""

    def __init__(self, network: Network, *, exact: bool, weights: Sequence[int] | None = None) -> None:
        self.network, self.exact, self.weights = network, exact, weights
        self.number: Callable[[Any], Any] = exact_fraction if exact else float
        players = len(network.players)
        self._certain = (self.number(0), self.number(1))
        self.zero = self._utility((0,) * players)
        self.one = self._utility((1,) * players)
        self.variables = network.variables
        self.place = {v.index: level for level, v in enumerate(self.variables)}
        self.has_satisfaction = bool(network.chance_constraints)
        self._independent = self._independent_rows()
        tracks = self._tracks()
        self.initial = self._initial(tracks)
        self.levels = self._levels([t for t in tracks if t.last >= 0])

    def _tracks(self) -> list[_Track]:
        network = self.network
        one = self.number(1)
        tracks = [self._track(HARD, of_constraint(c), one) for c in network.hard]
        tracks += [self._track(CHANCE, of_constraint(c), one) for c in network.chance_constraints]
        for soft in network.soft:
            ceiling = _largest([self._utility(utility) for utility in {*soft.utilities, soft.otherwise}])
            tracks.append(self._track(SOFT, of_soft(soft, self._utility), ceiling))
        for variable in network.stochastic:
            table = network.probabilities[variable.index]
            if table.given:
                rows = [self._row(table.exact(key) if self.exact else table.at(key)) for key in table.rows]
                outcomes = {row: Outcome(row) for row in rows}
                diagram = of_rows(table.given, list(table.rows), [outcomes[row] for row in rows], Outcome(()))
                assert diagram is not None  # A full table has no wildcards and a bounded number of rows.
                track = self._track(GIVEN, diagram, one)
                track.last = self.place[variable.index]
                tracks.append(track)
        return tracks

    def _track(self, kind: int, automaton: Automaton, ceiling: Any) -> _Track:
        slots = {self.place[v.index]: slot for slot, v in enumerate(automaton.scope)}
        return _Track(kind, automaton, slots, max(slots, default=-1), ceiling)

    def _initial(self, tracks: Sequence[_Track]) -> Step:
        step = Step((), True, self.zero, self.zero, self.number(1))
        self.is_impossible = False
        for track in tracks:
            state = track.automaton.start
            if track.kind == SOFT and track.last < 0:
                # A condition without variables: known before the first value.
                step.gain = step.gain + state.value
            elif track.kind == SOFT:
                step.bound = step.bound + self.bound(track, state)
            elif track.kind == HARD and _fails(state):
                self.is_impossible = True
            elif track.kind == CHANCE and _fails(state):
                step.is_alive = False
        return step

    def _levels(self, tracks: Sequence[_Track]) -> list[Level]:
        count = len(self.variables)
        beginning: list[list[_Track]] = [[] for _ in range(count)]
        for track in tracks:
            beginning[min(track.slots)].append(track)
        levels: list[Level] = []
        live: list[_Track] = []
        for number, variable in enumerate(self.variables):
            level = Level(variable, self._independent.get(variable.index))
            moves = [_Move(track, source, track.slots.get(number, -1)) for source, track in enumerate(live)]
            moves += [_Move(track, -1, 0) for track in beginning[number]]
            for move in moves:
                if move.track.last > number:
                    (level.kept if move.slot < 0 else level.moved).append(move)
                elif move.track.kind == GIVEN:
                    level.distribution = move
                else:
                    level.ending.append(move)
            live = [move.track for move in (*level.kept, *level.moved)]
            levels.append(level)
        unbegun = self.zero
        for number in range(count - 1, -1, -1):
            levels[number].unbegun = unbegun
            for track in beginning[number]:
                if track.kind == SOFT:
                    unbegun = unbegun + self.bound(track, track.automaton.start)
        return levels

    # Running

    def open(self, level: int, states: States, is_alive: bool) -> Opening:
        """Prepare to give the variable of a level its values, one after another."""
        return Opening(self, level, states, is_alive)

    def step(self, level: int, states: States, is_alive: bool, position: int) -> Step | None:
        """Return the position after one value; none if a hard constraint can no longer hold."""
        return Opening(self, level, states, is_alive).step(position)

    def forget(self, level: int, states: States) -> States:
        """Drop the states of chance constraints after `level`: once one has failed, they make no difference."""
        moves = (*self.levels[level].kept, *self.levels[level].moved)
        return tuple(None if move.track.kind == CHANCE else state for move, state in zip(moves, states, strict=True))

    def end(self, is_alive: bool) -> Any:
        """Return the utility at the end of a path: the satisfaction."""
        return self.one if self.has_satisfaction and is_alive else self.zero

    def distribution(self, level: int, states: States) -> tuple[Any, ...]:
        """Return the probabilities of the chance variable of this level."""
        here = self.levels[level]
        if here.fixed is not None:
            return here.fixed
        move = here.distribution
        assert move is not None
        return move.before(states).value  # type: ignore[no-any-return]

    def bound(self, track: _Track, state: State) -> Any:
        """Return an upper bound on what the constraint gives from this state: a utility, or a probability to hold.

        Each constraint by itself, with the policy free to serve it alone: decisions take the best child, independent
        chance takes the mean.
        """
        if isinstance(state, Outcome):
            return state.value if track.kind == SOFT else self._certain[state.value]
        if not isinstance(state, Branch):
            return track.ceiling
        known = track.bounds.get(state)
        if known is None:
            known = track.bounds[state] = self._expected(track, state)
        return known

    def _expected(self, track: _Track, state: Branch) -> Any:
        row = self._independent.get(track.automaton.scope[state.depth].index)
        if row is None:
            reached = {*state.children.values(), state.other} - {None}
            return _largest([self.bound(track, child) for child in reached])
        none = self.zero if track.kind == SOFT else self._certain[0]
        children = ((state.children.get(position, state.other), share) for position, share in enumerate(row) if share)
        return sum((self.bound(track, child) * share for child, share in children), none)

    def _utility(self, utility: Sequence[Any]) -> Any:
        numbers = [self.number(u) for u in utility]
        if self.weights is None:
            return Vector(numbers)
        return sum((w * u for w, u in zip(self.weights, numbers, strict=True)), self.number(0))

    def _row(self, probabilities: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(self.number(p) for p in probabilities)

    def _independent_rows(self) -> dict[int, tuple[Any, ...]]:
        """Return the distributions of the chance variables that depend on nothing."""
        rows = {}
        for index, table in self.network.probabilities.items():
            if not table.given:
                rows[index] = self._row(table.exact(()) if self.exact else table.at(()))
        return rows


class Opening:
    """A position whose variable is about to be set: everything that does not depend on the value is computed once."""

    __slots__ = ("bound", "compiled", "ending", "is_alive", "kept", "level", "moved", "satisfied")

    def __init__(self, compiled: CompiledNetwork, level: int, states: States, is_alive: bool) -> None:
        here = compiled.levels[level]
        self.compiled, self.level, self.is_alive = compiled, level, is_alive
        self.kept = tuple(states[move.source] for move in here.kept)
        self.bound, self.satisfied = here.unbegun, compiled.number(1)
        for move, state in zip(here.kept, self.kept, strict=True):
            kind = move.track.kind
            if kind == SOFT:
                self.bound = self.bound + compiled.bound(move.track, state)
            elif kind == CHANCE and is_alive:
                self.satisfied = min(self.satisfied, compiled.bound(move.track, state))
        self.moved = [(move.track, move.before(states), move.slot) for move in here.moved]
        self.ending = [(move.track, move.before(states), move.slot) for move in here.ending]

    def step(self, position: int) -> Step | None:
        """Return the position after the value; none if a hard constraint can no longer hold."""
        compiled, is_alive = self.compiled, self.is_alive
        gain, bound, satisfied = compiled.zero, self.bound, self.satisfied
        moved: list[State] = []
        for track, state, slot in self.moved:
            if track.kind == CHANCE and not is_alive:
                moved.append(None)
                continue
            state = track.automaton.step(state, slot, position)
            moved.append(state)
            if track.kind == SOFT:
                bound = bound + compiled.bound(track, state)
            elif track.kind == HARD:
                if _fails(state):
                    return None
            elif track.kind == CHANCE:
                satisfied = min(satisfied, compiled.bound(track, state))
                is_alive = bool(satisfied)
        for track, state, slot in self.ending:
            if track.kind == CHANCE and not is_alive:
                continue
            outcome = track.automaton.step(state, slot, position).value
            if track.kind == SOFT:
                gain = gain + outcome
            elif not outcome:
                if track.kind == HARD:
                    return None
                is_alive = False
        states = (*self.kept, *moved)
        if compiled.has_satisfaction:
            if is_alive:
                bound = bound + compiled.one * satisfied
            else:
                satisfied = compiled.number(0)
                states = compiled.forget(self.level, states)
        return Step(states, is_alive, gain, bound, satisfied)


def _fails(state: State) -> bool:
    return isinstance(state, Outcome) and not state.value


def _largest(values: Sequence[Any]) -> Any:
    """Return the largest number, or the largest of each entry of vectors."""
    if isinstance(values[0], Vector):
        return Vector(max(column) for column in zip(*values, strict=True))
    return max(values)
