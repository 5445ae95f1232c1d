"""The connection of one editor: texts and moves come in; diagnostics, boards and warnings go out."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from woodstock.web.pages import site_of
from woodstock.web.rules.desk import Desk, DeskLimits
from woodstock.web.settings import WebSettings

JsonObject = dict[str, Any]

# Each editor has two child processes.
MOST_EDITORS = 6
# Random play begins when nobody has typed for a while, and is short: the next text waits for its end.
_WARNING_PAUSE_S = 0.8
_WARNING_SECONDS = 0.7
_MOST_PATH = 2_000


class Editors:
    """How many editors are open."""

    def __init__(self) -> None:
        self.open = 0

    def close(self) -> None:
        """The connections end by themselves."""


class Editor:
    """One connection: a desk that reads, and one that plays; a text that takes long to load never delays reading."""

    def __init__(self, settings: WebSettings, outbox: asyncio.Queue[JsonObject]) -> None:
        self._loop = loop = asyncio.get_running_loop()
        self._is_closed = False

        def tell(message: JsonObject) -> None:
            # The loop may be closed when a last answer comes.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(self._hear, message)

        self._outbox = outbox
        limits = DeskLimits(settings.ground_seconds, settings.ground_memory_mb, settings.rules_bytes)
        self._reader = Desk(tell, limits)
        self._board = Desk(tell, limits)
        self._text = ""
        self._path: list[Any] = []
        self._number = 0

    def take(self, message: JsonObject) -> None:
        """Do what the browser asks for."""
        match message.get("type"):
            case "text":
                self._number, self._text = int(message.get("id", 0)), str(message.get("text", ""))
                path = message.get("path")
                self._path = list(path)[:_MOST_PATH] if _is_path(path) and isinstance(path, list) else []
                self._reader.ask({"do": "check", "id": self._number, "text": self._text})
            case "format":
                to = message.get("to") if message.get("to") in ("kif", "infix") else None
                text = str(message.get("text", ""))
                self._reader.ask({"do": "format", "id": message.get("id"), "text": text, "to": to})
            case "show" | "play" | "random" as what if _is_path(message.get("path")):
                asked: JsonObject = {key: message[key] for key in ("path", "moves", "turns", "seed") if key in message}
                if what != "play" or _is_moves(message.get("moves")):
                    self._board.ask({"do": what, "id": self._number, **asked})
            case _:
                self._outbox.put_nowait({"type": "problem", "text": "the editor did not understand a message"})

    def _hear(self, message: JsonObject) -> None:
        """Pass an answer on, and ask for what follows from it: text without errors is loaded, then played."""
        self._outbox.put_nowait(message)
        is_current = message.get("id") == self._number
        if message["type"] == "check" and is_current and not message.get("errors") and "problem" not in message:
            self._board.ask({"do": "open", "id": self._number, "text": self._text, "path": self._path})
        elif message["type"] == "open" and is_current and "problem" not in message:
            self._loop.call_later(_WARNING_PAUSE_S, self._ask_warnings, self._number)

    def _ask_warnings(self, number: int) -> None:
        if number == self._number and not self._is_closed:
            self._board.ask({"do": "warnings", "id": number, "seconds": _WARNING_SECONDS})

    def close(self) -> None:
        """End both child processes."""
        self._is_closed = True
        self._reader.close()
        self._board.close()


async def live(socket: WebSocket) -> None:
    """Serve one editor until it is closed."""
    await socket.accept()
    site = site_of(socket)
    editors: Editors = site.parts.setdefault("editors", Editors())
    if editors.open >= MOST_EDITORS:
        text = f"{MOST_EDITORS} editors are open already; close one and reload this page"
        await socket.send_json({"type": "problem", "text": text})
        await socket.close()
        return
    editors.open += 1
    outbox: asyncio.Queue[JsonObject] = asyncio.Queue()
    editor = Editor(site.settings, outbox)
    sender = asyncio.create_task(_send(socket, outbox))
    try:
        while True:
            message = await socket.receive_json()
            if isinstance(message, dict):
                editor.take(message)
    except (WebSocketDisconnect, ValueError, KeyError):
        pass
    finally:
        sender.cancel()
        editors.open -= 1
        await site.run(editor.close)


async def _send(socket: WebSocket, outbox: asyncio.Queue[JsonObject]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_json(await outbox.get())


def _is_path(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(joint, list) and all(isinstance(move, str) for move in joint) for joint in value
    )


def _is_moves(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(move, str) for move in value.values())
