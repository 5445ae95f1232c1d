"""Send each message of the protocol to a player and judge its answers: a test to run before a tournament.

The match is two turns of a tiny game whose moves are known here, so answers can be judged without an engine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from woodstock.gdl.parse import parse
from woodstock.ggp import messages
from woodstock.ggp.client import TooLate, Unreachable, post

RULES = """
(role first) (role second)
(init (step 1))
(<= (legal first (take ?n)) (true (step ?s)) (number ?n))
(<= (legal second (take ?n)) (true (step ?s)) (number ?n))
(number 1) (number 2) (number 3)
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
(<= (next (taken ?r ?n)) (does ?r (take ?n)))
(<= terminal (true (step 4)))
(<= (goal first 100) (true (taken first ?n)) (true (taken second ?m)) (distinct ?n ?m))
(<= (goal first 0) (true (taken first ?n)) (true (taken second ?n)))
(<= (goal first 50) (true (step 1)))
(<= (goal second 0) (true (taken first ?n)) (true (taken second ?m)) (distinct ?n ?m))
(<= (goal second 100) (true (taken first ?n)) (true (taken second ?n)))
(<= (goal second 50) (true (step 1)))
"""
MOVES = ("(take 1)", "(take 2)", "(take 3)")
START_CLOCK_S = 3.0
PLAY_CLOCK_S = 2.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """One step: its name, the answer, and whether that is right."""

    step: str
    is_right: bool
    answer: str
    seconds: float
    expected: str


def check_player(host: str, port: int) -> Iterator[Verdict]:
    """Yield a verdict for each step of the protocol; ends early if there is no player."""
    program = parse(RULES, "protocol check", "kif")
    match_id = f"check.{time.time_ns() // 1_000_000}"
    other = f"{match_id}.other"
    start = messages.start(match_id, "first", program, START_CLOCK_S, PLAY_CLOCK_S)
    second = messages.start(other, "first", program, START_CLOCK_S, PLAY_CLOCK_S)
    odd = " ( pLaY\n" + match_id + "  ( ( Take 2 )\n(take 3) ) ) "
    steps: tuple[tuple[str, str, float, str, Callable[[str], bool]], ...] = (
        (
            "info when free",
            messages.INFO,
            1.0,
            "a list with (status available), or available",
            _has_status("available"),
        ),
        ("start", start, START_CLOCK_S, "ready", _is("ready")),
        ("info in a match", messages.INFO, 1.0, "(status busy), or busy", _has_status("busy")),
        ("start of a second match", second, START_CLOCK_S, "busy", _is("busy")),
        ("play, first turn", messages.play(match_id, None), PLAY_CLOCK_S, "a legal move", _is_move),
        ("play of an unknown match", messages.play(other, None), PLAY_CLOCK_S, "busy", _is("busy")),
        ("play, odd case and spaces", odd, PLAY_CLOCK_S, "a legal move", _is_move),
        ("stop", messages.stop(match_id, ("(take 1)", "(take 1)")), PLAY_CLOCK_S, "done", _is("done")),
        ("info after the match", messages.INFO, 1.0, "(status available), or available", _has_status("available")),
        ("start again", second, START_CLOCK_S, "ready", _is("ready")),
        ("abort", messages.abort(other), 1.0, "aborted", _is("aborted")),
        ("preview", messages.preview(program, 1.0), 2.0, "done or ready", lambda a: _key(a) in ("done", "ready")),
        ("info at the end", messages.INFO, 1.0, "(status available), or available", _has_status("available")),
    )
    for name, text, clock_s, expected, is_right in steps:
        begun = time.monotonic()
        is_reached = False
        try:
            # Servers wait for another second. An answer that comes then is reported as late, not as missing.
            answer = post(host, port, text, deadline=begun + clock_s + 1.0).strip()
            is_reached = True
        except TooLate:
            answer = "no answer"
        except Unreachable as error:
            answer = str(error)
        seconds = time.monotonic() - begun
        late = f" within {clock_s:g} s" if seconds > clock_s else ""
        yield Verdict(name, is_reached and is_right(answer) and not late, answer, seconds, expected + late)
        if name == steps[0][0] and not is_reached:
            return


def _key(answer: str) -> str:
    return " ".join(answer.lower().replace("(", " ( ").replace(")", " ) ").split())


def _is(word: str) -> Callable[[str], bool]:
    return lambda answer: _key(answer) == word


def _has_status(word: str) -> Callable[[str], bool]:
    return lambda answer: _key(answer) == word or f"status {word}" in _key(answer)


def _is_move(answer: str) -> bool:
    return _key(answer) in [_key(move) for move in MOVES]
