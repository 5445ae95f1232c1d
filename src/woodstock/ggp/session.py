"""One match of the GGP player: the game as the server tells it, the seat that plays, and the clock.

Preparing runs on the seat's own thread. If it takes longer than the start clock, `ready` is said all the same and
preparing goes on; a turn that comes before its end is played at random by the interpreter.
"""

from __future__ import annotations

import logging
import random
import threading
import time

from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.load import from_program
from woodstock.game.spelling import find
from woodstock.game.state import State
from woodstock.gdl.ast import Program
from woodstock.gdl.parse import parse
from woodstock.ggp import messages
from woodstock.ggp.margin import Margin
from woodstock.match.seat_thread import Request, SeatThread
from woodstock.players.player import Player, Reply, Task, as_reply

log = logging.getLogger("woodstock.ggp")

# Grounding may take this share of the start clock; what is left is for symmetries and search.
GROUND_SHARE = 0.6
LEAST_GROUND_S = 2.0
CLOSE_S = 0.2
# A turn waits for rules that are still in preparation this share of its clock; the rest is the interpreter's.
SPARE_SHARE = 0.5
NO_MOVE = "NIL"
BUSY_OVERRUN_S = 0.3


class Refused(WoodstockError):
    """The match cannot be played: its rules are wrong, or the role is none of theirs."""


