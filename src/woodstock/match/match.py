"""A match that can be stepped: `step` asks all players for a move, judges the answers and plays the turn.

A move that is illegal, late or missing is replaced by a random legal one and counted under its code. Between two steps
a match can wait, go back to an earlier turn, get another player in a seat or be broken off. A person is asked on the
thread that calls `step`, so what a person raises (to leave, to take a move back) comes out of `step`. All other players
have threads of their own, and none of their exceptions gets through. The same seed gives the same random moves.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypedDict, TypeVar, Unpack

from woodstock.errors import GameError
from woodstock.events import ignore
from woodstock.game.game import Game
from woodstock.game.spelling import find
from woodstock.game.state import State
from woodstock.match import events
from woodstock.match.record import MatchRecord, Ply
from woodstock.match.seat_thread import Outcome, Request, SeatThread, TurnInterrupted
from woodstock.match.seating import Seats, by_role
from woodstock.players.decision import SearchInfo
from woodstock.players.failure import ILLEGAL, PlayerFailure
from woodstock.players.make import make_player
from woodstock.players.player import CPU, WALL, Player, Reply, Task, as_reply, clipped

DEFAULT_MAX_TURNS = 10_000
# A reply is in time up to this long after the clock: the scheduler's share, not the player's.
DEFAULT_GRACE_S = 0.1
# How long a player may take to say goodbye.
_FAREWELL_S = 1.0
# A search by processor time may take this many times as long by the wall clock before it is late.
_CPU_SLACK = 20.0

T = TypeVar("T")


class MatchOptions(TypedDict, total=False):
    """The keywords of `Match`, which explains them."""

    start_clock_s: float
    play_clock_s: float
    clock: str
    simulations: int
    seed: int | None
    opening: int
    opening_seed: int | None
    state: State | None
    match_id: str | None
    max_turns: int
    grace_s: float
    tell: events.Subscriber


def play_match(
    game: Game, players: Seats, *, stop: threading.Event | None = None, **options: Unpack[MatchOptions]
) -> MatchRecord:
    """Play one match to its end and return its record. The options are those of `Match`, such as `play_clock_s=1.0`.

    Setting `stop` breaks the match off after the turn under way. Exceptions of players never come out of here, except
    those of a person; those of `tell` do.

    >>> import woodstock
    >>> play_match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1).goals
    {'x': 100, 'o': 0}
    """
    with Match(game, players, **options) as match:
        while (stop is None or not stop.is_set()) and match.step():
            pass
        match.abort()
        return match.record


class Match:
    """One match under way.

    `players` are `Player` objects or specifications such as `"uct:c=0.7"`, in the order of the roles or by role; chance
    needs none. Players get `start_clock_s` to prepare and `play_clock_s` for each move; with `clock="cpu"` built-in
    players count the processor time of their search, with `simulations` they make that many playouts instead. The first
    `opening` turns are random, drawn from `opening_seed` alone. `state` is where the match begins, `grace_s` how late a
    reply may be and still count. `tell` hears every event.

    >>> import woodstock
    >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
    ...     while match.step():
    ...         pass
    ...     match.turn, match.is_over, match.state.is_terminal, match.record.goals
    (7, True, True, {'x': 100, 'o': 0})
    >>> match.players["x"].name
    'legal'
    """

    def __init__(
        self,
        game: Game,
        players: Seats,
        *,
        start_clock_s: float = 10.0,
        play_clock_s: float = 5.0,
        clock: str = WALL,
        simulations: int = 0,
        seed: int | None = None,
        opening: int = 0,
        opening_seed: int | None = None,
        state: State | None = None,
        match_id: str | None = None,
        max_turns: int = DEFAULT_MAX_TURNS,
        grace_s: float = DEFAULT_GRACE_S,
        tell: events.Subscriber = ignore,
    ) -> None:
        seats = by_role(game, players)
        if min(start_clock_s, play_clock_s, grace_s) < 0:
            raise GameError("a clock cannot be negative")
        if clock not in (WALL, CPU):
            raise GameError(f"a clock is {WALL} or {CPU}, not {clock}")
        seed = secrets.randbelow(2**32) if seed is None else seed
        self.game = game
        self.states: list[State] = [game.initial if state is None else state]
        self._clock, self._simulations = clock, simulations
        self._opening_seed = seed if opening_seed is None else opening_seed
        self._max_turns, self._grace_s = max_turns, grace_s
        self._tell = tell
        self._tell_lock = threading.Lock()
        self._chance = random.Random(seed)
        self._is_announced = False
        self._is_interrupted = False
        self._pending: dict[str, Request[Any]] = {}
        # All of the record but its turns.
        self._head = MatchRecord(
            match_id=match_id or f"woodstock.{game.name}.{time.time_ns() // 1_000_000}",
            game=game.name,
            rules=game.text,
            rules_hash=game.rules_hash,
            roles=game.roles,
            players={role: player.name for role, player in seats.items()},
            humans=tuple(role for role, player in seats.items() if player.is_human),
            start_clock_s=start_clock_s,
            play_clock_s=play_clock_s,
            seed=seed,
            opening=opening,
            initial=tuple(sorted(self.state.fluents)),
            is_from_start=self.state == game.initial,
            started_ms=time.time_ns() // 1_000_000,
            random_token=secrets.token_hex(16),
        )
        self._plies: list[Ply] = []
        for player in seats.values():
            self._check_can_join(player)
        self._seats = {role: SeatThread(player) for role, player in seats.items()}

    # What is known of it.

    @property
    def state(self) -> State:
        """The state that the match has come to."""
        return self.states[-1]

    @property
    def record(self) -> MatchRecord:
        """The record of the match so far."""
        return replace(self._head, plies=tuple(self._plies))

    @property
    def turn(self) -> int:
        """The number of turns played."""
        return len(self._plies)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended or was broken off."""
        return bool(self._head.reason)

    @property
    def players(self) -> dict[str, Player]:
        """Who sits where."""
        return {role: seat.player for role, seat in self._seats.items()}

    # Playing.

    def step(self) -> bool:
        """Play one turn, after starting players that wait for it; return whether the match goes on.

        Raises what a person raises, and `TurnInterrupted` after `interrupt`; the turn is then not played, and the next
        step plays it anew.
        """
        if self.is_over:
            return False
        self._start_players()
        # A match may begin in its last state; later states are judged when they are reached.
        if self.turn or not self._end_if_due():
            self._play_turn()
            self._end_if_due()
        return not self.is_over

    def interrupt(self) -> None:
        """Have the step under way, or the next one, raise `TurnInterrupted`; may be called from any thread.

        >>> import woodstock
        >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
        ...     match.interrupt()
        ...     match.step()
        Traceback (most recent call last):
        ...
        woodstock.match.seat_thread.TurnInterrupted
        """
        self._is_interrupted = True
        for request in list(self._pending.values()):
            request.cancel()
        for seat in list(self._seats.values()):
            if seat.player.is_human:
                seat.player.interrupt()

    def take_back(self, turn: int) -> None:
        """Go back to the state after this many turns, also from the end of the match.

        >>> import woodstock
        >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
        ...     _ = match.step(), match.step()
        ...     match.take_back(1)
        ...     match.turn, match.state.last_moves
        (1, ('(mark 1 1)', 'noop'))
        """
        if not 0 <= turn <= self.turn:
            raise GameError(f"the match has turns 0 to {self.turn}: it cannot go back to {turn}")
        for player in self.players.values():
            if player.follows_moves:
                raise GameError(f"{player.name} cannot take moves back: its protocol has no message for that")
        if self.is_over:
            for seat in self._seats.values():
                seat.is_started = False
        del self.states[turn + 1 :]
        del self._plies[turn:]
        self._head = replace(self._head, reason="", goals={})
        self._emit(events.TakenBack(turn, self.state))

    def play(self, moves: Sequence[str]) -> None:
        """Play a turn with these moves, in role order, without asking the players; between two steps only.

        >>> import woodstock
        >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
        ...     match.play(["(mark 2 2)", "noop"])
        ...     match.turn, match.step(), match.record.moves[1]
        (1, True, ('noop', '(mark 1 1)'))
        """
        for player in self.players.values():
            if player.follows_moves:
                raise GameError(f"{player.name} must be asked for its moves: its protocol has no message for that")
        if self.is_over:
            raise GameError("the match is over: take a turn back first")
        joint = tuple(moves)
        self._add_turn(
            {
                role: events.MoveMade(self.turn + 1, role, move, 0.0)
                for role, move in zip(self.game.roles, joint, strict=True)
            }
        )
        self._end_if_due()

    def seat(self, role: str, player: Player | str) -> Player:
        """Put another player in a role's seat and return the one who had it; between two steps only.

        The match is over for the one who leaves; the other is started before the next turn.

        >>> import woodstock
        >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
        ...     match.seat("o", "random").name, match.players["o"].name
        ('legal', 'random')
        """
        role = self.game.roles[self.game.role_index(role)]
        if role not in self._seats:
            raise GameError(f"{role} is chance: it needs no player")
        joining = make_player(player) if isinstance(player, str) else player
        self._check_can_join(joining)
        before = self._seats[role]
        if before.is_started:
            before.ask(lambda: before.player.stop(None))
        before.close(_FAREWELL_S)
        self._seats[role] = SeatThread(joining)
        self._note_player(role, joining)
        self._emit(events.SeatTaken(role, joining.name))
        return before.player

    def abort(self) -> None:
        """Break the match off; harmless if it has ended.

        >>> import woodstock
        >>> with Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1) as match:
        ...     match.abort()
        >>> match.record.reason
        'aborted'
        """
        if self.is_over:
            return
        self._head = replace(self._head, reason="aborted")
        for seat in self._seats.values():
            seat.player.interrupt()
        self._farewell(None)
        self._emit(events.MatchEnded("aborted", self.state))

    def close(self) -> None:
        """Break the match off if it is not over, and end its threads. A `with` block does this at its end.

        >>> import woodstock
        >>> match = Match(woodstock.load("tic-tac-toe"), ["legal", "legal"], seed=1)
        >>> match.close()
        >>> match.is_over
        True
        """
        try:
            self.abort()
        finally:
            for seat in self._seats.values():
                seat.close(_FAREWELL_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_details: object) -> None:
        self.close()

    # One turn.

    def _play_turn(self) -> None:
        turn, state = self.turn + 1, self.state
        self._emit(events.TurnStarted(turn, state))
        if turn <= self._head.opening:
            made = self._opening_moves(turn, state)
        else:
            answers = self._answers(state, self._seats)
            made = {role: self._judge(turn, role, answers.get(role)) for role in self.game.roles}
        self._add_turn(made)

    def _add_turn(self, made: Mapping[str, events.MoveMade]) -> None:
        """Play the turn with the moves that were made."""
        moves = tuple(made[role].move for role in self.game.roles)
        self.states.append(self.state.next(moves))
        for role in self.game.roles:
            self._emit(made[role])
        self._plies.append(
            Ply(
                moves=moves,
                errors=tuple(made[role].error for role in self.game.roles),
                seconds=tuple(made[role].seconds for role in self.game.roles),
                thoughts={role: one.thought.as_json() for role, one in made.items() if one.thought is not None},
                details={role: one.detail for role, one in made.items() if one.detail},
                state=tuple(sorted(self.state.fluents)),
                at_ms=time.time_ns() // 1_000_000,
            )
        )
        self._emit(events.TurnPlayed(self.turn, moves, self.state))

    def _opening_moves(self, turn: int, state: State) -> dict[str, events.MoveMade]:
        """Return random moves; a player that follows the moves must be asked all the same."""
        self._answers(state, [role for role, player in self.players.items() if player.follows_moves])
        dice = random.Random(f"{self._opening_seed}/{turn - 1}")
        return {role: events.MoveMade(turn, role, dice.choice(state.legal(role)), 0.0) for role in self.game.roles}

    def _answers(self, state: State, roles: Iterable[str]) -> dict[str, Outcome[Reply]]:
        """Ask the players of these roles at the same time and return what came of it."""
        deadline = time.monotonic() + self._head.play_clock_s * (_CPU_SLACK if self._clock == CPU else 1.0)
        return self._call({role: partial(_move, self._seats[role].player, state, deadline) for role in roles}, deadline)

    def _call(self, calls: Mapping[str, Callable[[], T]], deadline: float) -> dict[str, Outcome[T]]:
        """Call players at the same time and return what came of it by the deadline; `interrupt` ends the wait."""
        seats = {role: self._seats[role] for role in calls}
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

    def _judge(self, turn: int, role: str, outcome: Outcome[Reply] | None) -> events.MoveMade:
        """Return the move that a player made, or a random one with the reason; chance has no outcome."""
        legal = self.state.legal(role)
        if outcome is None:
            return events.MoveMade(turn, role, self._chance.choice(legal), 0.0)
        failure, thought = outcome.failure, None
        if outcome.value is not None:
            thought = outcome.value.thought
            move = find(outcome.value.move, legal)
            if move is not None:
                return events.MoveMade(turn, role, move, outcome.seconds, thought=thought)
            text = f"{clipped(outcome.value.move)} is not one of its {len(legal)} legal moves"
            failure = PlayerFailure(text, ILLEGAL)
        assert failure is not None
        move = self._chance.choice(legal)
        return events.MoveMade(turn, role, move, outcome.seconds, failure.code, str(failure), thought)

    # Beginning and end.

    def _start_players(self) -> None:
        record = self._head
        waiting = {role: seat for role, seat in self._seats.items() if not seat.is_started}
        if not waiting:
            return
        if not self._is_announced:
            self._is_announced = True
            clocks = record.start_clock_s, record.play_clock_s
            self._emit(events.MatchStarted(record.match_id, record.players, *clocks, self.state))
        deadline = time.monotonic() + record.start_clock_s
        calls: dict[str, Callable[[], None]] = {}
        for role, seat in waiting.items():
            task = Task(
                game=self.game,
                role=role,
                start_clock_s=record.start_clock_s,
                play_clock_s=record.play_clock_s,
                match_id=record.match_id,
                seed=self._chance.getrandbits(32),
                state=self.state,
                clock=self._clock,
                simulations=self._simulations,
                tell=partial(self._hear, role),
            )
            calls[role] = partial(seat.start, task, deadline)
        self._note_failures(self._call(calls, deadline))

    def _end_if_due(self) -> bool:
        """End the match if there is a reason to; return whether there is."""
        state = self.state
        if state.is_terminal:
            reason = "terminal"
        elif self.turn >= self._max_turns:
            reason = "turns"
        elif not all(state.legal(role) for role in self.game.roles):
            reason = "stuck"
        else:
            return False
        self._head = replace(self._head, reason=reason, goals=state.scores if state.is_terminal else {})
        self._farewell(state)
        self._emit(events.MatchEnded(reason, state, self._head.goals))
        return True

    def _farewell(self, state: State | None) -> None:
        """Tell the players that the match is over; an interrupt that came too late is forgotten."""
        self._is_interrupted = False
        calls = {role: partial(seat.player.stop, state) for role, seat in self._seats.items() if seat.is_started}
        self._note_failures(self._call(calls, time.monotonic() + _FAREWELL_S))

    def _note_failures(self, outcomes: Mapping[str, Outcome[None]]) -> None:
        for role, outcome in outcomes.items():
            if outcome.failure is not None:
                self._emit(events.SeatFailed(role, outcome.failure.code, str(outcome.failure)))

    def _note_player(self, role: str, player: Player) -> None:
        """Put a new player in the record; after the first turn both names stand."""
        head = self._head
        name = f"{head.players[role]} then {player.name}" if self._plies else player.name
        humans = {*head.humans} if self._plies else {*head.humans} - {role}
        if player.is_human:
            humans.add(role)
        self._head = replace(
            head, players={**head.players, role: name}, humans=tuple(one for one in head.roles if one in humans)
        )

    def _check_can_join(self, player: Player) -> None:
        if player.follows_moves and self.state != self.game.initial:
            raise GameError(f"{player.name} cannot join in the middle of a match: its protocol starts at the beginning")

    def _emit(self, event: events.MatchEvent) -> None:
        # Players say what they think from their own threads; a subscriber hears one event at a time.
        with self._tell_lock:
            self._tell(event)

    def _hear(self, role: str, thought: SearchInfo) -> None:
        self._emit(events.PlayerThinks(role, thought))


def _move(player: Player, state: State, deadline: float) -> Reply:
    return as_reply(player.move(state, deadline))
