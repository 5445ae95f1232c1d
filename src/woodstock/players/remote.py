"""A player on the network: the GGP protocol over HTTP, a new connection for each message.

Written on plain sockets: players in the field speak HTTP loosely, and every wait must end at the deadline. The dialect
says what a player is told of each turn; `http://host:port?dialect=percepts` asks for another than the default:

| dialect | is told | default |
| --- | --- | --- |
| `moves` | the joint move | if the rules have no `sees` |
| `percepts` | what its role saw, as the Dresden server says it | |
| `turns` | the turn, its own last move and what its role saw, as GDL-II controllers say it | if the rules have `sees` |
"""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Sequence

from woodstock.errors import GameError
from woodstock.gdl.ast import Program
from woodstock.gdl.parse import parse
from woodstock.gdl.write import write
from woodstock.ggp import messages
from woodstock.ggp.client import TooLate, Unreachable, address, post
from woodstock.information import InformationState
from woodstock.players.failure import DISCONNECTED, TIMED_OUT, PlayerFailure
from woodstock.players.player import Player, Task

ABORT_S = 1.0
MOVES, PERCEPTS, TURNS = DIALECTS = ("moves", "percepts", "turns")
# What an open game gets for a player that is told percepts: every role sees every move.
ALL_MOVES = "(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))"


class RemotePlayer(Player):
    """Sends START, PLAY and STOP to a player's address and reads its moves.

    >>> RemotePlayer("http://127.0.0.1:9147").name
    'http://127.0.0.1:9147'
    """

    follows_moves = True

    def __init__(self, url: str) -> None:
        self.name = url
        self._asked = _dialect_in(url)
        self._host, self._port = address(url)
        self._dialect = self._asked or MOVES

    def start(self, task: Task, deadline: float | None) -> None:
        """Send the rules; the player may use the whole start clock."""
        super().start(task, deadline)
        is_hidden = task.game.has_percepts
        self._dialect = self._asked or (TURNS if is_hidden else MOVES)
        if is_hidden and self._dialect == MOVES:
            raise PlayerFailure(f"the rules of {task.game.name} hide moves, so the dialect cannot be {MOVES}")
        program = task.game.program
        if not is_hidden and self._dialect != MOVES:
            program = _with_all_moves(program)
        text = messages.start(task.match_id, task.role, program, task.start_clock_s, task.play_clock_s)
        answer = self._send(text, time.monotonic() + task.start_clock_s if deadline is None else deadline)
        if answer.strip().lower() == "busy":
            raise PlayerFailure("the player is busy with another match")

    def move(self, view: InformationState, deadline: float) -> str:
        """Send what the dialect says of the last turn and return the player's move."""
        match_id = self.task.match_id
        if self._dialect == TURNS:
            text = messages.play_turn(match_id, len(view.turns), _own_move(view), self._seen(view))
        else:
            text = messages.play(match_id, self._seen(view))
        return self._send(text, deadline).strip()

    def stop(self, view: InformationState | None) -> None:
        """Send STOP with what the dialect says of the last turn, or ABORT."""
        match_id = self.task.match_id
        if view is None:
            text = messages.abort(match_id)
        elif self._dialect == TURNS:
            text = messages.stop_turn(match_id, len(view.turns), _own_move(view), self._seen(view))
        else:
            text = messages.stop(match_id, self._seen(view))
        self._send(text, time.monotonic() + ABORT_S)

    def _seen(self, view: InformationState) -> Sequence[str] | None:
        """Return the joint move, or the role's percepts of it; None before the first turn."""
        if not view.turns:
            return None
        if not view.is_open:
            if self._dialect == MOVES:
                raise PlayerFailure(f"the rules of {view.game.name} hide moves, so the dialect cannot be {MOVES}")
            return view.turns[-1].percepts
        moves = view.state.last_moves or ()
        if self._dialect == MOVES:
            return moves
        return [f"(did {role} {move})" for role, move in zip(view.game.roles, moves, strict=True)]

    def _send(self, text: str, deadline: float) -> str:
        try:
            return post(self._host, self._port, text, deadline=deadline)
        except TooLate as error:
            raise PlayerFailure(str(error), TIMED_OUT) from error
        except Unreachable as error:
            raise PlayerFailure(str(error), DISCONNECTED) from error


def _own_move(view: InformationState) -> str | None:
    return view.turns[-1].move if view.turns else None


def _with_all_moves(program: Program) -> Program:
    """Return the rules of an open game in which every role sees every move."""
    return parse(f"{write(program, 'kif')}\n{ALL_MOVES}", program.name, "kif")


def _dialect_in(url: str) -> str | None:
    """Return the dialect that an address asks for."""
    query = urllib.parse.urlsplit(url).query
    if not query:
        return None
    name, _, value = query.partition("=")
    if name != "dialect" or value not in DIALECTS:
        raise GameError(f"{url}: after the ? stands dialect={MOVES}, dialect={PERCEPTS} or dialect={TURNS}")
    return value
