"""Servers and clients that break the protocol: every one gets an answer or is cut off, and the player lives on."""

from __future__ import annotations

import resource
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from woodstock.game.game import Game
from woodstock.ggp import messages
from woodstock.ggp.client import post
from woodstock.ggp.player import GgpPlayer
from woodstock.ggp.server import Server
from woodstock.ggp.workers import WorkerSettings
from woodstock.match import play_match

RULES = "(role x) (init (n 1)) (<= (legal x (go ?a)) (to ?a)) (to 1) (to 2) (<= (next (n 2)) (does x (go ?a))) (<= terminal (true (n 2))) (goal x 50)"  # noqa: E501


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server(GgpPlayer(WorkerSettings("random"), give_up_s=30), "127.0.0.1", 0, max_connections=8, read_s=0.5)
    yield made
    made.close()


def _ask(server: Server, text: str, seconds: float = 10.0) -> str:
    return post("127.0.0.1", server.port, text, deadline=time.monotonic() + seconds)


def _raw(server: Server, data: bytes, seconds: float = 3.0) -> bytes:
    """Send bytes and return all that comes back."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as connection:
        connection.sendall(data)
        received = b""
        try:
            while piece := connection.recv(65536):
                received += piece
        except ConnectionResetError:
            pass
        return received


def _is_alive(server: Server) -> bool:
    return "available" in _ask(server, "( INFO )")


def _start(match: str, rules: str = RULES, clocks: str = "10 5") -> str:
    return f"( START {match} x ({rules}) {clocks} )"


def test_the_steps_of_a_match(server: Server) -> None:
    assert _ask(server, _start("m")) == "ready"
    assert "busy" in _ask(server, "(info)")
    assert _ask(server, _start("other")) == "busy"
    assert _ask(server, "(play other nil)") == "busy"
    assert _ask(server, "( PLAY M NIL )") in ("(go 1)", "(go 2)")
    assert _ask(server, "( stop m ((GO 1)) )") == "done"
    assert _is_alive(server)
    assert _ask(server, "( stop m ((go 1)) )") == "busy"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        ")",
        "(((((",
        "hello",
        "( )",
        "( NOISE )",
        "( PLAY )",
        "( START m )",
        "( START m x (role) a b )",
        "( START m x rules 1 1 )",
        "( PLAY m moves )",
        "( START m x ((role x)) 1e99 1 )",
        "( START m x ((role x)) -1 1 )",
        "( INFO ) ( INFO )",
        "\x00\x01\x02",
        "é" * 100,
    ],
)
def test_what_is_no_message_is_told_so(server: Server, text: str) -> None:
    answer = _raw(server, f"POST / HTTP/1.0\r\nContent-Length: {len(text.encode())}\r\n\r\n".encode() + text.encode())
    assert answer.startswith(b"HTTP/1.0 400")
    assert _is_alive(server)


@pytest.mark.parametrize(
    ("rules", "role"),
    [
        ("(role x", "x"),
        ("", "x"),
        ("(role y) (init a)", "x"),
        ("(role x) (<= (legal x ?a) (not (true ?b)))", "x"),
        ("(role x) (init (f ?x))", "x"),
        ("(role x) (<= (next a) (does x ?m) (legal x ?m)) (<= (legal x m) (does x m))", "x"),
    ],
)
def test_rules_that_are_wrong_are_refused(server: Server, rules: str, role: str) -> None:
    answer = _raw(server, _http(f"( START bad {role} ({rules}) 20 1 )"), 20.0)
    assert answer.startswith((b"HTTP/1.0 400", b"HTTP/1.0 200")) and answer.endswith((b"busy", b"open", b"bracket"))
    assert _is_alive(server)


def _http(text: str) -> bytes:
    return f"POST / HTTP/1.0\r\nContent-Length: {len(text.encode())}\r\n\r\n{text}".encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # a TLS hello
        b"GET",
        b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n( INFO )",
        b"POST / HTTP/1.0\r\n" + b"X: y\r\n" * 20_000,
        b"A" * 200_000,
        b"POST / HTTP/1.0\r\n\r\n( INFO",
    ],
)
def test_wrong_bytes_are_cut_off(server: Server, data: bytes) -> None:
    try:
        _raw(server, data, seconds=60)  # a timeout fails the test
    except ConnectionError:
        # Cut off while we were still sending.
        pass
    assert _is_alive(server)


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.0\r\n\r\n( INFO )",
        b"post / http/0.9\r\ncontent-LENGTH:8\r\n\r\n( INFO )",
        b"POST / HTTP/1.1\nHost: x\nContent-Length: 8\n\n( INFO )",
        b"POST /anything?x=1 HTTP/1.0\r\nsender: GAMESERVER\r\nContent-Length: 12\r\n\r\n\r\n ( inFo )\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_loose_http_is_understood(server: Server, data: bytes) -> None:
    answer = _raw(server, data)
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert b"Access-Control-Allow-Origin: *" in answer
    assert answer.endswith(b"( ( name woodstock ) ( status available ) )")


def test_a_browser_may_ask_first(server: Server) -> None:
    assert _raw(server, b"OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.0 200")


def test_slow_clients_do_not_hold_up_others(server: Server) -> None:
    slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(6)]
    for connection in slow:
        connection.sendall(b"POST / HT")
    try:
        assert _is_alive(server)
    finally:
        for connection in slow:
            connection.close()


def test_a_flood_of_connections_is_turned_away_and_passes(server: Server) -> None:
    flood = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
    assert threading.active_count() < 40
    for connection in flood:
        connection.close()
    time.sleep(0.8)
    assert _is_alive(server)


def test_a_megabyte_of_rules(server: Server) -> None:
    facts = " ".join(f"(note {index} {'long' * 40})" for index in range(6_000))
    text = _start("large", f"{RULES} {facts}", "20 5")
    assert len(text) > 1_000_000
    assert _ask(server, text, 25) == "ready"
    assert _ask(server, "(play large nil)") in ("(go 1)", "(go 2)")
    assert _ask(server, "(abort large)") == "aborted"


def test_moves_that_do_not_fit_get_a_legal_move_all_the_same(server: Server) -> None:
    assert _ask(server, _start("m")) == "ready"
    assert _ask(server, "(play m ((fly 1)))") in ("(go 1)", "(go 2)")
    assert _ask(server, "(play m (a b c))") in ("(go 1)", "(go 2)")
    assert _ask(server, "(abort m)") == "aborted"


def test_a_dead_match_is_given_up() -> None:
    server = Server(GgpPlayer(WorkerSettings("random"), give_up_s=0.2), "127.0.0.1", 0)
    try:
        assert _ask(server, _start("m", clocks="1 0.1")) == "ready"
        ends_at = time.monotonic() + 10
        while not _is_alive(server) and time.monotonic() < ends_at:
            time.sleep(0.1)
        assert _is_alive(server)
    finally:
        server.close()


def test_many_matches_leave_nothing_behind(server: Server, game: Game) -> None:
    def play(count: int) -> int:
        for seed in range(count):
            seats = [f"http://127.0.0.1:{server.port}", "legal"]
            record = play_match(game, seats, start_clock_s=5, play_clock_s=2, seed=seed)
            assert record.errors == {} and record.reason == "terminal"
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    play(3)
    before, threads = play(2), threading.active_count()
    assert play(8) - before < 20_000, "memory grows by the match"
    # The threads of the last connections may still be closing; one that stays is a leak.
    ends_at = time.monotonic() + 10
    while threading.active_count() > threads and time.monotonic() < ends_at:
        time.sleep(0.05)
    assert threading.active_count() <= threads


def test_messages_are_read_back_as_written(game: Game) -> None:
    start = messages.read_message(messages.start("m", "x", game.program, 10, 0.5))
    assert isinstance(start, messages.Start)
    assert (start.match_id, start.role, start.start_clock_s, start.play_clock_s) == ("m", "x", 10.0, 0.5)
    assert messages.read_message(messages.play("m", ("(mark 1 1)", "noop"))) == messages.Play(
        "m", ("(mark 1 1)", "noop")
    )
    assert messages.read_message(messages.play("m", None)) == messages.Play("m", None)
    assert messages.read_message(messages.stop("m", ("a", "b"))) == messages.Stop("m", ("a", "b"))
    assert messages.read_message(messages.abort("m")) == messages.Abort("m")
