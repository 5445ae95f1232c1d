"""Visit the states of a game, breadth first or by random playouts, and note what the semantic checks ask about.

Comes in: a game and a time to stop at. Goes out: `Observations`, with a path of joint moves to each oddity. A search
that saw every state also says how long a match can be, or finds a cycle.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial

from woodstock.game.engine import Engine, Payload

JointMove = tuple[str, ...]
Path = tuple[JointMove, ...]

# Beyond this, the table of visited states costs more memory than a check should.
MAX_STATES = 500_000
MAX_EDGES = 5_000_000


@dataclass
class Observations:
    """What was seen so far. Dictionaries keep the first path to each oddity, by role index or by text."""

    engine: Engine
    base: Collection[str] | None = None
    inputs: Collection[tuple[int, str]] | None = None
    stuck: dict[int, Path] = field(default_factory=dict)
    without_goal: dict[int, Path] = field(default_factory=dict)
    outside_base: dict[str, Path] = field(default_factory=dict)
    outside_inputs: dict[tuple[int, str], Path] = field(default_factory=dict)
    goals: list[set[int]] = field(default_factory=list)
    endless: Path | None = None
    states: int = 0
    terminal_states: int = 0
    playouts: int = 0
    cut_playouts: int = 0

    def __post_init__(self) -> None:
        self.goals = [set() for _ in self.engine.roles]
        self._covered: set[str] = set(self.base or ())

    def visit(self, payload: Payload, path: Callable[[], Path]) -> list[tuple[str, ...]] | None:
        """Look at one state; return the legal moves of each role, or None if play ends here."""
        self.states += 1
        if self.base is not None:
            for fluent in self.engine.fluents(payload) - self._covered:
                self._covered.add(fluent)
                self.outside_base[fluent] = path()
        if self.engine.is_terminal(payload):
            self.terminal_states += 1
            for role, value in enumerate(self.engine.goals(payload)):
                if value is not None:
                    self.goals[role].add(value)
                elif role not in self.without_goal:
                    self.without_goal[role] = path()
            return None
        legal = [self.engine.legal(payload, role) for role in range(len(self.engine.roles))]
        for role, moves in enumerate(legal):
            if not moves and role not in self.stuck:
                self.stuck[role] = path()
            if self.inputs is not None:
                for move in moves:
                    if (role, move) not in self.inputs and (role, move) not in self.outside_inputs:
                        self.outside_inputs[role, move] = path()
        return legal if all(legal) else None


@dataclass(frozen=True)
class Exhausted:
    """What a complete search knows: no match is longer than `longest`, or some match can repeat `cycle` for ever."""

    longest: int | None
    cycle: Path | None


def explore(observations: Observations, ends_at: float) -> Exhausted | None:
    """Visit every reachable state, breadth first; return None if time or memory ran out."""
    engine = observations.engine
    start = engine.initial()
    parents: dict[Payload, tuple[Payload, JointMove] | None] = {start: None}
    numbers: dict[Payload, int] = {start: 0}
    order: list[Payload] = [start]
    successors: list[list[int]] = []
    edges = 0

    def path_to(payload: Payload) -> Path:
        moves = []
        while (step := parents[payload]) is not None:
            payload, joint = step
            moves.append(joint)
        return tuple(reversed(moves))

    position = 0
    while position < len(order):
        payload = order[position]
        position += 1
        legal = observations.visit(payload, partial(path_to, payload))
        following: dict[int, None] = {}
        for joint in itertools.product(*legal) if legal is not None else ():
            if time.perf_counter() > ends_at:
                return None
            after = engine.next(payload, joint)
            number = numbers.get(after)
            if number is None:
                number = numbers[after] = len(order)
                order.append(after)
                parents[after] = payload, joint
            following[number] = None
        successors.append(list(following))
        edges += len(following)
        if len(order) > MAX_STATES or edges > MAX_EDGES:
            return None
    longest, loop = _longest_or_loop(successors)
    if loop is None:
        return Exhausted(longest, None)
    return Exhausted(None, path_to(order[loop[0]]) + _moves_along(engine, [order[n] for n in loop]))


def _longest_or_loop(successors: list[list[int]]) -> tuple[int, list[int] | None]:
    """Return the length of the longest path from node 0, or a loop as its nodes, the first one repeated at the end."""
    longest = [0] * len(successors)
    colour = bytearray(len(successors))  # 0 new, 1 on the stack, 2 done
    stack: list[int] = [0]
    pending = [iter(successors[0])]
    colour[0] = 1
    while stack:
        node = stack[-1]
        child = next(pending[-1], None)
        if child is None:
            colour[node] = 2
            stack.pop()
            pending.pop()
            if stack:
                longest[stack[-1]] = max(longest[stack[-1]], longest[node] + 1)
        elif colour[child] == 1:
            return 0, [*stack[stack.index(child) :], child]
        elif colour[child] == 2:
            longest[node] = max(longest[node], longest[child] + 1)
        else:
            colour[child] = 1
            stack.append(child)
            pending.append(iter(successors[child]))
    return longest[0], None


def _moves_along(engine: Engine, states: list[Payload]) -> Path:
    """Return joint moves that lead through these states one after the other."""
    moves = []
    for here, there in itertools.pairwise(states):
        legal = [engine.legal(here, role) for role in range(len(engine.roles))]
        moves.append(next(joint for joint in itertools.product(*legal) if engine.next(here, joint) == there))
    return tuple(moves)


def sample(observations: Observations, ends_at: float, *, seed: int, max_steps: int, most: int) -> None:
    """Play up to `most` random matches, looking at every state on the way, until the time is up."""
    engine = observations.engine
    chance = random.Random(seed)
    while observations.playouts < most and time.perf_counter() < ends_at:
        payload = engine.initial()
        path: list[JointMove] = []
        while (legal := observations.visit(payload, partial(tuple, path))) is not None:
            if len(path) == max_steps:
                observations.endless = observations.endless or tuple(path)
                observations.cut_playouts += 1
                break
            if time.perf_counter() > ends_at:
                return
            joint = tuple(chance.choice(moves) for moves in legal)
            path.append(joint)
            payload = engine.next(payload, joint)
        observations.playouts += 1
