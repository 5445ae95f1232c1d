"""Players: programs and people that choose moves. `woodstock.search` searches one state, `make_player` is for matches.

Comes in: a `Game`, a state and a budget. Goes out: a move, and `SearchInfo` events while a player thinks. What is named
here loads no engine: `players.search` and `players.search_player` do.
"""

from woodstock.players.decision import Decision, RootMove, SearchInfo
from woodstock.players.failure import PlayerFailure
from woodstock.players.make import make_player
from woodstock.players.player import Player, Reply, Task
from woodstock.players.registry import PLAYERS, describe
from woodstock.players.spec import PlayerSpec, parse_spec

__all__ = [
    "PLAYERS",
    "Decision",
    "Player",
    "PlayerFailure",
    "PlayerSpec",
    "Reply",
    "RootMove",
    "SearchInfo",
    "Task",
    "describe",
    "make_player",
    "parse_spec",
]
