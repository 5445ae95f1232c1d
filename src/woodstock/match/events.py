"""The events of a match while it is played. Terminal, log, journal and network subscribe to this stream."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from woodstock.game.state import State
from woodstock.players.decision import SearchInfo


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """The players are told to prepare."""

    match_id: str
    players: Mapping[str, str]
    start_clock_s: float
    play_clock_s: float
    state: State


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The players are asked for a move in `state`."""

    turn: int
    state: State


@dataclass(frozen=True, slots=True)
class PlayerThinks:
    """A player says what it thinks so far."""

    role: str
    thought: SearchInfo


@dataclass(frozen=True, slots=True)
class MoveMade:
    """One role's move is known. `error` is a code of `woodstock.players.failure`; the move is then a random one."""

    turn: int
    role: str
    move: str
    seconds: float
    error: str = ""
    detail: str = ""
    thought: SearchInfo | None = None


@dataclass(frozen=True, slots=True)
class TurnPlayed:
    """All moves are made; `state` is what follows."""

    turn: int
    moves: tuple[str, ...]
    state: State


@dataclass(frozen=True, slots=True)
class SeatFailed:
    """Something went wrong outside a turn, while a player prepared or was told the end."""

    role: str
    error: str
    detail: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The match has gone back to the state after `turn` turns."""

    turn: int
    state: State


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Another player has taken the seat of a role."""

    role: str
    player: str


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over. `reason` is one of `terminal`, `stuck`, `turns` and `aborted`."""

    reason: str
    state: State
    goals: Mapping[str, int] = field(default_factory=dict)


MatchEvent = (
    MatchStarted | TurnStarted | PlayerThinks | MoveMade | TurnPlayed | TakenBack | SeatTaken | SeatFailed | MatchEnded
)
Subscriber = Callable[[MatchEvent], None]
