"""Does each role know its legal moves, and its goal at the end? Find two matches that it cannot tell apart.

Comes in: an engine of rules with `sees`, and a time to stop at. Goes out: `Doubt`s, each with two paths after which the
role has made the same moves and seen the same, but may move differently, or has another goal. A *crowd* is the set of
states that fit what the role did and saw. First all crowds are visited, breadth first; if that ends in time, what was
not refuted is proved. If not, random crowds are followed, thinned out where they grow too large.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from woodstock.game.engine import Engine, Payload
from woodstock.game.explore import JointMove, Path
from woodstock.gdl.chance import is_chance

# A random crowd has at most that many states, and each of them that many successors for a move of the role.
_CROWD = 64
_SUCCESSORS = 64
_MOST_STATES = 200_000


@dataclass(frozen=True, slots=True)
class Member:
    """A state of a crowd, and one way to it."""

    payload: Payload
    before: Member | None = None
    joint: JointMove = ()

    @property
    def path(self) -> Path:
        """The joint moves from the initial state."""
        moves = []
        member = self
        while member.before is not None:
            moves.append(member.joint)
            member = member.before
        return tuple(reversed(moves))


Crowd = dict[Payload, Member]


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two paths that look the same to a role, and what differs after them: its legal moves, or its goal."""

    role: int
    first: Path
    second: Path
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]


@dataclass
class Knowledge:
    """What was found so far, by role. `is_complete` if every crowd was visited; `crowds` counts them."""

    engine: Engine
    moves: dict[int, Doubt] = field(default_factory=dict)
    goals: dict[int, Doubt] = field(default_factory=dict)
    crowds: int = 0
    is_complete: bool = False

    @property
    def roles(self) -> list[int]:
        """The roles that play: all but chance."""
        return [index for index, name in enumerate(self.engine.roles) if not is_chance(name)]

    def visit(self, role: int, crowd: Crowd) -> tuple[Crowd, tuple[str, ...]]:
        """Look at a crowd; return its members that go on and the role's legal moves; none if it is in doubt."""
        self.crowds += 1
        going: Crowd = {}
        goals: dict[int | None, Member] = {}
        legal: dict[tuple[str, ...], Member] = {}
        for payload, member in crowd.items():
            if self.engine.is_terminal(payload):
                goals.setdefault(self.engine.goals(payload)[role], member)
            elif moves := self.engine.legal(payload, role):
                legal.setdefault(tuple(sorted(moves)), member)
                going[payload] = member
        if len(goals) > 1:
            (one, first), (two, second) = list(goals.items())[:2]
            self.goals.setdefault(role, Doubt(role, first.path, second.path, (str(one),), (str(two),)))
        if len(legal) > 1:
            (ours, first), (theirs, second) = list(legal.items())[:2]
            only = [tuple(sorted(set(a) - set(b))) for a, b in ((ours, theirs), (theirs, ours))]
            self.moves.setdefault(role, Doubt(role, first.path, second.path, *only))
            return {}, ()
        return going, next(iter(legal), ())


def look(engine: Engine, ends_at: float, seed: int = 0) -> Knowledge:
    """Return what the roles can know, as far as it was found out in time."""
    knowledge = Knowledge(engine)
    half = time.perf_counter() + (ends_at - time.perf_counter()) / 2
    done = [_visit_all(knowledge, role, half) for role in knowledge.roles]
    knowledge.is_complete = all(done)
    if not knowledge.is_complete:
        chance = random.Random(seed)
        while time.perf_counter() < ends_at:
            for role in knowledge.roles:
                _follow(knowledge, role, chance, ends_at)
    return knowledge


def _visit_all(knowledge: Knowledge, role: int, ends_at: float) -> bool:
    """Visit every crowd of a role; return whether that was done in time."""
    start = knowledge.engine.initial()
    queue: list[Crowd] = [{start: Member(start)}]
    seen = {frozenset(queue[0])}
    size = position = 0
    while position < len(queue):
        crowd, moves = knowledge.visit(role, queue[position])
        position += 1
        for move in moves:
            classes: dict[tuple[str, ...], Crowd] = {}
            for member in crowd.values():
                for percepts, after in _successors(knowledge.engine, role, member, move):
                    if time.perf_counter() > ends_at:
                        return False
                    classes.setdefault(percepts, {}).setdefault(after.payload, after)
            for following in classes.values():
                key = frozenset(following)
                if key not in seen:
                    seen.add(key)
                    queue.append(following)
                    size += len(following)
        if size > _MOST_STATES:
            return False
    return True


def _follow(knowledge: Knowledge, role: int, chance: random.Random, ends_at: float) -> None:
    """Play one random match of a role, with all others that look the same to it."""
    start = knowledge.engine.initial()
    crowd: Crowd = {start: Member(start)}
    while time.perf_counter() < ends_at:
        crowd, moves = knowledge.visit(role, crowd)
        if not moves:
            return
        move = chance.choice(moves)
        members = chance.sample(list(crowd.values()), min(len(crowd), _CROWD))
        after = [found for member in members for found in _successors(knowledge.engine, role, member, move, chance)]
        if not after:
            return
        percepts, _ = chance.choice(after)
        crowd = {member.payload: member for seen, member in after if seen == percepts}


def _successors(
    engine: Engine, role: int, member: Member, move: str, chance: random.Random | None = None
) -> Iterator[tuple[tuple[str, ...], Member]]:
    """Yield what the role perceives of each joint move with its move, and where it leads; with `chance`, of some."""
    options = [(move,) if i == role else engine.legal(member.payload, i) for i in range(len(engine.roles))]
    joints: Iterator[JointMove] = itertools.product(*options)
    if chance is not None and all(options):
        size = 1
        for moves in options:
            size *= len(moves)
        if size > _SUCCESSORS:
            joints = (tuple(map(chance.choice, options)) for _ in range(_SUCCESSORS))
    for joint in joints:
        percepts = tuple(sorted(engine.sees(member.payload, joint, role)))
        yield percepts, Member(engine.next(member.payload, joint), member, joint)
