"""Search trees for the analyses: kept for a while, so that the next state of a match starts with what is known."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from woodstock.game.game import Game
from woodstock.players.searcher import Searcher as Searcher
from woodstock.players.searcher import make_searcher
from woodstock.players.spec import parse_spec

# What a search may wait for before its first line; the rest of the preparation goes on meanwhile.
_PREPARE_S = 0.08


class Searchers:
    """Trees that no analysis uses now, at most `most` of them, the last used first. Any thread may call."""

    def __init__(self, *, most: int = 2, memory_mb: int = 128) -> None:
        self._most = most
        # Symmetries are found by `facts`, in the background: a player that waits for them shows nothing for seconds.
        self._spec = parse_spec(f"mac-ucb:memory={memory_mb}MiB")
        self._lock = threading.Lock()
        self._idle: OrderedDict[int, tuple[Game, Searcher]] = OrderedDict()

    def take(self, game: Game) -> Searcher:
        """Return a tree for a game; it belongs to the caller until `give`."""
        with self._lock:
            key = next((key for key, (of, _) in reversed(self._idle.items()) if of is game), None)
            if key is not None:
                return self._idle.pop(key)[1]
        searcher = make_searcher(game, self._spec)
        searcher.prepare(time.monotonic() + _PREPARE_S)
        return searcher

    def give(self, game: Game, searcher: Searcher) -> None:
        """Hand a tree back; the one that was idle longest is freed."""
        with self._lock:
            self._idle[id(searcher)] = (game, searcher)
            while len(self._idle) > self._most:
                self._idle.popitem(last=False)
