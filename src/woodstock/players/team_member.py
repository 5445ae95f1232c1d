"""One worker of a team: grows a tree for a state and returns what its root knows.

Runs in the process of a Dask worker, so all it needs comes with the task: the rules as text, the player's specification
and the state's fluents. It keeps the trees of its last matches, so that a match goes on in the tree it has.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

import woodstock
from woodstock.game.game import Game
from woodstock.players.budget import Budget
from woodstock.players.decision import Decision
from woodstock.players.searcher import Searcher, make_searcher
from woodstock.players.spec import PlayerSpec

# Matches whose trees a worker keeps; each tree has the memory bound of its player.
_KEPT = 2
_PREPARE_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class TeamTask:
    """What a worker is asked: to search a state for a time, or to prepare if there is no state."""

    match: str
    name: str
    rules: str
    spec: PlayerSpec
    role: str
    fluents: frozenset[str] | None
    seconds: float
    simulations: int = 0


# State of the worker's process: it is bounded, and no other process sees it.
_matches: OrderedDict[str, tuple[Game, Searcher]] = OrderedDict()
_lock = threading.Lock()


def work(task: TeamTask) -> Decision | None:
    """Do a task; return None if it was only to prepare."""
    begun = time.monotonic()
    # One task at a time: a tree has one searcher.
    with _lock:
        game, searcher = _match(task)
        deadline = begun + task.seconds if task.seconds else None
        if task.fluents is None or (deadline is not None and time.monotonic() >= deadline):
            searcher.prepare(begun + task.seconds)
            return None
        # A worker that joined late prepares in the time of its first search.
        searcher.prepare(None if deadline is None else begun + _PREPARE_SHARE * task.seconds)
        return searcher.think(game.state(task.fluents), task.role, Budget(deadline, task.simulations), None)


def _match(task: TeamTask) -> tuple[Game, Searcher]:
    found = _matches.pop(task.match, None)
    if found is None:
        game = woodstock.loads(task.rules, task.name)
        found = game, make_searcher(game, task.spec)
    _matches[task.match] = found
    while len(_matches) > _KEPT:
        _matches.popitem(last=False)
    return found
