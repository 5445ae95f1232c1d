"""Send one message of the protocol over HTTP and return the body of the answer, before the deadline.

As in other GGP servers, the status line of the answer is ignored.
"""

from __future__ import annotations

import socket
import urllib.parse

from woodstock.errors import GameError, WoodstockError
from woodstock.ggp.http import HttpError, HttpReader, seconds_left
from woodstock.ggp.messages import DEFAULT_PORT

MAX_ANSWER_BYTES = 1 << 20
CONNECT_S = 5.0


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


def post(host: str, port: int, text: str, *, deadline: float) -> str:
    """Return the answer to a message. Raises `Unreachable` and `TooLate`."""
    body = text.encode()
    head = (
        f"POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: player\r\n"
        f"Content-Type: text/acl\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    try:
        connect_s = min(CONNECT_S, seconds_left(deadline))
        with socket.create_connection((host, port), timeout=connect_s) as connection:
            connection.settimeout(seconds_left(deadline))
            connection.sendall(head.encode() + body)
            reader = HttpReader(connection, deadline, most_head=MAX_ANSWER_BYTES, most_body=MAX_ANSWER_BYTES)
            reader.head()
            return reader.body(is_list=False)
    except TimeoutError as error:
        raise TooLate(f"no answer from {host}:{port} in time") from error
    except HttpError as error:
        raise Unreachable(f"{host}:{port} does not speak HTTP: {error}") from error
    except OSError as error:
        raise Unreachable(f"no connection to {host}:{port}: {error.strerror or error}") from error
