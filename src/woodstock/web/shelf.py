"""Loaded games: prepared once, on a thread, and kept while they are in use; the oldest leave first.

A key is the name of a bundled game, or that of rules in the store (`r` and 16 digits). Rules that somebody pasted are
first prepared in a child process with a limit on time and memory; only rules that pass are loaded here.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from woodstock.errors import UnknownGameError
from woodstock.game.game import Game
from woodstock.game.load import load, loads
from woodstock.games import find
from woodstock.view import Gestures, View
from woodstock.web.settings import WebSettings
from woodstock.web.store import Store, is_rules_key
from woodstock.web.trial import try_rules

_THREADS = 2


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game that is ready: its key, its title, how it is drawn, and how its moves are made on the board."""

    key: str
    title: str
    game: Game
    view: View
    gestures: Gestures


class Shelf:
    """The games that are loaded now. Two requests for one game share the work."""

    def __init__(self, settings: WebSettings, store: Store) -> None:
        self._settings, self._store = settings, store
        # Threads of its own: those of the pages may wait for a game.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="load")
        self._games: OrderedDict[str, Future[Loaded]] = OrderedDict()
        self._lock = threading.Lock()

    async def get(self, key: str) -> Loaded:
        """Return the game; WoodstockError if there is none, or if its rules are wrong or too large."""
        # Shielded: a page that is left must not take the game away from others.
        return await asyncio.shield(asyncio.wrap_future(self._future(key)))

    def get_now(self, key: str) -> Loaded:
        """Return the game, from a thread that may wait."""
        return self._future(key).result()

    def close(self) -> None:
        """Load nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _future(self, key: str) -> Future[Loaded]:
        with self._lock:
            found = self._games.get(key)
            if found is None or (found.done() and found.exception() is not None):
                found = self._games[key] = self._threads.submit(self._load, key)
            self._games.move_to_end(key)
            while len(self._games) > self._settings.games_kept:
                self._games.popitem(last=False)
            return found

    def _load(self, key: str) -> Loaded:
        seconds, memory_mb = self._settings.ground_seconds, self._settings.ground_memory_mb
        if is_rules_key(key):
            rules = self._store.rules(key)
            if rules is None:
                raise UnknownGameError("no such rules here: they were written on another site, or removed")
            try_rules(rules.name, rules.text, self._settings)
            game = loads(rules.text, rules.name, ground_seconds=seconds, ground_memory_mb=memory_mb)
            return _loaded(key, rules.name, game)
        bundled = find(key)
        if bundled.name != key:
            raise UnknownGameError(f"no game {key}; did you mean {bundled.name}?")
        game = load(bundled.path, ground_seconds=seconds, ground_memory_mb=memory_mb)
        return _loaded(key, bundled.title, game)


def _loaded(key: str, title: str, game: Game) -> Loaded:
    view = View(game)
    return Loaded(key, title, game, view, Gestures(game, view.layout, view.scene))
