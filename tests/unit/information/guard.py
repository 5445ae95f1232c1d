"""States that only the referee may touch.

A match that begins with `guarded(game)` has such states from its first turn on. Its players have threads of their own;
whoever touches a guarded state on another thread than the referee's gets a `Touched`. The start itself is known to all.
"""

from __future__ import annotations

import threading
from typing import Any

from woodstock.game.engine import Payload
from woodstock.game.game import Game
from woodstock.game.state import State


class Touched(BaseException):
    """A player touched what only the referee knows; not an `Exception`, so that no player can swallow it by habit."""


class GuardedState(State):
    """A state of the referee."""

    __slots__ = ("_referee", "_touches")
    _referee: threading.Thread
    _touches: list[str]

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__"):
            referee = object.__getattribute__(self, "_referee")
            if threading.current_thread() is not referee:
                touches: list[str] = object.__getattribute__(self, "_touches")
                touches.append(f"{threading.current_thread().name} touched {name}")
                raise Touched(touches[-1])
        return object.__getattribute__(self, name)

    def _after(self, payload: Payload, moves: tuple[str, ...]) -> State:
        return _guard(State._after(self, payload, moves), self._referee, self._touches)


class GuardedStart(State):
    """Where a match begins: players may go on from here by themselves, the referee goes on with guarded states."""

    __slots__ = ("_referee", "_touches")
    _referee: threading.Thread
    _touches: list[str]

    def _after(self, payload: Payload, moves: tuple[str, ...]) -> State:
        after = super()._after(payload, moves)
        return _guard(after, self._referee, self._touches) if threading.current_thread() is self._referee else after


def guarded(game: Game) -> tuple[State, list[str]]:
    """Return the initial state for a match that this thread referees, and the list of forbidden touches."""
    initial, touches = game.initial, list[str]()
    start = GuardedStart(game, initial._payload, turn=initial.turn)
    start._referee, start._touches = threading.current_thread(), touches
    return start, touches


def _guard(state: State, referee: threading.Thread, touches: list[str]) -> GuardedState:
    made = GuardedState.__new__(GuardedState)
    object.__setattr__(made, "_referee", referee)
    object.__setattr__(made, "_touches", touches)
    State.__init__(made, state._game, state._payload, state._before, state._turn)
    return made
