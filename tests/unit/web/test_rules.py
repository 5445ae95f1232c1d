"""Rules under edit: what is said about them, and that no text can take more than its limits."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from woodstock.games import find
from woodstock.gdl.parse import parse
from woodstock.web.rules.desk import Desk, DeskLimits
from woodstock.web.rules.reading import formatted, read_rules
from woodstock.web.rules.rules_child import Answers

JsonObject = dict[str, Any]

TIC_TAC_TOE = find("tic-tac-toe").read()
# Grounds for ever: every number has a successor.
ENDLESS = """
(role a) (init (n 0)) (legal a noop) (goal a 100) (<= terminal (true (n 9)))
(<= (many ?a ?b ?c ?d ?e ?f ?g ?h) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h))
(<= (next (n 0)) (many ?a ?b ?c ?d ?e ?f ?g ?h)) """ + " ".join(f"(d {i})" for i in range(40))


class Answered:
    """A desk and what it answered."""

    def __init__(self, limits: DeskLimits) -> None:
        self._heard: queue.Queue[JsonObject] = queue.Queue()
        self.desk = Desk(self._heard.put, limits)

    def ask(self, **request: Any) -> JsonObject:
        self.desk.ask(request)
        return self.next()

    def next(self) -> JsonObject:
        return self._heard.get(timeout=30)

    @property
    def is_silent(self) -> bool:
        return self._heard.empty()


@pytest.fixture
def answered() -> Iterator[Answered]:
    found = Answered(DeskLimits(seconds=20.0, memory_mb=1024, characters=100_000))
    yield found
    found.desk.close()


def test_reading_right_rules() -> None:
    found = read_rules(TIC_TAC_TOE)
    assert found["errors"] == 0 and found["syntax"] == "kif" and found["roles"] == ["x", "o"]
    names = [(one["name"], one["arity"]) for one in found["outline"]]
    assert names.index(("role", 1)) < names.index(("legal", 2)) < names.index(("goal", 2))
    for one in found["outline"]:
        assert TIC_TAC_TOE[one["start"]] == "("
    assert {"name": "cell", "kind": "function", "arity": 3} in found["names"]


def test_reading_wrong_rules_points_at_the_place_and_explains() -> None:
    text = "(role a)\n(<= (legal a (move ?x)) (true (at ?y)))"
    found = read_rules(text)
    first = next(one for one in found["diagnostics"] if one["code"] == "GDL021")
    assert text[first["start"] : first["end"]] == "?x"
    assert found["pages"]["GDL021"]["right"]


def test_offsets_count_as_browsers_do() -> None:
    text = "; \N{GRINNING FACE}\n(role a"
    first = read_rules(text)["diagnostics"][0]
    as_browser = text.encode("utf-16-le")
    assert as_browser[2 * first["start"] : 2 * first["end"]].decode("utf-16-le") in text
    assert first["start"] == text.index("(role") + 1 or as_browser[2 * first["start"] :].decode("utf-16-le")[0] in "(ra"


@pytest.mark.parametrize("text", ["", "   \n", "\0", "(" * 5000, "; only a comment"])
def test_any_text_gets_diagnostics(text: str) -> None:
    assert Answers(1.0, 512).answer({"do": "check", "text": text})["errors"] >= 1


def test_formatting_keeps_the_meaning_in_both_syntaxes() -> None:
    rules = parse(TIC_TAC_TOE).rules
    infix = formatted(TIC_TAC_TOE, "infix")
    assert infix["syntax"] == "infix" and parse(infix["text"]).rules == rules
    assert parse(formatted(infix["text"], "kif")["text"]).rules == rules


def test_a_board_to_play_on(answered: Answered) -> None:
    opened = answered.ask(do="open", id=1, text=TIC_TAC_TOE, path=[])
    assert opened["type"] == "open" and opened["id"] == 1 and len(opened["position"]["moves"]["x"]) == 9
    played = answered.ask(do="play", id=1, path=[], moves={"x": "(mark 2 2)"})
    assert played["path"] == [["(mark 2 2)", "noop"]] and len(played["position"]["changed"]) == 1
    refused = answered.ask(do="play", id=1, path=played["path"], moves={"o": "(mark 2 2)"})
    assert "illegal move" in refused["problem"]
    # The same path after a change of the rules: as far as it is legal.
    again = answered.ask(do="open", id=2, text=TIC_TAC_TOE + "; changed\n", path=[*played["path"], ["x", "y"]])
    assert again["path"] == played["path"]
    ended = answered.ask(do="random", id=2, path=again["path"], turns=20, seed=1)
    assert ended["position"]["isTerminal"] and len(ended["path"]) <= 9


def test_warnings_of_play_come_with_a_path(answered: Answered) -> None:
    text = """
        (role a) (init (n 1)) (<= (legal a go) (true (n 1))) (<= (next (n 2)) (true (n 1)))
        (goal a 100) (<= terminal (true (n 3)))
    """
    answered.ask(do="open", id=1, text=text, path=[])
    found = answered.ask(do="warnings", id=1, seconds=0.5)
    stuck = next(one for one in found["findings"] if one["code"] == "GDL101")
    shown = answered.ask(do="show", id=1, path=stuck["path"])
    assert not shown["position"]["isTerminal"] and not all(shown["position"]["moves"].values())


def test_rules_that_explode_are_stopped_and_the_desk_goes_on() -> None:
    answered = Answered(DeskLimits(seconds=2.0, memory_mb=1024))
    begun = time.monotonic()
    found = answered.ask(do="open", id=1, text=ENDLESS, path=[])
    assert time.monotonic() - begun < 15
    # Either it was stopped, or grounding gave up and the interpreter plays it.
    assert "problem" in found or found["engine"] == "interpreter"
    assert answered.ask(do="check", id=2, text=TIC_TAC_TOE)["errors"] == 0
    answered.desk.close()


def test_a_newer_text_replaces_one_that_takes_long(answered: Answered) -> None:
    answered.desk.ask({"do": "open", "id": 1, "text": ENDLESS, "path": []})
    time.sleep(0.5)
    begun = time.monotonic()
    found = answered.ask(do="open", id=2, text=TIC_TAC_TOE, path=[])
    assert found["id"] == 2 and "scene" in found and time.monotonic() - begun < 10
    assert answered.is_silent


def test_a_text_that_is_too_long_is_refused(answered: Answered) -> None:
    assert "100,000 characters" in answered.ask(do="check", id=1, text="(" * 100_001)["problem"]


def test_every_wrong_rulesheet_of_the_suite_can_be_read(root: Path) -> None:
    for path in sorted((root / "tests" / "errors").glob("GDL*.kif")):
        text = path.read_bytes().decode("utf-8", "replace")
        found = read_rules(text)
        assert path.name[:6] in {one["code"] for one in found["diagnostics"]}, path.name
