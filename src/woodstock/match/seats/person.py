"""A person: whoever asks for the moves, a terminal or a web page, is given as a function."""

from __future__ import annotations

from collections.abc import Callable

from woodstock.game.state import State
from woodstock.match.seat import LocalSeat, Reply

Ask = Callable[[State, str], str]


class PersonSeat(LocalSeat):
    """Asks a person; the clock does not bind."""

    name = "human"
    is_human = True

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def play(self, state: State, deadline: float) -> Reply:
        """Return the move that the person chose; a forced move is not asked for."""
        del deadline
        legal = state.legal(self.task.role)
        return Reply(legal[0] if len(legal) == 1 else self._ask(state, self.task.role))
