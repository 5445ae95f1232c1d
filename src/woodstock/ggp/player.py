"""The GGP player: one match at a time, an answer to every message, whatever happens.

Comes in: the text of a message. Goes out: the text of the answer. The work is done by other processes (`workers`), so
an answer never waits for anything but its clock.
"""

from __future__ import annotations

import logging
import threading
import time

from woodstock.ggp import messages
from woodstock.ggp.margin import WakeUps
from woodstock.ggp.session import Refused, Session
from woodstock.ggp.workers import Workers, WorkerSettings

log = logging.getLogger("woodstock.ggp")

# After so many seconds of silence and two play clocks a match is given up.
DEFAULT_GIVE_UP_S = 60.0
# A server sends the next message when the clock is over. After so much more silence another match may start.
SILENCE_S = 5.0
# How long after the start clock a server may still be waiting for others.
START_SLACK_S = 1.0


class GgpPlayer:
    """Answers protocol messages; thread-safe."""

    def __init__(
        self, settings: WorkerSettings, name: str = "woodstock", *, give_up_s: float = DEFAULT_GIVE_UP_S
    ) -> None:
        self.name = name
        self._give_up_s = give_up_s
        self._workers = Workers(settings)
        self._wake_ups = WakeUps()
        self._lock = threading.Lock()
        self._session: Session | None = None
        self._timer: threading.Timer | None = None
        # When another match may start; infinity while a message is answered.
        self._dead_at = 0.0

    def check(self) -> None:
        """Wait until the player can play; GameError if it cannot be made."""
        self._workers.check()

    def answer(self, text: str, received_at: float | None = None) -> str:
        """Return the answer to a message; ProtocolError if it is not one. `received_at` is when it came in."""
        received_at = time.monotonic() if received_at is None else received_at
        message = messages.read_message(text)
        match message:
            case messages.Info():
                return f"( ( name {self.name} ) ( status {'busy' if self.is_busy else 'available'} ) )"
            case messages.Preview():
                return "done"
            case messages.Start():
                return self._start(message, received_at)
        session = self._find(message.match_id)
        if session is None:
            return "busy"
        match message:
            case messages.Play():
                move = session.play(message, received_at)
                self._watch(session)
                return move
            case messages.Stop():
                self._end(session, message)
                return "done"
            case messages.Abort():
                self._end(session)
                return "aborted"

    @property
    def is_busy(self) -> bool:
        """Whether a match is on, and its server still alive."""
        return self._session is not None and time.monotonic() < self._dead_at

    def close(self) -> None:
        """Give up the match under way, if any, and end all processes."""
        session = self._session
        if session is not None:
            self._end(session)
        self._wake_ups.close()
        self._workers.close()

    def _start(self, message: messages.Start, received_at: float) -> str:
        with self._lock:
            old = self._session
            if self.is_busy:
                log.info("match %s refused: another one is on", message.match_id)
                return "busy"
            session = self._session = Session(message, self._workers, self._wake_ups, received_at)
            self._dead_at = float("inf")
        if old is not None:
            log.warning("match %s given up: its server is silent and another match starts", old.match_id)
            old.end(None)
        log.info("match %s starts as %s", message.match_id, message.role)
        try:
            session.start()
        except Refused as refusal:
            log.warning("match %s refused: %s", message.match_id, refusal)
            self._end(session)
            return "busy"
        self._watch(session, received_at + message.start_clock_s + START_SLACK_S)
        return "ready"

    def _find(self, match_id: str) -> Session | None:
        with self._lock:
            session = self._session
            if session is not None and session.match_id.lower() == match_id.lower():
                self._dead_at = float("inf")
                return session
        log.warning("a message for match %s, which is not on", match_id)
        return None

    def _end(self, session: Session, message: messages.Stop | None = None) -> None:
        session.end(message)
        with self._lock:
            if self._session is session:
                self._session = None
                if self._timer is not None:
                    self._timer.cancel()
        log.info("match %s ended", session.match_id)

    def _watch(self, session: Session, at_least: float = 0.0) -> None:
        """Note that a message was answered. If nothing more is heard, the match is dead, and later given up."""

        def give_up() -> None:
            log.warning("match %s given up: nothing heard for %.0f s", session.match_id, seconds)
            self._end(session)

        seconds = self._give_up_s + 2 * session.play_clock_s
        with self._lock:
            if self._session is not session:
                return
            self._dead_at = max(time.monotonic() + session.play_clock_s + SILENCE_S, at_least)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(seconds, give_up)
            self._timer.daemon = True
            self._timer.start()
