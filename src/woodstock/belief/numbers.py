"""Moves and percepts as the native code numbers them, and the hash of an information state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.information import InformationState


class Numbers:
    """The numbers of one role's moves and percepts."""

    def __init__(self, game: Game, role: str) -> None:
        if not isinstance(game.engine, CircuitEngine):
            raise GameError(f"{game.name} has no numbered moves: it was not grounded. {' '.join(game.notes)}")
        ground = game.engine.ground
        self.game, self.role = game, game.role_index(role)
        self.role_name = game.roles[self.role]
        self.first_move = [0, *accumulate(map(len, ground.moves))][self.role]
        self._moves = {move.lower(): self.first_move + i for i, move in enumerate(ground.moves[self.role])}
        self._percepts = {
            text.lower(): index for index, (role_index, text, *_) in enumerate(ground.sees) if role_index == self.role
        }

    def move(self, text: str) -> int:
        """Return the number of a move of the role."""
        number = self._moves.get(text.lower())
        if number is None:
            raise GameError(f"{self.game.name}: {self.role_name} never has the move {text}")
        return number

    def moves(self, texts: Iterable[str]) -> list[int]:
        """Return the numbers of moves, ascending."""
        return sorted(map(self.move, texts))

    def percepts(self, texts: Sequence[str]) -> list[int]:
        """Return the numbers of percepts, ascending and each once."""
        unknown = [text for text in texts if text.lower() not in self._percepts]
        if unknown:
            raise GameError(f"{self.game.name}: {self.role_name} never sees {unknown[0]}")
        return sorted({self._percepts[text.lower()] for text in texts})


def information_hash(view: InformationState) -> int:
    """Return the hash of an information state under rules with `sees`, the same as in `Particles.information`."""
    if view.is_open:
        raise GameError(f"{view.game.name} hides nothing: what its roles know is the state")
    numbers = Numbers(view.game, view.role)
    value = _native.information_start(numbers.role)
    for turn in view.turns:
        value = _native.next_information(value, numbers.move(turn.move), numbers.percepts(turn.percepts))
    return value
