"""One match of the GGP player, in the server process: what was told so far, the clock, and what the workers say.

Nothing here takes time: rules are parsed, ground and searched by the workers. `play` answers with the best that is
known when the clock runs out: the player's move, else its best move so far, else any legal move that a worker knows. A
worker that dies or hangs is replaced, and the new one gets the rules and all that was told.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import asdict
from typing import Any

from woodstock.child import Child, ChildGone, ChildTooLate
from woodstock.errors import WoodstockError
from woodstock.ggp import messages
from woodstock.ggp.margin import Margin, WakeUps
from woodstock.ggp.workers import KINDS, PLAYER, Workers

log = logging.getLogger("woodstock.ggp")

NO_MOVE = "NIL"
Told = tuple[str | None, tuple[str, ...]]
# What a move is worth, from nothing known to the player's own choice.
NOTHING, STAND_IN, LEGAL, BEST, FINAL = range(5)
_RANKS = {"legal": LEGAL, "best": BEST, "final": FINAL}
_NAMES = ("no move, as none is known", "a random move of the stand-in", "a random move", "its best move so far")

# Grounding may take this share of the start clock; what is left is for symmetries and search.
GROUND_SHARE = 0.6
LEAST_GROUND_S = 2.0
# A search ends within this time of STOP or ABORT, or its process is killed.
END_S = 0.05
# How long `Player.stop` may take after that.
FAREWELL_S = 1.0
# A worker sends something every second. After this much silence it hangs; the second if it also misses a turn. Native
# code that reads large rules can keep it silent for seconds, and a busy machine makes them many.
HANG_S = 60.0
HANG_IN_TURN_S = 5.0
SEND_S = 0.1
START_SEND_S = 10.0
# A worker that has died this often before it was ready is not replaced again.
MOST_FAILURES = 3


class Refused(WoodstockError):
    """The match cannot be played: its rules are wrong, or the role is not one of theirs."""


class _Post:
    """The place of a worker in this match. `sent` counts the turns that the worker knows."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.child: Child | None = None
        self.sent = 0
        self.is_ready = self.is_ended = False
        self.failures = 0
        self.heard_at = time.monotonic()
        self.answered = -1


