"""A seat for any Python object: `python:module.Class`, made without arguments.

The object needs `play(state, role, deadline) -> move`. It may have `start(game, role, start_clock_s, play_clock_s,
deadline)`, `stop(state)` and `abort()`. Deadlines are times of `time.monotonic()`; an exception is the code IN.
"""

from __future__ import annotations

import importlib
from typing import Any

from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.match.seat import LocalSeat, Reply, Task


class PythonSeat(LocalSeat):
    """Wraps an object that has a `play` method."""

    def __init__(self, player: Any, name: str = "") -> None:
        if not callable(getattr(player, "play", None)):
            shown = name or type(player).__name__
            raise GameError(f"{shown} is no player: it has no method play(state, role, deadline)")
        self._player = player
        self.name = name or f"python:{type(player).__module__}.{type(player).__qualname__}"

    def start(self, task: Task, deadline: float) -> None:
        """Tell the object the game and its role, where it wants to know."""
        super().start(task, deadline)
        if hasattr(self._player, "start"):
            self._player.start(task.game, task.role, task.start_clock_s, task.play_clock_s, deadline)

    def play(self, state: State, deadline: float) -> Reply:
        """Ask the object for a move."""
        answer = self._player.play(state, self.task.role, deadline)
        return answer if isinstance(answer, Reply) else Reply(answer)

    def stop(self, state: State) -> None:
        """Tell the object the final state, where it wants to know."""
        if hasattr(self._player, "stop"):
            self._player.stop(state)

    def abort(self) -> None:
        """Tell the object that the match is broken off, where it wants to know."""
        if hasattr(self._player, "abort"):
            self._player.abort()


def import_player(path: str) -> Any:
    """Return a new object of the class that `module.Class` names."""
    module_name, _, class_name = path.rpartition(".")
    if not module_name or not class_name:
        raise GameError(f"python:{path} names no class: write python:module.Class")
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise GameError(f"python:{path} cannot be imported: {error}") from error
    except Exception as error:
        raise GameError(f"python:{path} fails when imported: {type(error).__name__}: {error}") from error
    made = getattr(module, class_name, None)
    if not callable(made):
        known = [name for name, value in vars(module).items() if isinstance(value, type) and name[0] != "_"]
        raise GameError(f"module {module_name} has no class {class_name}; it has {', '.join(known) or 'none'}")
    try:
        return made()
    except Exception as error:
        raise GameError(f"python:{path} cannot be made: {type(error).__name__}: {error}") from error
