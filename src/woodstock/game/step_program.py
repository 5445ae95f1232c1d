"""The step of a game whose moves the caller chooses, compiled for the batch engine."""

from __future__ import annotations

import threading
import weakref

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game

# Compiling takes seconds for a large game; all users of a game share the result.
_PROGRAMS: weakref.WeakKeyDictionary[Game, _native.StepProgram] = weakref.WeakKeyDictionary()
_LOCK = threading.Lock()


def step_program(game: Game) -> _native.StepProgram:
    """Return the compiled step of a grounded game, made on the first call."""
    engine = game.engine
    if not isinstance(engine, CircuitEngine):
        raise GameError(f"{game.name} has no batch engine: it was not grounded. {' '.join(game.notes)}")
    with _LOCK:
        program = _PROGRAMS.get(game)
        if program is None:
            program = _PROGRAMS[game] = _native.make_step_program(engine.circuit, engine.backend)
        return program
