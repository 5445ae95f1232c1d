"""A tournament that is killed again and again ends with the standings of one that never stopped, byte for byte."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from woodstock.cli import run

PLAN = """
name = "killed"
seed = 5
simulations = 64
matches = {matches}
concurrency = 2
games = ["tic-tac-toe", "nim"]

[[player]]
name = "mac"
spec = "mac-ucb"

[[player]]
spec = "random"
"""


def _woodstock(*words: str) -> list[str]:
    return [sys.executable, "-c", "from woodstock.cli import main; main()", "tournament", *words]


def _finished(folder: Path) -> int:
    journal = folder / "journal.jsonl"
    return max(0, journal.read_bytes().count(b"\n") - 1) if journal.exists() else 0


def _report(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["tournament", "report", str(folder), "--json"]) == 0
    return capsys.readouterr().out


def _killed_run(plan: Path, folder: Path, kills: int, total: int) -> int:
    """Run the plan, killing it at random moments; return how often that was done."""
    chance = random.Random(1)
    done = 0
    command = _woodstock("run", str(plan), "--out", str(folder))
    while _finished(folder) < total:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
            # After some more matches, and a little later, so that it happens in the middle of things.
            # Small steps: there must be matches left for every kill.
            now = _finished(folder)
            goal = now + chance.randint(1, max(1, (total - now) // (3 * (kills - done) + 1)))
            while child.poll() is None and (done >= kills or _finished(folder) < goal):
                time.sleep(0.005)
            if child.poll() is None:
                time.sleep(chance.random() * 0.05)
                child.send_signal(signal.SIGKILL)
                done += 1
            child.wait()
            errors = child.stderr.read() if child.stderr is not None else b""
            assert child.returncode in (0, -signal.SIGKILL), errors.decode()
        command = _woodstock("resume", str(folder))
    return done


def _compare(tmp_path: Path, capsys: pytest.CaptureFixture[str], matches: int, kills: int) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(matches=matches))
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    subprocess.run(_woodstock("run", str(plan), "--out", str(whole)), check=True, capture_output=True)
    assert _killed_run(plan, broken, kills, 2 * matches) == kills
    report = _report(whole, capsys)
    assert report and _report(broken, capsys) == report
    lines = (broken / "journal.jsonl").read_text().splitlines()[1:]
    keys = [line.split('"key":"')[1].split('"')[0] for line in lines]
    assert len(keys) == len(set(keys)) == 2 * matches, "a match is missing, or there twice"


def test_a_few_kills(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _compare(tmp_path, capsys, matches=12, kills=2)


@pytest.mark.full
def test_twenty_kills_of_two_hundred_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _compare(tmp_path, capsys, matches=100, kills=20)
