"""Players that crash, stall, lie or answer late: the right code for each, and the match goes on."""

from __future__ import annotations

import importlib.util
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from woodstock.game.game import Game
from woodstock.information import InformationState
from woodstock.match import MatchRecord, play_match
from woodstock.match.events import MatchEnded, MatchEvent, SeatFailed
from woodstock.players import Player, Reply, Task


def _load_support() -> ModuleType:
    # Test folders are no packages; what tests share beside fixtures is loaded by path.
    path = Path(__file__).with_name("conftest.py")
    spec = importlib.util.spec_from_file_location("e2e_support", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["e2e_support"] = module
    spec.loader.exec_module(module)
    return module


support = _load_support()
answer, politely, slowly, scripted = support.answer, support.politely, support.slowly, support.scripted
Script = Callable[[socket.socket, str], None]

CLOCK_S = 0.3
OK = "HTTP/1.0 200 OK\r\n"


def _raw(data: bytes) -> Script:
    return lambda connection, message: connection.sendall(data)


def _late(connection: socket.socket, message: str) -> None:
    time.sleep(CLOCK_S + 0.4)
    answer(connection, "noop")


def _stall(connection: socket.socket, message: str) -> None:
    connection.recv(1)  # waits until the other side gives up


def _close(connection: socket.socket, message: str) -> None:
    connection.close()


def _reset(connection: socket.socket, message: str) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()


def _trickle(connection: socket.socket, message: str) -> None:
    # Longer than any test: whoever waits for the end does not come back.
    slowly(connection, b"HTTP/1.0 200 OK\r\n" + b"X: y\r\n" * 100_000, 0.05)


def _endless(connection: socket.socket, message: str) -> None:
    connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"noop " * 10_000)


def _endless_head(connection: socket.socket, message: str) -> None:
    while True:
        connection.sendall(b"X-Header: more\r\n" * 1000)


def _says(text: str) -> Script:
    return lambda connection, message: answer(connection, text)


# What each player does with PLAY, and the code that its moves must get; "" is a move in its own right.
REMOTE = {
    "illegal move": (_says("(mark 9 9)"), "IL"),
    "no term": (_says(")))((("), "IL"),
    "empty body": (_says(""), "IL"),
    "nil": (_says("NIL"), "IL"),
    "another role's move in words": (_says("I play the middle"), "IL"),
    "a list of moves": (_says("((mark 1 1) (mark 2 2))"), "IL"),
    "a very long answer": (_says("x" * 100_000), "IL"),
    "wrong bytes": (_raw(b"\xff\xfe\x00\x01\r\n\r\n\x80\x81"), "IL"),
    "not http": (_raw(b"noop"), "CE"),
    "server error": (_raw(b"HTTP/1.0 500 Oops\r\nContent-Length: 4\r\n\r\noops"), "IL"),
    "half a body": (_raw(b"HTTP/1.0 200 OK\r\nContent-Length: 40\r\n\r\nnoop"), "CE"),
    "closed at once": (_close, "CE"),
    "connection reset": (_reset, "CE"),
    "late": (_late, "TO"),
    "stalled": (_stall, "TO"),
    "trickled": (_trickle, "TO"),
    "endless body": (_endless, "CE"),
    "endless head": (_endless_head, "CE"),
    "busy in the middle": (_says("busy"), "IL"),
    "no content length": (_raw(OK.encode() + b"\r\nnoop"), ""),
    "bare line feeds": (_raw(b"HTTP/1.0 200 OK\ncontent-length: 4\n\nnoop"), ""),
    "odd case and spaces": (_says("  NOOP \n"), ""),
}


def _codes(record: MatchRecord, role: str) -> set[str]:
    index = record.roles.index(role)
    return {ply.errors[index] for ply in record.plies}


@pytest.mark.parametrize("name", REMOTE)
def test_a_bad_player_on_the_network_gets_its_code(game: Game, name: str) -> None:
    turn, code = REMOTE[name]
    # The second role moves by noop at odd turns, so what is expected of a good answer is known.
    with scripted(politely(turn)) as url:
        record = play_match(game, ["legal", url], play_clock_s=CLOCK_S, start_clock_s=1, seed=1, max_turns=1)
    assert _codes(record, "o") == {code}
    assert record.reason == "turns"


def test_nobody_at_the_address(game: Game) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    heard: list[MatchEvent] = []
    seats = [f"http://127.0.0.1:{port}", "legal"]
    record = play_match(game, seats, play_clock_s=0.5, start_clock_s=0.5, seed=1, tell=heard.append)
    assert _codes(record, "x") == {"CE"}
    assert record.reason == "terminal"
    assert next(event.error for event in heard if isinstance(event, SeatFailed)) == "CE"


def test_a_whole_match_of_errors_ends_with_goals(game: Game) -> None:
    with scripted(politely(_close)) as url:
        record = play_match(game, [url, url], play_clock_s=1, start_clock_s=1, seed=4)
    assert record.reason == "terminal"
    assert sum(record.errors["x"].values()) == len(record.plies)
    assert sorted(record.goals.values(), key=str) in ([0, 100], [100, 0], [50, 50])
    assert len(record.replay(game)) == len(record.plies) + 1


class Crash(Player):
    """Raises in every turn."""

    def move(self, view: InformationState, deadline: float) -> str:
        raise RuntimeError("no idea")


class Sleep(Player):
    """Never answers."""

    def move(self, view: InformationState, deadline: float) -> str:
        threading.Event().wait(30)
        return "noop"


class Nonsense(Player):
    """Answers with something that is no text."""

    def move(self, view: InformationState, deadline: float) -> Any:
        return 42


class BadReply(Player):
    """Answers with a reply that holds no text."""

    def move(self, view: InformationState, deadline: float) -> Any:
        return Reply(None)  # type: ignore[arg-type]


class CrashInStart(Player):
    """Raises before the match, plays properly."""

    def start(self, task: Task, deadline: float | None) -> None:
        super().start(task, deadline)
        raise ValueError("not today")

    def move(self, view: InformationState, deadline: float) -> str:
        return view.legal[0]


@pytest.mark.parametrize(
    ("player", "code"), [(Crash, "IN"), (Sleep, "TO"), (Nonsense, "IL"), (BadReply, "IL"), (CrashInStart, "")]
)
def test_a_bad_python_object_gets_its_code(game: Game, player: type[Player], code: str) -> None:
    seats: list[Player | str] = [player(), "legal"]
    record = play_match(game, seats, play_clock_s=0.1, start_clock_s=0.5, seed=1, max_turns=3)
    assert _codes(record, "x") == {code}


def test_a_match_can_be_stopped(game: Game) -> None:
    stop = threading.Event()
    heard: list[MatchEvent] = []

    def tell(event: MatchEvent) -> None:
        heard.append(event)
        if len(heard) > 8:
            stop.set()

    record = play_match(game, ["legal", "legal"], seed=1, tell=tell, stop=stop)
    assert record.reason == "aborted"
    assert isinstance(heard[-1], MatchEnded)
