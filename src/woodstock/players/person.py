"""A person: a terminal or a web page asks for the moves; how it asks is given as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from woodstock.players.player import Player

if TYPE_CHECKING:
    from woodstock.game.state import State

Ask: TypeAlias = "Callable[[State, str], str]"


class Person(Player):
    """Asks a person; the clock does not bind.

    >>> import woodstock
    >>> from woodstock.players.player import Task
    >>> game = woodstock.load("tic-tac-toe")
    >>> person = Person(lambda state, role: state.legal(role)[4])
    >>> person.start(Task(game, "x"), None)
    >>> person.move(game.initial, deadline=0.0)
    '(mark 2 2)'
    """

    name = "human"
    is_human = True

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def move(self, state: State, deadline: float) -> str:
        """Return the move that the person chose; a forced move is not asked for."""
        del deadline
        legal = state.legal(self.task.role)
        return legal[0] if len(legal) == 1 else self._ask(state, self.task.role)
