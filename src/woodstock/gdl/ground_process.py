"""Run gringo in a child process, inside a time and a memory budget.

Comes in: the text of an answer set program. Goes out: aspif bytes, or `GroundingOverrun` with the child's last state.
The child writes to a file, not to a pipe, so that its progress is the size of that file and nothing can deadlock.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from woodstock.errors import WoodstockError
from woodstock.events import PhaseEvent, Subscriber

_CHILD = Path(__file__).with_name("ground_child.py")
_PROGRESS_S = 0.5


class GroundingOverrun(Exception):
    """The child ran out of its budget: `unit` is `s` or `MiB`."""

    def __init__(self, used: float, limit: float, unit: str) -> None:
        self.used, self.limit, self.unit = used, limit, unit
        super().__init__(f"{used:.4g} of {limit:.4g} {unit}")


def run_gringo(text: str, seconds: float, memory_mb: int, tell: Subscriber) -> bytes:
    """Return gringo's aspif output for a program."""
    with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
        output = Path(folder) / "out.aspif"
        _run(folder, text, ["--output=intermediate"], output, seconds, memory_mb, tell)
        return output.read_bytes()


def count_instances(text: str, prefix: str, seconds: float, memory_mb: int) -> dict[int, int]:
    """Ground for a while and count the rules whose head is `prefix` and a number: instances for each number."""
    counts: dict[int, int] = {}
    with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
        output = Path(folder) / "out.lp"
        try:
            _run(folder, text, ["--text"], output, seconds, memory_mb, lambda _event: None)
        except GroundingOverrun:
            # What was written so far is what we came for.
            pass
        wanted = re.compile(rb"^" + prefix.encode() + rb"(\d+)_", re.MULTILINE)
        with output.open("rb") as file:
            # Rules cut in two between blocks are too few to matter.
            while block := file.read(1 << 24):
                for number in wanted.findall(block):
                    counts[int(number)] = counts.get(int(number), 0) + 1
    return counts


def _run(
    folder: str, text: str, options: list[str], output: Path, seconds: float, memory_mb: int, tell: Subscriber
) -> None:
    source, errors = Path(folder) / "in.lp", Path(folder) / "errors"
    source.write_text(text, encoding="ascii")
    limits = [str(os.getpid()), str(seconds), str(memory_mb)]
    command = [sys.executable, str(_CHILD), *limits, "--mode=gringo", "--warn=none", *options, str(source)]
    started = told = time.monotonic()
    with output.open("wb") as out, errors.open("wb") as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        try:
            while True:
                try:
                    child.wait(timeout=_PROGRESS_S if told > started else 0.25)
                    break
                except subprocess.TimeoutExpired:
                    now = time.monotonic()
                    if now - started > seconds:
                        raise GroundingOverrun(now - started, seconds, "s") from None
                    told = now
                    tell(PhaseEvent("ground", "progress", now - started, {"bytes": output.stat().st_size}))
        finally:
            if child.poll() is None:
                child.kill()
                child.wait()
    if child.returncode == -signal.SIGXCPU:
        raise GroundingOverrun(time.monotonic() - started, seconds, "s")
    if child.returncode not in (0, 10, 20, 30):
        message = errors.read_text(encoding="utf-8", errors="replace").strip()
        if child.returncode < 0 or "bad_alloc" in message or "MemoryError" in message:
            raise GroundingOverrun(memory_mb, memory_mb, "MiB")
        raise WoodstockError(f"clingo failed with exit code {child.returncode}: {message[-500:]}")
