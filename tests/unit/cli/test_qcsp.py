"""`woodstock qcsp`: solve, play, check, models, and what they say about mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.cli.conftest import Woodstock


def test_solve_save_check_and_play(woodstock: Woodstock, tmp_path: Path) -> None:
    path = tmp_path / "baker.json"
    outcome = woodstock("qcsp", "solve", "baker(3, 13)", "--save", str(path))
    assert outcome.code == 0 and "winning" in outcome.out and "w[0] = 1" in outcome.out
    assert woodstock("qcsp", "check", "baker(3, 13)", str(path), "--json").json["plays"] == 13
    played = woodstock("qcsp", "play", "baker(3, 13)", str(path), stdin=b"99\nfive\n5\n")
    assert played.code == 0 and "is not one of 1..13" in played.out and "the strategy wins" in played.out
    left = woodstock("qcsp", "play", "baker(3, 13)", str(path), stdin=b"q\n")
    assert left.code == 0 and left.out.endswith("you left the play\n")


def test_solve_gives_json_and_all_assignments(woodstock: Woodstock) -> None:
    facts = woodstock("qcsp", "solve", "small-example", "--json").json
    assert facts["winning"] is True and facts["first"] == {"x": 0, "y": 0, "t": 0}
    assert facts["certificate"]["format"] == "woodstock-qcsp-certificate"
    assert len(woodstock("qcsp", "solve", "baker(3, 13)", "--all", "--json").json["winning"]) == 6
    assert "not winning" in woodstock("qcsp", "solve", "nim-fibonacci(5)").out


def test_guides_and_limits(woodstock: Woodstock) -> None:
    for guide in ("mc", "frontier"):
        outcome = woodstock("qcsp", "solve", "baker(3, 13)", "--guide", guide, "--threads", "2", "--seed", "4")
        assert outcome.code == 0 and "guide:" in outcome.out
    outcome = woodstock("qcsp", "solve", "baker(4, 40, 4)", "--nodes", "50")
    assert outcome.code == 4 and "no answer, stopped by its limit of nodes" in outcome.out


def test_a_play_can_begin_anywhere(woodstock: Woodstock) -> None:
    start = ("--start", "take[0]=2, take[1]=1")
    facts = woodstock("qcsp", "solve", "nim-fibonacci(7)", *start, "--json").json
    assert facts["winning"] is True and facts["first"]["take[0]"] == 2
    assert woodstock("qcsp", "solve", "nim-fibonacci(7)", "--start", "take[0]=3").out.startswith("nim-fibonacci-7: not")
    played = woodstock("qcsp", "play", "nim-fibonacci(7)", *start, stdin=b"1\n" * 9)
    assert played.code == 0 and "take[1] = 1, the only choice" in played.out and "strategy wins" in played.out
    for wrong, message in (("take[1]=1", "begins with take[0]"), ("take[0]", "name=value"), ("x=1", "no variable x"),
                           ("take[0]=9", "not in its domain")):  # fmt: skip
        outcome = woodstock("qcsp", "solve", "nim-fibonacci(7)", "--start", wrong)
        assert outcome.code == 1 and message in outcome.err


TAKE = """
(role first) (role second)
(init (left {count})) (init (control first))
(minus 1 1 0) (minus 2 1 1) (minus 3 1 2) (minus 4 1 3) (minus 5 1 4)
(minus 2 2 0) (minus 3 2 1) (minus 4 2 2) (minus 5 2 3)
(<= (legal ?p (take ?k)) (true (control ?p)) (true (left ?n)) (minus ?n ?k ?m))
(<= (legal first noop) (true (control second)))
(<= (legal second noop) (true (control first)))
(<= (next (left ?m)) (does ?p (take ?k)) (true (left ?n)) (minus ?n ?k ?m))
(<= (next (control second)) (true (control first)))
(<= (next (control first)) (true (control second)))
(<= terminal (true (left 0)))
(<= (goal first 100) (true (left 0)) (true (control second)))
(<= (goal first 0) (true (left 0)) (true (control first)))
(<= (goal second 100) (true (left 0)) (true (control first)))
(<= (goal second 0) (true (left 0)) (true (control second)))
"""


@pytest.mark.parametrize("count", [3, 5])
def test_forced_wins_agree_with_solve(woodstock: Woodstock, tmp_path: Path, count: int) -> None:
    """Take one or two of so many; who takes the last wins."""
    path = tmp_path / "take.kif"
    path.write_text(TAKE.format(count=count), encoding="utf-8")
    values = woodstock("solve", str(path), "--json").json["values"]
    for role in ("first", "second"):
        facts = woodstock("qcsp", "solve", f"forced-win({path}, {count}, {role})", "--json").json
        assert facts["winning"] == (values[role] == "100")
    winner = next(role for role in values if values[role] == "100")
    played = woodstock("qcsp", "play", f"forced-win({path}, {count}, {winner})", stdin=b"(take 9)\n(take 1)\n" * 4)
    assert played.code == 0 and "'(take 9)' is not one of" in played.out and "the strategy wins" in played.out


def test_forced_wins_that_cannot_be(woodstock: Woodstock) -> None:
    outcome = woodstock("qcsp", "solve", "forced-win(tic-tac-toe)")
    assert outcome.code == 1 and "expected forced-win(game, depth, role)" in outcome.err
    assert "Did you mean 'nim'" in woodstock("qcsp", "solve", "forced-win(nimm, 3)").err
    assert "no role nobody" in woodstock("qcsp", "solve", "forced-win(nim, 3, nobody)").err


HOUSE = Path(__file__).resolve().parents[3] / "examples" / "qcsp" / "house.toml"


def test_a_plan_that_a_person_can_follow(woodstock: Woodstock) -> None:
    drawn = woodstock("qcsp", "solve", str(HOUSE), "--tree")
    tree = drawn.out[drawn.out.index("\nfirst = cellar\n") + 1 :].splitlines()
    assert tree[:5] == [
        "first = cellar",
        "├─ late[0] = no",
        "│  ├─ late[1] = no",
        "│  │  └─ late[2] = no or yes",
        "│  │     second = roof, third = windows",
    ]
    assert (
        "│     └─ late[2] = no\n│        second = windows, third = roof" in drawn.out
    )  # the plan depends on the delay
    played = woodstock("qcsp", "play", str(HOUSE), stdin=b"t\nno\nyes\nyes\n")
    assert played.code == 0 and "├─ late[0] = no" in played.out  # t draws it
    assert "late[2] = no, the only choice" in played.out and "second = windows" in played.out
    assert "end3 = 10" in played.out and "the strategy wins" in played.out


def test_models_are_listed(woodstock: Woodstock) -> None:
    assert "nim-fibonacci" in woodstock("qcsp", "models").out


def test_mistakes(woodstock: Woodstock, tmp_path: Path) -> None:
    bad = tmp_path / "bad.qdimacs"
    bad.write_text("p cnf 1 1\ne 1 0\n2 0\n", encoding="utf-8")
    outcome = woodstock("qcsp", "solve", str(bad))
    assert outcome.code == 1 and f"{bad}:3: variable 2" in outcome.err
    assert woodstock("qcsp", "solve", "no-such-file.toml").code == 2
    certificate = tmp_path / "certificate.json"
    certificate.write_text("{}", encoding="utf-8")
    outcome = woodstock("qcsp", "check", "baker", str(certificate))
    assert outcome.code == 1 and "not a certificate" in outcome.err
    outcome = woodstock("qcsp", "play", "nim-fibonacci(5)")
    assert outcome.code == 1 and "no strategy to play" in outcome.err
    outcome = woodstock("qcsp", "play", "small-example")
    assert outcome.code in (0, 1) and "Traceback" not in outcome.err
