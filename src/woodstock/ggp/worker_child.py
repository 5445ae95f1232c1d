"""The child process that plays for the GGP server: everything that takes time happens here, not in the server.

The first message from the server says which player to make. Without one the worker is a stand-in: it answers with
random legal moves by the interpreter, so that there is one before the rules are ground and after a crash.

| from the server | answers |
| --- | --- |
| `start` rules, role, clocks, moves so far | `refused` why; or a `legal` move for the turn, then `ready` |
| `play` turn, new moves, deadline | `legal` at once (`is_only`: there is no other), `best` so far, `final` |
| `late` turn | none: the search is interrupted |
| `end` new moves, whether the match is over | `ended` when the search has, `free` for another match |

During a match `alive` comes every second. A worker that has grown or has threads left is not used again: it exits.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from woodstock.child_process import Parent
from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.interpreter import Interpreter
from woodstock.game.load import from_program
from woodstock.game.spelling import find
from woodstock.game.state import State
from woodstock.gdl.parse import parse
from woodstock.ggp.check import RULES

if TYPE_CHECKING:
    from woodstock.match.seat_thread import Request, SeatThread
    from woodstock.players.decision import SearchInfo
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
        match = _StandIn(parent, told) if player is None else _Match(parent, settings, player, told)
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


def _warm_up(is_stand_in: bool) -> None:
    """Load a small game: what is imported on the way need not be imported during a start clock."""
    program = parse(RULES, "warm-up", "kif")
    Interpreter(program).initial()
    if not is_stand_in:
        from_program(program, "warm-up")


class _StandIn:
    """One match, from `start` to `end`, by the interpreter alone.

    It asks the rules for nothing but legal moves and the next state: whether the rules are right, the moves legal and
    the match over is for the player to find out, since that can take long.
    """

    def __init__(self, parent: Parent, start: dict[str, Any]) -> None:
        self._parent, self._start = parent, start
        self._chance = random.Random(start["match_id"])
        self._is_over = threading.Event()
        self._interpreter: Interpreter | None = None
        self._facts: frozenset[str] = frozenset()

    def run(self, inbox: Iterator[dict[str, Any]]) -> bool:
        """Play until the end; return False if the server is gone."""
        beats = threading.Thread(target=self._beat, daemon=True)
        beats.start()
        try:
            self._load()
        except WoodstockError as error:
            self._parent.send({"refused": str(error).splitlines()[0]})
        for message in inbox:
            if "play" in message:
                self._play(**message["play"])
            elif "late" in message:
                self._interrupt()
            elif "end" in message:
                self._end(**message["end"])
                self._is_over.set()
                beats.join()
                return True
        return False

    def _beat(self) -> None:
        while not self._is_over.wait(_ALIVE_EVERY_S):
            self._parent.send({"alive": True})

    def _log(self, level: str, text: str) -> None:
        self._parent.send({"log": [level, text]})

    def _load(self) -> None:
        program = parse(self._start["rules"], self._start["match_id"], "kif")
        try:
            self._interpreter = Interpreter(program)
            self._facts = self._interpreter.initial()
        except Exception as error:
            # Nobody has checked the rules yet; the player will say what is wrong with them.
            self._log("info", f"the interpreter cannot play: {type(error).__name__}: {error}")
            self._interpreter = None
        self._advance(self._start["moves"])
        self._offer(len(self._start["moves"]))
        # Python's collector would take up to half of the time of a turn. It runs after each turn instead, and does not
        # look at what the rules say once and for all.
        gc.disable()
        gc.freeze()
        self._parent.send({"ready": True})

    def _advance(self, told: Sequence[Sequence[str]]) -> None:
        """Make the moves that the server has sent; those that do not fit are left out."""
        for moves in told:
            try:
                if self._interpreter is not None:
                    self._facts = self._interpreter.next(self._facts, moves)
            except Exception as error:
                self._log("info", f"the interpreter cannot go on: {error}")

    def _legal(self) -> tuple[str, ...]:
        try:
            return () if self._interpreter is None else self._interpreter.legal(self._facts, self._start["role"])
        except Exception as error:
            self._log("info", f"the interpreter knows no legal move: {type(error).__name__}: {error}")
            return ()

    def _offer(self, turn: int) -> tuple[str, ...]:
        """Send a random legal move, if there is one, and return all there are."""
        legal = self._legal()
        if legal:
            self._parent.send({"turn": turn, "legal": self._chance.choice(legal), "is_only": len(legal) == 1})
        return legal

    def _play(self, turn: int, moves: Sequence[Sequence[str]], deadline: float) -> None:
        self._advance(moves)
        # Turns that piled up while the rules were loaded are over.
        if time.monotonic() <= deadline:
            self._offer(turn)
        gc.collect()

    def _interrupt(self) -> None:
        pass

    def _end(self, moves: Sequence[Sequence[str]], is_over: bool) -> None:
        del moves, is_over
        self._parent.send({"ended": None})
        gc.unfreeze()
        gc.enable()


class _Match(_StandIn):
    """One match of a player."""

    def __init__(self, parent: Parent, settings: dict[str, Any], player: Player, start: dict[str, Any]) -> None:
        super().__init__(parent, start)
        self._settings, self._player = settings, player
        self._seat: SeatThread | None = None
        self._request: Request[None] | None = None
        self._state: State | None = None
        self._role = start["role"]
        # The newest turn that was asked for, and the one that the player thinks about.
        self._turn = -1
        self._thinking: int | None = None

    def _load(self) -> None:
        start = self._start
        game = from_program(
            parse(start["rules"], start["match_id"], "kif"),
            start["match_id"],
            ground_seconds=start["ground_seconds"],
            ground_memory_mb=self._settings["ground_memory_mb"],
        )
        self._role = game.roles[game.role_index(start["role"])]
        self._state = game.initial
        for note in game.notes:
            self._log("warning", note)
        self._advance(start["moves"])
        self._offer(len(start["moves"]))
        self._prepare(game)

    def _prepare(self, game: Game) -> None:
        from woodstock.match.seat_thread import SeatThread
        from woodstock.players.player import Task

        task = Task(
            game,
            self._role,
            self._start["start_clock_s"],
            self._start["play_clock_s"],
            self._start["match_id"],
            self._chance.getrandbits(32),
            self._state if self._start["moves"] else None,
            tell=self._tell,
        )

        def prepare() -> None:
            try:
                self._player.start(task, self._start["prepare_by"])
            except Exception as error:
                self._log("error", f"the player failed to prepare: {type(error).__name__}: {error}")
            self._parent.send({"ready": True})

        self._seat = SeatThread(self._player)
        self._request = self._seat.ask(prepare)

    def _advance(self, told: Sequence[Sequence[str]]) -> None:
        for moves in told:
            try:
                if self._state is not None:
                    self._state = self._state.next(moves)
            except WoodstockError as error:
                self._log("error", f"the server's moves do not fit the rules: {error}")

    def _legal(self) -> tuple[str, ...]:
        state = self._state
        return () if state is None or state.is_terminal else state.legal(self._role)

    def _play(self, turn: int, moves: Sequence[Sequence[str]], deadline: float) -> None:
        self._turn = turn
        self._advance(moves)
        state, seat = self._state, self._seat
        if state is None or seat is None or time.monotonic() > deadline:
            return
        legal = self._offer(turn)
        if not legal:
            self._log("warning", "asked for a move in a state without one")
            self._parent.send({"turn": turn, "final": None})
            return
        if self._thinking is not None:
            self._interrupt()
        self._request = seat.ask(lambda: self._think(state, legal, turn, deadline))

    def _think(self, state: State, legal: Sequence[str], turn: int, deadline: float) -> None:
        """Ask the player for its move; on its own thread."""
        from woodstock.players.player import as_reply

        if turn != self._turn:
            return
        self._thinking = turn
        try:
            answer = as_reply(self._player.move(state, deadline)).move
            move = find(answer, legal)
            if move is None:
                self._log("error", f"the player chose {answer[:80]}, which is not legal; a random move is made")
        except Exception as error:
            move = None
            self._log("error", f"the player gave no move, a random one is made: {type(error).__name__}: {error}")
        finally:
            self._thinking = None
        self._parent.send({"turn": turn, "final": move or self._chance.choice(legal)})

    def _tell(self, info: SearchInfo) -> None:
        turn = self._thinking
        if turn is not None and info.moves:
            self._parent.send({"turn": turn, "best": info.moves[0].move})

    def _interrupt(self) -> None:
        self._player.interrupt()

    def _end(self, moves: Sequence[Sequence[str]], is_over: bool) -> None:
        self._interrupt()
        if self._seat is not None and self._request is not None:
            self._seat.cancel(self._request)
        self._advance(moves)
        state = self._state if is_over else None
        self._parent.send({"ended": state.scores if state is not None and state.is_terminal else None})
        if self._seat is not None:
            self._seat.ask(lambda: self._player.stop(state))
            self._seat.close(_STOP_S)


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
