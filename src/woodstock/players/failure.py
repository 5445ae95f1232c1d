"""What can go wrong with a player's move, under the codes that GGP match records use."""

from __future__ import annotations

from woodstock.errors import WoodstockError

ILLEGAL = "IL"  # a term that is not a legal move, or not a term at all
TIMED_OUT = "TO"  # no reply within the clock
DISCONNECTED = "CE"  # connection refused, closed, or not speaking the protocol
BROKEN = "IN"  # the player failed inside: an exception, a crash of its process

MEANINGS = {
    ILLEGAL: "illegal or unreadable move",
    TIMED_OUT: "no reply in time",
    DISCONNECTED: "connection failed",
    BROKEN: "the player crashed",
}


class PlayerFailure(WoodstockError):
    """A player gave no legal move. `code` says what kind of failure it was.

    >>> failure = PlayerFailure("no reply within 5.10 s", TIMED_OUT)
    >>> failure.code, MEANINGS[failure.code]
    ('TO', 'no reply in time')
    """

    def __init__(self, message: str, code: str = BROKEN) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code)
