"""Matches: a referee, seats for players of any kind, and the record of what happened.

Comes in: a `Game` and a seat for each role. Goes out: events while the match is played, and a `MatchRecord`.
"""

from woodstock.match.record import MatchRecord
from woodstock.match.referee import play_match
from woodstock.match.seat import Reply, Seat, SeatError, Task

__all__ = ["MatchRecord", "Reply", "Seat", "SeatError", "Task", "play_match"]
