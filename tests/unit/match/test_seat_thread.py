"""The thread of a seat: late answers, failures and calls that are given up."""

from __future__ import annotations

import threading
import time

import pytest

from woodstock.match.seat_thread import SeatThread, TurnInterrupted
from woodstock.players import make_player


@pytest.fixture
def seat() -> SeatThread:
    return SeatThread(make_player("legal"))


def _finish(seat: SeatThread) -> None:
    """Wait until all calls so far are done: they are made in order."""
    assert seat.wait(seat.ask(lambda: True), time.monotonic() + 10).value


def test_an_answer_is_judged_by_when_it_came(seat: SeatThread) -> None:
    # The answer is there when it is asked for, but it came after its deadline.
    late = seat.ask(lambda: time.sleep(0.05))
    _finish(seat)
    failure = seat.wait(late, late.asked_at + 0.01).failure
    assert failure is not None and failure.code == "TO" and "within 0.01 s" in str(failure)
    in_time = seat.ask(lambda: 7)
    _finish(seat)
    assert seat.wait(in_time, in_time.asked_at + 10).value == 7


@pytest.mark.parametrize("problem", [ValueError("no"), SystemExit(3), KeyboardInterrupt()])
def test_nothing_that_a_player_raises_gets_through(seat: SeatThread, problem: BaseException) -> None:
    def fail() -> None:
        raise problem

    failure = seat.wait(seat.ask(fail), time.monotonic() + 10).failure
    assert failure is not None and failure.code == "IN" and type(problem).__name__ in str(failure)
    assert seat.wait(seat.ask(lambda: 1), time.monotonic() + 10).value == 1, "the thread is still there"


def test_a_call_that_has_not_begun_is_not_made_after_all(seat: SeatThread) -> None:
    gate, made = threading.Event(), threading.Event()
    seat.ask(gate.wait)
    second = seat.ask(made.set)
    second.cancel()
    gate.set()
    _finish(seat)
    assert second.is_done and not made.is_set()
    with pytest.raises(TurnInterrupted):
        seat.wait(second, time.monotonic() + 10)


def test_a_thread_ends_after_its_calls(seat: SeatThread) -> None:
    done = threading.Event()
    seat.ask(done.set)
    assert seat.close(10) and done.is_set()
