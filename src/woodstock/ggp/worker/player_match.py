"""One match of a player in the worker process: what the server says comes in, the player's moves go out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from woodstock.child_process import Parent
from woodstock.game.game import Game
from woodstock.game.load import from_program
from woodstock.game.spelling import find
from woodstock.gdl.parse import parse
from woodstock.ggp.worker.hearing import Hearing
from woodstock.ggp.worker.stand_in import StandIn, Told
from woodstock.ggp.worker.told_moves import without_told_moves
from woodstock.information import InformationState

if TYPE_CHECKING:
    from woodstock.match.seat_thread import Request, SeatThread
    from woodstock.players.decision import SearchInfo
    from woodstock.players.player import Player

_STOP_S = 5.0
# In games with `sees`: share of the time for a move that finding the states that fit may take; the time for the last.
_FOLLOW_SHARE = 0.25
_LAST_S = 0.02


class PlayerMatch(StandIn):
    """One match of a player."""

    def __init__(self, parent: Parent, settings: dict[str, Any], player: Player, start: dict[str, Any]) -> None:
        super().__init__(parent, start)
        self._settings, self._player = settings, player
        self._seat: SeatThread | None = None
        self._request: Request[None] | None = None
        self._hearing: Hearing | None = None
        # The newest turn that was asked for, and the one that the player thinks about.
        self._turn = -1
        self._thinking: int | None = None

    def _load(self) -> None:
        start = self._start
        game = from_program(
            without_told_moves(parse(start["rules"], start["match_id"], "kif")),
            start["match_id"],
            ground_seconds=start["ground_seconds"],
            ground_memory_mb=self._settings["ground_memory_mb"],
        )
        role = game.roles[game.role_index(start["role"])]
        self._hearing = Hearing(game, role, self._log, self._chance.getrandbits(32))
        for note in game.notes:
            self._log("warning", note)
        self._advance(start["told"], time.monotonic() + start["play_clock_s"] / 2)
        self._offer(len(start["told"]))
        self._prepare(game, self._hearing.view)

    def _prepare(self, game: Game, view: InformationState) -> None:
        from woodstock.match.seat_thread import SeatThread
        from woodstock.players.player import Task

        task = Task(
            game,
            view.role,
            self._start["start_clock_s"],
            self._start["play_clock_s"],
            self._start["match_id"],
            self._chance.getrandbits(32),
            view.state if view.is_open and view.turns else None,
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

    def _advance(self, told: Sequence[Told], deadline: float, *, is_over: bool = False) -> None:
        for number, (move, terms) in enumerate(told, 1):
            if self._hearing is not None:
                self._hearing.hear(move, terms, deadline, is_over=is_over and number == len(told))

    def _legal(self) -> tuple[str, ...]:
        return () if self._hearing is None else self._hearing.view.legal

    def _play(self, turn: int, told: Sequence[Told], deadline: float) -> None:
        self._turn = turn
        now = time.monotonic()
        self._advance(told, now + _FOLLOW_SHARE * (deadline - now))
        hearing, seat = self._hearing, self._seat
        if hearing is None or seat is None or time.monotonic() > deadline:
            return
        view = hearing.view
        legal = self._offer(turn)
        if not legal:
            self._log("warning", "asked for a move in a state without one")
            self._parent.send({"turn": turn, "final": None})
            return
        if self._thinking is not None:
            self._interrupt()
        self._request = seat.ask(lambda: self._think(view, legal, turn, deadline))

    def _think(self, view: InformationState, legal: Sequence[str], turn: int, deadline: float) -> None:
        """Ask the player for its move; on its own thread."""
        from woodstock.players.player import as_reply

        if turn != self._turn:
            return
        self._thinking = turn
        try:
            answer = as_reply(self._player.move(view, deadline)).move
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

    def _end(self, told: Sequence[Told], is_over: bool) -> None:
        self._interrupt()
        if self._seat is not None and self._request is not None:
            self._seat.cancel(self._request)
        self._advance(told, time.monotonic() + _LAST_S, is_over=is_over)
        view = self._hearing.view if self._hearing is not None and is_over else None
        self._parent.send({"ended": _goals(view)})
        if self._seat is not None:
            self._seat.ask(lambda: self._player.stop(view))
            self._seat.close(_STOP_S)


def _goals(view: InformationState | None) -> dict[str, int] | None:
    """Return the scores at the end, as far as the role knows them."""
    if view is None or view.goal is None:
        return None
    return view.state.scores if view.is_open else {view.role: view.goal}
