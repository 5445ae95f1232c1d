"""Play a whole match."""

from __future__ import annotations

import threading
from typing import TypedDict, Unpack

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match import events
from woodstock.match.match import Match
from woodstock.match.record import MatchRecord
from woodstock.match.seating import Seats


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
