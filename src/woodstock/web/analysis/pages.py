"""The analysis page: of a game from its start, or of a line of play that the address names."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route, WebSocketRoute

from woodstock.web.analysis.live import live
from woodstock.web.games.pages import bundled
from woodstock.web.match.lines import line_of
from woodstock.web.pages import render, site_of

_DEFAULT = "connect-four"


async def analysis(request: Request) -> Any:
    """Show the analysis of a game, or of a match from one of its nodes.

    The script keeps the line of play in the address.
    """
    line = await _line_of_match(request) if "match" in request.query_params else None
    key = request.query_params.get("game", _DEFAULT) if line is None else line["game"]
    loaded = await site_of(request).shelf.get(key)
    data = {
        "game": key,
        "title": loaded.title,
        "roles": list(loaded.game.roles),
        "scene": loaded.view.scene.as_json(),
        "engine": loaded.game.engine_name,
        "notes": list(loaded.game.notes),
        "line": line,
    }
    return render(request, "analysis.html", page="analysis", data=data, title=loaded.title, games=bundled(), key=key)


async def _line_of_match(request: Request) -> dict[str, Any]:
    """Return the moves of a match, and how far along them the node asked for is."""
    site, name = site_of(request), request.query_params["match"]
    whole = await line_of(site, name)
    wanted = request.query_params.get("node", "")
    part = await line_of(site, name, int(wanted)) if wanted.isdecimal() else whole
    moves = whole.moves if whole.moves[: len(part.moves)] == part.moves else part.moves
    return {"game": whole.game, "start": whole.start, "moves": moves, "at": len(part.moves)}


routes = [Route("/analysis", analysis), WebSocketRoute("/analysis/live", live)]
