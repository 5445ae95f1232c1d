"""A person: a terminal or a web page asks for the moves; how it asks is given as a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from woodstock.players.player import Player

if TYPE_CHECKING:
    from woodstock.information import InformationState

Ask: TypeAlias = "Callable[[InformationState], str]"


class Person(Player):
    """Asks a person; the clock does not bind.

    >>> import woodstock
    >>> from woodstock.players.player import Task
    >>> task = Task(woodstock.load("tic-tac-toe"), "x")
    >>> person = Person(lambda view: view.legal[4])
    >>> person.start(task, None)
    >>> person.move(task.first_view, deadline=0.0)
    '(mark 2 2)'
    """

    name = "human"
    is_human = True

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def move(self, view: InformationState, deadline: float) -> str:
        """Return the move that the person chose; a forced move is not asked for."""
        del deadline
        return view.legal[0] if len(view.legal) == 1 else self._ask(view)
