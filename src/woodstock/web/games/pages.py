"""The gallery of games, and their pictures."""

from __future__ import annotations

import functools
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from woodstock.games import all_games
from woodstock.games.library import KINDS, BundledGame
from woodstock.web.games.pictures import Pictures, draw, drawn
from woodstock.web.pages import render, site_of

_OWN_RULES = 24
# A picture changes only with the version of woodstock or with the rules.
_CACHE = "private, max-age=86400"


@functools.cache
def bundled() -> tuple[BundledGame, ...]:
    """Return the bundled games by title; their files do not change while the server runs."""
    return tuple(sorted(all_games(), key=lambda game: game.title.casefold()))


async def games(request: Request) -> Any:
    """Show the gallery."""
    site = site_of(request)
    own = site.store.read("SELECT key, name FROM rules ORDER BY at DESC LIMIT ?", (_OWN_RULES,))
    return render(request, "games.html", page="games", games=bundled(), kinds=KINDS, own=own)


async def picture(request: Request) -> Response:
    """Return the picture of a game."""
    site = site_of(request)
    key = request.path_params["key"]
    pictures: Pictures = site.parts.setdefault("pictures", Pictures())
    found = pictures.get(key)
    if found is None and any(game.name == key for game in bundled()):
        found = drawn(key)
    if found is None:
        found = await site.run(draw, await site.shelf.get(key))
        pictures.keep(key, found)
    return Response(found, media_type="image/svg+xml", headers={"Cache-Control": _CACHE})


routes = [Route("/", games), Route("/games/{key}/picture.svg", picture)]