class Session:
    """One match, from START to STOP."""

    def __init__(self, message: messages.Start, player: Player, received_at: float, ground_memory_mb: int) -> None:
        self.match_id = message.match_id
        self.play_clock_s = message.play_clock_s
        self._message = message
        self._received_at = received_at
        self._ground_memory_mb = ground_memory_mb
        self._margin = Margin()
        self._program = _parse(message)
        self._seat = SeatThread(player)
        self._chance = random.Random(message.match_id)
        self._lock = threading.RLock()
        self._prepared: Request[None] | None = None
        self._is_loaded = threading.Event()
        self._refusal: Refused | None = None
        self._game: Game | None = None
        self._state: State | None = None
        self._told: list[tuple[str, ...]] = []
        self._applied = 0
        self._spare: Game | None = None
        self._heard = 0

    # Signs of life.

    def heard(self) -> int:
        """Count a message of this match and return the number so far."""
        self._heard += 1
        return self._heard

    def is_idle_since(self, count: int) -> bool:
        """Return whether no message has come since `heard` gave this number."""
        return self._heard == count

    # The messages.

    def start(self) -> None:
        """Prepare until the start clock is nearly over; return where ready is to be said."""
        clock_s = self._message.start_clock_s
        deadline = self._received_at + clock_s - self._margin.seconds(clock_s)
        self._prepared = self._seat.ask(lambda: self._prepare(deadline))
        outcome = self._prepared.outcome(max(0.0, deadline - time.monotonic()))
        if self._refusal is not None:
            raise self._refusal
        if outcome is None:
            log.warning("match %s: still preparing at the end of the start clock", self.match_id)
            # What is not ready goes on beside the first turns and makes everything slower, the answer included.
            self._margin.note(BUSY_OVERRUN_S)
            threading.Thread(target=self._prepare_spare, daemon=True).start()
        elif outcome.failure is not None:
            log.error("match %s: the player failed to prepare: %s", self.match_id, outcome.failure)

    def play(self, moves: tuple[str, ...] | None, received_at: float) -> str:
        """Return a move before the clock is over."""
        with self._lock:
            self.heard()
            margin_s = self._margin.seconds(self.play_clock_s)
            deadline = received_at + self.play_clock_s - margin_s
            if moves is not None:
                self._told.append(moves)
            if not self._is_loaded.wait(max(0.0, SPARE_SHARE * (deadline - time.monotonic()))):
                log.warning("match %s: the rules are not ready yet", self.match_id)
                return self._spare_move()
            state = self._advance()
            if state is None or state.is_terminal:
                log.warning("match %s: asked for a move where there is none", self.match_id)
                return NO_MOVE
            legal = state.legal(self._message.role)
            if not legal:
                log.warning("match %s: the role has no legal move", self.match_id)
                return NO_MOVE
            move = self._ask(state, legal, deadline, margin_s)
            self._margin.note(time.monotonic() - deadline)
            return move

    def _ask(self, state: State, legal: tuple[str, ...], deadline: float, margin_s: float) -> str:
        """Return the seat's move, or a random one where it has none in time."""
        request: Request[Reply] = self._seat.ask(lambda: as_reply(self._seat.player.move(state, deadline)))
        # The seat is to answer at the deadline; half of the margin is left to it before we answer ourselves. While it
        # still prepares it may not answer at all, and its threads keep the interpreter busy: then we do so early.
        latest = deadline + margin_s / 2
        if self._prepared is None or not self._prepared.is_done:
            now = time.monotonic()
            latest = now + SPARE_SHARE * max(0.0, deadline - now)
        outcome = self._seat.wait(request, latest)
        problem = outcome.failure
        if problem is None and outcome.value is not None:
            move = find(outcome.value.move, legal)
            if move is not None:
                return move
            log.error("match %s: the player chose %s, which is not legal", self.match_id, outcome.value.move[:80])
        else:
            log.error("match %s: the player gave no move: %s", self.match_id, problem)
        return self._chance.choice(legal)

    def stop(self, moves: tuple[str, ...] | None) -> None:
        """Take note of the end."""
        with self._lock:
            self.heard()
            if moves is not None:
                self._told.append(moves)
            state = self._advance() if self._is_loaded.is_set() else None
            if state is not None:
                self._seat.ask(lambda: self._seat.player.stop(state))
                log.info("match %s: goals %s", self.match_id, state.goals if state.is_terminal else "unknown")

    def abort(self) -> None:
        """Break off whatever is under way."""
        self._seat.player.interrupt()
        self._seat.ask(lambda: self._seat.player.stop(None))

    def close(self) -> None:
        """Free the seat; a player that does not let go is left to its thread."""
        if not self._seat.close(CLOSE_S):
            log.info("match %s: the player is still busy, its thread ends by itself", self.match_id)

    # On the seat's thread.

    def _prepare(self, deadline: float) -> None:
        message = self._message
        seconds = max(LEAST_GROUND_S, GROUND_SHARE * (deadline - time.monotonic()))
        try:
            game = from_program(
                self._program, message.match_id, ground_seconds=seconds, ground_memory_mb=self._ground_memory_mb
            )
            role = game.roles[game.role_index(message.role)]
        except WoodstockError as error:
            self._refusal = Refused(str(error).splitlines()[0])
            return
        for note in game.notes:
            log.warning("match %s: %s", self.match_id, note)
        self._game, self._state = game, game.initial
        self._is_loaded.set()
        task = Task(
            match_id=message.match_id,
            game=game,
            role=role,
            start_clock_s=message.start_clock_s,
            play_clock_s=message.play_clock_s,
            seed=self._chance.getrandbits(32),
        )
        self._seat.player.start(task, deadline)

    def _advance(self) -> State | None:
        """Return the state after all moves the server has told; None where it told nonsense."""
        if self._state is not None:
            self._state = self._after(self._state, self._told[self._applied :])
            self._applied = len(self._told)
        return self._state

    def _after(self, state: State, told: list[tuple[str, ...]]) -> State:
        for moves in told:
            try:
                state = state.next(moves)
            except WoodstockError as error:
                log.error("match %s: the server's moves do not fit the rules: %s", self.match_id, error)
        return state

    # While the circuit is not there.

    def _prepare_spare(self) -> None:
        try:
            self._spare = from_program(self._program, self.match_id, engine="interpreter")
        except WoodstockError as error:
            log.error("match %s: the interpreter cannot play it: %s", self.match_id, error)

    def _spare_move(self) -> str:
        """Return a random legal move by the interpreter, or none where not even that is ready."""
        if self._spare is None:
            return NO_MOVE
        state = self._after(self._spare.initial, self._told)
        legal = () if state.is_terminal else state.legal(self._message.role)
        return self._chance.choice(legal) if legal else NO_MOVE


def _parse(message: messages.Start) -> Program:
    try:
        return parse(message.rules, message.match_id, "kif")
    except WoodstockError as error:
        raise Refused(str(error).splitlines()[0]) from error
