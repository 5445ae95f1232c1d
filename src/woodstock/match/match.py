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
from functools import partial
from typing import Self

from woodstock.errors import GameError
from woodstock.events import ignore
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.information import InformationState
from woodstock.information.referee import Views
from woodstock.match import events
from woodstock.match.asking import Asking
from woodstock.match.judging import judged, opening_moves
from woodstock.match.notes import MatchNotes
from woodstock.match.record import MatchRecord
from woodstock.match.seat_thread import Outcome
from woodstock.match.seating import Seats, by_role
from woodstock.players.decision import SearchInfo
from woodstock.players.make import make_player
from woodstock.players.player import CPU, WALL, Player, Reply, Task, as_reply

DEFAULT_MAX_TURNS = 10_000
# A reply is in time up to this long after the clock: the scheduler's share, not the player's.
DEFAULT_GRACE_S = 0.1
# How long a player may take to say goodbye.
_FAREWELL_S = 1.0
# A search by processor time may take this many times as long by the wall clock before it is late.
_CPU_SLACK = 20.0


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
        self._max_turns = max_turns
        self._tell = tell
        self._tell_lock = threading.Lock()
        self._chance = random.Random(seed)
        self._views = Views()
        self._is_announced = False
        clocks = start_clock_s, play_clock_s
        self._notes = MatchNotes(self.state, seats, match_id=match_id, clocks_s=clocks, seed=seed, opening=opening)
        for player in seats.values():
            self._check_can_join(player)
        self._asking = Asking(seats, grace_s)

    # What is known of it.

    @property
    def state(self) -> State:
        """The state that the match has come to."""
        return self.states[-1]

    @property
    def record(self) -> MatchRecord:
        """The record of the match so far."""
        return self._notes.record

    @property
    def turn(self) -> int:
        """The number of turns played."""
        return self._notes.turns

    @property
    def is_over(self) -> bool:
        """Whether the match has ended or was broken off."""
        return bool(self._notes.head.reason)

    @property
    def players(self) -> dict[str, Player]:
        """Who sits where."""
        return self._asking.players

    def view_of(self, role: str) -> InformationState:
        """Return what a role knows now: all that its player gets. `state` and `states` are for the referee.

        >>> import woodstock
        >>> with Match(woodstock.load("monty-hall"), ["legal"], seed=1) as match:
        ...     _ = match.step(), match.step(), match.step()
        ...     match.view_of("candidate").turns[-1].percepts
        ('(goat 2)', 'noop')
        """
        return self._views.of(self.game.roles[self.game.role_index(role)], self.states)

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
        self._asking.interrupt()

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
            for seat in self._asking.seats.values():
                seat.is_started = False
        self._views.forget()
        del self.states[turn + 1 :]
        self._notes.take_back(turn)
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
        if role not in self._asking.seats:
            raise GameError(f"{role} is chance: it needs no player")
        joining = make_player(player) if isinstance(player, str) else player
        self._check_can_join(joining)
        leaving = self._asking.exchange(role, joining, _FAREWELL_S)
        self._notes.seat(role, joining)
        self._emit(events.SeatTaken(role, joining.name))
        return leaving

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
        self._notes.end("aborted", {})
        for player in self.players.values():
            player.interrupt()
        self._farewell(is_over=False)
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
            self._asking.close(_FAREWELL_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_details: object) -> None:
        self.close()

    # One turn.

    def _play_turn(self) -> None:
        turn, state = self.turn + 1, self.state
        self._emit(events.TurnStarted(turn, state))
        if turn <= self._notes.head.opening:
            # A player that follows the moves must be asked all the same.
            self._answers(role for role, player in self.players.items() if player.follows_moves)
            made = opening_moves(turn, state, self._opening_seed)
        else:
            answers = self._answers(self._asking.seats)
            made = {
                role: judged(turn, role, state.legal(role), answers.get(role), self._chance) for role in self.game.roles
            }
        self._add_turn(made)

    def _add_turn(self, made: Mapping[str, events.MoveMade]) -> None:
        """Play the turn with the moves that were made."""
        moves = tuple(made[role].move for role in self.game.roles)
        self.states.append(self.state.next(moves))
        for role in self.game.roles:
            self._emit(made[role])
        self._notes.add(made, self.state)
        self._emit(events.TurnPlayed(self.turn, moves, self.state))

    def _answers(self, roles: Iterable[str]) -> dict[str, Outcome[Reply]]:
        """Ask the players of these roles at the same time and return what came of it."""
        deadline = time.monotonic() + self._notes.head.play_clock_s * (_CPU_SLACK if self._clock == CPU else 1.0)
        players = self.players
        calls = {role: partial(_move, players[role], self.view_of(role), deadline) for role in roles}
        return self._asking.call(calls, deadline)

    # Beginning and end.

    def _start_players(self) -> None:
        record = self._notes.head
        waiting = {role: seat for role, seat in self._asking.seats.items() if not seat.is_started}
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
                # Where a match that hides things has come to is no business of one who joins it: the views tell.
                state=self.states[0] if self.game.has_percepts else self.state,
                clock=self._clock,
                simulations=self._simulations,
                tell=partial(self._hear, role),
            )
            calls[role] = partial(seat.start, task, deadline)
        self._note_failures(self._asking.call(calls, deadline))

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
        self._notes.end(reason, state.scores if state.is_terminal else {})
        self._farewell(is_over=True)
        self._emit(events.MatchEnded(reason, state, self._notes.head.goals))
        return True

    def _farewell(self, *, is_over: bool) -> None:
        """Tell the players that the match is over, with what they know at its end, or that it was broken off."""
        self._asking.forget_interrupt()
        calls: dict[str, Callable[[], None]] = {}
        for role, seat in self._asking.seats.items():
            if seat.is_started:
                calls[role] = partial(seat.player.stop, self.view_of(role) if is_over else None)
        self._note_failures(self._asking.call(calls, time.monotonic() + _FAREWELL_S))

    def _note_failures(self, outcomes: Mapping[str, Outcome[None]]) -> None:
        for role, outcome in outcomes.items():
            if outcome.failure is not None:
                self._emit(events.SeatFailed(role, outcome.failure.code, str(outcome.failure)))

    def _check_can_join(self, player: Player) -> None:
        if player.follows_moves and self.state != self.game.initial:
            raise GameError(f"{player.name} cannot join in the middle of a match: its protocol starts at the beginning")

    def _emit(self, event: events.MatchEvent) -> None:
        # Players say what they think from their own threads; a subscriber hears one event at a time.
        with self._tell_lock:
            self._tell(event)

    def _hear(self, role: str, thought: SearchInfo) -> None:
        self._emit(events.PlayerThinks(role, thought))


def _move(player: Player, view: InformationState, deadline: float) -> Reply:
    return as_reply(player.move(view, deadline))
