"""Our GGP player over HTTP, on busy machines and on every sheet: late and illegal replies are counted.

    python -m bench.matches games --play-clock 1 --count 50     # whole matches of the shortest games of the corpus
    python -m bench.matches tic-tac-toe --count 200
    python -m bench.matches margin --moves 500 --load 2         # breakthrough at a 2 s clock, both cores busy
    python -m bench.matches starts --load 4 --jobs 8            # START, two PLAYs and STOP on every sheet of the corpus

In `starts` each job has two cores for itself, with `--load` busy loops on them; `--shard 2/5` runs every fifth sheet,
`--only A,B` those whose name contains one of these. A reply is late if it comes after its clock (for STOP: a second).
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import IO, Any

from bench.common import CORPUS, Report, parser, sheets

import woodstock
from woodstock.gdl.chance import without_chance
from woodstock.ggp import messages
from woodstock.ggp.client import TooLate, Unreachable, post
from woodstock.ggp.session import NO_MOVE
from woodstock.match import MatchRecord, play_match

CORES_PER_JOB = 2
STOP_CLOCK_S = 1.0
# How long after its clock a reply is waited for.
WAIT_S = 10.0


class Log:
    """Reads the log of a server, so that its pipe does not fill up, and keeps what went wrong."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._errors: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._file:
            if " ERROR " in line or line.startswith("Traceback"):
                self._errors.put(line.strip())

    def errors(self) -> list[str]:
        """Return the errors since the last call."""
        found = []
        while not self._errors.empty():
            found.append(self._errors.get())
        return found


