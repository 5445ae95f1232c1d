"""Run gringo in a child process, inside a time and a memory budget.

Comes in: the text of an answer set program. Goes out: aspif bytes, or `ChildOverrun`. The child writes to a
file, not to a pipe: its progress is the size of that file, and nothing can deadlock.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from woodstock.child import ChildOverrun, Limits, run_child
from woodstock.events import PhaseEvent, Subscriber

# The head of an instance of clause k in a counting program (`asp`) is `h<k>_`.
_WITNESS = re.compile(rb"^h(\d+)_", re.MULTILINE)


def run_gringo(text: str, seconds: float, memory_mb: int, tell: Subscriber) -> bytes:
    """Return gringo's aspif output for a program."""
    with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
        output = Path(folder) / "out.aspif"
        _run(folder, text, ["--output=intermediate"], output, seconds, memory_mb, tell)
        return output.read_bytes()


def count_instances(text: str, seconds: float, memory_mb: int) -> Counter[int]:
    """Ground a counting program for a while: the instances found of each clause, by its number."""
    counts: Counter[int] = Counter()
    with tempfile.TemporaryDirectory(prefix="woodstock-") as folder:
        output = Path(folder) / "out.lp"
        try:
            _run(folder, text, ["--text"], output, seconds, memory_mb, lambda _event: None)
        except ChildOverrun:
            # What was written so far is what we came for.
            pass
        with output.open("rb") as file:
            # Rules cut in two between blocks are too few to matter.
            while block := file.read(1 << 24):
                counts.update(map(int, _WITNESS.findall(block)))
    return counts


def _run(
    folder: str, text: str, options: list[str], output: Path, seconds: float, memory_mb: int, tell: Subscriber
) -> None:
    def watch(used: float) -> None:
        tell(PhaseEvent("ground", "progress", used, {"bytes": output.stat().st_size}))

    source = Path(folder) / "in.lp"
    source.write_text(text, encoding="ascii")
    with output.open("wb") as out:
        limits = Limits(seconds, memory_mb)
        run_child("woodstock.gdl.ground_child", *options, source, limits=limits, output=out, watch=watch)
