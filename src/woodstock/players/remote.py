"""A player on the network: the GGP protocol over HTTP, a new connection for each message.

Written on plain sockets: players in the field speak HTTP loosely, and every wait must end at the deadline.
"""

from __future__ import annotations

import time

from woodstock.game.state import State
from woodstock.ggp import messages
from woodstock.ggp.client import TooLate, Unreachable, address, post
from woodstock.players.failure import DISCONNECTED, TIMED_OUT, PlayerFailure
from woodstock.players.player import Player, Task

ABORT_S = 1.0


class RemotePlayer(Player):
    """Sends START, PLAY and STOP to a player's address and reads its moves.

    >>> RemotePlayer("http://127.0.0.1:9147").name
    'http://127.0.0.1:9147'
    """

    follows_moves = True

    def __init__(self, url: str) -> None:
        self.name = url
        self._host, self._port = address(url)

    def start(self, task: Task, deadline: float | None) -> None:
        """Send the rules; the player may use the whole start clock."""
        super().start(task, deadline)
        text = messages.start(task.match_id, task.role, task.game.program, task.start_clock_s, task.play_clock_s)
        answer = self._send(text, time.monotonic() + task.start_clock_s if deadline is None else deadline)
        if answer.strip().lower() == "busy":
            raise PlayerFailure("the player is busy with another match")

    def move(self, state: State, deadline: float) -> str:
        """Send the last joint move and return the player's."""
        return self._send(messages.play(self.task.match_id, state.last_moves), deadline).strip()

    def stop(self, state: State | None) -> None:
        """Send STOP with the last joint move, or ABORT."""
        match_id = self.task.match_id
        text = messages.abort(match_id) if state is None else messages.stop(match_id, state.last_moves)
        self._send(text, time.monotonic() + ABORT_S)

    def _send(self, text: str, deadline: float) -> str:
        try:
            return post(self._host, self._port, text, deadline=deadline)
        except TooLate as error:
            raise PlayerFailure(str(error), TIMED_OUT) from error
        except Unreachable as error:
            raise PlayerFailure(str(error), DISCONNECTED) from error
