"""The analysis page: of a game from its start, or of a line of play that the address names."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from woodstock.web.analysis.live import live
from woodstock.web.games.pages import bundled
from woodstock.web.pages import render, site_of

_DEFAULT = "connect-four"


async def analysis(request: Request) -> Any:
    """Show the analysis of a game; the script reads the line of play from the address."""
    key = request.query_params.get("game", _DEFAULT)
    loaded = await site_of(request).shelf.get(key)
    data = {
        "game": key,
        "title": loaded.title,
        "roles": list(loaded.game.roles),
        "scene": loaded.view.scene.as_json(),
        "engine": loaded.game.engine_name,
        "notes": list(loaded.game.notes),
    }
    return render(request, "analysis.html", page="analysis", data=data, title=loaded.title, games=bundled(), key=key)


routes = [Route("/analysis", analysis), WebSocketRoute("/analysis/live", live)]
