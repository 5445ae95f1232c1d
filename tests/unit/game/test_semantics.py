"""Checks by play: each oddity is found, with a path that leads to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import woodstock
from woodstock.game import explore
from woodstock.game.game import Game
from woodstock.game.semantics import OPEN, PROVED, REFUTED, Finding, SemanticsReport, check_semantics, replay
from woodstock.gdl.codes import PAGES

Loader = Callable[[str], Game]

# A lock with sixteen turns: only the end of the one right way, one in 65536, has no goal.
LOCK = """
    (role thief)
    (init (turn 1))
    (<= (legal thief left) (true (turn ?n)))
    (<= (legal thief right) (true (turn ?n)))
    (<= (next (turn ?m)) (true (turn ?n)) (after ?n ?m))
    (<= (next wrong) (does thief left))
    (<= (next wrong) (true wrong))
    (<= terminal (true (turn 17)))
    (<= (goal thief 0) (true wrong))
""" + "".join(f"(after {n} {n + 1})" for n in range(1, 17))


def verdicts(report: SemanticsReport) -> dict[str, str]:
    return {claim.text: claim.verdict for claim in report.claims}


def only(report: SemanticsReport, code: str) -> Finding:
    (found,) = [finding for finding in report.findings if finding.diagnostic.code == code]
    return found


def test_a_sound_small_game_is_proved_sound(load: Loader) -> None:
    report = check_semantics(load("tic-tac-toe"), seconds=60)
    assert report.is_exhaustive
    assert report.findings == ()
    assert report.states == 5478
    assert report.terminal_states == 958
    assert set(verdicts(report).values()) == {PROVED}
    assert "at most 9 joint moves" in next(c.detail for c in report.claims if c.text == "every match ends")
    assert "base covers every fluent that can hold" in verdicts(report)


def test_a_stuck_role_is_an_error_with_a_path(load: Loader) -> None:
    game = load("stuck")
    finding = only(check_semantics(game), "GDL101")
    assert finding.diagnostic.is_error
    assert finding.path == (("go",), ("go",))
    state = replay(game, finding.path)
    assert not state.is_terminal
    assert state.legal("walker") == ()
    assert "moves to that state: (walker) 1. go; 2. go" in str(finding.diagnostic)
    assert finding.to_dict()["path"] == [["go"], ["go"]]


def test_missing_and_double_goals_are_found(load: Loader) -> None:
    game = load("muddle")
    report = check_semantics(game)
    finding = only(report, "GDL102")
    assert replay(game, finding.path).is_terminal
    assert replay(game, finding.path).goals == {"judge": None}
    assert verdicts(report)["judge can win"] == REFUTED


def test_a_cycle_is_found_and_replayed(load: Loader) -> None:
    game = load("ring")
    report = check_semantics(game)
    finding = only(report, "GDL103")
    assert len(finding.path) == 3
    assert replay(game, finding.path) == game.initial
    assert verdicts(report)["every match ends"] == REFUTED
    assert only(report, "GDL104").path == ()


def test_declarations_that_leave_something_out(load: Loader) -> None:
    report = check_semantics(load("shy"))
    assert "(at 2)" in only(report, "GDL106").diagnostic.message
    assert "(walker run)" in only(report, "GDL107").diagnostic.message
    assert verdicts(report)["base covers every fluent that can hold"] == REFUTED


def test_what_is_too_large_stays_open(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "MAX_STATES", 50)
    report = check_semantics(load("tic-tac-toe"), seconds=1)
    assert not report.is_exhaustive
    assert report.playouts > 0
    assert verdicts(report)["every match ends"] == OPEN
    assert verdicts(report)["x can win"] == PROVED


def test_a_match_that_does_not_end_within_the_bound(load: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "MAX_STATES", 1)
    finding = only(check_semantics(load("clock"), seconds=1, max_steps=50), "GDL103")
    assert len(finding.path) == 50
    assert "... 38 more ..." in str(finding.diagnostic)


def test_the_path_does_not_depend_on_the_run(load: Loader) -> None:
    assert [f.path for f in check_semantics(load("muddle")).findings] == [
        f.path for f in check_semantics(load("muddle")).findings
    ]


@pytest.mark.parametrize("engine", ["circuit"], indirect=True)
def test_a_needle_in_the_haystack_is_traced(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "MAX_STATES", 3)
    monkeypatch.setattr("woodstock.game.semantics._MOST_PLAYOUTS", 2)
    finding = only(check_semantics(woodstock.loads(LOCK, engine=engine), seconds=4), "GDL102")
    assert finding.path == (("right",),) * 16


@pytest.mark.parametrize("code", [code for code in PAGES if code >= "GDL1"])
def test_the_examples_of_each_page_show_it(code: str, engine: str) -> None:
    page = PAGES[code]
    found = [finding.diagnostic for finding in check_semantics(woodstock.loads(page.wrong, engine=engine)).findings]
    if code == "GDL105" and engine == "interpreter":
        pytest.skip("which goals the rules give is known only of grounded games")
    assert (code, page.severity) in {(d.code, d.severity) for d in found}
    assert check_semantics(woodstock.loads(page.right, engine=engine)).findings == ()


def test_a_declaration_with_an_unbound_variable_is_ignored() -> None:
    """`(base (step ?n))` lists nothing that could be checked, but it is no reason not to play."""
    text = """
        (role walker) (base (step ?n)) (input walker go)
        (init (step 1)) (legal walker go) (<= (next (step 2)) (true (step 1)))
        (<= terminal (true (step 2))) (goal walker 100)
    """
    report = check_semantics(woodstock.loads(text))
    assert report.findings == ()
    assert "input covers every legal move" in verdicts(report)
    assert "base covers every fluent that can hold" not in verdicts(report)
