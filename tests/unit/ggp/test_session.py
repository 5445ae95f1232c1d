"""A match in the server process, with workers that say what the test wants."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from woodstock.child import ChildGone, ChildTooLate
from woodstock.ggp.margin import LEAST_S, WAKE_UPS, Margin, WakeUps
from woodstock.ggp.messages import Play, Start, Stop
from woodstock.ggp.session import Refused, Session
from woodstock.ggp.workers import KINDS

PLAY_S = 0.6
Message = dict[str, Any]


class FakeChild:
    """A worker that answers each message by the script; None in its answers: it dies."""

    def __init__(self, script: Callable[[Message], list[Message | None]]) -> None:
        self._script = script
        self.heard: list[Message] = []
        self._answers: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        self.process = SimpleNamespace(kill=lambda: self._answers.put(None))

    def send(self, message: Message, deadline: float | None = None) -> None:
        self.heard.append(message)
        for answer in self._script(message):
            self._answers.put(answer)

    def receive(self, deadline: float) -> Message:
        try:
            answer = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise ChildTooLate("silent") from None
        if answer is None:
            raise ChildGone("killed")
        return answer

    def close(self) -> None:
        pass


class FakeWorkers:
    """Gives out the children of each kind, one after the other."""

    def __init__(self, **children: list[FakeChild]) -> None:
        self.waiting = {kind: children.get(kind.replace("-", "_"), []) for kind in KINDS}
        self.given_back: list[FakeChild] = []

    def take(self, kind: str, is_over: Callable[[], bool]) -> FakeChild | None:
        while not self.waiting[kind]:
            if is_over():
                return None
            time.sleep(0.005)
        return self.waiting[kind].pop(0)

    def give_back(self, child: FakeChild, kind: str) -> None:
        self.given_back.append(child)

    def replace(self, kind: str) -> None:
        pass


def _polite(plays: Callable[[int], list[Message | None]], *, is_ready: bool = True) -> Callable[[Message], list[Any]]:
    """Answer everything but `play` as a good worker does."""

    def script(message: Message) -> list[Message | None]:
        if "start" in message:
            return [{"ready": True}] if is_ready else []
        if "play" in message:
            turn: int = message["play"]["turn"]
            return [None if answer is None else {"turn": turn, **answer} for answer in plays(turn)]
        return [{"ended": None}, {"free": True}] if "end" in message else []

    return script


def _session(start_s: float = 0.4, **children: list[FakeChild]) -> Session:
    workers = FakeWorkers(**children)
    message = Start("m", "x", "rules", start_s, PLAY_S)
    return Session(message, workers, WakeUps(), time.monotonic())  # type: ignore[arg-type]


def _play(session: Session, terms: tuple[str, ...] | None = None) -> tuple[str, float]:
    begun = time.monotonic()
    return session.play(Play("m", terms), begun), time.monotonic() - begun


def test_the_player_answers_as_soon_as_it_has_decided() -> None:
    player = FakeChild(_polite(lambda turn: [{"legal": "a"}, {"best": "b"}, {"final": f"c{turn}"}]))
    session = _session(player=[player])
    session.start()
    assert _play(session)[0] == "c0"
    assert _play(session, ("c0", "n"))[0] == "c1"
    assert [message["play"]["told"] for message in player.heard[1:]] == [[], [("c0", ("c0", "n"))]]
    session.end(Stop("m", None))


@pytest.mark.parametrize(
    ("player", "stand_in", "move"),
    [
        ([{"legal": "a"}, {"best": "b"}], [{"legal": "s"}], "b"),
        ([{"legal": "a"}], [{"legal": "s"}], "a"),
        ([], [{"legal": "s"}], "s"),
        ([], [], "NIL"),
        ([{"final": None}], [{"legal": "s"}], "NIL"),
    ],
)
def test_the_best_that_is_known_is_sent_in_time(player: list[Any], stand_in: list[Any], move: str) -> None:
    session = _session(
        player=[FakeChild(_polite(lambda _turn: player))], stand_in=[FakeChild(_polite(lambda _turn: stand_in))]
    )
    session.start()
    answer, seconds = _play(session)
    assert answer == move and seconds < PLAY_S
    session.end(None)


def test_a_forced_move_does_not_wait_for_a_player_that_prepares() -> None:
    stand_in = FakeChild(_polite(lambda _turn: [{"legal": "only", "is_only": True}]))
    session = _session(player=[FakeChild(_polite(lambda _turn: [], is_ready=False))], stand_in=[stand_in])
    begun = time.monotonic()
    session.start()
    assert 0.15 <= time.monotonic() - begun < 0.4, "ready is said before the end of the start clock, not at once"
    answer, seconds = _play(session)
    assert answer == "only" and seconds < PLAY_S / 2
    session.end(None)


def test_a_new_worker_is_told_everything() -> None:
    old = FakeChild(_polite(lambda turn: [{"final": "a"}] if turn == 0 else [None]))
    new = FakeChild(_polite(lambda _turn: [{"final": "b"}]))
    session = _session(player=[old, new])
    session.start()
    assert _play(session)[0] == "a"
    # The old one dies in this turn, and the new one is asked at once.
    assert _play(session, ("a", "x"))[0] == "b"
    assert new.heard[0]["start"]["told"] == [("a", ("a", "x"))] and new.heard[1]["play"]["turn"] == 1
    session.end(Stop("m", ("b", "y")))
    assert new.heard[-1] == {"end": {"told": [("b", ("b", "y"))], "is_over": True}}


def test_wrong_rules_are_refused_by_either() -> None:
    refusing = FakeChild(lambda message: [{"refused": "no role"}] if "start" in message else [])
    session = _session(start_s=5.0, stand_in=[refusing])
    with pytest.raises(Refused, match="no role"):
        session.start()
    session.end(None)


def test_a_worker_that_goes_on_after_the_end_is_killed() -> None:
    deaf = FakeChild(_polite(lambda _turn: [{"final": "a"}]))
    session = _session(player=[deaf])
    session.start()
    assert _play(session)[0] == "a"
    deaf._script = lambda _message: []
    killed: list[float] = []
    deaf.process.kill = lambda: killed.append(time.monotonic())
    begun = time.monotonic()
    session.end(Stop("m", None))
    assert killed and killed[0] - begun >= 0.05


def test_the_margin_grows_with_what_was_late() -> None:
    wake_ups = WakeUps()
    wake_ups.close()
    time.sleep(2 * WakeUps.EVERY_S)
    wake_ups.late_s = 0.0
    margin = Margin(wake_ups)
    assert margin.seconds(1.0) == LEAST_S and margin.seconds(10.0) == pytest.approx(0.8)
    assert margin.seconds(60.0) == 2.0 and margin.seconds(0.1) == 0.05
    margin.note(0.1)
    assert margin.seconds(1.0) == pytest.approx(LEAST_S + 0.2)
    margin.note(-1.0)
    assert margin.seconds(1.0) == pytest.approx(LEAST_S + 0.18), "one hiccup fades"
    wake_ups.note(0.01)
    assert margin.seconds(1.0) == pytest.approx(LEAST_S + 0.18 + WAKE_UPS * 0.01)
