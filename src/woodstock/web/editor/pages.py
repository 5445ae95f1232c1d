"""The page of the rules editor, and keeping what was written."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from woodstock.errors import UnknownGameError
from woodstock.games import find
from woodstock.web.editor.live import live
from woodstock.web.games.pages import bundled
from woodstock.web.pages import render, site_of
from woodstock.web.store import is_rules_key

_LONGEST_NAME = 80


async def rules(request: Request) -> Any:
    """Show the editor with the rules of a game, with rules that were kept, or with a small example."""
    key = request.query_params.get("game", "")
    name, text = "my-game", ""
    if is_rules_key(key):
        kept = site_of(request).store.rules(key)
        if kept is None:
            raise UnknownGameError("no such rules here: they were written on another site, or removed")
        name, text = kept.name, kept.text
    elif key:
        game = find(key)
        name, text = game.name, game.read()
    data = {"name": name, "text": text, "key": key, "most": site_of(request).settings.rules_bytes}
    return render(request, "rules.html", page="rules", data=data, games=bundled())


async def keep(request: Request) -> Response:
    """Keep rules under a name and return their key; only rules that load can be played later."""
    site = site_of(request)
    value = await request.json()
    name = str(value.get("name", "")).strip()[:_LONGEST_NAME] if isinstance(value, dict) else ""
    text = str(value.get("text", "")) if isinstance(value, dict) else ""
    if not name or not text.strip():
        return JSONResponse({"problem": "give the rules a name, and write some"}, 400)
    if len(text.encode()) > site.settings.rules_bytes:
        return JSONResponse({"problem": f"rules may have {site.settings.rules_bytes:,} bytes"}, 413)
    return JSONResponse({"key": site.store.keep_rules(name, text)})


routes = [Route("/rules", rules), Route("/rules/keep", keep, methods=["POST"]), WebSocketRoute("/rules/live", live)]
