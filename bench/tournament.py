"""The overhead of a tournament, and whether its statistics are right.

    python -m bench.tournament [overhead] [many] [report] [statistics] [--out bench/results/tournament.txt]

`overhead`: two matches at a time with 50 ms a move; the share of the two workers' wall time that is inside matches.
`many`: 10,000 matches of tic-tac-toe between players that do not search, journaled with synced records and reported.
`report`: the report of a journal of a million lines. `statistics`: intervals, sequential tests and ratings on simulated
players of known strength. Without a name, all four.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.common import Report, parser
from tests.unit.tournament.simulated import league_of, pairs_of

from woodstock.tournament.intervals import score_interval
from woodstock.tournament.journal import read_journal
from woodstock.tournament.plan import parse_plan
from woodstock.tournament.ratings import rate
from woodstock.tournament.runner import JOURNAL, read_folder
from woodstock.tournament.sprt import Sprt

PLAYERS = '[[player]]\nname = "a"\nspec = "{0}"\n[[player]]\nname = "b"\nspec = "{1}"\n'
WOODSTOCK = [sys.executable, "-c", "from woodstock.cli import main; main()", "tournament"]
MEBIBYTE = 1024


def overhead(folder: Path) -> Iterator[str]:
    """Matches at 50 ms a move: the share of two workers' wall time inside matches."""
    for seed, count in enumerate((60, 300)):
        plan = (
            f'name = "overhead"\nseed = {seed}\nplay_clock_s = 0.05\nstart_clock_s = 0.5\nmatches = {count}\n'
            'concurrency = 2\ngames = ["connect-four"]\n' + PLAYERS.format("mac-ucb", "uct")
        )
        path = folder / f"overhead{seed}.toml"
        path.write_text(plan)
        begun = time.monotonic()
        _run("run", str(path))
        wall = time.monotonic() - begun
        results = list(read_journal(path.with_suffix("") / JOURNAL))
        inside = sum(result.seconds for result in results)
        share = 100 * inside / (2 * wall)
        yield f"  {len(results)} matches, {wall:.1f} s wall, start and end included: {share:.2f} % inside matches"


def many(folder: Path) -> Iterator[str]:
    """Ten thousand matches that take no time."""
    for count in (1_000, 10_000):
        plan = f'name = "many"\nmatches = {count}\nconcurrency = 2\ngames = ["tic-tac-toe"]\n' + PLAYERS.format(
            "random", "legal"
        )
        path = folder / f"many{count}.toml"
        path.write_text(plan)
        begun = time.monotonic()
        usage = _run("run", str(path))
        played = time.monotonic() - begun
        _run("report", str(path.with_suffix("")), "--html", str(folder / "many.html"))
        wall = time.monotonic() - begun
        records = sum(1 for _ in (path.with_suffix("") / "records").iterdir())
        yield (
            f"  {count:,} matches: {played:.1f} s played and journaled, {wall:.1f} s with the report, "
            f"{records:,} records, {usage / MEBIBYTE:.0f} MiB at most in the process that keeps the journal"
        )


def report_time(folder: Path) -> Iterator[str]:
    """A journal of a million lines."""
    plan = 'name = "long"\nmatches = 1000000\ngames = ["tic-tac-toe"]\n' + PLAYERS.format("random", "legal")
    target = folder / "long"
    target.mkdir()
    (target / "plan.toml").write_text(plan)
    identity = parse_plan(plan).identity
    chance = random.Random(1)
    with (target / JOURNAL).open("w") as file:
        file.write(json.dumps({"woodstock": "tournament", "format": 1, "plan": identity}) + "\n")
        for number in range(1_000_000):
            seats = ["a", "b"] if number % 2 == 0 else ["b", "a"]
            goals = chance.choice(([100, 0], [50, 50], [0, 100]))
            line = {
                "key": f"1/tic-tac-toe/a/b/{number}", "game": "tic-tac-toe", "roles": ["x", "o"], "players": seats,
                "first": "a", "second": "b", "goals": goals, "reason": "terminal", "turns": 7, "seconds": 0.001,
                "errors": {},
            }  # fmt: skip
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    assert read_folder(target).identity == identity
    begun = time.monotonic()
    usage = _run("report", str(target), "--html", str(folder / "long.html"))
    yield f"  1,000,000 lines: {time.monotonic() - begun:.1f} s, {usage / MEBIBYTE:.0f} MiB"


