"""The replay pages: open a record, and look at one."""

from __future__ import annotations

import hashlib
import json
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from woodstock.errors import GameError, WoodstockError
from woodstock.match.record import MatchRecord, RecordError
from woodstock.web.games.pages import bundled
from woodstock.web.match.matches import matches_of
from woodstock.web.match.record import record_of
from woodstock.web.pages import render, site_of
from woodstock.web.replay.story import game_of, story
from woodstock.web.site import Site

_LISTED = 30
_MOST_RECORDS = 500


async def replay(request: Request) -> Any:
    """Show where to open a record, and those opened before."""
    rows = site_of(request).store.read("SELECT id, game, at FROM records ORDER BY at DESC LIMIT ?", (_LISTED,))
    records = [
        {"id": name, "game": game, "at": time.strftime("%d %b %H:%M", time.localtime(at))} for name, game, at in rows
    ]
    return render(request, "replay.html", page="replay", games=bundled(), records=records)


async def keep(request: Request) -> Response:
    """Take a record that somebody opened; answer with its address, or with what is wrong with it."""
    site = site_of(request)
    try:
        value = json.loads(await request.body())
        if not isinstance(value, dict):
            raise RecordError("the file is not a match record")
        record = MatchRecord.from_json(value.get("record"), str(value.get("name", "the file"))[:80])
        key = game_of(record, site.store, str(value.get("game", "")))
        loaded = await site.shelf.get(key)
        await site.run(story, record, loaded)  # says what is wrong
    except json.JSONDecodeError as error:
        return JSONResponse({"problem": f"the file is not a match record: not JSON, {error}"}, 400)
    except (WoodstockError, TypeError, AttributeError, KeyError) as error:
        return JSONResponse({"problem": str(error)}, 400)
    return JSONResponse({"address": f"/replay/{_write(site, key, record)}"})


def _write(site: Site, key: str, record: MatchRecord) -> str:
    """Keep a record; the same one has the same name. The oldest of very many leave."""
    body = json.dumps({"game": key, "record": record.as_json()})
    name = hashlib.sha256(body.encode()).hexdigest()[:16]
    oldest = "DELETE FROM records WHERE id IN (SELECT id FROM records ORDER BY at DESC LIMIT -1 OFFSET ?)"
    site.store.write(
        ("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)", (name, record.game, body, time.time())),
        (oldest, (_MOST_RECORDS,)),
    )
    return name


async def show(request: Request) -> Any:
    """Show a record that was opened before."""
    site = site_of(request)
    rows = site.store.read("SELECT body FROM records WHERE id = ?", (request.path_params["name"],))
    if not rows:
        raise WoodstockError("There is no such record here.")
    value = json.loads(rows[0][0])
    return await show_record(request, MatchRecord.from_json(value["record"]), value["game"])


async def show_match(request: Request) -> Any:
    """Show the record of a match of this site."""
    site = site_of(request)
    feed = await matches_of(site).feed(request.path_params["name"])
    if feed.sight.is_hidden:
        raise GameError("the rules hide things: the match can be replayed when it is over")
    return await show_record(request, await site.run(record_of, feed.match), feed.match.head.game)


async def show_record(request: Request, record: MatchRecord, key: str) -> Any:
    """Show a record under the rules of a game."""
    site = site_of(request)
    loaded = await site.shelf.get(key)
    data = await site.run(story, record, loaded)
    return render(request, "record.html", page="replay", data=data, title=loaded.title, record=record)


routes = [
    Route("/replay", replay),
    Route("/replay", keep, methods=["POST"]),
    Route("/replay/match/{name}", show_match),
    Route("/replay/{name}", show),
]
