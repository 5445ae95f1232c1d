"""The messages of the protocol: written for a server, read for a player.

A message is one KIF list, `( PLAY match.1 ((mark 2 2) noop) )`, in any case and spacing. Rules can have a megabyte,
so a message is split into words once.

PLAY and STOP come in three dialects. Without hidden information they have the last joint move. For rules with `sees`
the Dresden server sends the percepts of one role in its place, `( PLAY match.1 ((goat 3)) )`; GDL-II controllers send
the number of the turn, the role's own last move and its percepts, `( PLAY match.1 3 noop ((goat 3)) )`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.errors import WoodstockError
from woodstock.gdl.ast import Program
from woodstock.gdl.write import write

DEFAULT_PORT = 9147
NIL = "nil"


class ProtocolError(WoodstockError):
    """Not a message of the protocol."""


# What a server writes.


# Asks whether a player is free.
INFO = "( INFO )"


def preview(program: Program, clock_s: float) -> str:
    """Return the message that shows rules before a match."""
    return f"( PREVIEW ({_rules(program)}) {clock(clock_s)} )"


def start(match_id: str, role: str, program: Program, start_clock_s: float, play_clock_s: float) -> str:
    """Return the message that starts a match."""
    return f"( START {match_id} {role} ({_rules(program)}) {clock(start_clock_s)} {clock(play_clock_s)} )"


def play(match_id: str, terms: Sequence[str] | None) -> str:
    """Return the message that asks for a move; `terms` are the last joint move, or the percepts of one role."""
    return f"( PLAY {match_id} {_listed(terms)} )"


def stop(match_id: str, terms: Sequence[str] | None) -> str:
    """Return the message that ends a match."""
    return f"( STOP {match_id} {_listed(terms)} )"


def play_turn(match_id: str, turn: int, move: str | None, percepts: Sequence[str] | None) -> str:
    """Return the message of a GDL-II controller that asks for a move; `turn` turns were played.

    >>> play_turn("m", 0, None, None), play_turn("m", 1, "noop", ["(goat 3)"])
    ('( PLAY m 0 NIL NIL )', '( PLAY m 1 noop ((goat 3)) )')
    """
    return f"( PLAY {match_id} {turn} {move or NIL.upper()} {_listed(percepts)} )"


def stop_turn(match_id: str, turn: int, move: str | None, percepts: Sequence[str] | None) -> str:
    """Return the message of a GDL-II controller that ends a match."""
    return f"( STOP {match_id} {turn} {move or NIL.upper()} {_listed(percepts)} )"


def abort(match_id: str) -> str:
    """Return the message that breaks a match off."""
    return f"( ABORT {match_id} )"


def clock(seconds: float) -> str:
    """Return a clock as servers write it: without a fraction if there is none.

    >>> clock(10.0), clock(0.5)
    ('10', '0.5')
    """
    return f"{seconds:g}"


def _rules(program: Program) -> str:
    # One line without comments: some players read only the first line.
    lines = (line.split(";")[0] for line in write(program, "kif").splitlines())
    return " ".join(" ".join(lines).split())


def _listed(terms: Sequence[str] | None) -> str:
    return NIL.upper() if terms is None else f"({' '.join(terms)})"


# What a player reads.


@dataclass(frozen=True, slots=True)
class Info:
    """Are you free?"""


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules to study before a match."""

    rules: str
    clock_s: float


@dataclass(frozen=True, slots=True)
class Start:
    """Prepare for a match."""

    match_id: str
    role: str
    rules: str
    start_clock_s: float
    play_clock_s: float


@dataclass(frozen=True, slots=True)
class Play:
    """Make a move. `terms` are the last joint move in role order, or what the role saw of it; None on the first turn.

    GDL-II controllers also send how many turns were played and the role's own last move.
    """

    match_id: str
    terms: tuple[str, ...] | None
    turn: int | None = None
    move: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is over. The parts are those of `Play`."""

    match_id: str
    terms: tuple[str, ...] | None
    turn: int | None = None
    move: str | None = None


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is broken off."""

    match_id: str


