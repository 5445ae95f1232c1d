"""Send one message of the protocol over HTTP and return the body of the answer, before the deadline.

Real players speak HTTP loosely: header names in any case, no Content-Length, HTTP/1.0. The answer is read to its stated
length or to the end of the connection. As in other GGP servers, the status line is ignored.
"""

from __future__ import annotations

import socket
import time
import urllib.parse

from woodstock.errors import GameError, WoodstockError
from woodstock.ggp.messages import DEFAULT_PORT

MAX_ANSWER_BYTES = 1 << 20
PIECE = 65536


class Unreachable(WoodstockError):
    """Nothing listens at the address, or it does not speak HTTP."""


class TooLate(WoodstockError):
    """The answer was not complete at the deadline."""


def address(url: str) -> tuple[str, int]:
    """Return the host and the port of a player's URL.

    >>> address("http://127.0.0.1")
    ('127.0.0.1', 9147)
    """
    parts = urllib.parse.urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise GameError(f"{url} has no proper port: {error}") from error
    if parts.scheme != "http" or not parts.hostname:
        raise GameError(f"{url} is not the address of a player: write http://host:port")
    return parts.hostname, port or DEFAULT_PORT


def post(
    host: str, port: int, text: str, *, deadline: float | None, seconds: float = 1.0, connect_s: float = 5.0
) -> str:
    """Return the answer to a message; without a deadline wait `seconds`. Raises `Unreachable` and `TooLate`."""
    ends_at = time.monotonic() + seconds if deadline is None else deadline
    body = text.encode()
    head = (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: player\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        with socket.create_connection((host, port), timeout=_left(ends_at, connect_s)) as connection:
            connection.settimeout(_left(ends_at))
            connection.sendall(head.encode() + body)
            return _read_answer(connection, ends_at)
    except TimeoutError as error:
        raise TooLate(f"no answer from {host}:{port} in time") from error
    except OSError as error:
        raise Unreachable(f"no connection to {host}:{port}: {error.strerror or error}") from error


def _left(ends_at: float, most: float | None = None) -> float:
    left = ends_at - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left if most is None else min(left, most)


def _read_answer(connection: socket.socket, ends_at: float) -> str:
    received = bytearray()
    wanted: int | None = None
    head_end = -1
    while wanted is None or len(received) < wanted:
        connection.settimeout(_left(ends_at))
        piece = connection.recv(PIECE)
        if not piece:
            break
        received += piece
        if len(received) > MAX_ANSWER_BYTES:
            raise Unreachable(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
        if head_end < 0:
            head_end, gap = _head_end(received)
            if head_end >= 0:
                length = _content_length(bytes(received[:head_end]))
                wanted = None if length is None else head_end + gap + length
    if head_end < 0:
        if not received:
            raise Unreachable("the connection was closed without an answer")
        raise Unreachable("the answer is not HTTP")
    if wanted is not None and len(received) < wanted:
        raise Unreachable("the connection was closed in the middle of the answer")
    _, gap = _head_end(received)
    return bytes(received[head_end + gap : wanted]).decode("utf-8", "replace")


def _head_end(received: bytearray) -> tuple[int, int]:
    """Return where the head ends and how long the gap to the body is; -1 if it has not ended."""
    ends = [(received.find(gap), len(gap)) for gap in (b"\r\n\r\n", b"\n\n")]
    found = [end for end in ends if end[0] >= 0]
    return min(found) if found else (-1, 0)


def _content_length(head: bytes) -> int | None:
    for line in head.split(b"\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None
