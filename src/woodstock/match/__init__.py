"""Matches: players of any kind in seats, turn by turn, and the record of what happened.

Comes in: a `Game` and a player for each role. Goes out: events while the match is played, and a `MatchRecord`.
"""

from woodstock.match.match import Match
from woodstock.match.play_match import play_match
from woodstock.match.record import MatchRecord
from woodstock.match.seat_thread import TurnInterrupted

__all__ = ["Match", "MatchRecord", "TurnInterrupted", "play_match"]