Message = Info | Preview | Start | Play | Stop | Abort
_LONGEST_TURN = 9  # digits
_WORD = re.compile(r"\s*(?:;[^\n]*\n\s*)*([()]|[^\s();]+)")


def read_message(text: str) -> Message:
    """Return the message that a server sent; ProtocolError says what is wrong with it."""
    parts = _parts(text)
    if not parts:
        raise ProtocolError("the message is empty")
    kind, *rest = parts
    match kind.lower(), rest:
        case "info", _:
            return Info()
        case "preview", [rules, seconds]:
            return Preview(_inside(rules, "the rules"), _seconds(seconds))
        case "start", [match_id, role, rules, start_clock, play_clock]:
            return Start(match_id, role, _inside(rules, "the rules"), _seconds(start_clock), _seconds(play_clock))
        case "play", [match_id, terms]:
            return Play(match_id, _terms(terms))
        case "stop", [match_id, terms]:
            return Stop(match_id, _terms(terms))
        case "play", [match_id, turn, move, terms]:
            return Play(match_id, *_turn(turn, move, terms))
        case "stop", [match_id, turn, move, terms]:
            return Stop(match_id, *_turn(turn, move, terms))
        case "stop", [match_id]:
            return Stop(match_id, None)
        case "abort", [match_id, *_]:
            return Abort(match_id)
        case ("preview" | "start" | "play" | "stop" | "abort") as known, _:
            raise ProtocolError(f"{known.upper()} with {len(rest)} parts is not of the protocol")
    raise ProtocolError(f"no message of the protocol starts with {kind[:40]!r}")


def _parts(text: str) -> list[str]:
    """Return the parts of the outermost list as text; a part that is a list keeps its brackets."""
    parts: list[str] = []
    depth = position = begun = 0
    is_closed = False
    while (found := _WORD.match(text, position)) is not None:
        word = found[1]
        if is_closed:
            raise ProtocolError("the message goes on after its last bracket")
        if word == "(":
            depth += 1
            if depth == 2:
                begun = found.start(1)
        elif word == ")":
            depth -= 1
            if depth == 1:
                parts.append(text[begun : found.end()])
            is_closed = depth == 0
        elif depth == 0:
            raise ProtocolError(f"the message does not start with a bracket but with {word[:40]!r}")
        elif depth == 1:
            parts.append(word)
        position = found.end()
    if depth > 0:
        raise ProtocolError(f"the message ends with {depth} brackets open")
    return parts


def _inside(part: str, what: str) -> str:
    if not part.startswith("("):
        raise ProtocolError(f"{what} are not in brackets: {part[:40]!r}")
    return part[1:-1]


def _terms(part: str) -> tuple[str, ...] | None:
    if part.lower() == NIL:
        return None
    if not part.startswith("("):
        raise ProtocolError(f"the moves or percepts are neither NIL nor a list: {part[:40]!r}")
    return tuple(_parts(part))


def _turn(turn: str, move: str, percepts: str) -> tuple[tuple[str, ...] | None, int, str | None]:
    """Return the parts of a message of a GDL-II controller; before the first turn there are no percepts."""
    if not turn.isdecimal() or len(turn) > _LONGEST_TURN:
        raise ProtocolError(f"the turn is not a number: {turn[:40]!r}")
    number = int(turn)
    if number == 0:
        return None, 0, None
    # A role that saw nothing may be told so by NIL.
    return _terms(percepts) or (), number, None if move.lower() == NIL else move


def _seconds(part: str) -> float:
    try:
        seconds = float(part)
    except ValueError:
        raise ProtocolError(f"a clock is not a number: {part[:40]!r}") from None
    if not 0 <= seconds < 1e9:
        raise ProtocolError(f"a clock of {part[:40]} seconds is out of range")
    return seconds
