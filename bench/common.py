"""What the benchmarks share: options, the corpus, child processes, figures and result files.

A benchmark is a module that is run from the root of the repository, for example `python -m bench.engine --games hex`.
The last results are in `bench/results`; each file begins with the command that made it.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import json
import math
import os
import platform
import random
import resource
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import woodstock
from woodstock import Game, State
from woodstock.game.circuit_engine import CircuitEngine

if TYPE_CHECKING:
    from woodstock.tournament.intervals import Interval

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
CORPUS = ROOT.parent / "shared" / "games"  # public rulesheets, if they are next to the repository


def parser(doc: str | None, *, out: bool = False) -> argparse.ArgumentParser:
    """Return a parser that shows the docstring of a benchmark; `out` adds the option `--out FILE`."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if out:
        made.add_argument("--out", type=Path, metavar="FILE", help="also write the results here")
    return made


def percent(one: Interval) -> str:
    """Return a score in % with its interval, as rows have it."""
    return f"{100 * one.mean:6.1f} [{100 * one.low:5.1f}..{100 * one.high:5.1f}]"


class Report:
    """Prints lines and writes them to a file, if there is one; the file is complete after every line.

    The first lines are the command and the machine. With `resume`, the lines of an earlier run stay, and `has` finds
    the rows that need not be measured again.
    """

    def __init__(self, out: Path | None = None, *, resume: bool = False) -> None:
        self.out = out
        self.lines: list[str] = []
        if resume and out is not None and out.exists():
            self.lines = out.read_text(encoding="utf-8").splitlines()
        self._known = set(self.lines)
        if not self.lines:
            self(f"$ {shlex.join(['python', '-m', f'bench.{Path(sys.argv[0]).stem}', *sys.argv[1:]])}")
            self(_machine())

    def __call__(self, line: str = "") -> None:
        print(line, flush=True)
        if line and line in self._known:
            return
        self.lines.append(line)
        if self.out is not None:
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self.out.write_text("\n".join(self.lines) + "\n", encoding="utf-8")

    def has(self, label: str) -> bool:
        """Return whether an earlier run has a row that begins with this label."""
        return any(line.startswith(label) for line in self._known)


def _machine() -> str:
    """Return the processor, the number of cores and the version of Python."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def load(name: str) -> Game:
    """Return a bundled game or, if there is none of this name, a rulesheet of the corpus."""
    try:
        return woodstock.load(name)
    except woodstock.UnknownGameError:
        return woodstock.load(CORPUS / f"{name}.kif")


def sheets(folder: Path = CORPUS, only: str = "") -> list[dict[str, str]]:
    """Return the rows of a corpus's index (columns `file`, `tag`, `trace`) whose file name contains `only`."""
    index = folder / "INDEX.tsv"
    if not index.is_file():
        sys.exit(f"no {index}: the benchmark needs a folder of rulesheets with an INDEX.tsv")
    with index.open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if only in row["file"]]


def random_states(game: Game, count: int, turns: tuple[int, int] = (1, 29), seed: int = 0) -> Iterator[State]:
    """Yield different states with a choice of moves: after so many random turns, or the last before a match ends."""
    draw = random.Random(seed)
    seen: set[State] = set()
    for _ in range(20 * count):
        state = game.initial
        for _ in range(draw.randint(*turns)):
            after = state.next([draw.choice(state.legal(role)) for role in game.roles])
            if after.is_terminal:
                break
            state = after
        if state not in seen and any(len(state.legal(role)) > 1 for role in game.roles):
            seen.add(state)
            yield state
            if len(seen) == count:
                return


class ChildError(Exception):
    """A child process failed or printed nothing; the text is its exit code and its last line of errors."""


def run_apart(function: Callable[..., Any], *arguments: object, seconds: float | None = None) -> Any:
    """Call a function of a benchmark in a process of its own; arguments and result travel as JSON.

    Raises ChildError if it fails and subprocess.TimeoutExpired after `seconds`.
    """
    # The name of the module is that of its file, also if it is run as `__main__`.
    module = function.__globals__["__spec__"].name
    words = [sys.executable, "-m", "bench.common", module, function.__name__, json.dumps(arguments, default=str)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False, cwd=ROOT)
    if done.returncode != 0 or not done.stdout.strip():
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise ChildError(f"exit {done.returncode}: {last}")
    return json.loads(done.stdout.splitlines()[-1])


def cpu_seconds() -> float:
    """Return the processor time of this process and of the children it has waited for."""
    return sum(usage.ru_utime + usage.ru_stime for usage in _usages())


def peaks_mib() -> tuple[float, float]:
    """Return the most memory that this process took, and the most that one of its children took."""
    own, child = (usage.ru_maxrss / 1024 for usage in _usages())
    return own, child


def _usages() -> list[resource.struct_rusage]:
    return [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean."""
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of all values lies."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def circuit_stats(game: Game) -> dict[str, Any]:
    """Return the sizes of the game's circuit before and after optimisation."""
    assert isinstance(game.engine, CircuitEngine)
    return game.engine.stats


def _main() -> None:
    """Call the function that `run_apart` asks for."""
    module, name, arguments = sys.argv[1:]
    result = getattr(importlib.import_module(module), name)(*json.loads(arguments))
    print(json.dumps(result), flush=True)
    # Threads may be inside a long native call: the process ends without waiting for them.
    os._exit(0)


if __name__ == "__main__":
    _main()
