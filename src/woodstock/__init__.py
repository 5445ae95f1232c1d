"""Any game written in GDL: rules in, a correct and very fast game out.

>>> import woodstock
>>> game = woodstock.load("tic-tac-toe")
>>> state = game.initial
>>> len(state.legal(game.roles[0]))
9
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from woodstock import pictures

if TYPE_CHECKING:
    from woodstock.errors import (
        BudgetExceeded,
        GameError,
        IllegalMoveError,
        RulesError,
        UnknownGameError,
        WoodstockError,
    )
    from woodstock.game.game import Game
    from woodstock.game.load import load, loads
    from woodstock.game.perft import PerftRow, perft
    from woodstock.game.playouts import PlayoutStats
    from woodstock.game.state import State
    from woodstock.information import HiddenStateError, InformationState, Turn
    from woodstock.match.match import Match
    from woodstock.match.play_match import play_match
    from woodstock.match.record import MatchRecord
    from woodstock.players.decision import Decision, RootMove, SearchInfo
    from woodstock.players.make import make_player
    from woodstock.players.player import Player, Reply, Task
    from woodstock.players.search import search
    from woodstock.solve.game import solve_game
    from woodstock.solve.solution import Equilibrium, Solution
    from woodstock.symmetry.symmetries import Symmetries, find_symmetries
    from woodstock.view.view import View

__version__ = "0.3.0"

# Where each public name lives. Imported on first use: `woodstock --help` must not wait for numpy and clingo.
_HOMES = {
    "BudgetExceeded": "errors",
    "Decision": "players.decision",
    "Equilibrium": "solve.solution",
    "Game": "game.game",
    "GameError": "errors",
    "HiddenStateError": "information",
    "IllegalMoveError": "errors",
    "InformationState": "information",
    "Match": "match.match",
    "MatchRecord": "match.record",
    "PerftRow": "game.perft",
    "Player": "players.player",
    "PlayoutStats": "game.playouts",
    "Reply": "players.player",
    "RootMove": "players.decision",
    "RulesError": "errors",
    "SearchInfo": "players.decision",
    "Solution": "solve.solution",
    "State": "game.state",
    "Symmetries": "symmetry.symmetries",
    "Task": "players.player",
    "Turn": "information",
    "UnknownGameError": "errors",
    "View": "view.view",
    "WoodstockError": "errors",
    "find_symmetries": "symmetry.symmetries",
    "load": "game.load",
    "loads": "game.load",
    "make_player": "players.make",
    "perft": "game.perft",
    "play_match": "match.play_match",
    "search": "players.search",
    "solve_game": "solve.game",
}

__all__ = [
    "BudgetExceeded",
    "Decision",
    "Equilibrium",
    "Game",
    "GameError",
    "HiddenStateError",
    "IllegalMoveError",
    "InformationState",
    "Match",
    "MatchRecord",
    "PerftRow",
    "Player",
    "PlayoutStats",
    "Reply",
    "RootMove",
    "RulesError",
    "SearchInfo",
    "Solution",
    "State",
    "Symmetries",
    "Task",
    "Turn",
    "UnknownGameError",
    "View",
    "WoodstockError",
    "__version__",
    "find_symmetries",
    "load",
    "loads",
    "make_player",
    "perft",
    "play_match",
    "search",
    "solve_game",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'woodstock' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"woodstock.{home}"), name)
    globals()[name] = value
    return value


class _Painter:
    """Draws states; `woodstock.view` is loaded with the first picture."""

    def svg(self, state: State, before: State | None) -> str:
        from woodstock.view import view_of

        return view_of(state.game).svg(state, before)

    def text(self, state: State) -> str:
        from woodstock.view import view_of

        return str(view_of(state.game).draw(state))


pictures.register(_Painter())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