def check_statistics(_folder: Path) -> Iterator[str]:
    """Simulated players of known strength."""
    chance = random.Random(2017)
    yield "  95 % intervals of scores, how often they hold the truth (4,000 runs each)"
    for win, draw in ((0.5, 0.0), (0.3, 0.4), (0.55, 0.3), (0.7, 0.1), (0.85, 0.05), (0.15, 0.7)):
        shares = []
        for pairs in (10, 30, 100, 300):
            truth = win + draw / 2
            covered = 0
            for _ in range(4000):
                found = score_interval(pairs_of(chance, win, draw, pairs))
                covered += found.low <= truth <= found.high
            shares.append(f"{pairs} pairs {covered / 40:.1f} %")
        yield f"    win {win:g}, draw {draw:g}: {', '.join(shares)}"
    yield "  sequential test of 50 % against 60 %, alpha = beta = 5 %, 2,000 runs each: decided wrongly, mean pairs"
    for draw in (0.0, 0.3, 0.6):
        sprt = Sprt(0.5, 0.6)
        told = []
        for truth, right in ((0.5, "below"), (0.6, "above")):
            wrong = length = 0
            for _ in range(2000):
                pairs_seen: list[float] = []
                while not (decision := sprt.decision(pairs_seen)):
                    pairs_seen += pairs_of(chance, truth - draw / 2, draw, 1)
                wrong += decision != right
                length += len(pairs_seen)
            told.append(f"truth {truth:g}: {wrong / 20:.2f} %, {length / 2000:.0f} pairs")
        yield f"    draws {draw:g}: {'; '.join(told)}"
    yield "  ratings: 4 players, a role worth +120 points, 400 leagues of 200 matches"
    strengths = {"a": 150.0, "b": 40.0, "c": -40.0, "d": -150.0}
    covered = total = 0
    biases = []
    for _ in range(400):
        ratings = rate(league_of(chance, strengths, 120.0, 200))
        for one in ratings.players:
            covered += one.low <= strengths[one.name] <= one.high
            total += 1
        biases.append(ratings.roles["g", "first"].points - ratings.roles["g", "second"].points)
    spread = statistics.stdev(biases)
    yield f"    intervals of strengths cover {100 * covered / total:.1f} %"
    yield f"    the role's worth, 120: found {statistics.mean(biases):.1f}, spread of one league {spread:.1f}"


def _run(*words: str) -> int:
    """Run a command of tournaments; return the most memory it took, in KiB."""
    process = subprocess.Popen([*WOODSTOCK, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(errors.decode())
    return usage.ru_maxrss


PARTS: dict[str, Callable[[Path], Iterator[str]]] = {
    "overhead": overhead,
    "many": many,
    "report": report_time,
    "statistics": check_statistics,
}


def main() -> None:
    """Run the parts asked for."""
    options = parser(__doc__, out=True)
    options.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    asked = options.parse_args()
    unknown = [part for part in asked.parts if part not in PARTS]
    if unknown:
        options.error(f"no part {unknown[0]!r}: there are {', '.join(PARTS)}")
    report = Report(asked.out)
    folder = Path(tempfile.mkdtemp(prefix="woodstock-bench-"))
    try:
        for part in asked.parts or PARTS:
            report(f"{part}: {(PARTS[part].__doc__ or '').strip()}")
            for line in PARTS[part](folder):
                report(line)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
