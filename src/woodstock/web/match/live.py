"""The WebSocket of a match: wishes of one page come in, what happens goes out."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from woodstock.errors import GameError, WoodstockError
from woodstock.web.match.feed import Feed, Viewer
from woodstock.web.match.matches import matches_of
from woodstock.web.match.seats import new_seat
from woodstock.web.match.sight import can_control
from woodstock.web.match.why import why_not
from woodstock.web.pages import browser_of, site_of
from woodstock.web.site import Site

Json = dict[str, Any]
_TRY_AGAIN = 1013


async def live(socket: WebSocket) -> None:
    """Serve one page until it is left."""
    site = site_of(socket)
    try:
        feed = await matches_of(site).feed(socket.path_params["name"])
    except WoodstockError as error:
        await socket.accept()
        await socket.send_json({"type": "gone", "text": str(error)})
        await socket.close()
        return
    await socket.accept()
    viewer = Viewer(browser_of(socket))
    feed.add(viewer)
    sender = asyncio.create_task(_send(socket, viewer))
    try:
        whole = await site.run(feed.sight.whole, viewer.browser)
        viewer.begin(json.dumps({**whole, "watchers": feed.viewers}))
        while True:
            text = await socket.receive_text()
            await _obey(site, feed, viewer, text)
    except (WebSocketDisconnect, RuntimeError):
        # RuntimeError: the socket was closed while a message was on its way.
        pass
    finally:
        feed.remove(viewer)
        sender.cancel()


async def _send(socket: WebSocket, viewer: Viewer) -> None:
    try:
        while (text := await viewer.queue.get()) is not None:
            await socket.send_text(text)
        await socket.close(_TRY_AGAIN)
    except (WebSocketDisconnect, RuntimeError):
        return


async def _obey(site: Site, feed: Feed, viewer: Viewer, text: str) -> None:
    """Do what a message asks for; a wrong one gets an answer that says so."""
    try:
        message = json.loads(text)
        if not isinstance(message, dict):
            raise GameError("a message is an object")
        answer = await _answer(site, feed, viewer.browser, message)
    except WoodstockError as error:
        answer = {"type": "problem", "text": str(error)}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        answer = {"type": "problem", "text": "this message cannot be read"}
    if answer is not None:
        viewer.put(json.dumps(answer))


async def _answer(site: Site, feed: Feed, browser: str, message: Json) -> Json | None:
    match, sight = feed.match, feed.sight
    roles = match.head.owned(browser)
    kind = message.get("type")
    if kind == "show":
        node = _node(feed, message)
        position = await site.run(sight.position, roles, node)
        return {"type": "position", **position, "moves": await site.run(sight.moves, roles, node)}
    if kind == "move":
        role, move = str(message["role"]), str(message["move"])
        if role not in roles:
            raise GameError(f"the seat of {role} is not yours")
        await site.run(match.offer, role, _node(feed, message), move)
        return {"type": "offered", "role": role, "node": message["node"], "move": move}
    if kind == "why":
        role = str(message["role"])
        if role not in roles or sight.is_hidden:
            raise GameError("this question is for the person in the seat")
        clicks, asked = list(message.get("clicks") or []), message.get("move")
        state = match.tree.state(_node(feed, message))
        return await site.run(why_not, match.loaded, state, role, clicks, asked)
    if not can_control(match.head, browser):
        raise GameError("only those who play, or made the match, can do that")
    _control(site, feed, browser, message)
    return None


def _control(site: Site, feed: Feed, browser: str, message: Json) -> None:
    match = feed.match
    kind = message.get("type")
    if kind == "pause":
        match.pause(bool(message["isPaused"]))
    elif kind == "step":
        match.step()
    elif kind == "go":
        match.go_to(_node(feed, message))
    elif kind == "delay":
        match.set_delay(min(10.0, max(0.0, float(message["seconds"]))))
    elif kind == "seat":
        role = str(message["role"])
        if role not in {seat.role for seat in match.head.seats}:
            raise GameError(f"there is no seat for {role}")
        match.seat(new_seat(role, message["seat"], browser, site.settings.tree_memory_mb))
    else:
        raise GameError(f"nobody knows what {str(kind)[:40]} means")


def _node(feed: Feed, message: Json) -> int:
    node = message["node"]
    if node not in feed.match.tree:
        raise GameError("there is no such position")
    return int(node)
