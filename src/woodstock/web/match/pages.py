"""The pages of matches: the list, a new one, one that is played, its record."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.gdl.chance import without_chance
from woodstock.gdl.kif import read_terms
from woodstock.players.options import OPTIONS
from woodstock.players.registry import DEFAULT, PLAYERS
from woodstock.web.match.head import Head
from woodstock.web.match.lines import line_of
from woodstock.web.match.live import live
from woodstock.web.match.matches import matches_of, new_name, seat_with_invite
from woodstock.web.match.record import record_of
from woodstock.web.match.seats import PERSON, PLAYER, new_seat
from woodstock.web.pages import browser_of, problem, render, site_of
from woodstock.web.site import Site

_LONGEST_CLOCK_S = 3600.0
_HIDDEN_OPTIONS = ("workers", "seed", "ponder")


async def matches(request: Request) -> Any:
    """Show the list of matches."""
    site = site_of(request)
    return render(request, "matches.html", page="match", matches=await site.run(matches_of(site).listed))


async def new(request: Request) -> Any:
    """Show the form for a new match."""
    site = site_of(request)
    asked = request.query_params
    loaded = await site.shelf.get(asked.get("game", ""))
    roles = without_chance(loaded.game.roles)
    state = asked.get("state", "")
    if "match" in asked:
        state = await _state_of(site, asked["match"], asked.get("node", ""))
    if state:
        _state(loaded.game, state)
    seats = [(role, PERSON if i == 0 else PLAYER) for i, role in enumerate(roles)]
    return render(
        request,
        "new_match.html",
        page="match",
        title=loaded.title,
        key=loaded.key,
        seats=seats,
        state=state,
        default=DEFAULT,
        players=PLAYERS.values(),
        has_percepts=loaded.game.has_percepts,
        data={"players": player_settings(), "default": DEFAULT},
    )


async def _state_of(site: Site, match_id: str, node: str) -> str:
    """Return the fluents of a position of another match."""
    feed = await matches_of(site).feed(match_id)
    number = int(node) if node.isdecimal() else feed.match.current
    await line_of(site, match_id, number)  # says so if it may not be seen
    return " ".join(sorted(feed.match.tree.state(number).fluents))


def player_settings() -> list[dict[str, Any]]:
    """Return the built-in players with the options that a page offers."""
    helps = {option.name: option.help for option in OPTIONS}
    return [
        {
            "name": kind.name,
            "summary": kind.summary,
            "options": [{"name": name, "help": helps[name]} for name in kind.options if name not in _HIDDEN_OPTIONS],
        }
        for kind in PLAYERS.values()
    ]


async def create(request: Request) -> Any:
    """Begin the match that the form asks for."""
    site = site_of(request)
    form = await request.form(max_files=0, max_fields=200)
    loaded = await site.shelf.get(_text(form, "game"))
    browser = browser_of(request)
    memory_mb = site.settings.tree_memory_mb
    seats = tuple(
        new_seat(role, _wanted(form, i), browser, memory_mb) for i, role in enumerate(without_chance(loaded.game.roles))
    )
    head = Head(
        id=new_name(),
        game=loaded.key,
        title=loaded.title,
        seats=seats,
        start_clock_s=_clock(form, "start_clock", 2.0),
        play_clock_s=_clock(form, "play_clock", 2.0),
        delay_s=_clock(form, "delay", 0.4, least=0.0),
        is_clocked="is_clocked" in form,
        is_paused="is_paused" in form,
        state=_state(loaded.game, _text(form, "state")) if _text(form, "state") else None,
        creator=browser,
    )
    return RedirectResponse(f"/match/{await matches_of(site).create(head)}", 303)


def _wanted(form: FormData, number: int) -> Mapping[str, Any]:
    """Return what the form says about a seat; a seat that it does not name is for a built-in player."""
    kind = _text(form, f"kind{number}") or PLAYER
    if kind in ("here", "link"):
        return {"kind": PERSON, "isOpen": kind == "link"}
    spec = _text(form, f"url{number}") if kind == "url" else _text(form, f"spec{number}") or DEFAULT
    return {"kind": kind, "spec": spec}


def _text(form: FormData, name: str) -> str:
    found = form.get(name, "")
    return found.strip() if isinstance(found, str) else ""


def _clock(form: FormData, name: str, default: float, least: float = 0.05) -> float:
    text = _text(form, name)
    try:
        found = float(text) if text else default
    except ValueError:
        found = -1.0
    if not least <= found <= _LONGEST_CLOCK_S:
        raise GameError(f"a clock has {least:g} to {_LONGEST_CLOCK_S:.0f} seconds, not {text!r}")
    return found


def _state(game: Game, text: str) -> tuple[str, ...]:
    """Return the fluents of a state; GameError if they are no state of the game."""
    try:
        fluents = read_terms(text)
    except ValueError as error:
        raise GameError(f"this is no state: {error}; write fluents such as (cell 1 1 x) (control o)") from error
    return tuple(sorted(game.state(fluents).fluents))


async def show(request: Request) -> Any:
    """Show a match; a link with the secret of a seat gives the seat to this browser."""
    site = site_of(request)
    name = request.path_params["name"]
    feed = await matches_of(site).feed(name)
    secret = request.query_params.get("seat")
    if secret is not None:
        seat = seat_with_invite(feed.match.head, secret)
        if seat is None:
            return problem(request, "This link does not give away a seat any more.", 410, page="match")
        if seat.owner not in ("", browser_of(request)):
            return problem(request, f"Somebody else has taken the seat of {seat.role}.", 409, page="match")
        await site.run(feed.match.give_seat, seat.role, browser_of(request))
        return RedirectResponse(f"/match/{name}", 303)
    head = feed.match.head
    token = site.settings.token
    return render(
        request,
        "match.html",
        page="match",
        title=head.title,
        game=head.game,
        data={
            "id": name,
            "players": player_settings(),
            "default": DEFAULT,
            "cores": os.cpu_count() or 1,
            "token": token or "",
        },
    )


async def record(request: Request) -> Any:
    """Send the record of the line that the match is in, in the GGP match format."""
    site = site_of(request)
    feed = await matches_of(site).feed(request.path_params["name"])
    if feed.sight.is_hidden:
        raise GameError("the rules hide things: the record can be had when the match is over")
    text = json.dumps((await site.run(record_of, feed.match)).as_json(), indent=1)
    headers = {"Content-Disposition": f'attachment; filename="{feed.match.head.game}.json"'}
    return Response(text, media_type="application/json", headers=headers)


routes = [
    Route("/matches", matches),
    Route("/match/new", new),
    Route("/match/new", create, methods=["POST"]),
    Route("/match/{name}", show),
    Route("/match/{name}/record.json", record),
    WebSocketRoute("/match/{name}/live", live),
]
