"""Ask the players of a match at the same time and wait for what comes of it, until a deadline or an interrupt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from woodstock.match.seat_thread import Outcome, Request, SeatThread, TurnInterrupted
from woodstock.players.player import Player

T = TypeVar("T")


class Asking:
    """The seats of one match. `interrupt` may come from any thread; everything else is for the match's own."""

    def __init__(self, players: Mapping[str, Player], grace_s: float) -> None:
        self.seats = {role: SeatThread(player) for role, player in players.items()}
        self._grace_s = grace_s
        self._is_interrupted = False
        self._pending: dict[str, Request[Any]] = {}

    @property
    def players(self) -> dict[str, Player]:
        """Who sits where."""
        return {role: seat.player for role, seat in self.seats.items()}

    def call(self, calls: Mapping[str, Callable[[], T]], deadline: float) -> dict[str, Outcome[T]]:
        """Call players at the same time and return what came of it by the deadline; `interrupt` ends the wait."""
        seats = {role: self.seats[role] for role in calls}
        self._pending = {role: seat.ask(calls[role]) for role, seat in seats.items()}
        try:
            if self._is_interrupted:
                raise TurnInterrupted
            # People first: they are asked on this thread while the others think.
            order = sorted(seats, key=lambda role: not seats[role].player.is_human)
            return {role: seats[role].wait(self._pending[role], deadline + self._grace_s) for role in order}
        except BaseException as problem:
            if isinstance(problem, TurnInterrupted):
                self._is_interrupted = False
            for role, seat in seats.items():
                seat.cancel(self._pending[role])
            raise
        finally:
            self._pending = {}

    def interrupt(self) -> None:
        """Have the call under way, or the next one, raise `TurnInterrupted`."""
        self._is_interrupted = True
        for request in list(self._pending.values()):
            request.cancel()
        for seat in list(self.seats.values()):
            if seat.player.is_human:
                seat.player.interrupt()

    def forget_interrupt(self) -> None:
        """Forget an interrupt that came too late."""
        self._is_interrupted = False

    def exchange(self, role: str, player: Player, seconds: float) -> Player:
        """Put another player in a seat and return the one who had it, who gets so long to say goodbye."""
        before = self.seats[role]
        if before.is_started:
            before.ask(lambda: before.player.stop(None))
        before.close(seconds)
        self.seats[role] = SeatThread(player)
        return before.player

    def close(self, seconds: float) -> None:
        """End the threads; each gets so long."""
        for seat in self.seats.values():
            seat.close(seconds)
