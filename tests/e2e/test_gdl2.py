"""Hidden information over the network, in both dialects: recorded conversations, and whole matches over loopback."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.information.guard import guarded

import woodstock
from woodstock.errors import GameError
from woodstock.gdl.chance import without_chance
from woodstock.ggp import messages
from woodstock.ggp.player import GgpPlayer
from woodstock.ggp.server import Server
from woodstock.ggp.workers import WorkerSettings
from woodstock.match import Match, play_match
from woodstock.players import make_player

CONVERSATIONS = sorted((Path(__file__).parent / "conversations").glob("*.txt"))


@pytest.fixture(scope="module")
def first_mover() -> Iterator[GgpPlayer]:
    """A player that makes the first legal move, so its answers are known."""
    player = GgpPlayer(WorkerSettings("legal"))
    player.check()
    yield player
    player.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    made = Server(GgpPlayer(WorkerSettings("mac-ucb")), "127.0.0.1", 0)
    yield made
    made.close()


@pytest.mark.parametrize("path", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_recorded_conversation_is_answered(
    path: Path, first_mover: GgpPlayer, caplog: pytest.LogCaptureFixture
) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(";")]
    with caplog.at_level(logging.WARNING, "woodstock.ggp"):
        for asked, expected in zip(lines[::2], lines[1::2], strict=True):
            answer = first_mover.answer(asked.removeprefix("> "))
            assert answer.lower() == expected.removeprefix("< "), f"{asked[:80]} is answered by {answer}"
    warned = [record.message for record in caplog.records]
    assert all("the server must have made" in text for text in warned), warned
    assert len(warned) == (path.stem == "dresden-krieg-tic-tac-toe")


@pytest.mark.parametrize("dialect", ["percepts", "turns"])
@pytest.mark.parametrize("name", ["monty-hall", "kuhn-poker", "krieg-tic-tac-toe", "tic-tac-toe"])
def test_a_match_over_loopback(name: str, dialect: str, server: Server) -> None:
    """Our manager and our server; in tic-tac-toe, which hides nothing, every role sees every move."""
    game = woodstock.load(name)
    roles = without_chance(game.roles)
    seats: list[str] = [f"http://127.0.0.1:{server.port}?dialect={dialect}", *["random"] * (len(roles) - 1)]
    start, touches = guarded(game) if game.has_percepts else (None, [])
    with Match(game, seats, state=start, seed=3, play_clock_s=0.5, start_clock_s=5.0, grace_s=0.5) as match:
        while match.step():
            pass
        record = match.record
    assert record.reason == "terminal" and record.errors == {}
    assert touches == []


def test_the_default_dialect_hides_what_the_rules_hide(server: Server) -> None:
    game = woodstock.load("kuhn-poker")
    record = play_match(game, [f"http://127.0.0.1:{server.port}", "random"], seed=5, play_clock_s=1.0, grace_s=0.5)
    assert record.reason == "terminal" and record.errors == {}


def test_joint_moves_are_not_told_if_the_rules_hide_them(server: Server) -> None:
    url = f"http://127.0.0.1:{server.port}?dialect=moves"
    record = play_match(woodstock.load("monty-hall"), [url], seed=5, play_clock_s=1.0, start_clock_s=1.0)
    assert {ply.details["candidate"] for ply in record.plies[1:]} == {
        "the rules of monty-hall hide moves, so the dialect cannot be moves"
    }


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(GameError, match="dialect=moves, dialect=percepts or dialect=turns"):
        make_player("http://127.0.0.1:9147?dialect=latin")


def test_a_server_that_knows_nothing_of_sees_may_send_joint_moves(first_mover: GgpPlayer) -> None:
    game = woodstock.load("monty-hall")
    assert first_mover.answer(messages.start("m", "candidate", game.program, 10, 2)) == "ready"
    assert first_mover.answer(messages.play("m", None)) == "noop"
    assert first_mover.answer(messages.play("m", ("noop", "(hide 2)"))) == "(choose 1)"
    assert first_mover.answer(messages.play("m", ("(choose 1)", "noop"))) == "noop"
    assert first_mover.answer(messages.play("m", ("noop", "(open 3)"))) == "stay"
    assert first_mover.answer(messages.stop("m", ("stay", "noop"))) == "done"


def test_percepts_that_cannot_be_are_reported_and_play_goes_on(
    first_mover: GgpPlayer, caplog: pytest.LogCaptureFixture
) -> None:
    game = woodstock.load("monty-hall")
    assert first_mover.answer(messages.start("m", "candidate", game.program, 10, 2)) == "ready"
    assert first_mover.answer(messages.play_turn("m", 0, None, None)) == "noop"
    assert first_mover.answer(messages.play_turn("m", 1, "noop", ["(elephant 3)", "noop"])) == "(choose 1)"
    answer = first_mover.answer(messages.play_turn("m", 2, "(choose 1)", ["(goat 1)", "(goat 2)", "noop"]))
    assert answer in game.moves("candidate")
    assert first_mover.answer(messages.stop_turn("m", 3, answer, ["noop"])) == "done"
    text = " ".join(record.message for record in caplog.records)
    assert "never let candidate see (elephant 3)" in text and "nothing fits what candidate saw" in text


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(play m x noop ())", "the turn is not a number"),
        ("(play m -1 noop ())", "the turn is not a number"),
        ("(play m 1 noop noop)", "neither NIL nor a list"),
        ("(play m 1 noop)", "PLAY with 3 parts"),
        ("(stop m 1 noop () ())", "STOP with 5 parts"),
    ],
)
def test_a_message_of_no_dialect_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(messages.ProtocolError, match=wrong):
        messages.read_message(text)


def test_turns_are_read_back_as_written() -> None:
    assert messages.read_message(messages.play_turn("m", 0, None, None)) == messages.Play("m", None, 0, None)
    assert messages.read_message(messages.play_turn("m", 2, "(a 1)", [])) == messages.Play("m", (), 2, "(a 1)")
    assert messages.read_message(messages.stop_turn("m", 3, "a", ["b", "(c d)"])) == messages.Stop(
        "m", ("b", "(c d)"), 3, "a"
    )
    assert messages.read_message("(PLAY m 3 noop nil)") == messages.Play("m", (), 3, "noop")
