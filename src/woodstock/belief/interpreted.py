"""The belief of a game that could not be grounded: states one at a time, on the interpreter.

The same distribution as the native belief, thousands of times slower and without a network: all joint moves while they
are few, then draws; when particles die out, they are drawn anew from older and older turns while the clock lasts.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from woodstock.belief.particles import Particles
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State

# Steps of a turn for each state that is kept; the interpreter makes about a thousand a second.
_STEPS = 4
_MOST_KEPT, _MOST_EXACT = 64, 500
_TRIES = 8
# States that are enough if they had to be searched for.
_ENOUGH = 8
# What a state of a large rulesheet may take, as a set of texts.
_STATE_BYTES = 2**16

Weighted = dict[State, float]


@dataclass(frozen=True, slots=True)
class _Turn:
    move: str
    percepts: frozenset[str]
    legal: frozenset[str] | None
    is_terminal: bool | None


class InterpretedCore:
    """Implements `Core` for any engine."""

    def __init__(self, game: Game, role: str, start: State, options: dict[str, Any]) -> None:
        if options["model"] is not None:
            raise GameError(f"{game.name} was not grounded: a model of the others needs numbered moves")
        room = max(1, options["memory_bytes"] // _STATE_BYTES)
        self._game, self._role, self._room = game, game.role_index(role), room
        self._particles = min(options["particles"], _MOST_KEPT, room)
        self._most_exact = min(options["most_exact"], _MOST_EXACT, room)
        self._random = random.Random(options["seed"])
        self.restart_at(start)

    def restart_at(self, state: State) -> None:
        """Begin anew in a state that is known."""
        self._turns: list[_Turn] = []
        self._kept: list[Weighted] = [{state: 1.0}]
        self.is_exact = self._most_exact > 0
        self._steps = 0

    def see(self, move: str, percepts: Sequence[str], legal: Sequence[str] | None, is_terminal: bool | None) -> None:
        known = None if legal is None else frozenset(map(str.lower, legal))
        self._turns.append(_Turn(move.lower(), frozenset(map(str.lower, percepts)), known, is_terminal))

    def follow(self, deadline: float | None) -> str:
        while self.is_behind:
            now = self._next(self._kept[-1], self._turns[len(self._kept) - 1], deadline)
            if now:
                self._keep(now)
            elif _has_passed(deadline):
                return "behind"
            elif self.is_exact:
                return "impossible"
            elif not self._regrow(deadline):
                return "behind" if _has_passed(deadline) else "gave up"
        return "ready"

    def _keep(self, now: Weighted) -> None:
        """Add the states of a turn; of the turns in between, every second one goes if there are too many states."""
        self._kept.append(now)
        if sum(map(len, self._kept)) > self._room:
            full = [turn for turn, states in enumerate(self._kept) if states]
            for turn in full[1:-1:2]:
                self._kept[turn] = {}

    def _regrow(self, deadline: float | None) -> bool:
        """Draw anew from older and older turns, at last from the start."""
        back = 2
        for _ in range(_TRIES + len(self._turns).bit_length()):
            first = max(0, len(self._kept) - back)
            while not self._kept[first]:
                first -= 1
            line = self._kept[: first + 1]
            while len(line) <= len(self._turns) and not _has_passed(deadline):
                now = self._next(line[-1], self._turns[len(line) - 1], deadline)
                if not now:
                    break
                line.append(now)
            if len(line) > len(self._kept):
                self._kept = line
                return True
            back *= 2
        return False

    def _next(self, before: Weighted, turn: _Turn, deadline: float | None) -> Weighted:
        """Return the states after a turn; none if nothing was found."""
        if self.is_exact:
            most = self._most_exact * _STEPS
            if sum(self._width(state, turn) for state in before) <= most:
                after = self._enumerate(before, turn, _half(deadline))
                if after is not None and len(after) <= self._most_exact:
                    return after
            self.is_exact = False
        return self._draw(before, turn, _half(deadline)) or self._search(before, turn, deadline)

    def _choices(self, state: State, turn: _Turn) -> list[list[str]] | None:
        """Return the moves that each role can have made here; None if the role itself cannot have made its own."""
        if state.is_terminal:
            return None
        own = [move for move in state.legal(self._game.roles[self._role]) if move.lower() == turn.move]
        if not own:
            return None
        return [own if i == self._role else list(state.legal(role)) for i, role in enumerate(self._game.roles)]

    def _width(self, state: State, turn: _Turn) -> int:
        choices = self._choices(state, turn)
        return 0 if choices is None else math.prod(map(len, choices))

    def _fits(self, state: State, turn: _Turn) -> bool:
        self._steps += 1
        role = self._game.roles[self._role]
        if self._seen(state) != turn.percepts:
            return False
        if turn.is_terminal is not None and state.is_terminal != turn.is_terminal:
            return False
        return turn.legal is None or frozenset(move.lower() for move in state.legal(role)) == turn.legal

    def _enumerate(self, before: Weighted, turn: _Turn, deadline: float | None) -> Weighted | None:
        after: Weighted = {}
        for state, weight in before.items():
            choices = self._choices(state, turn)
            if choices is None:
                continue
            chance = weight / math.prod(map(len, choices))
            for joint in itertools.product(*choices):
                if _has_passed(deadline):
                    return None
                follows = state.next(joint)
                if self._fits(follows, turn):
                    after[follows] = after.get(follows, 0.0) + chance
        return _normalised(after)

    def _draw(self, before: Weighted, turn: _Turn, deadline: float | None) -> Weighted:
        states, weights, found = list(before), list(before.values()), 0
        after: Weighted = {}
        for _ in range(_STEPS * self._particles):
            if found == self._particles or _has_passed(deadline):
                break
            state = self._random.choices(states, weights)[0]
            choices = self._choices(state, turn)
            if choices is None:
                continue
            follows = state.next([self._random.choice(moves) for moves in choices])
            if self._fits(follows, turn):
                after[follows] = after.get(follows, 0.0) + 1.0
                found += 1
        return _normalised(after)

    def _search(self, before: Weighted, turn: _Turn, deadline: float | None) -> Weighted:
        """Search joint moves of one state after the other until a few fit: percepts may be rarer than draws."""
        after: Weighted = {}
        half = _half(deadline)
        states = sorted(before, key=lambda state: self._random.random() ** (1 / before[state]), reverse=True)
        for state in states:
            choices = self._choices(state, turn)
            if choices is None:
                continue
            chance = before[state] / math.prod(map(len, choices))
            for joint in itertools.product(*self._nearest(state, choices, turn, deadline)):
                if _has_passed(deadline) or (after and _has_passed(half)):
                    return _normalised(after)
                follows = state.next(joint)
                if self._fits(follows, turn):
                    after[follows] = after.get(follows, 0.0) + chance
            if len(after) >= _ENOUGH:
                break
        return _normalised(after)

    def _nearest(self, state: State, choices: list[list[str]], turn: _Turn, deadline: float | None) -> list[list[str]]:
        """Return for each role the moves whose percepts are nearest to what was seen if the others' moves are fixed.

        A percept is mostly about the move of one role, so this takes a sum of steps and not a product.
        """
        base = [self._random.choice(moves) for moves in choices]
        nearest = []
        for role, moves in enumerate(choices):
            distances: dict[str, int] = {}
            for move in moves:
                if _has_passed(deadline):
                    return choices
                follows = state.next([*base[:role], move, *base[role + 1 :]])
                distances[move] = len(self._seen(follows) ^ turn.percepts)
                self._steps += 1
            least = min(distances.values())
            nearest.append([move for move in moves if distances[move] == least])
        return nearest

    def _seen(self, state: State) -> frozenset[str]:
        return frozenset(text.lower() for text in state.sees(self._game.roles[self._role]))

    def prepare(self) -> None:
        """There is no network to make."""

    @property
    def is_behind(self) -> bool:
        return len(self._kept) <= len(self._turns)

    @property
    def turn(self) -> int:
        return len(self._kept)

    def particles(self) -> Particles:
        raise GameError(f"{self._game.name} was not grounded, so its states have no bits: use `states`")

    def sample(self, n: int) -> Particles:
        return self.particles()

    def states(self, n: int) -> list[State]:
        now = self._kept[-1]
        return self._random.choices(list(now), list(now.values()), k=n)

    def _sum(self, texts: Iterator[tuple[str, float]]) -> dict[str, float]:
        chances: dict[str, float] = {}
        for text, weight in texts:
            chances[text] = chances.get(text, 0.0) + weight
        return chances

    def fluents(self) -> dict[str, float]:
        return self._sum((text, weight) for state, weight in self._kept[-1].items() for text in state.fluents)

    def legal(self) -> dict[str, float]:
        role = self._game.roles[self._role]
        running = ((state, weight) for state, weight in self._kept[-1].items() if not state.is_terminal)
        return self._sum((move, weight) for state, weight in running for move in state.legal(role))

    def stats(self) -> dict[str, int]:
        return {"steps": self._steps, "most_particles": max(map(len, self._kept))}


def _has_passed(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() >= deadline


def _half(deadline: float | None) -> float | None:
    """Return the middle of the time that is left."""
    return None if deadline is None else (deadline + time.monotonic()) / 2


def _normalised(weighted: Weighted) -> Weighted:
    total = sum(weighted.values())
    return {state: weight / total for state, weight in weighted.items()}
