"""A person in a browser: the match waits here until the browser sends a move.

A person without a clock is asked on the thread that steps the match; one with a clock is asked on a thread of their own
and loses the turn to a random move when the clock has run out, as any other player.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from woodstock.information import InformationState
from woodstock.match import TurnInterrupted
from woodstock.players.failure import TIMED_OUT, PlayerFailure
from woodstock.players.player import Player

# How often a waiting person looks whether the server ends.
_LOOK_EVERY_S = 60.0


class Offers:
    """The moves that browsers have sent, by role; each is for one node of the tree."""

    def __init__(self) -> None:
        self._moves: dict[str, tuple[int, str]] = {}
        self._changed = threading.Condition()
        self._is_interrupted = False

    def begin(self) -> None:
        """Begin a turn: interrupts of earlier ones are forgotten."""
        with self._changed:
            self._is_interrupted = False

    def put(self, role: str, node: int, move: str) -> None:
        """Offer a move; a later one for the same role replaces it."""
        with self._changed:
            self._moves[role] = (node, move)
            self._changed.notify_all()

    def clear(self) -> None:
        """Forget all moves: somebody goes to another position, where they would be made again."""
        with self._changed:
            self._moves.clear()

    def take(self, role: str, node: Callable[[], int], deadline: float | None) -> str:
        """Wait for the move of a role in the current node; `TurnInterrupted` if the wait is given up,
        `PlayerFailure` at the deadline."""
        with self._changed:
            while True:
                offered = self._moves.get(role)
                if offered is not None and offered[0] == node():
                    return offered[1]
                left = _LOOK_EVERY_S if deadline is None else deadline - time.monotonic()
                if self._is_interrupted:
                    raise TurnInterrupted
                if left <= 0:
                    raise PlayerFailure("the clock has run out", TIMED_OUT)
                self._changed.wait(min(left, _LOOK_EVERY_S))

    def interrupt(self) -> None:
        """End every wait."""
        with self._changed:
            self._is_interrupted = True
            self._changed.notify_all()


class WebPerson(Player):
    """Waits for a move without a clock; a forced move is not asked for."""

    name = "human"
    is_human = True

    def __init__(self, offers: Offers, node: Callable[[], int]) -> None:
        self._offers, self._node = offers, node

    def move(self, view: InformationState, deadline: float) -> str:
        """Return the move that the browser sent."""
        return self._wait(view, None)

    def _wait(self, view: InformationState, deadline: float | None) -> str:
        legal = view.legal
        return legal[0] if len(legal) == 1 else self._offers.take(self.task.role, self._node, deadline)

    def interrupt(self) -> None:
        """Give the wait up."""
        self._offers.interrupt()


class ClockedPerson(WebPerson):
    """Waits for a move until the clock has run out."""

    name = "human"
    is_human = False

    def move(self, view: InformationState, deadline: float) -> str:
        """Return the move that the browser sent in time."""
        return self._wait(view, deadline)
