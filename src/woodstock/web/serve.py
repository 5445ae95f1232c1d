"""Run the site until it is stopped: a socket, the server, and what is said at the start."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from woodstock.errors import WoodstockError
from woodstock.web.app import make_app
from woodstock.web.settings import WebSettings
from woodstock.web.store import Store

_BACKLOG = 128


def listen(settings: WebSettings) -> socket.socket:
    """Return a socket that listens; the error says what to try if the port is taken."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((settings.host, settings.port))
        found.listen(_BACKLOG)
    except OSError as error:
        found.close()
        where = f"{settings.host}:{settings.port}"
        raise WoodstockError(f"cannot listen on {where}: {error.strerror}. Try --port 0 for a free one") from error
    return found


def address(settings: WebSettings, port: int, page: str = "") -> str:
    """Return where to point a browser; `page` is a path without its first slash."""
    host = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(settings.host, settings.host)
    start = f"http://[{host}]:{port}/{page}" if ":" in host else f"http://{host}:{port}/{page}"
    if settings.token is None:
        return start
    return f"{start}{'&' if '?' in page else '?'}token={settings.token}"


def serve(settings: WebSettings, found: socket.socket, is_ready: Callable[[], None]) -> None:
    """Answer requests on the socket until a signal ends the process; `is_ready` is called once answers come."""
    # A file that cannot be used is an error now, with a message, and not in the log of the server.
    Store(settings.database).close()
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=settings.body_bytes,
        ws_per_message_deflate=True,
        server_header=False,
        timeout_graceful_shutdown=1,
        loop="asyncio",
    )
    server = _Server(config, is_ready)
    asyncio.run(server.serve([found]))


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, is_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._is_ready = is_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._is_ready()
