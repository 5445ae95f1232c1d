"""From what a user writes for a player to the player.

`random`, `uct:c=0.7`, `http://127.0.0.1:9147`, `lib:./strategy.so`, `python:module.Class` or `human`.
"""

from __future__ import annotations

import importlib

from woodstock.errors import GameError
from woodstock.players.person import Ask, Person
from woodstock.players.player import Player


def make_player(spec: str, ask: Ask | None = None, *, ponders: bool = False) -> Player:
    """Return the player that `spec` names; `ask` is how a person is asked for a move.

    With `ponders` a built-in player thinks while others do.

    >>> make_player("uct:c=0.7").name
    'uct:c=0.7'
    """
    kind, colon, rest = spec.partition(":")
    if spec == "human":
        if ask is None:
            raise GameError("a human needs a terminal: there is none here")
        return Person(ask)
    if colon and kind == "http":
        from woodstock.players.remote import RemotePlayer

        return RemotePlayer(spec)
    if colon and kind == "https":
        raise GameError(f"{spec}: the GGP protocol speaks plain http")
    if colon and kind == "lib":
        from woodstock.players.library import LibraryPlayer

        return LibraryPlayer(rest)
    if colon and kind == "python":
        return _from_python(rest)
    from woodstock.players.search_player import SearchPlayer

    return SearchPlayer(spec, ponders=ponders)


def _from_python(path: str) -> Player:
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
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        known = [name for name, value in vars(module).items() if isinstance(value, type) and name[0] != "_"]
        raise GameError(f"module {module_name} has no class {class_name}; it has {', '.join(known) or 'none'}")
    if not issubclass(found, Player):
        raise GameError(
            f"python:{path} is not a player: derive it from woodstock.Player and write move(view, deadline)"
        )
    try:
        player = found()
    except Exception as error:
        raise GameError(f"python:{path} cannot be made: {type(error).__name__}: {error}") from error
    player.name = f"python:{path}"
    return player
