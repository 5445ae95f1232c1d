"""What roles can know: two matches that a role cannot tell apart are found, and replayed."""

from __future__ import annotations

import time

import pytest

import woodstock
from woodstock.game import knowledge
from woodstock.game.knowledge import Doubt, look
from woodstock.game.semantics import PROVED, REFUTED, check_semantics, replay
from woodstock.games import all_games
from woodstock.gdl.codes import PAGES

HIDDEN = [game.name for game in all_games() if "imperfect" in game.kinds]


def seen(game: woodstock.Game, role: str, path: tuple[tuple[str, ...], ...]) -> list[tuple[str, tuple[str, ...]]]:
    """Return what a role does and sees along a path."""
    index = game.roles.index(role)
    return [(joint[index], replay(game, path[: n + 1]).sees(role)) for n, joint in enumerate(path)]


@pytest.mark.parametrize(("code", "what"), [("GDL108", "legal moves"), ("GDL109", "goal")])
def test_two_matches_that_look_the_same_are_found_and_replayed(code: str, what: str) -> None:
    game = woodstock.loads(PAGES[code].wrong)
    report = check_semantics(game, seconds=2)
    (finding,) = [found for found in report.findings if found.diagnostic.code == code]
    assert finding.other is not None and finding.path != finding.other
    assert seen(game, "guest", finding.path) == seen(game, "guest", finding.other)
    first, second = replay(game, finding.path), replay(game, finding.other)
    if code == "GDL108":
        assert first.legal("guest") != second.legal("guest")
    else:
        assert first.is_terminal and second.is_terminal and first.goals != second.goals
    text = str(finding.diagnostic)
    assert f"guest cannot know its {what}: two matches look the same to it" in text
    assert "the other match: (guest random) 1. noop" in text and "add a rule (sees guest ...)" in text
    assert finding.to_dict()["other_path"] == [list(joint) for joint in finding.other]
    assert REFUTED in [claim.verdict for claim in report.claims if "knows its" in claim.text]


def test_the_right_examples_are_proved() -> None:
    for code in ("GDL108", "GDL109"):
        claims = check_semantics(woodstock.loads(PAGES[code].right), seconds=2).claims
        assert [claim.verdict for claim in claims if "knows its" in claim.text] == [PROVED, PROVED]


def test_rules_that_hide_nothing_are_not_asked() -> None:
    claims = check_semantics(woodstock.load("nim"), seconds=0.2).claims
    assert not any("knows its" in claim.text for claim in claims)


# The thief never learns which of two doors the guard has locked; the lock shows only after three idle turns.
DEEP = """
(role thief) (role guard)
(init (turn 1))
(<= (legal guard (lock ?door)) (true (turn 1)) (door ?door))
(<= (legal guard noop) (not (true (turn 1))))
(<= (legal thief wait) (not (true (turn 5))))
(<= (legal thief (open ?door)) (true (turn 5)) (door ?door) (not (true (locked ?door))))
(<= (next (locked ?door)) (does guard (lock ?door)))
(<= (next (locked ?door)) (true (locked ?door)))
(<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
(<= (sees thief tick) (true (turn ?n)))
(<= terminal (true (turn 6)))
(goal thief 50) (goal guard 50)
(door left) (door right)
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
"""


@pytest.mark.parametrize("is_small", [True, False])
def test_a_doubt_that_shows_late_is_found(monkeypatch: pytest.MonkeyPatch, is_small: bool) -> None:
    """Also by random crowds, if there are too many to visit all."""
    if not is_small:
        monkeypatch.setattr(knowledge, "_MOST_STATES", 0)
    found = look(woodstock.loads(DEEP).engine, time.perf_counter() + 0.3)
    assert found.is_complete == is_small and found.goals == {}
    assert list(found.moves) == [0]
    doubt = found.moves[0]
    assert isinstance(doubt, Doubt) and len(doubt.first) == len(doubt.second) == 4
    assert {doubt.only_first, doubt.only_second} == {("(open left)",), ("(open right)",)}


@pytest.mark.parametrize("seconds", [0.05, pytest.param(20.0, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", HIDDEN)
def test_roles_of_the_bundled_games_know_their_moves_and_goals(name: str, seconds: float) -> None:
    found = look(woodstock.load(name).engine, time.perf_counter() + seconds)
    assert (found.moves, found.goals) == ({}, {})
    assert found.crowds > 1
