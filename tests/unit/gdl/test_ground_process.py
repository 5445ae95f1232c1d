"""The grounder's process: it ends with the one that wanted it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

# 400 to the fourth instances: grounding goes on for far longer than the test.
ENDLESS = """
from woodstock.gdl.ground_process import run_gringo
facts = "".join(f"n({i})." for i in range(400))
rules = "{t(X)} :- n(X). big(A,B,C,D) :- n(A), n(B), n(C), n(D), t(A)."
run_gringo(facts + rules, 600, 4096, lambda event: None)
"""


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in tasks.read_text().split()] if tasks.exists() else []


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_killed_parent_takes_its_grounder_along() -> None:
    if not Path("/proc/self/task").exists() or not hasattr(os, "kill"):
        return
    parent = subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        grounders: list[int] = []
        for _ in range(600):
            grounders = children_of(parent.pid)
            if grounders or parent.poll() is not None:
                break
            time.sleep(0.05)
        assert grounders, "no grounder was started"
        # Let it come past its own start, where it asks to be ended with its parent.
        time.sleep(1.5)
        assert is_alive(grounders[0])
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        for _ in range(200):
            if not is_alive(grounders[0]):
                break
            time.sleep(0.05)
        assert not is_alive(grounders[0])
    finally:
        if parent.poll() is None:
            parent.kill()
            parent.wait()
