"""The belief of a grounded game: the native one, with its numbers and its network."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from woodstock import _native
from woodstock.belief.network import percept_network
from woodstock.belief.numbers import Numbers
from woodstock.belief.particles import Particles
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.game.step_program import step_program
from woodstock.gdl.chance import chance_index


class GroundedCore:
    """Implements `Core` on the batch engine."""

    def __init__(self, game: Game, role: str, start: State, options: dict[str, Any]) -> None:
        self._game, self._numbers = game, Numbers(game, role)
        chance = chance_index(game.roles)
        try:
            self._native = _native.Belief(
                step_program(game), self._numbers.role, chance, start=packed(start), **options
            )
        except ValueError as error:
            raise GameError(f"{game.name}: {error}") from None

    def see(self, move: str, percepts: Sequence[str], legal: Sequence[str] | None, is_terminal: bool | None) -> None:
        numbers = self._numbers
        known = None if legal is None else numbers.moves(legal)
        self._native.see(numbers.move(move), numbers.percepts(percepts), known, is_terminal)

    def follow(self, deadline: float | None) -> str:
        while True:
            progress = self._native.follow(-1.0 if deadline is None else max(0.0, deadline - time.monotonic()))
            if progress != "needs network":
                return progress
            if not self._take_network(deadline):
                return "behind"

    def _take_network(self, deadline: float | None) -> bool:
        network = percept_network(self._game, self._numbers.role)
        if not network.wait(None if deadline is None else max(0.0, deadline - time.monotonic())):
            return False
        if network.native is None:
            self._native.refuse_network()
        else:
            self._native.set_network(network.native, network.rules)
        return True

    def restart_at(self, state: State) -> None:
        """Begin anew in a state that is known."""
        mark = _native.next_open_information(0, 0, [hash(state) & 0xFFFFFFFF])
        known = [_native.next_open_information(mark, role, []) for role in range(len(self._game.roles))]
        self._native.restart(packed(state), known)

    def prepare(self) -> None:
        if self._game.engine.has_percepts:
            percept_network(self._game, self._numbers.role)

    @property
    def is_exact(self) -> bool:
        return self._native.is_exact

    @property
    def is_behind(self) -> bool:
        return self._native.reached < self._native.turns

    @property
    def turn(self) -> int:
        return self._native.reached + 1

    def particles(self) -> Particles:
        return Particles(*self._native.particles())

    def sample(self, n: int) -> Particles:
        return Particles(*self._native.sample(n))

    def states(self, n: int) -> list[State]:
        return [State(self._game, row.tobytes()) for row in self.sample(n).states]

    def fluents(self) -> dict[str, float]:
        particles, names = self.particles(), self._game.fluents
        chances = particles.weights @ particles.fluents(len(names))
        return {names[i]: float(chances[i]) for i in np.flatnonzero(chances > 0).tolist()}

    def legal(self) -> dict[str, float]:
        chances, moves = self._native.legal(), self._game.moves(self._numbers.role_name)
        return {moves[i]: float(chances[i]) for i in np.flatnonzero(chances > 0).tolist()}

    def stats(self) -> dict[str, int]:
        return self._native.stats