class Session:
    """One match, from START to its end."""

    def __init__(self, message: messages.Start, workers: Workers, wake_ups: WakeUps, received_at: float) -> None:
        self.match_id = message.match_id
        self.play_clock_s = message.play_clock_s
        self._message, self._workers = message, workers
        self._margin = Margin(wake_ups)
        clock_s = message.start_clock_s
        self._ready_by = received_at + clock_s - self._margin.seconds(clock_s)
        self._posts = {kind: _Post(kind) for kind in KINDS}
        self._player = self._posts[PLAYER]
        self._one_turn = threading.Lock()
        # Guards everything below; notified whenever something changes.
        self._changed = threading.Condition()
        self._is_over = False
        self._free_by = math.inf  # when the workers must be free for the next match
        self._refusal = ""
        # Of each turn: the role's own move, if it is known, and the joint move or the role's percepts.
        self._told: list[Told] = []
        self._is_asked = False
        self._sent: str | None = None  # what was answered last
        self._move: str | None = None
        self._rank = NOTHING
        self._is_only = False
        self._deadline: float | None = None

    # The messages.

    def start(self) -> None:
        """Prepare until the player is ready or the start clock nearly over; `Refused` if the rules are wrong."""
        for post in self._posts.values():
            threading.Thread(target=self._employ, args=(post,), name=f"ggp {post.kind}", daemon=True).start()
        with self._changed:
            self._changed.wait_for(
                lambda: self._refusal or self._player.is_ready or self._is_over, self._left(self._ready_by)
            )
            if self._refusal:
                raise Refused(self._refusal)
            if not self._player.is_ready:
                log.warning("match %s: still preparing at the end of the start clock", self.match_id)

    def play(self, message: messages.Play, received_at: float) -> str:
        """Return a move before the clock is over."""
        with self._one_turn, self._changed:
            margin_s = self._margin.seconds(self.play_clock_s)
            deadline = self._deadline = received_at + self.play_clock_s - margin_s
            if self._note(message):
                self._move, self._rank, self._is_only = None, NOTHING, False
            self._is_asked = True
            for post in self._posts.values():
                self._ask(post)
            # The player answers at the deadline; it has half of the margin before we answer with what is known.
            self._changed.wait_for(self._is_decided, self._left(deadline + margin_s / 2))
            self._deadline = None
            if self._rank == FINAL:
                self._margin.note(time.monotonic() - deadline)
            elif not self._is_over:
                self._note_late()
            self._sent = self._move
            return NO_MOVE if self._sent is None else self._sent

    def _note(self, message: messages.Play | messages.Stop) -> bool:
        """Take down what a message says of the last turn; return whether it says anything new."""
        if message.terms is None or (not message.terms and not self._is_asked):
            # Some servers send an empty list before the first move.
            return False
        if message.turn is not None and message.turn != len(self._told) + 1:
            if message.turn <= len(self._told):
                log.info("match %s: turn %d is told again", self.match_id, message.turn)
                return False
            log.error("match %s: turn %d is told after turn %d", self.match_id, message.turn, len(self._told))
        self._told.append((message.move or self._sent, message.terms))
        return True

    def end(self, message: messages.Stop | None) -> None:
        """End the match: it is over, or broken off. When this returns, no search is running."""
        with self._changed:
            if self._is_over:
                return
            self._is_over = True
            self._free_by = time.monotonic() + FAREWELL_S
            if message is not None:
                self._note(message)
            for post in self._posts.values():
                self._send(post, {"end": {"told": self._news(post), "is_over": message is not None}})
            self._changed.notify_all()
            posts = self._posts.values()
            self._changed.wait_for(lambda: all(post.is_ended or post.child is None for post in posts), END_S)
            for post in posts:
                if not post.is_ended:
                    _kill(post)

    def _is_decided(self) -> bool:
        # A forced move need not wait for a player that still prepares.
        return self._rank == FINAL or self._is_over or (self._is_only and not self._player.is_ready)

    def _note_late(self) -> None:
        """Interrupt a player that gave no move in time, and kill it if it hangs."""
        if not self._is_only:
            log.warning("match %s: the player is late; sent instead: %s", self.match_id, _NAMES[self._rank])
        player, turn = self._player, len(self._told)
        if not player.is_ready:
            return
        if player.answered < turn and time.monotonic() - player.heard_at > HANG_IN_TURN_S:
            log.error("match %s: the player's process hangs and is killed", self.match_id)
            _kill(player)
        else:
            self._send(player, {"late": turn})

    @staticmethod
    def _left(deadline: float) -> float:
        return max(0.0, deadline - time.monotonic())

    # To the workers; the caller holds the lock.

    def _news(self, post: _Post) -> list[Told]:
        told, post.sent = self._told[post.sent :], len(self._told)
        return told

    def _ask(self, post: _Post) -> None:
        """Ask for a move in the turn under way."""
        if post.child is not None:
            turn = {"turn": len(self._told), "told": self._news(post), "deadline": self._deadline}
            self._send(post, {"play": turn})

    def _send(self, post: _Post, message: dict[str, Any]) -> None:
        if post.child is None:
            return
        try:
            post.child.send(message, time.monotonic() + SEND_S)
        except (ChildGone, ChildTooLate):
            # Its thread notices the end and replaces it.
            _kill(post)

    # From the workers, each with a thread of its own.

    def _employ(self, post: _Post) -> None:
        """Keep a worker at its post until the end of the match."""
        while not self._is_over and post.failures < MOST_FAILURES:
            child = self._workers.take(post.kind, lambda: self._is_over)
            if child is None:
                return
            try:
                self._begin(post, child)
                self._listen(post, child)
            except (ChildGone, ChildTooLate) as problem:
                with self._changed:
                    post.child, post.is_ready = None, False
                    post.failures += 1
                    self._changed.notify_all()
                child.close()
                self._workers.replace(post.kind)
                if not self._is_over:
                    log.error("match %s: the %s's process is replaced: %s", self.match_id, post.kind, problem)
            else:
                self._workers.give_back(child, post.kind)

    def _begin(self, post: _Post, child: Child) -> None:
        """Tell a worker the rules, what has happened so far, and the turn under way."""
        message = self._message
        now = time.monotonic()
        with self._changed:
            post.sent, post.answered, post.heard_at = 0, -1, now
            told = self._news(post)
        start = asdict(message) | {
            "ground_seconds": max(LEAST_GROUND_S, GROUND_SHARE * message.start_clock_s),
            "prepare_by": max(self._ready_by, now + self.play_clock_s / 2),
            "told": told,
        }
        # This may wait for a process that is still starting, so the lock is free meanwhile.
        child.send({"start": start}, now + START_SEND_S)
        with self._changed:
            post.child = child
            if self._is_over:
                self._send(post, {"end": {"told": self._news(post), "is_over": False}})
            elif self._deadline is not None:
                self._ask(post)

    def _listen(self, post: _Post, child: Child) -> None:
        """Take what a worker says until it is free for another match; raises if it is gone or hangs."""
        while True:
            message = child.receive(min(time.monotonic() + HANG_S, self._free_by))
            with self._changed:
                post.heard_at = time.monotonic()
                if "free" in message and post.is_ended:
                    post.child = None
                    return
                self._take(post, message)
                self._changed.notify_all()

    def _take(self, post: _Post, message: dict[str, Any]) -> None:
        match message:
            case {"turn": turn, **rest}:
                post.answered = turn
                for word in rest.keys() & _RANKS.keys():
                    rank = _RANKS[word] if post.kind == PLAYER else STAND_IN
                    if turn == len(self._told) and rank > self._rank:
                        self._move, self._rank = rest[word], rank
                        self._is_only = self._is_only or bool(rest.get("is_only"))
            case {"ready": _}:
                post.is_ready, post.failures = True, 0
            case {"refused": reason}:
                log.warning("match %s: %s", self.match_id, reason)
                self._refusal = reason
            case {"error": reason}:
                log.error("match %s: the player cannot be made: %s", self.match_id, reason)
            case {"log": [level, text]}:
                log.log(logging.getLevelNamesMapping()[level.upper()], "match %s: %s", self.match_id, text)
            case {"ended": goals}:
                post.is_ended = True
                if post.kind == PLAYER:
                    log.info("match %s: goals %s", self.match_id, goals or "unknown")


def _kill(post: _Post) -> None:
    if post.child is not None:
        post.child.process.kill()
