"""The connection of an analysis page: lines of play come in, positions and a stream of findings go out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from woodstock.errors import WoodstockError
from woodstock.game.state import State
from woodstock.web.analysis.analysts import Analysts, Watch
from woodstock.web.analysis.review import review
from woodstock.web.lines import read_line, states_of
from woodstock.web.pages import site_of
from woodstock.web.position import position_json
from woodstock.web.shelf import Loaded
from woodstock.web.site import Site

JsonObject = dict[str, Any]

# A review looks at each state of a match this long, and never longer than this for all of them.
_REVIEW_EACH_S = 0.25
_REVIEW_MOST_S = 20.0
# A browser that reads more slowly than this many messages is sent the newest ones only.
_MOST_WAITING = 64


def analysts_of(site: Site) -> Analysts:
    """Return the analyses of a site."""
    found: Analysts = site.parts.setdefault("analysts", Analysts())
    return found


class Table:
    """One page that looks at a state. It looks at one state at a time."""

    def __init__(self, site: Site) -> None:
        self._site, self._analysts = site, analysts_of(site)
        self._loop = asyncio.get_running_loop()
        self.outbox: asyncio.Queue[JsonObject] = asyncio.Queue(_MOST_WAITING)
        self._watch: Watch | None = None
        self._look = 0
        self._review = 0

    async def take(self, message: JsonObject) -> None:
        """Do what the page asks for; what cannot be done is said."""
        try:
            match message.get("type"):
                case "look":
                    await self._take_look(message)
                case "stop":
                    self._close_watch()
                case "review":
                    await self._take_review(message)
                case _:
                    raise WoodstockError("the analysis did not understand a message")
        except WoodstockError as error:
            self._put({"type": "problem", "id": message.get("id"), "text": str(error)})

    async def _take_look(self, message: JsonObject) -> None:
        """Show the state at the end of a line, and analyse it if that is wanted."""
        self._close_watch()
        self._look += 1
        number = self._look
        loaded, states = await self._states(message)
        position = await self._site.run(_position, loaded, states)
        if number != self._look:
            return  # a newer wish came meanwhile
        name = message.get("id")
        self._put({"type": "position", "id": name, "turns": len(states) - 1, **position})
        if message.get("analyse", True):
            self._watch = self._analysts.watch(states, self._teller(name, lambda: self._look == number))

    async def _take_review(self, message: JsonObject) -> None:
        """Evaluate every state of a line, on a thread."""
        self._review += 1
        number = self._review
        loaded, states = await self._states(message)
        del loaded
        tell = self._teller(message.get("id"), lambda: self._review == number)
        seconds = min(_REVIEW_MOST_S, _REVIEW_EACH_S * len(states))

        def work() -> None:
            searchers = self._analysts.searchers
            for one in review(states, searchers, seconds=seconds, is_wanted=lambda: self._review == number):
                tell(one)
            tell({"type": "reviewed"})

        self._site.threads.submit(work)

    async def _states(self, message: JsonObject) -> tuple[Loaded, list[State]]:
        line = read_line(message.get("line"))
        loaded = await self._site.shelf.get(line.game)
        return loaded, await self._site.run(states_of, loaded.game, line.start, line.moves)

    def _teller(self, name: object, is_wanted: Callable[[], bool]) -> Callable[[JsonObject], None]:
        def tell(message: JsonObject) -> None:
            if is_wanted():
                # The loop may be closed when a last message comes.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._put, {**message, "id": name})

        return tell

    def _put(self, message: JsonObject) -> None:
        if self.outbox.full() and message["type"] == "search":
            return  # the next one says the same and more
        with contextlib.suppress(asyncio.QueueFull):
            self.outbox.put_nowait(message)

    def _close_watch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def close(self) -> None:
        """Look at nothing any more."""
        self._look += 1
        self._review += 1
        self._close_watch()


def _position(loaded: Loaded, states: list[State]) -> JsonObject:
    before = states[-2] if len(states) > 1 else None
    found = position_json(loaded.view, loaded.gestures, states[-1], before)
    return {**found, "fluents": " ".join(sorted(states[-1].fluents))}


async def live(socket: WebSocket) -> None:
    """Serve one page until it is closed."""
    await serve_table(socket, Table)


async def serve_table(socket: WebSocket, make: Callable[[Site], Table]) -> None:
    """Let a page ask its table until the page is closed."""
    await socket.accept()
    table = make(site_of(socket))
    sender = asyncio.create_task(_send(socket, table.outbox))
    try:
        while True:
            message = await socket.receive_json()
            if isinstance(message, dict):
                await table.take(message)
    except (WebSocketDisconnect, ValueError, KeyError):
        pass
    finally:
        sender.cancel()
        table.close()


async def _send(socket: WebSocket, outbox: asyncio.Queue[JsonObject]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_json(await outbox.get())
