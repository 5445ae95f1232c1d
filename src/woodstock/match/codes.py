"""What may go wrong with a seat's move, under the codes that GGP match records use."""

from __future__ import annotations

ILLEGAL = "IL"  # a term that is no legal move, or no term at all
TIMED_OUT = "TO"  # no reply within the clock
DISCONNECTED = "CE"  # nobody there: connection refused, closed, or not speaking the protocol
BROKEN = "IN"  # the player failed inside: an exception, a crash of its process

MEANINGS = {
    ILLEGAL: "illegal or unreadable move",
    TIMED_OUT: "no reply in time",
    DISCONNECTED: "connection failed",
    BROKEN: "the player crashed",
}
