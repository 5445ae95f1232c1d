"""The network as the search sees it: for each variable in order, which automata step, which end, what is known so far.

A *position* in the search is (level, states, alive): the next variable, the states of the constraints that are begun
and not ended, and whether all chance constraints may still hold. Everything that can follow depends on nothing else.
Numbers are fractions or floats; utilities are plain numbers for one objective (a weighted sum over the players) or
vectors with one entry for each player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from woodstock.scsp.automaton import Automaton, Diagram, State, of_constraint, of_soft
from woodstock.scsp.network import Network
from woodstock.scsp.variable import Variable

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
    """One automaton in the program: its kind, the levels at which it steps, the level after which it is done."""

    kind: int
    automaton: Automaton
    levels: tuple[int, ...]
    last: int
    ceiling: Any
    bounds: dict[State, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Move:
    """How one next state comes about: from entry `source` (or the start) by a step at `slot` (or kept)."""

    track: _Track
    source: int
    slot: int


@dataclass(slots=True)
class Level:
    """What happens when the variable of this level is set."""

    variable: Variable
    moves: list[_Move]
    ending: list[_Move]
    distribution: _Move | None
    fixed: tuple[Any, ...] | None
    unbegun: Any = 0


@dataclass(slots=True)
class Step:
    """The position after a value: `gain` is the utility that is now certain, `bound` at most what follows can add.

    `chance` is the part of the bound that the satisfaction has: a probability.
    """

    states: States
    is_alive: bool
    gain: Any
    bound: Any
    chance: Any


class Program:
    """A compiled network; `weights` makes one number of the utilities, none keeps vectors."""

    def __init__(self, network: Network, *, exact: bool, weights: Sequence[int] | None = None) -> None:
        self.network, self.exact, self.weights = network, exact, weights
        self.number: Callable[[Any], Any] = _fraction if exact else float
        players = len(network.players)
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
        tracks = [self._track(HARD, of_constraint(c)) for c in network.hard]
        tracks += [self._track(CHANCE, of_constraint(c)) for c in network.chance_constraints]
        tracks += [self._track(SOFT, self._soft(c)) for c in network.soft]
        for variable in network.stochastic:
            table = network.probabilities[variable.index]
            if table.given:
                order = sorted(range(len(table.given)), key=lambda i: table.given[i].order)
                scope = [table.given[i] for i in order]
                rows = [[key[i] for i in order] for key in table.rows]
                outcomes = [self._row(table.exact(key) if self.exact else table.at(key)) for key in table.rows]
                diagram = Diagram.build(scope, rows, outcomes, ())
                assert diagram is not None  # A full table has no wildcards and a bounded number of rows.
                track = self._track(GIVEN, diagram)
                track.last = self.place[variable.index]
                tracks.append(track)
        return tracks

    def _track(self, kind: int, automaton: Automaton) -> _Track:
        levels = tuple(self.place[v.index] for v in automaton.scope)
        ceiling = self._ceiling(automaton) if kind == SOFT else self.number(1)
        return _Track(kind, automaton, levels, levels[-1] if levels else -1, ceiling)

    def _soft(self, soft: Any) -> Automaton:
        automaton = of_soft(soft)
        finish = automaton.outcome
        # Utilities come out in the program's own numbers from here on.
        cache: dict[Any, Any] = {}

        def outcome(state: State) -> Any:
            utility = finish(state)
            if utility not in cache:
                cache[utility] = self._utility(utility)
            return cache[utility]

        automaton.outcome = outcome  # type: ignore[method-assign]
        return automaton

    def _initial(self, tracks: Sequence[_Track]) -> Step:
        step = Step((), True, self.zero, self.zero, self.number(1))
        self.is_impossible = False
        for track in tracks:
            if track.last < 0:
                # A condition without variables: known before the first value.
                self._end(step, track, track.automaton.start)
            elif track.kind == SOFT:
                step.bound = step.bound + self.bound(track, track.automaton.start)
            elif track.kind != GIVEN and self._fails(track, track.automaton.start):
                if track.kind == HARD:
                    self.is_impossible = True
                else:
                    step.is_alive = False
        return step

    def _end(self, step: Step, track: _Track, state: State) -> None:
        outcome = track.automaton.outcome(state)
        if track.kind == SOFT:
            step.gain = step.gain + outcome
        elif not outcome and track.kind == HARD:
            self.is_impossible = True
        elif not outcome:
            step.is_alive = False

    def _levels(self, tracks: Sequence[_Track]) -> list[Level]:
        levels = []
        live: list[_Track] = []
        for number, variable in enumerate(self.variables):
            entries = {id(track): place for place, track in enumerate(live)}
            moves: list[_Move] = []
            ending: list[_Move] = []
            given: _Move | None = None
            following: list[_Track] = []
            for track in tracks:
                begins = track.levels[0]
                if not begins <= number <= track.last:
                    continue
                slot = track.levels.index(number) if number in track.levels else -1
                move = _Move(track, entries.get(id(track), -1), slot)
                if track.kind == GIVEN and number == track.last:
                    given = move
                elif number == track.last:
                    ending.append(move)
                else:
                    moves.append(move)
                    following.append(track)
            fixed = self._independent.get(variable.index)
            level = Level(variable, moves, ending, given, fixed)
            level.unbegun = self.zero
            for track in tracks:
                if track.kind == SOFT and track.levels[0] > number:
                    level.unbegun = level.unbegun + self.bound(track, track.automaton.start)
            levels.append(level)
            live = following
        return levels

    # Running

    def step(self, level: int, states: States, is_alive: bool, position: int) -> Step | None:
        """Return the position after the value; none where a hard constraint can no longer hold."""
        here = self.levels[level]
        gain, bound = self.zero, here.unbegun
        satisfied = self.number(1)
        following: list[State] = []
        for move in here.moves:
            track = move.track
            state = track.automaton.start if move.source < 0 else states[move.source]
            if track.kind == CHANCE and not is_alive:
                following.append(None)
                continue
            if move.slot >= 0:
                state = track.automaton.step(state, move.slot, position)
            following.append(state)
            if track.kind == SOFT:
                bound = bound + self.bound(track, state)
            elif track.kind == HARD:
                if move.slot >= 0 and self._fails(track, state):
                    return None
            elif track.kind == CHANCE:
                chance = self.bound(track, state)
                if chance < satisfied:
                    satisfied = chance
                    is_alive = bool(chance)
        for move in here.ending:
            track = move.track
            if track.kind == CHANCE and not is_alive:
                continue
            state = track.automaton.start if move.source < 0 else states[move.source]
            outcome = track.automaton.outcome(track.automaton.step(state, move.slot, position))
            if track.kind == SOFT:
                gain = gain + outcome
            elif not outcome:
                if track.kind == HARD:
                    return None
                is_alive = False
        if self.has_satisfaction:
            if is_alive:
                bound = bound + self.one * satisfied
            else:
                satisfied = self.number(0)
                return Step(self.forget(level, tuple(following)), is_alive, gain, bound, satisfied)
        return Step(tuple(following), is_alive, gain, bound, satisfied)

    def forget(self, level: int, states: States) -> States:
        """Drop what chance constraints remember after `level`: once one failed, it must not tell positions apart."""
        moves = self.levels[level].moves
        return tuple(None if move.track.kind == CHANCE else state for move, state in zip(moves, states, strict=True))

    def end(self, is_alive: bool) -> Any:
        """Return what the end of a path adds: the satisfaction."""
        return self.one if self.has_satisfaction and is_alive else self.zero

    def distribution(self, level: int, states: States) -> tuple[Any, ...]:
        """Return the probabilities of the chance variable of this level."""
        here = self.levels[level]
        if here.fixed is not None:
            return here.fixed
        move = here.distribution
        assert move is not None
        state = move.track.automaton.start if move.source < 0 else states[move.source]
        return move.track.automaton.outcome(state)  # type: ignore[no-any-return]

    def bound(self, track: _Track, state: State) -> Any:
        """Return an upper bound on what the constraint gives from this state: a utility, or a probability to hold.

        Each constraint by itself, with the policy free to serve it alone: decisions take the best child, independent
        chance takes the mean.
        """
        automaton = track.automaton
        if not isinstance(automaton, Diagram):
            # Not remembered: these states are many, and the answer is at hand.
            if not automaton.is_decided(state):
                return track.ceiling
            return self._decided(track, state)
        known = track.bounds.get(state)
        if known is None:
            decided = automaton.is_decided(state)
            known = self._decided(track, state) if decided else self._expected(track, automaton, state)
            track.bounds[state] = known
        return known

    def _decided(self, track: _Track, state: State) -> Any:
        outcome = track.automaton.outcome(state)
        return outcome if track.kind == SOFT else self.number(int(outcome))

    def _expected(self, track: _Track, automaton: Diagram, state: State) -> Any:
        assert isinstance(state, int)
        variable = automaton.scope[automaton.depths[state]]
        children = automaton.children[state]
        row = self._independent.get(variable.index)
        if row is not None:
            return _sum(
                self.bound(track, automaton.step(state, 0, position)) * share
                for position, share in enumerate(row)
                if share
            )
        reached = set(children.values())
        if automaton.others[state] >= 0:
            reached.add(automaton.others[state])
        bounds = [self.bound(track, child) for child in reached]
        if isinstance(bounds[0], Vector):
            return Vector(max(column) for column in zip(*bounds, strict=True))
        return max(bounds)

    def _ceiling(self, automaton: Automaton) -> Any:
        soft = getattr(automaton, "soft", None)
        options = [self.one] if soft is None else [self._utility(soft.utilities[0]), self._utility(soft.otherwise)]
        if isinstance(options[0], Vector):
            return Vector(max(column) for column in zip(*options, strict=True))
        return max(options)

    def _fails(self, track: _Track, state: State) -> bool:
        return track.automaton.is_decided(state) and not track.automaton.outcome(state)

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


def _fraction(value: Any) -> Fraction:
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def _sum(terms: Any) -> Any:
    result = None
    for term in terms:
        result = term if result is None else result + term
    return result
