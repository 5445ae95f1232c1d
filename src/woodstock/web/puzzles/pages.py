"""The list of puzzles, and the page of one."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from woodstock.errors import GameError
from woodstock.web.games.pages import bundled
from woodstock.web.pages import render, site_of
from woodstock.web.puzzles.live import live


async def puzzles(request: Request) -> Any:
    """Show the list, or the puzzle that the address names."""
    key = request.query_params.get("game")
    games = [game for game in bundled() if game.players == 1 and "stochastic" not in game.kinds]
    if key is None:
        return render(request, "puzzles.html", page="puzzles", games=games)
    loaded = await site_of(request).shelf.get(key)
    game = loaded.game
    if len(game.roles) != 1:
        raise GameError(f"{loaded.title} is no puzzle: it has the roles {', '.join(game.roles)}")
    about = next((one.description for one in games if one.name == key), "")
    data = {"game": key, "title": loaded.title, "roles": list(game.roles), "scene": loaded.view.scene.as_json()}
    return render(request, "puzzle.html", page="puzzles", data=data, title=loaded.title, about=about, key=key)


routes = [Route("/puzzles", puzzles), WebSocketRoute("/puzzles/live", live)]
