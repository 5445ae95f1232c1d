"""An HTTP server for one player that copes with real clients: any header, any case, HTTP/1.0, hostile or dead.

It uses plain sockets and no framework: the protocol is one POST for each connection, and every read, wait and thread
has a limit here.
"""

from __future__ import annotations

import logging
import socket
import threading
import time

from woodstock.errors import WoodstockError
from woodstock.ggp.http import HttpError, HttpReader
from woodstock.ggp.messages import INFO, ProtocolError
from woodstock.ggp.player import GgpPlayer

log = logging.getLogger("woodstock.ggp")

MAX_CONNECTIONS = 32
READ_S = 10.0
MAX_HEAD_BYTES = 64 << 10
MAX_BODY_BYTES = 16 << 20
METHODS = ("POST", "GET", "HEAD", "OPTIONS", "PUT")
CORS = (
    "Access-Control-Allow-Origin: *\r\n"
    "Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
    "Access-Control-Allow-Headers: Content-Type, Sender, Receiver\r\n"
    "Access-Control-Max-Age: 86400\r\n"
)


class Server:
    """Listens on a port and answers with a player; `close` ends it."""

    def __init__(
        self,
        player: GgpPlayer,
        host: str = "",
        port: int = 0,
        *,
        max_connections: int = MAX_CONNECTIONS,
        read_s: float = READ_S,
    ) -> None:
        self._player = player
        self._read_s = read_s
        self._free = threading.BoundedSemaphore(max_connections)
        self._is_closed = threading.Event()
        try:
            self._socket = socket.create_server((host, port), backlog=64)
        except OSError as error:
            reason = str(error.strerror or error).partition(" (while")[0]
            raise WoodstockError(f"cannot listen on port {port}: {reason}") from error
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, name=f"serve {self.port}", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until the server is closed."""
        while not self._is_closed.wait(0.5):
            pass

    def stop(self) -> None:
        """End `wait`; may be called from a signal handler."""
        self._is_closed.set()

    def close(self) -> None:
        """Stop listening and give up the match under way."""
        self._is_closed.set()
        try:
            # Wakes the thread that waits in accept.
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()
        self._thread.join(1.0)
        self._player.close()

    def _accept(self) -> None:
        while not self._is_closed.is_set():
            try:
                connection, address = self._socket.accept()
            except OSError as error:
                if self._is_closed.is_set():
                    return
                # Out of handles or the like: it passes, and a busy loop would not help.
                log.error("cannot accept a connection: %s", error)
                time.sleep(0.05)
                continue
            if not self._free.acquire(blocking=False):
                log.warning("too many connections, one from %s is turned away", address[0])
                connection.close()
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                self._answer(connection)
        except OSError as error:
            # The client is gone. A move that nobody takes is the server's loss, not ours.
            log.warning("a client went away: %s", error)
        except Exception:
            log.exception("a message was not answered")
        finally:
            self._free.release()

    def _answer(self, connection: socket.socket) -> None:
        deadline = time.monotonic() + self._read_s
        reader = HttpReader(connection, deadline, most_head=MAX_HEAD_BYTES, most_body=MAX_BODY_BYTES)
        try:
            reader.head()
            method = reader.first_line.split(" ")[0].upper()
            if method not in METHODS:
                raise HttpError(f"not an HTTP request: {reader.first_line[:40]!r}")
            # A browser that looks at the port sees whether the player is free.
            text = reader.body(is_list=True) if method == "POST" else INFO
            answer = "" if method == "OPTIONS" else self._player.answer(text, reader.received_at)
        except (HttpError, ProtocolError, TimeoutError) as error:
            log.warning("a request is not answered: %s", error)
            _send(connection, "400 Bad Request", str(error))
        else:
            _send(connection, "200 OK", answer)


def _send(connection: socket.socket, status: str, body: str) -> None:
    payload = body.encode()
    head = f"HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {len(payload)}\r\n{CORS}\r\n"
    connection.settimeout(READ_S)
    connection.sendall(head.encode() + payload)
