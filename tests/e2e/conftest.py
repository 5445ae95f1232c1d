"""Scripted players on loopback: each does one thing wrong."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import woodstock
from woodstock.game.game import Game

Script = Callable[[socket.socket, str], None]


@pytest.fixture(scope="session")
def game() -> Game:
    """Tic-tac-toe: two roles, at most nine turns."""
    return woodstock.load("tic-tac-toe")


@contextmanager
def scripted(script: Script) -> Iterator[str]:
    """Run a player that treats every connection by the script; yield its address."""
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(0.1)
    is_over = threading.Event()

    def accept() -> None:
        while not is_over.is_set():
            try:
                connection, _ = server.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    def serve(connection: socket.socket) -> None:
        with connection:
            connection.settimeout(5)
            try:
                script(connection, _message(connection))
            except OSError:
                return

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
    finally:
        is_over.set()
        thread.join(2)
        server.close()


def _message(connection: socket.socket) -> str:
    data = b""
    while b"\r\n\r\n" not in data or data.count(b"(") > data.count(b")"):
        piece = connection.recv(65536)
        if not piece:
            break
        data += piece
    return data.partition(b"\r\n\r\n")[2].decode()


def answer(connection: socket.socket, body: str, head: str = "HTTP/1.0 200 OK\r\nContent-Type: text/acl\r\n") -> None:
    """Send a proper answer."""
    payload = body.encode()
    connection.sendall(f"{head}Content-Length: {len(payload)}\r\n\r\n".encode() + payload)


def politely(turn: Script) -> Script:
    """Answer everything but PLAY as the protocol has it."""

    def script(connection: socket.socket, message: str) -> None:
        word = message.replace("(", " ").split()[0].lower()
        if word == "play":
            turn(connection, message)
        else:
            answer(connection, {"info": "available", "start": "ready", "stop": "done"}.get(word, "aborted"))

    return script


def slowly(connection: socket.socket, data: bytes, pause_s: float) -> None:
    """Send byte by byte."""
    for index in range(len(data)):
        connection.sendall(data[index : index + 1])
        time.sleep(pause_s)
