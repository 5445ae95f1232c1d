"""The child process that plays for the GGP server: everything that takes time happens here, not in the server.

The first message from the server says which player to make. Without one the worker is a stand-in: it answers with
random legal moves by the interpreter, so that there is one before the rules are ground and after a crash.

| from the server | answers |
| --- | --- |
| `start` rules, role, clocks, turns so far | `refused` why; or a `legal` move for the turn, then `ready` |
| `play` turn, new turns, deadline | `legal` at once (`is_only`: there is no other), `best` so far, `final` |
| `late` turn | none: the search is interrupted |
| `end` new turns, whether the match is over | `ended` when the search has, `free` for another match |

A turn is the role's own move, if it is known, and the joint move or what the role saw of it. During a match `alive`
comes every second. A worker that has grown or has threads left is not used again: it exits.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from woodstock.child_process import Parent
from woodstock.errors import WoodstockError
from woodstock.game.interpreter import Interpreter
from woodstock.game.load import from_program
from woodstock.gdl.parse import parse
from woodstock.ggp.check import RULES
from woodstock.ggp.worker.stand_in import StandIn

if TYPE_CHECKING:
    from woodstock.players.player import Player

_ALIVE_EVERY_S = 1.0
_STOP_S = 5.0
_THREADS_END_S = 0.1
# A worker that is larger after a match than this is not used again.
_MOST_PAGES = (512 << 20) // os.sysconf("SC_PAGE_SIZE")


def main(arguments: Sequence[str]) -> None:
    """Play one match after the other until the server is gone."""
    del arguments
    parent = Parent()
    inbox = iter(parent)
    settings = next(inbox, None)
    threads = 0
    while settings is not None:
        try:
            player = _make_player(settings)
        except WoodstockError as error:
            parent.send({"error": str(error)})
            break
        parent.send({"free": True})
        if not threads:
            _warm_up(player is None)
            threads = _thread_count()
        start = next(inbox, None)
        if start is None:
            break
        told = start["start"]
        match = StandIn(parent, told) if player is None else _player_match(parent, settings, player, told)
        if not match.run(inbox) or not _is_as_new(threads):
            break
    # Threads of a player may still be at work; nothing waits for them.
    os._exit(0)


def _make_player(settings: dict[str, Any]) -> Player | None:
    if settings["player"] is None:
        return None
    sys.path[:] = settings["path"]
    from woodstock.players.make import make_player

    return make_player(settings["player"], ponders=settings["ponders"])


def _player_match(parent: Parent, settings: dict[str, Any], player: Player, told: dict[str, Any]) -> StandIn:
    # A stand-in does without what this imports.
    from woodstock.ggp.worker.player_match import PlayerMatch

    return PlayerMatch(parent, settings, player, told)


def _warm_up(is_stand_in: bool) -> None:
    """Load a small game: what is imported on the way need not be imported during a start clock."""
    program = parse(RULES, "warm-up", "kif")
    Interpreter(program).initial()
    if not is_stand_in:
        import woodstock.ggp.worker.player_match  # noqa: F401

        from_program(program, "warm-up")


def _is_as_new(threads: int) -> bool:
    """Return whether the threads of the last match have ended, soon at least, and its memory is free."""
    ends_at = time.monotonic() + _THREADS_END_S
    while _thread_count() > threads:
        if time.monotonic() > ends_at:
            return False
        time.sleep(_THREADS_END_S / 10)
    return _page_count() <= _MOST_PAGES


def _thread_count() -> int:
    """The threads of this process, those of native code included."""
    try:
        return len(list(Path("/proc/self/task").iterdir()))
    except OSError:
        return threading.active_count()


def _page_count() -> int:
    """The pages of memory in use."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