@contextmanager
def served(spec: str) -> Iterator[tuple[int, Log]]:
    """Run our player as a server on a free port; yield the port and the log."""
    code = "from woodstock.cli import main; main()"
    words = [sys.executable, "-c", code, "serve", "--port", "0", "--host", "127.0.0.1", "--player", spec]
    server = subprocess.Popen([*words, "--no-ponder"], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        line = server.stderr.readline()
        port = re.search(r"port (\d+)", line)
        if port is None:
            sys.exit(f"the server did not start: {line}")
        yield int(port[1]), Log(server.stderr)
    finally:
        server.terminate()
        server.wait()


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Keep cores busy."""
    made = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for loop in made:
            loop.kill()
            loop.wait()


def against_random(
    game: woodstock.Game, port: int, seat: int, start_s: float, play_s: float, seed: int, max_turns: int = 10_000
) -> MatchRecord:
    """Play one match, ours in the seat of that number."""
    roles = without_chance(game.roles)
    seats = dict.fromkeys(roles, "random")
    seats[roles[seat % len(roles)]] = f"http://127.0.0.1:{port}"
    return play_match(game, seats, start_clock_s=start_s, play_clock_s=play_s, seed=seed, max_turns=max_turns)


def ours(record: MatchRecord) -> str:
    """Return the role that our player had."""
    return next(role for role, player in record.players.items() if player.startswith("http"))


def shortest_games(count: int) -> list[str]:
    """Return the games of the corpus whose recorded matches are shortest."""
    lengths = []
    for path in sorted((CORPUS.parent / "traces").glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as file:
            lines = [json.loads(line) for line in file][1:]
        matches = len({line["match"] for line in lines})
        lengths.append((len(lines) / matches, path.name.removesuffix(".jsonl.gz")))
    # Games of one turn say nothing about clocks.
    return [name for length, name in sorted(lengths) if length >= 3][:count]


def play_games(given: argparse.Namespace, report: Report) -> None:
    """Play each of the shortest games once."""
    games = ((name, woodstock.load(CORPUS / f"{name}.kif")) for name in shortest_games(given.count))
    play_whole(games, given.start_clock, given, report)


def play_tic_tac_toe(given: argparse.Namespace, report: Report) -> None:
    """Play the same small game many times."""
    game = woodstock.load("tic-tac-toe")
    play_whole(((game.name, game) for _ in range(given.count)), 2.0, given, report)


def play_whole(
    games: Iterable[tuple[str, woodstock.Game]], start_s: float, given: argparse.Namespace, report: Report
) -> None:
    """Play a match of each game, ours in each seat in turn."""
    errors: Counter[str] = Counter()
    goals: list[int] = []
    turns = 0
    with served(given.player) as (port, _log):
        for number, (name, game) in enumerate(games):
            record = against_random(game, port, number, start_s, given.play_clock, number)
            role = ours(record)
            errors.update(record.errors.get(role, {}))
            goals.append(record.goals.get(role) or 0)
            turns += len(record.plies)
            end = f"{record.reason:9} goal {goals[-1]:4}  errors {record.errors.get(role) or 'none'}"
            report(f"{name:34} {role:14} {len(record.plies):4} turns  {end}")
    report(
        f"{len(goals)} matches, {turns} turns, mean goal {statistics.mean(goals):.1f}, lost {goals.count(0)}, "
        f"errors on our side {dict(errors) or 'none'}, play clock {given.play_clock:g} s"
    )


def play_margin(given: argparse.Namespace, report: Report) -> None:
    """Count late moves and the share of the clock used, with busy loops on the same cores."""
    game = woodstock.load("breakthrough")
    seconds: list[float] = []
    late = seed = 0
    with served(given.player) as (port, _log), busy(given.load):
        while len(seconds) < given.moves:
            # Openings only: when the end is in sight the search proves it and has no use for the clock.
            record = against_random(game, port, seed, 5.0, given.play_clock, seed, max_turns=24)
            index = record.roles.index(ours(record))
            for turn, ply in enumerate(record.plies):
                # Only turns with a choice are thought about.
                if ply.moves[index].lower() != "noop" and turn:
                    seconds.append(ply.seconds[index])
                    late += ply.errors[index] == "TO"
            seed += 1
            print(f"{len(seconds)} moves, {late} late", flush=True)
    used = statistics.mean(seconds) / given.play_clock
    report(
        f"{len(seconds)} moves at {given.play_clock:g} s with {given.load} busy loops: {late} late, "
        f"slowest {max(seconds):.3f} s, mean share of the clock {100 * used:.1f} %"
    )


class Sheet:
    """One rulesheet as a match of two turns; `row` is what came of it."""

    def __init__(self, name: str, port: int, given: argparse.Namespace) -> None:
        self._port, self._given = port, given
        self._match = f"starts.{name}"
        self._chance = random.Random(name)
        self.row: dict[str, Any] = {"sheet": name, "replies": {}, "late": 0, "illegal": 0, "unknown": 0, "error": ""}

    def play(self) -> dict[str, Any]:
        """Send the messages, and judge the moves by the interpreter."""
        given, row = self._given, self.row
        try:
            game = woodstock.load(CORPUS / row["sheet"], engine="interpreter")
        except woodstock.WoodstockError as error:
            row["error"] = f"refused: {str(error).splitlines()[0].removeprefix(f'{CORPUS}/')}"
            return row
        role = game.roles[0]
        start = messages.start(self._match, role, game.program, given.start_clock, given.play_clock)
        if (answer := self._ask("START", start, given.start_clock)) != "ready":
            row["error"] = f"START was answered by {answer!r}"
            return row
        state = game.initial
        for turn in (1, 2):
            legal = {of: state.legal(of) for of in game.roles}
            if state.is_terminal or not all(legal.values()):
                break
            move = self._ask(f"PLAY {turn}", messages.play(self._match, state.last_moves), given.play_clock)
            joint = [self._chance.choice(legal[of]) for of in game.roles]
            if move in legal[role]:
                joint[0] = move
            else:
                row["unknown" if move == NO_MOVE else "illegal"] += 1
            state = state.next(joint)
        if (answer := self._ask("STOP", messages.stop(self._match, state.last_moves), STOP_CLOCK_S)) != "done":
            row["error"] = f"STOP was answered by {answer!r}"
        return row

    def _ask(self, name: str, text: str, clock_s: float) -> str:
        begun = time.monotonic()
        try:
            answer = post("127.0.0.1", self._port, text, deadline=begun + clock_s + WAIT_S).strip()
        except (TooLate, Unreachable) as error:
            answer = str(error)
        seconds = time.monotonic() - begun
        self.row["replies"][name] = round(seconds, 3)
        self.row["late"] += seconds > clock_s
        return answer


def start_sheets(names: list[str], job: int, given: argparse.Namespace, rows: Any) -> None:
    """Put what came of each sheet into a queue, and None at the end; a process with cores of its own."""
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[(CORES_PER_JOB * job + core) % len(cores)] for core in range(CORES_PER_JOB)})
    try:
        with served(given.player) as (port, log), busy(given.load):
            for name in names:
                row = Sheet(name, port, given).play()
                rows.put(row | {"log": log.errors()})
    finally:
        rows.put(None)


def started(given: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield what came of each sheet, from jobs that run side by side."""
    index, count = map(int, given.shard.split("/"))
    wanted = given.only.split(",")
    names = [row["file"] for row in sheets() if any(word in row["file"] for word in wanted)][index - 1 :: count]
    context = multiprocessing.get_context("spawn")
    rows = context.SimpleQueue()
    jobs = [
        context.Process(target=start_sheets, args=(names[job :: given.jobs], job, given, rows))
        for job in range(given.jobs)
    ]
    for process in jobs:
        process.start()
    for _ in jobs:
        yield from iter(rows.get, None)
    for process in jobs:
        process.join()
        if process.exitcode:
            sys.exit("a job has failed, so sheets are missing")


def play_starts(given: argparse.Namespace, report: Report) -> None:
    """Send START, two PLAYs and STOP for every sheet."""
    slowest: dict[str, tuple[float, str]] = {}
    total = dict.fromkeys(("played", "late", "illegal", "unknown", "errors", "refused"), 0)
    for row in started(given):
        is_refused = row["error"].startswith("refused")
        total["refused" if is_refused else "played"] += 1
        total["errors"] += bool(row["error"]) and not is_refused
        for name in ("late", "illegal", "unknown"):
            total[name] += row[name]
        for name, seconds in row["replies"].items():
            slowest[name] = max(slowest.get(name, (0.0, "")), (seconds, row["sheet"]))
        times = "  ".join(f"{name} {seconds:6.3f}" for name, seconds in row["replies"].items())
        marks = f"{row['late']} late  {row['illegal']} illegal  {row['unknown']} NIL  {row['error']}".rstrip()
        report(f"{row['sheet']:48.48} {times}  {marks}")
        for line in row["log"]:
            report(f"    {line}")
    for name, (seconds, sheet) in slowest.items():
        report(f"slowest {name}: {seconds:.3f} s, {sheet}")
    report(
        f"{total['played']} sheets at {given.start_clock:g} s / {given.play_clock:g} s with {given.load} busy loops: "
        f"{total['late']} late replies, {total['illegal']} illegal moves, {total['unknown']} moves not known in time, "
        f"{total['errors']} errors; {total['refused']} more sheets have wrong rules"
    )


def main() -> None:
    """Run one of the benchmarks."""
    modes = {"games": play_games, "tic-tac-toe": play_tic_tac_toe, "margin": play_margin, "starts": play_starts}
    options = parser(__doc__, out=True)
    options.add_argument("what", choices=modes)
    options.add_argument("--player", default="mac-ucb-sym")
    options.add_argument("--count", type=int, default=50, help="matches")
    options.add_argument("--moves", type=int, default=500)
    options.add_argument("--load", type=int, default=2, help="busy loops")
    options.add_argument("--start-clock", type=float, default=10.0)
    options.add_argument("--play-clock", type=float, default=0.0)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--shard", default="1/1")
    options.add_argument("--only", default="", help="sheets whose name contains one of these words")
    given = options.parse_args()
    given.play_clock = given.play_clock or (2.0 if given.what == "margin" else 1.0)
    report = Report(given.out)
    begun = time.monotonic()
    modes[given.what](given, report)
    report(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
