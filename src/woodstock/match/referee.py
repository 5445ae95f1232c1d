"""The referee: asks every seat for its move against the clock, plays `random` itself, and lets nothing stop a match.

A move that is illegal, late or missing is replaced by a random legal one and counted under its code. Given the same
seed, the moves that the referee draws are the same.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Mapping, Sequence

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.spelling import find
from woodstock.match import events
from woodstock.match.attendant import Attendant, Outcome
from woodstock.match.codes import ILLEGAL
from woodstock.match.record import MatchRecord, Ply
from woodstock.match.seat import Reply, Seat, SeatError, Task, Thought

RANDOM_ROLE = "random"
DEFAULT_MAX_TURNS = 10_000
# A reply is in time up to this long after the clock: the scheduler's share, not the player's.
DEFAULT_GRACE_S = 0.1
FAREWELL_S = 1.0


def seated_roles(game: Game) -> tuple[str, ...]:
    """Return the roles that need a seat: all but chance."""
    return tuple(role for role in game.roles if role.lower() != RANDOM_ROLE)


def play_match(
    game: Game,
    seats: Sequence[Seat] | Mapping[str, Seat],
    *,
    start_clock_s: float = 10.0,
    play_clock_s: float = 5.0,
    seed: int | None = None,
    match_id: str | None = None,
    max_turns: int = DEFAULT_MAX_TURNS,
    grace_s: float = DEFAULT_GRACE_S,
    tell: events.Subscriber = events.ignore,
    stop: threading.Event | None = None,
) -> MatchRecord:
    """Play one match to its end and return its record; the seats are closed afterwards.

    `seats` stand in the order of the roles, or by role; chance needs none. Setting `stop` breaks the match off after
    the turn under way. Exceptions of seats never come out of here, those of `tell` do.
    """
    chosen = _by_role(game, seats)
    if min(start_clock_s, play_clock_s, grace_s) < 0:
        raise GameError("a clock cannot be negative")
    seed = secrets.randbelow(2**32) if seed is None else seed
    record = MatchRecord.begin(
        game,
        match_id=match_id or f"woodstock.{game.name}.{time.time_ns() // 1_000_000}",
        players={role: seat.name for role, seat in chosen.items()},
        humans=[role for role, seat in chosen.items() if seat.is_human],
        start_clock_s=start_clock_s,
        play_clock_s=play_clock_s,
        seed=seed,
    )
    match = _Match(game, chosen, record, grace_s, tell)
    try:
        match.start()
        match.play(max_turns, stop)
    except BaseException:
        match.abort()
        raise
    finally:
        match.close()
    return match.record


def _by_role(game: Game, seats: Sequence[Seat] | Mapping[str, Seat]) -> dict[str, Seat]:
    roles = seated_roles(game)
    if isinstance(seats, Mapping):
        given = {game.roles[game.role_index(role)]: seat for role, seat in seats.items()}
    else:
        wanted = game.roles if len(seats) == len(game.roles) else roles
        if len(seats) != len(wanted):
            raise GameError(
                f"{game.name} needs {len(roles)} players, one for each of {', '.join(roles)}: {len(seats)} given"
            )
        given = dict(zip(wanted, seats, strict=True))
    missing = [role for role in roles if role not in given]
    if missing:
        raise GameError(f"{game.name} has no player for {', '.join(missing)}")
    return given


class _Match:
    """One match under way."""

    def __init__(
        self, game: Game, seats: dict[str, Seat], record: MatchRecord, grace_s: float, tell: events.Subscriber
    ) -> None:
        self.game, self.record, self.grace_s = game, record, grace_s
        self._tell = tell
        self._tell_lock = threading.Lock()
        self._chance = random.Random(record.seed)
        self._state = game.initial
        self._attendants = {role: Attendant(seat) for role, seat in seats.items()}

    def tell(self, event: events.MatchEvent) -> None:
        # Players tell their thoughts from their own threads; a subscriber hears one event at a time.
        with self._tell_lock:
            self._tell(event)

    def start(self) -> None:
        record = self.record
        self.tell(events.MatchStarted(record.match_id, record.players, record.start_clock_s, record.play_clock_s))
        deadline = time.monotonic() + record.start_clock_s
        requests = {}
        for role, attendant in self._attendants.items():
            task = Task(
                match_id=record.match_id,
                game=self.game,
                role=role,
                start_clock_s=record.start_clock_s,
                play_clock_s=record.play_clock_s,
                seed=self._chance.getrandbits(32),
                tell=lambda thought, role=role: self.tell(events.PlayerThinks(role, thought)),  # type: ignore[misc]
            )
            requests[role] = attendant.ask(lambda seat=attendant.seat, task=task: seat.start(task, deadline))  # type: ignore[misc]
        for role, request in requests.items():
            attendant = self._attendants[role]
            patience = None if attendant.seat.is_human else deadline + self.grace_s
            self._note_failure(role, attendant.wait(request, patience))

    def play(self, max_turns: int, stop: threading.Event | None) -> None:
        reason = "terminal"
        while not self._state.is_terminal:
            if stop is not None and stop.is_set():
                self.abort()
                return
            if len(self.record.plies) >= max_turns:
                reason = "turns"
                break
            if not all(self._state.legal(role) for role in self.game.roles):
                reason = "stuck"
                break
            self._turn()
        self._end(reason)

    def _turn(self) -> None:
        turn, state = len(self.record.plies) + 1, self._state
        self.tell(events.TurnStarted(turn, state))
        deadline = time.monotonic() + self.record.play_clock_s
        requests = {
            role: attendant.ask(lambda seat=attendant.seat: seat.play(state, deadline))  # type: ignore[misc]
            for role, attendant in self._attendants.items()
        }
        made: dict[str, events.MoveMade] = {}
        for role in self.game.roles:
            if role in requests:
                attendant = self._attendants[role]
                patience = None if attendant.seat.is_human else deadline + self.grace_s
                made[role] = self._judge(turn, role, attendant.wait(requests[role], patience))
            else:
                made[role] = events.MoveMade(turn, role, self._chance.choice(state.legal(role)), 0.0)
            self.tell(made[role])
        moves = tuple(made[role].move for role in self.game.roles)
        self._state = state.next(moves)
        self.record = self.record.with_ply(
            Ply(
                moves=moves,
                errors=tuple(made[role].error for role in self.game.roles),
                seconds=tuple(made[role].seconds for role in self.game.roles),
                thoughts={role: one.thought.as_json() for role, one in made.items() if one.thought is not None},
                details={role: one.detail for role, one in made.items() if one.detail},
                state=tuple(sorted(self._state.fluents)),
                at_ms=time.time_ns() // 1_000_000,
            )
        )
        self.tell(events.TurnPlayed(turn, moves, self._state))

    def _judge(self, turn: int, role: str, outcome: Outcome[Reply]) -> events.MoveMade:
        """Return the move a seat made, or a random one with the reason."""
        legal = self._state.legal(role)
        error, thought = outcome.error, None
        if error is None:
            reply = outcome.value
            if isinstance(reply, Reply) and isinstance(reply.move, str):
                thought = reply.thought if isinstance(reply.thought, Thought) else None
                move = find(reply.move, legal)
                if move is not None:
                    return events.MoveMade(turn, role, move, outcome.seconds, thought=thought)
                error = SeatError(f"{_clipped(reply.move)} is not one of its {len(legal)} legal moves", ILLEGAL)
            else:
                error = SeatError(f"{_clipped(repr(reply))} is not a move", ILLEGAL)
        move = self._chance.choice(legal)
        return events.MoveMade(turn, role, move, outcome.seconds, error.code, str(error), thought)

    def _end(self, reason: str) -> None:
        state = self._state
        self.record = self.record.ended(reason, state.goals if state.is_terminal else {})
        self._farewell(lambda seat: seat.stop(state))
        self.tell(events.MatchEnded(reason, state, self.record.goals))

    def abort(self) -> None:
        """Break the match off; harmless where it has ended."""
        if self.record.reason:
            return
        self.record = self.record.ended("aborted", {})
        for attendant in self._attendants.values():
            attendant.seat.interrupt()
        self._farewell(lambda seat: seat.abort())
        self.tell(events.MatchEnded("aborted", self._state))

    def _farewell(self, call: object) -> None:
        deadline = time.monotonic() + FAREWELL_S + self.grace_s
        requests = {
            role: attendant.ask(lambda seat=attendant.seat: call(seat))  # type: ignore[misc,operator]
            for role, attendant in self._attendants.items()
        }
        for role, request in requests.items():
            self._note_failure(role, self._attendants[role].wait(request, deadline))

    def _note_failure(self, role: str, outcome: Outcome[None]) -> None:
        if outcome.error is not None:
            self.tell(events.SeatFailed(role, outcome.error.code, str(outcome.error)))

    def close(self) -> None:
        for attendant in self._attendants.values():
            attendant.close(FAREWELL_S)


def _clipped(text: str, longest: int = 80) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest] + " ..."
