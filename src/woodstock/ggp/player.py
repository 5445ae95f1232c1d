"""The GGP player: one match at a time, an answer to every message, whatever happens.

Comes in: the text of a message. Goes out: the text of the answer. Messages of one match are handled one after the
other; INFO is answered at any time. Each step has a fall-back: rules that do not ground are played by the
interpreter, a search that fails or is late is replaced by a random legal move, and a log line says so.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from woodstock.errors import WoodstockError
from woodstock.ggp import messages
from woodstock.ggp.session import Refused, Session
from woodstock.players.player import Player

log = logging.getLogger("woodstock.ggp")

# A server is silent for a play clock between two messages, and may die; then the player must be free again.
DEFAULT_GIVE_UP_S = 60.0


class GgpPlayer:
    """Answers protocol messages; thread-safe. `make_player` gives the player for each new match."""

    def __init__(
        self,
        make_player: Callable[[], Player],
        name: str = "woodstock",
        *,
        give_up_s: float = DEFAULT_GIVE_UP_S,
        ground_memory_mb: int = 4096,
    ) -> None:
        self.name = name
        self._make_player = make_player
        self._give_up_s = give_up_s
        self._ground_memory_mb = ground_memory_mb
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._timer: threading.Timer | None = None

    def answer(self, text: str, received_at: float | None = None) -> str:
        """Return the answer to a message; ProtocolError where it is not one. `received_at` is when it came in."""
        received_at = time.monotonic() if received_at is None else received_at
        message = messages.read_message(text)
        match message:
            case messages.Info():
                return f"( ( name {self.name} ) ( status {'busy' if self.is_busy else 'available'} ) )"
            case messages.Preview():
                return "done"
            case messages.Start():
                return self._start(message, received_at)
            case messages.Play():
                session = self._find(message.match_id)
                if session is None:
                    return "busy"
                move = session.play(message.moves, received_at)
                self._watch(session)
                return move
            case messages.Stop():
                session = self._find(message.match_id)
                if session is None:
                    return "busy"
                session.stop(message.moves)
                self._end(session)
                return "done"
            case messages.Abort():
                session = self._find(message.match_id)
                if session is None:
                    return "busy"
                session.abort()
                self._end(session)
                return "aborted"

    @property
    def is_busy(self) -> bool:
        """Whether a match is on."""
        return self._session is not None

    def close(self) -> None:
        """Give up the match under way, if any."""
        session = self._session
        if session is not None:
            session.abort()
            self._end(session)

    def _start(self, message: messages.Start, received_at: float) -> str:
        # Asked before the rules are read, which can take a while, and again when the match is taken.
        if self.is_busy:
            log.info("match %s refused: another one is on", message.match_id)
            return "busy"
        try:
            session = Session(message, self._make_player(), received_at, self._ground_memory_mb)
        except Refused as refusal:
            log.warning("match %s refused: %s", message.match_id, refusal)
            return "busy"
        except WoodstockError as error:
            log.error("match %s refused, the player cannot be made: %s", message.match_id, error)
            return "busy"
        with self._lock:
            if self._session is not None:
                log.info("match %s refused: %s is on", message.match_id, self._session.match_id)
                session.abort()
                session.close()
                return "busy"
            self._session = session
        log.info("match %s starts as %s", message.match_id, message.role)
        try:
            session.start()
        except Refused as refusal:
            log.warning("match %s refused: %s", message.match_id, refusal)
            self._end(session)
            return "busy"
        self._watch(session)
        return "ready"

    def _find(self, match_id: str) -> Session | None:
        session = self._session
        if session is None or session.match_id.lower() != match_id.lower():
            log.warning("a message for match %s, which is not on", match_id)
            return None
        return session

    def _end(self, session: Session) -> None:
        with self._lock:
            if self._session is session:
                self._session = None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        session.close()
        log.info("match %s ended", session.match_id)

    def _watch(self, session: Session) -> None:
        """Give the match up if nothing more is heard of it."""

        def give_up() -> None:
            if session.is_idle_since(heard):
                log.warning("match %s given up: nothing heard for %.0f s", session.match_id, patience)
                session.abort()
                self._end(session)

        patience = self._give_up_s + 2 * session.play_clock_s
        heard = session.heard()
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._session is not session:
                return
            self._timer = threading.Timer(patience, give_up)
            self._timer.daemon = True
            self._timer.start()
