"""A match that the site plays: one thread steps it, browsers wish, everything is written down as it happens.

The thread owns the `Match`. Browsers put wishes in a queue: pause, step, go to a node of the tree, exchange a player.
A wish that cannot wait interrupts the turn under way. What happens goes to subscribers as events, from the thread.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from woodstock.errors import GameError, WoodstockError
from woodstock.game.state import State
from woodstock.match import Match, TurnInterrupted, events
from woodstock.players.player import Player
from woodstock.web.match.head import Head
from woodstock.web.match.person import ClockedPerson, Offers, WebPerson
from woodstock.web.match.seats import PERSON, URL, Seat, make_seated
from woodstock.web.match.tree import ROOT, Node, Tree
from woodstock.web.settings import WebSettings
from woodstock.web.shelf import Loaded

_LOG = logging.getLogger("woodstock.web")
# A late move is better than a random one; a machine that plays many matches may be late by this much.
_GRACE_S = 2.0
_THOUGHT_EVERY_S = 0.25

Wish = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Happened:
    """Something for subscribers: `type` and values for JSON; those of `node` are about one node."""

    type: str
    values: dict[str, Any]


class HostedMatch:
    """One match under way. Every public method returns at once; errors of wishes come as `problem` events."""

    def __init__(
        self,
        loaded: Loaded,
        head: Head,
        nodes: list[Node],
        settings: WebSettings,
        keep: Callable[[Head, Node | None], None],
    ) -> None:
        self.loaded = loaded
        self.head = head
        self.settings = settings
        root = loaded.game.initial if head.state is None else loaded.game.state(head.state)
        self.tree = Tree(root, nodes)
        self.offers = Offers()
        self._keep = keep
        self._wishes: queue.SimpleQueue[Wish | None] = queue.SimpleQueue()
        self._subscribers: set[Callable[[Happened], None]] = set()
        self._lock = threading.Lock()
        self._steps_wanted = 0
        self._told_at: dict[str, float] = {}
        self._is_stepping = False
        self._is_closed = False
        self._is_ready = False
        self.is_preparing = False
        self._match: Match | None = None
        # What a page that comes now should know, if something went wrong.
        self.problem = ""
        self._free_lost_seats()
        self._thread = threading.Thread(target=self._run, name=f"match {head.id}", daemon=True)
        self._thread.start()

    def _free_lost_seats(self) -> None:
        """Players that cannot join in the middle of a match give way to a person."""
        lost = [seat for seat in self.head.seats if seat.kind == URL and self.current != ROOT]
        if lost:
            invites = {seat.role: self.head.invite_of(seat.role) for seat in lost}
            free = tuple(
                Seat(one.role, PERSON, invite=invites[one.role]) if one in lost else one for one in self.head.seats
            )
            self._set_head(replace(self.head, seats=free, is_paused=True))
            names = ", ".join(seat.spec for seat in lost)
            self.problem = f"{names} cannot join in the middle of a match; the seat is free now"

    # What is known of it.

    @property
    def current(self) -> int:
        """The node that the match has come to."""
        return self.head.current

    @property
    def state(self) -> State:
        """The state that the match has come to."""
        return self.tree.state(self.current)

    @property
    def is_over(self) -> bool:
        """Whether the current state is the last one."""
        state = self.state
        return state.is_terminal or not all(state.legal(role) for role in state.game.roles)

    @property
    def is_busy(self) -> bool:
        """Whether a turn is being played by programs alone."""
        return self._is_stepping and not self._waits_for_person()

    def _waits_for_person(self) -> bool:
        owned = {seat.role for seat in self.head.seats if seat.kind == PERSON}
        return bool(owned & set(self.state.to_move))

    def subscribe(self, hear: Callable[[Happened], None]) -> Callable[[], None]:
        """Hear everything that happens; returns how to stop."""
        with self._lock:
            self._subscribers.add(hear)

        def leave() -> None:
            with self._lock:
                self._subscribers.discard(hear)

        return leave

    # Wishes of browsers.

    def offer(self, role: str, node: int, move: str) -> None:
        """Make a person's move; in another node than the current one it begins a variation."""
        if node not in self.tree:
            raise GameError("there is no such position")
        state = self.tree.state(node)
        legal = state.legal(role)
        if move not in legal or state.is_terminal:
            raise GameError(f"{move} is not legal for {role} here")
        if node != self.current:
            self.go_to(node, is_paused=False)
        elif self.head.is_paused:
            self.pause(False)
        self.offers.put(role, node, move)

    def go_to(self, node: int, *, is_paused: bool = True) -> None:
        """Go to a node: back, forward or to another variation."""
        if node not in self.tree:
            raise GameError("there is no such position")
        self.offers.clear()
        self._wish(lambda: self._go_to(node, is_paused))

    def pause(self, is_paused: bool) -> None:
        """Stop before the next turn, or go on."""

        def obey() -> None:
            self._steps_wanted = 0
            self._set_head(replace(self.head, is_paused=is_paused))

        self._wish(obey, is_urgent=is_paused)

    def step(self) -> None:
        """Play one turn, then pause."""

        def obey() -> None:
            self._steps_wanted += 1
            self._set_head(replace(self.head, is_paused=True))

        self._wish(obey, is_urgent=not self.head.is_paused)

    def seat(self, seat: Seat) -> None:
        """Put somebody else in a seat."""

        def obey() -> None:
            assert self._match is not None
            self._match.seat(seat.role, self._player(seat))
            seats = tuple(seat if one.role == seat.role else one for one in self.head.seats)
            self._set_head(replace(self.head, seats=seats))

        self._wish(obey)

    def give_seat(self, role: str, owner: str) -> None:
        """Let a browser have the seat of a person; the player stays the same."""
        seats = tuple(replace(one, owner=owner) if one.role == role else one for one in self.head.seats)
        self._set_head(replace(self.head, seats=seats))

    def set_delay(self, seconds: float) -> None:
        """Set the least time of a turn without a person."""
        self._wish(lambda: self._set_head(replace(self.head, delay_s=seconds)), is_urgent=False)

    def close(self, seconds: float = 2.0) -> None:
        """End the thread; the match can be opened again later."""
        self._is_closed = True
        self._wishes.put(None)
        if self._match is not None:
            self._match.interrupt()
        self.offers.interrupt()
        self._thread.join(seconds)

    def _wish(self, obey: Wish, *, is_urgent: bool = True) -> None:
        self._wishes.put(obey)
        if is_urgent and self._is_stepping and self._match is not None:
            self._match.interrupt()

    # On the thread of the match.

    def _run(self) -> None:
        try:
            self._match = match = self._open()
        except WoodstockError as error:
            self.problem = str(error)
            self._emit("problem", text=str(error))
            _LOG.warning("match %s cannot be played: %s", self.head.id, error)
            return
        with match:
            while not self._is_closed:
                try:
                    self._obey_wishes()
                    if not self._is_closed:
                        self._play_turn(match)
                except TurnInterrupted:
                    continue
                except WoodstockError as error:
                    self._set_head(replace(self.head, is_paused=True))
                    self._emit("problem", text=str(error))
                except Exception:
                    _LOG.exception("match %s", self.head.id)
                    self._set_head(replace(self.head, is_paused=True))
                    self._emit("problem", text="This is a bug of ours; the match is paused. The log has the details.")

    def _open(self) -> Match:
        """Return the match at the current node."""
        match = Match(
            self.loaded.game,
            {seat.role: self._player(seat) for seat in self.head.seats},
            start_clock_s=self.head.start_clock_s,
            play_clock_s=self.head.play_clock_s,
            grace_s=_GRACE_S,
            state=self.tree.state(ROOT),
            match_id=self.head.id,
            tell=self._hear,
        )
        for number in self.tree.path(self.current)[1:]:
            match.play(self.tree.nodes[number].moves)
        self._is_ready = True
        return match

    def _player(self, seat: Seat) -> Player:
        if seat.kind != PERSON:
            return make_seated(seat, self.settings.tree_memory_mb)
        kind = ClockedPerson if self.head.is_clocked else WebPerson
        return kind(self.offers, lambda: self.current)

    def _obey_wishes(self) -> None:
        """Do what browsers ask for; wait for them while the match is paused or over."""
        while not self._is_closed:
            is_waiting = (self.head.is_paused and not self._steps_wanted) or self.is_over
            try:
                wish = self._wishes.get(block=is_waiting)
            except queue.Empty:
                return
            if wish is not None:
                wish()

    def _play_turn(self, match: Match) -> None:
        begun = time.monotonic()
        had_person = self._waits_for_person()
        self.offers.begin()
        self._is_stepping = True
        try:
            match.step()
        finally:
            self._is_stepping = False
            self.is_preparing = False
        if self._steps_wanted:
            self._steps_wanted -= 1
        # A turn that nobody decided would be over before anybody saw it.
        ends_at = begun + (0.0 if had_person else self.head.delay_s)
        while time.monotonic() < ends_at and self._wishes.empty() and not self._is_closed:
            time.sleep(min(0.02, max(0.0, ends_at - time.monotonic())))

    def _go_to(self, node: int, is_paused: bool) -> None:
        match = self._match
        assert match is not None
        now, wanted = self.tree.path(self.current), self.tree.path(node)
        common = sum(1 for a, b in zip(now, wanted, strict=False) if a == b)
        if common < len(now):
            match.take_back(common - 1)
        for number in wanted[common:]:
            match.play(self.tree.nodes[number].moves)
        self._steps_wanted = 0
        self._set_head(replace(self.head, current=node, is_paused=is_paused))

    def _hear(self, event: events.MatchEvent) -> None:
        """Subscribe to the match; called on its thread, and for thoughts on those of players."""
        if not self._is_ready:
            return
        match event:
            case events.MatchStarted():
                self.is_preparing = True
                self._emit("head")
            case events.TurnStarted():
                self.is_preparing = False
                asked = list(event.state.to_move)
                self._emit("asked", node=self.current, roles=asked, clock=self.head.play_clock_s)
            case events.TurnPlayed() if self._is_stepping:
                self._add(event)
            case events.PlayerThinks():
                self._think(event)
            case events.SeatFailed():
                self._emit("problem", text=f"{event.role}: {event.detail}")

    def _add(self, event: events.TurnPlayed) -> None:
        assert self._match is not None
        ply = self._match.record.plies[-1]
        node = Node(len(self.tree.nodes), self.current, event.moves, ply.errors, ply.seconds, _shortened(ply.thoughts))
        found, is_new = self.tree.add(self.current, event.state, node)
        self.head = replace(self.head, current=found.number)
        self._keep(self.head, found if is_new else None)
        self._emit("turn", node=found.as_json(), details=dict(ply.details))

    def _think(self, event: events.PlayerThinks) -> None:
        now = time.monotonic()
        if now - self._told_at.get(event.role, 0.0) >= _THOUGHT_EVERY_S:
            self._told_at[event.role] = now
            self._emit("thought", role=event.role, node=self.current, thought=event.thought.as_json())

    def _set_head(self, head: Head) -> None:
        self.head = head
        self._keep(head, None)
        self._emit("head")

    def _emit(self, kind: str, **values: Any) -> None:
        with self._lock:
            hearers = list(self._subscribers)
        for hear in hearers:
            hear(Happened(kind, values))


def _shortened(thoughts: Any) -> dict[str, Any]:
    """Return what players thought without their counters, which are many."""
    return {
        role: {name: value for name, value in thought.items() if name != "statistics"}
        for role, thought in thoughts.items()
    }
