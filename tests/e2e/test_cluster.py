"""A tournament on a Dask cluster of two processes, one of them killed in the middle: nothing lost, nothing twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.e2e.cluster import address_of, scheduler, worker

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

PLAN = """
name = "cluster"
seed = 9
simulations = 200
matches = 40
concurrency = 2
games = ["tic-tac-toe", "nim"]
[[player]]
name = "mac"
spec = "mac-ucb"
[[player]]
spec = "random"
"""


def _tournament(*words: str) -> list[str]:
    return [sys.executable, "-c", "from woodstock.cli import main; main()", "tournament", *words]


@pytest.mark.full
def test_a_worker_dies_and_nothing_is_lost(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    subprocess.run(_tournament("run", str(plan), "--out", str(tmp_path / "local")), check=True, capture_output=True)
    with scheduler() as process:
        address = address_of(process)
        with worker(address) as first, worker(address):
            folder = tmp_path / "cluster"
            command = _tournament("run", str(plan), "--out", str(folder), "--scheduler", address)
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
                journal = folder / "journal.jsonl"
                while run.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < 20):
                    time.sleep(0.02)
                assert run.poll() is None, run.communicate()
                first.send_signal(signal.SIGKILL)
                _, errors = run.communicate(timeout=120)
                assert run.returncode == 0, errors.decode()
    keys = [json.loads(line)["key"] for line in journal.read_text().splitlines()[1:]]
    assert len(keys) == len(set(keys)) == 80
    reports = [
        subprocess.run(_tournament("report", str(tmp_path / name), "--json"), check=True, capture_output=True).stdout
        for name in ("local", "cluster")
    ]
    assert reports[0] == reports[1]


def test_no_scheduler_is_told(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    command = _tournament("run", str(plan), "--out", str(tmp_path / "x"), "--scheduler", "tcp://127.0.0.1:1")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "no Dask scheduler at tcp://127.0.0.1:1" in done.stderr
