"""Read one HTTP message from a socket, by a deadline and within bounds: a request, or the answer to one.

Real players and servers speak HTTP loosely: header names in any case, bare line feeds, no Content-Length, HTTP/1.0.
"""

from __future__ import annotations

import socket
import time

from woodstock.errors import WoodstockError

PIECE = 65536


class HttpError(WoodstockError):
    """Not HTTP, too large, or cut off."""


def seconds_left(deadline: float) -> float:
    """Return the time until a deadline; TimeoutError if it is over."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("timed out")
    return left


class HttpReader:
    """The bytes of one connection: first `head`, then `body`. Raises `HttpError` and, at the deadline, TimeoutError."""

    def __init__(self, connection: socket.socket, deadline: float, *, most_head: int, most_body: int) -> None:
        self._connection, self._deadline = connection, deadline
        self._most_head, self._most_body = most_head, most_body
        self._bytes = bytearray()
        # When the first byte came.
        self.received_at: float | None = None
        # The first line, and the headers by their names in lower case.
        self.first_line = ""
        self.headers: dict[str, str] = {}

    def head(self) -> None:
        """Read the head."""
        searched = 0
        while True:
            ends = [(self._bytes.find(gap, max(0, searched - 3)), gap) for gap in (b"\r\n\r\n", b"\n\n")]
            if found := [end for end in ends if end[0] >= 0]:
                break
            searched = len(self._bytes)
            if searched > self._most_head:
                raise HttpError(f"the head is longer than {self._most_head} bytes")
            if not self._more():
                raise HttpError(
                    "the connection was closed in the middle of the head" if searched else "the connection was closed"
                )
        end, gap = min(found)
        self.first_line, *lines = self._bytes[:end].decode("latin-1").split("\n")
        del self._bytes[: end + len(gap)]
        for line in reversed(lines):
            name, _, value = line.partition(":")
            self.headers[name.strip().lower()] = value.strip()

    def body(self, *, is_list: bool) -> str:
        """Return the body. Without a Content-Length it ends with the connection or, if it is a list, with that."""
        text = self.headers.get("content-length", "")
        wanted = int(text) if text.isdecimal() and len(text) < 20 else None
        depth = looked = 0
        is_comment = False
        while wanted is None or len(self._bytes) < wanted:
            if max(len(self._bytes), wanted or 0) > self._most_body:
                raise HttpError(f"the message is longer than {self._most_body} bytes")
            if wanted is None and is_list:
                for byte in self._bytes[looked:]:
                    looked += 1
                    if is_comment:
                        is_comment = byte != 10
                    elif byte == 59:
                        is_comment = True
                    elif byte == 40:
                        depth += 1
                    elif byte == 41:
                        depth -= 1
                        if depth <= 0:
                            return self._bytes[:looked].decode("utf-8", "replace")
            if not self._more():
                if wanted is not None:
                    raise HttpError(f"the connection was closed after {len(self._bytes)} of {wanted} bytes")
                break
        return self._bytes[:wanted].decode("utf-8", "replace")

    def _more(self) -> bool:
        """Receive a piece; False at the end."""
        self._connection.settimeout(seconds_left(self._deadline))
        piece = self._connection.recv(PIECE)
        if self.received_at is None:
            self.received_at = time.monotonic()
        self._bytes += piece
        return bool(piece)
