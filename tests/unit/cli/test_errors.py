"""Wrong command lines get the nearest right one, exit codes tell whose fault it is, and nobody sees a traceback."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.cli.conftest import Woodstock


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["info", "tictacto"], 2, "No game 'tictacto'. Did you mean 'tic-tac-toe'? Run 'woodstock games' for all "),
        (["simulat", "nim"], 2, "no such command 'simulat'. Did you mean 'simulate'?"),
        (["simulate", "nim", "--sede", "1"], 2, "no such option: --sede. Did you mean --seed?"),
        (["simulate", "nim", "--engine", "fast"], 2, "--engine"),
        (["simulate", "nim", "--threads", "0"], 2, "--threads"),
        (["perft"], 2, "missing argument 'GAME'"),
        (["info", "no/such/folder.kif"], 2, "no file no/such/folder.kif"),
        (["check", "."], 2, ". is a folder"),
        (["fmt", "-", "--write"], 2, "standard input"),
    ],
)
def test_usage_errors(woodstock: Woodstock, words: list[str], code: int, message: str) -> None:
    outcome = woodstock(*words)
    assert outcome.code == code
    assert message in outcome.err
    assert outcome.out == "" and "Traceback" not in outcome.err


def test_a_wrong_opponent_is_an_error_before_the_greeting(woodstock: Woodstock) -> None:
    outcome = woodstock("play", "nim", "--opponent", "nobody")
    assert outcome.code == 1 and outcome.out == "" and "no player 'nobody'" in outcome.err


def test_the_seconds_of_solve_include_the_search_for_symmetries(woodstock: Woodstock) -> None:
    outcome = woodstock("solve", "chess", "--seconds", "0.2")
    assert outcome.code == 1 and "was not begun" in outcome.err and "solve exceeded its budget" in outcome.err


def test_a_failed_connection_is_explained_in_full(woodstock: Woodstock) -> None:
    outcome = woodstock("protocol", "check", "http://127.0.0.1:1")
    assert outcome.code == 1 and "no connection to 127.0.0.1:1: Connection refused" in outcome.out


def test_a_near_file_is_named(woodstock: Woodstock, tmp_path: Path) -> None:
    (tmp_path / "chess.kif").write_text("(role white)", encoding="utf-8")
    assert f"Did you mean '{tmp_path / 'chess.kif'}'?" in woodstock("info", str(tmp_path / "ches.kif")).err


@pytest.mark.parametrize("command", ["info", "perft", "simulate", "watch", "fmt"])
@pytest.mark.parametrize("rules", [b"", b"(role", b"\x00\xff\xfe", b"(role me)) (", "(rôle é".encode()])
def test_broken_rules_are_an_input_error(woodstock: Woodstock, command: str, rules: bytes) -> None:
    outcome = woodstock(command, "-", stdin=rules)
    assert outcome.code == 1
    assert "<stdin>:" in outcome.err and "error[GDL" in outcome.err
    assert "Traceback" not in outcome.err and outcome.out == ""


def test_a_budget_that_is_too_small_says_so(woodstock: Woodstock) -> None:
    outcome = woodstock("info", "breakthrough", "--ground-memory-mb", "1", "--json")
    assert outcome.code == 0
    assert outcome.json["engine"] == "interpreter" and outcome.json["fluents"] is None
    assert "note:" in outcome.err and "interpreter" in outcome.err


def test_our_own_bugs_ask_for_a_report(woodstock: Woodstock, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_words: object, **_options: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("woodstock.game.load.load", fail)
    monkeypatch.setattr("woodstock.load", fail, raising=False)
    outcome = woodstock("simulate", "nim", "--seed", "42")
    assert outcome.code == 3
    assert "ZeroDivisionError: by nought" in outcome.err
    assert "version  0" in outcome.err and "seed     42" in outcome.err
    assert "woodstock simulate nim --seed 42" in outcome.err
    assert "Traceback" not in outcome.err
    assert "Traceback" in woodstock("simulate", "nim", "--debug").err


def test_help_is_an_answer(woodstock: Woodstock) -> None:
    assert woodstock().code == 0
    assert woodstock("--version").out.startswith("woodstock 0.")
    assert woodstock("-h").code == 0


def test_an_interrupt_ends_with_130_and_the_command() -> None:
    words = ["simulate", "connect-four", "--seconds", "60"]
    # A shell that runs the tests in the background has interrupts ignored, and children inherit that: hear them again.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{heard}; from woodstock.cli import main; print('here', flush=True); main()"
    command = [sys.executable, "-c", start, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "here\n"
        time.sleep(1)
        process.send_signal(2)
        _out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted; to start again: woodstock simulate connect-four --seconds 60" in err
    assert "Traceback" not in err


def test_a_reader_that_leaves_is_no_error() -> None:
    script = f"{sys.executable} -c 'from woodstock.cli import main; main()' explain | head -n 1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("GDL")
