"""Check symmetries on the engine: the game played through an image must be the image of the game.

Comes in: permutations of roles, fluents and moves. Goes out: for each, why it fails, or None. The states come from
random matches; at each of them and its image, legal moves, end, goals, number of percepts and the successor by a random
joint move must map onto each other. Cost: each state is evaluated twice for each permutation.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine

Vector = NDArray[np.int64]


class Verifier:
    """Plays matches once and checks permutations against the states met."""

    def __init__(self, engine: CircuitEngine, *, states: int = 60, seed: int = 0) -> None:
        self._ground = engine.ground
        self._here, self._there = _native.Stepper(engine.circuit), _native.Stepper(engine.circuit)
        self._dice = random.Random(seed)
        self._first_move = np.cumsum([0, *map(len, engine.ground.moves)])
        first = engine.initial()
        assert isinstance(first, bytes)
        self._states = self._play(first, states)

    def _play(self, first: bytes, count: int) -> list[tuple[bytes, list[int] | None]]:
        """Return the states of random matches, each with the joint move made there, or None at the end."""
        met: list[tuple[bytes, list[int] | None]] = []
        state = first
        length = 0
        while len(met) < count:
            self._here.load(state)
            moves = self._joint_move()
            met.append((state, moves))
            length += 1
            # A long match is abandoned: it may be endless.
            if moves is None or length > count // 2:
                state, length = first, 0
            else:
                state = self._here.next(moves)
        return met

    def _joint_move(self) -> list[int] | None:
        if self._here.is_terminal():
            return None
        legal = [self._here.legal(role) for role in range(len(self._ground.roles))]
        return [self._dice.choice(moves) for moves in legal] if all(legal) else None

    def problem(self, roles: Vector, fluents: Vector, moves: Vector, percepts: Vector | None = None) -> str | None:
        """Return what differs between the game and its image under a permutation; None if nothing does.

        Without `percepts`, it is enough that the numbers of percepts are the same.
        """
        here, there = self._here, self._there
        for state, chosen in self._states:
            image = _image(state, fluents)
            here.load(state)
            there.load(image)
            if here.is_terminal() != there.is_terminal():
                return "one state is terminal, its image is not"
            goals, image_goals = here.goals(), there.goals()
            for role, values in enumerate(goals):
                if sorted(values) != sorted(image_goals[roles[role]]):
                    return f"the goals of {self._ground.roles[role]} differ"
            for role in range(len(self._ground.roles)):
                to = int(roles[role])
                legal = np.array(here.legal(role), dtype=np.int64) + self._first_move[role]
                if sorted((moves[legal] - self._first_move[to]).tolist()) != sorted(there.legal(to)):
                    return f"the legal moves of {self._ground.roles[role]} differ"
            if chosen is None:
                continue
            made = [0] * len(chosen)
            for role, move in enumerate(chosen):
                to = int(roles[role])
                made[to] = int(moves[move + self._first_move[role]]) - int(self._first_move[to])
            for role in range(len(chosen) if self._ground.sees else 0):
                seen, image_seen = here.sees(chosen, role), there.sees(made, int(roles[role]))
                is_image = percepts is None or sorted(percepts[seen].tolist()) == sorted(image_seen)
                if len(seen) != len(image_seen) or not is_image:
                    return f"the percepts of {self._ground.roles[role]} differ"
            if _image(here.next(chosen), fluents) != there.next(made):
                return "the successors differ"
        return None


def _image(state: bytes, fluents: Vector | Sequence[int]) -> bytes:
    bits = np.unpackbits(np.frombuffer(state, dtype=np.uint8), bitorder="little")
    image = np.zeros_like(bits)
    image[np.asarray(fluents)[np.flatnonzero(bits)]] = 1
    return np.packbits(image, bitorder="little").tobytes()
