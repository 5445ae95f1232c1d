"""Search trees for the analyses: kept for a while, so that the next state of a match starts with what is known."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence

from woodstock.game.game import Game
from woodstock.players.decision import SearchInfo
from woodstock.players.searcher import Searcher as Searcher
from woodstock.players.searcher import TreeSearcher, make_searcher
from woodstock.players.spec import parse_spec

# What a search may wait for before its first line; the rest of the preparation goes on meanwhile.
_PREPARE_S = 0.08
_TIMED_PLAYOUTS = 3
_TIMED_STEPS = 2_000
_SLOW_PLAYOUT_S = 0.0004


def infos_of(searcher: Searcher, first: SearchInfo, roles: Sequence[str]) -> list[SearchInfo]:
    """Return a report for each role, the first of which is known.

    While its tree is being made, a search samples moves without one and knows about one role only.
    """
    if not isinstance(searcher, TreeSearcher) or "nodes" not in first.statistics:
        return [first]
    return [first, *(searcher.info(role) for role in roles[1:])]


def _player_for(game: Game) -> str:
    """Return the player that analyses a game: one that reports several times a second.

    A search reports between its batches. In a game with long playouts and many moves a whole node with 256 playouts
    takes half a second, so such a game gets one child at a time and few playouts. Symmetries are found by `facts`, in
    the background: a player that waits for them shows nothing for seconds.
    """
    if game.engine_name != "circuit":
        return "mac-ucb:lanes=256"
    begun = time.thread_time()
    game.playouts(_TIMED_PLAYOUTS, engine="scalar", max_steps=_TIMED_STEPS)
    is_slow = time.thread_time() - begun > _TIMED_PLAYOUTS * _SLOW_PLAYOUT_S
    return "uct:lanes=16" if is_slow else "mac-ucb:lanes=256"


class Searchers:
    """Trees that no analysis uses now, at most `most` of them, the last used first. Any thread may call."""

    def __init__(self, *, most: int = 2, memory_mb: int = 128) -> None:
        self._most = most
        self._memory_mb = memory_mb
        self._lock = threading.Lock()
        self._idle: OrderedDict[int, tuple[Game, Searcher]] = OrderedDict()

    def take(self, game: Game) -> Searcher:
        """Return a tree for a game; it belongs to the caller until `give`."""
        with self._lock:
            key = next((key for key, (of, _) in reversed(self._idle.items()) if of is game), None)
            if key is not None:
                return self._idle.pop(key)[1]
        searcher = make_searcher(game, parse_spec(f"{_player_for(game)},memory={self._memory_mb}MiB"))
        searcher.prepare(time.monotonic() + _PREPARE_S)
        return searcher

    def give(self, game: Game, searcher: Searcher) -> None:
        """Hand a tree back; the one that was idle longest is freed."""
        with self._lock:
            self._idle[id(searcher)] = (game, searcher)
            while len(self._idle) > self._most:
                self._idle.popitem(last=False)
