"""Read one HTTP request from a socket, by a deadline and within bounds.

Without a Content-Length the body ends with its last closing bracket, or when the client stops sending.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass

from woodstock.errors import WoodstockError

MAX_HEAD_BYTES = 64 << 10
MAX_BODY_BYTES = 16 << 20
PIECE = 65536
METHODS = ("POST", "GET", "HEAD", "OPTIONS", "PUT")


class BadRequest(WoodstockError):
    """Not a request, too large, or too slow."""


@dataclass(frozen=True, slots=True)
class Request:
    """A whole request; `received_at` is the time of its first byte."""

    method: str
    body: str
    received_at: float


def read_request(connection: socket.socket, deadline: float) -> Request:
    """Return the request that a client sends; BadRequest if it is not one, too large or too slow."""
    reader = _Reader(connection, deadline)
    head = reader.head()
    lines = head.decode("latin-1").splitlines()
    method = lines[0].split(" ")[0].upper() if lines and lines[0] else ""
    if method not in METHODS:
        raise BadRequest(f"not an HTTP request: {lines[0][:40]!r}" if lines else "the request is empty")
    if method != "POST":
        return Request(method, "", reader.received_at)
    length = _content_length(lines[1:])
    body = reader.body(length) if length is not None else reader.brackets()
    return Request(method, body.decode("utf-8", "replace"), reader.received_at)


def _content_length(lines: list[str]) -> int | None:
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip().lower() == "content-length":
            text = value.strip()
            if not text.isdigit():
                raise BadRequest(f"the content length is not a number: {text[:40]!r}")
            if int(text) > MAX_BODY_BYTES:
                raise BadRequest(f"the message is longer than {MAX_BODY_BYTES} bytes")
            return int(text)
    return None


class _Reader:
    """The bytes of one connection."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline
        self._bytes = bytearray()
        self.received_at = time.monotonic()
        self._is_first = True

    def _more(self) -> bool:
        """Receive a piece; False at the end."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise BadRequest("the client is too slow")
        self._connection.settimeout(left)
        try:
            piece = self._connection.recv(PIECE)
        except TimeoutError:
            raise BadRequest("the client is too slow") from None
        if self._is_first:
            self.received_at, self._is_first = time.monotonic(), False
        self._bytes += piece
        return bool(piece)

    def head(self) -> bytes:
        """Return the head and leave what follows it."""
        searched = 0
        while True:
            for gap in (b"\r\n\r\n", b"\n\n"):
                found = self._bytes.find(gap, max(0, searched - 3))
                if found >= 0:
                    head = bytes(self._bytes[:found])
                    del self._bytes[: found + len(gap)]
                    return head
            searched = len(self._bytes)
            if searched > MAX_HEAD_BYTES:
                raise BadRequest(f"the head is longer than {MAX_HEAD_BYTES} bytes")
            if not self._more():
                raise BadRequest("the client closed the connection in the middle of the head")

    def body(self, length: int) -> bytes:
        """Return a body of the stated length."""
        while len(self._bytes) < length:
            if not self._more():
                raise BadRequest(f"the client sent {len(self._bytes)} of {length} bytes")
        return bytes(self._bytes[:length])

    def brackets(self) -> bytes:
        """Return a body of unknown length: up to its last closing bracket, or all that comes."""
        depth = looked = 0
        is_comment = False
        while True:
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
                        return bytes(self._bytes[:looked])
            if len(self._bytes) > MAX_BODY_BYTES:
                raise BadRequest(f"the message is longer than {MAX_BODY_BYTES} bytes")
            if not self._more():
                return bytes(self._bytes)
