"""Seating: turns the players that a user gives into one player for each role."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance
from woodstock.players.make import make_player
from woodstock.players.player import Player

Seats = Sequence[Player | str] | Mapping[str, Player | str]


def by_role(game: Game, players: Seats) -> dict[str, Player]:
    """Return a player for each role but chance; GameError if one is missing, or sits in two seats.

    >>> import woodstock
    >>> [player.name for player in by_role(woodstock.load("tic-tac-toe"), ["uct", "legal"]).values()]
    ['uct', 'legal']
    """
    roles = without_chance(game.roles)
    if isinstance(players, Mapping):
        given = {game.roles[game.role_index(role)]: player for role, player in players.items()}
    else:
        wanted = game.roles if len(players) == len(game.roles) else roles
        if len(players) != len(wanted):
            raise GameError(
                f"{game.name} needs {len(roles)} players, one for each of {', '.join(roles)}: {len(players)} given"
            )
        given = dict(zip(wanted, players, strict=True))
    missing = [role for role in roles if role not in given]
    if missing:
        raise GameError(f"{game.name} has no player for {', '.join(missing)}")
    seated = {role: make_player(player) if isinstance(player, str) else player for role, player in given.items()}
    if len(set(map(id, seated.values()))) < len(seated):
        raise GameError("one player cannot sit in two seats: make a player for each")
    return seated
