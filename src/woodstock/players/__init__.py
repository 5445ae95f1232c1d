"""Players: programs that choose moves. `woodstock.search` is the way in for one state, `make_player` for a match.

Comes in: a `Game`, a state and a budget. Goes out: a `Decision`, and `SearchInfo` events while the player thinks.
"""

from woodstock.players.decision import Decision, RootMove, SearchInfo
from woodstock.players.player import Player, make_player
from woodstock.players.registry import PLAYERS, describe
from woodstock.players.search import search
from woodstock.players.spec import PlayerSpec, parse_spec

__all__ = [
    "PLAYERS",
    "Decision",
    "Player",
    "PlayerSpec",
    "RootMove",
    "SearchInfo",
    "describe",
    "make_player",
    "parse_spec",
    "search",
]
