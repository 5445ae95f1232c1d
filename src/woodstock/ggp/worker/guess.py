"""Some states that fit what a role was told, found by the interpreter: for legal moves before the rules are ground.

Whoever plays on the network has no referee. In open games the joint moves lead to the state. In games with `sees` the
role knows its own moves and percepts; random moves of the others are tried until their percepts agree. A few states are
enough, because in proper GDL-II all that fit have the same legal moves.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from woodstock.game.interpreter import Interpreter
from woodstock.ggp.worker.told_moves import told_moves

Facts = frozenset[str]
_MOST_STATES = 8
# For each turn, and for each state that was found: often there is only one.
_MOST_TRIES = 400
_TRIES_FOR_EACH = 25


class Guess:
    """The states that are kept; `is_certain` while nobody had to guess past a contradiction."""

    def __init__(self, interpreter: Interpreter, role: str, *, is_hidden: bool, chance: random.Random) -> None:
        self._interpreter, self._role, self._is_hidden, self._chance = interpreter, role, is_hidden, chance
        self._states: list[Facts] = [interpreter.initial()]
        self._turns: list[tuple[str | None, frozenset[str]]] = []
        self.is_certain = True

    def legal(self) -> tuple[str, ...]:
        """Return the moves that are legal in every state that is kept, or in the first if there is none."""
        found = [self._interpreter.legal(state, self._role) for state in self._states]
        common = [move for move in found[0] if all(move in legal for legal in found)]
        return tuple(common or found[0])

    def hear(self, move: str | None, terms: Sequence[str], deadline: float) -> None:
        """Go on by one turn: the role's own move, and the joint move or its percepts."""
        if not self._is_hidden:
            joint = told_moves(terms, self._interpreter.roles)
            self._states = [self._interpreter.next(self._states[0], joint)]
            return
        self._turns.append((move, _keys(terms)))
        found = self._step(self._states, self._turns[-1], deadline)
        if not found:
            found = self._joint(terms) or self._again(deadline)
        if not found:
            self.is_certain = False
            found = self._step(self._states, (move, None), time.monotonic() + 1.0) or self._states
        self._states = found

    def _step(
        self, states: Sequence[Facts], turn: tuple[str | None, frozenset[str] | None], deadline: float
    ) -> list[Facts]:
        """Return states that follow by a turn whose percepts agree; None in the turn: any percepts do."""
        found: dict[Facts, None] = {}
        for number in range(_MOST_TRIES):
            if len(found) >= _MOST_STATES or (found and number >= _TRIES_FOR_EACH * len(found)):
                break
            if number and time.monotonic() > deadline:
                break
            state = states[number] if number < len(states) else self._chance.choice(states)
            joint = self._random_moves(state, turn[0])
            if joint is None:
                continue
            seen = self._interpreter.sees(state, joint)[self._role] if turn[1] is not None else ()
            if turn[1] is None or _keys(seen) == turn[1]:
                found[self._interpreter.next(state, joint)] = None
        return list(found)

    def _random_moves(self, state: Facts, own: str | None) -> list[str] | None:
        """Return a legal joint move with the role's own move in it; None if there is none."""
        joint: list[str] = []
        for role in self._interpreter.roles:
            legal = self._interpreter.legal(state, role)
            if role == self._role and own is not None:
                legal = tuple(move for move in legal if move.lower() == own.lower())
            if not legal:
                return None
            joint.append(self._chance.choice(legal))
        return joint

    def _joint(self, terms: Sequence[str]) -> list[Facts]:
        """Return what follows if the terms are a joint move: some servers know nothing of `sees`."""
        roles = self._interpreter.roles
        joint = told_moves(terms, roles)
        if len(joint) != len(roles):
            return []
        found = []
        for state in self._states:
            legal = [{move.lower() for move in self._interpreter.legal(state, role)} for role in roles]
            if all(move.lower() in moves for move, moves in zip(joint, legal, strict=True)):
                found.append(self._interpreter.next(state, joint))
        return found

    def _again(self, deadline: float) -> list[Facts]:
        """Return what follows if the match is played again from its start; the states that were kept led nowhere."""
        while time.monotonic() < deadline:
            states = [self._interpreter.initial()]
            for turn in self._turns:
                states = self._step(states, turn, deadline)
                if not states:
                    break
            else:
                return states
        return []


def _keys(terms: Sequence[str]) -> frozenset[str]:
    return frozenset(term.lower() for term in terms)
