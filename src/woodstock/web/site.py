"""What all pages share: settings, loaded games, the store, live matches, threads for slow work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

from woodstock.web.settings import WebSettings
from woodstock.web.shelf import Shelf
from woodstock.web.store import Store

P = ParamSpec("P")
T = TypeVar("T")
_THREADS = 8


class Site:
    """One site. Made before the server starts, closed when it ends."""

    def __init__(self, settings: WebSettings) -> None:
        self.settings = settings
        self.store = Store(settings.database)
        self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="page")
        self.shelf = Shelf(settings, self.store)
        # Whatever else lives as long as the site, by the name of its page; each has `close`.
        self.parts: dict[str, Any] = {}

    async def run(self, call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run slow work on a thread, so that the other pages go on."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, partial(call, *args, **named))

    def close(self) -> None:
        """End everything that runs."""
        for part in self.parts.values():
            part.close()
        self.shelf.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
        self.store.close()
