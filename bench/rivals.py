"""Matches of our player against any program that speaks the GGP protocol, each side a server of its own.

    python -m bench.rivals "other/bin/woodstock serve --port {port} --no-ponder" --flags=--no-ponder --games hex

The command starts the rival on a port, so a rival is another program or another version of this one; `--flags` go to
our own `woodstock serve`. Both sides use the wall clock. Each has a core of its own; with `--share` both have the same
one, for players that do not think in the other's time. Errors of a side are late, missing and illegal moves. Rows: our
score in % with its 95 % interval, from pairs of matches with exchanged seats; a match whose twin was not finished
counts as a pair of its own. `--fresh` is for programs that play one match and end, or slow down after it. `--records`
keeps the records of all matches in a folder, to look at the lost ones.
"""

from __future__ import annotations

import argparse
import os
import queue
import shlex
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from bench.common import CORPUS, Report, parser, percent

import woodstock
from woodstock import Game
from woodstock.gdl.chance import without_chance
from woodstock.match import MatchRecord, play_match
from woodstock.tournament.intervals import score_interval

READY_S = 60.0
GRACE_S = 1.0


@dataclass
class Tally:
    """The matches of one game: our score by pair and seat, and the errors of both sides."""

    scores: dict[int, dict[int, float]] = field(default_factory=dict)
    errors: list[int] = field(default_factory=lambda: [0, 0])

    def take(self, record: MatchRecord, pair: int, seat: int) -> None:
        """Count a match in which we had this seat."""
        roles = list(record.players)
        sides = (roles[seat], roles[1 - seat])
        ours, theirs = (record.goals.get(role) or 0 for role in sides)
        self.scores.setdefault(pair, {})[seat] = 0.5 if ours == theirs else float(ours > theirs)
        for side, role in enumerate(sides):
            self.errors[side] += sum(record.errors.get(role, {}).values())

    @property
    def pairs(self) -> list[float]:
        """The mean score of each pair, as far as it was finished."""
        return [sum(one.values()) / len(one) for one in self.scores.values()]

    def row(self, name: str) -> str:
        """Return the line of a game."""
        score = percent(score_interval(self.pairs))
        single = [score for pair in self.scores.values() for score in pair.values()]
        return f"{name:24} {score}  {len(single):3d} matches  errors {self.errors[0]} ours, {self.errors[1]} theirs"


class Server:
    """A player as a process of its own, on one core."""

    def __init__(self, command: str, core: int) -> None:
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port: int = one.getsockname()[1]
        words = [*shlex.split(f"taskset -c {core}"), *shlex.split(command.replace("{port}", str(self.port)))]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + READY_S
        while not self._answers():
            if time.monotonic() > end or self._process.poll() is not None:
                self.close()
                raise SystemExit(f"no player answers INFO after: {command}")
            time.sleep(0.2)

    @property
    def seat(self) -> str:
        """The specification of this player for a match."""
        return f"http://127.0.0.1:{self.port}"

    def _answers(self) -> bool:
        try:
            return bool(urllib.request.urlopen(self.seat, b"( INFO )", timeout=2).read())
        except OSError:
            return False

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Bench:
    """All matches, played by several pairs of servers at a time."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self._asked = asked
        self.tallies = {name: Tally() for name in asked.games.split(",")}
        self._games = {name: _load(name, asked.public) for name in self.tallies}
        self.end = time.monotonic() + 60 * asked.minutes
        self._jobs: queue.Queue[tuple[str, int, int]] = queue.Queue()
        for pair in range(asked.pairs):
            for name in self.tallies:
                for seat in (0, 1):
                    self._jobs.put((name, pair, seat))

    def play(self) -> None:
        """Play until no match is left or the time is over."""
        cores = sorted(os.sched_getaffinity(0))
        each = 1 if self._asked.share else 2
        threads = [
            threading.Thread(target=self._work, args=(cores[at], cores[at + each - 1]))
            for at in range(0, len(cores) - each + 1, each)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, our_core: int, their_core: int) -> None:
        asked = self._asked
        binary = Path(sys.executable).with_name("woodstock")
        ours = f"{binary} serve --port {{port}} --host 127.0.0.1 --player {asked.player} {asked.flags}"
        servers: list[Server] = []
        try:
            while time.monotonic() < self.end:
                try:
                    name, pair, seat = self._jobs.get_nowait()
                except queue.Empty:
                    return
                if not servers:
                    servers = [Server(ours, our_core), Server(asked.rival, their_core)]
                self._play_one(name, pair, seat, [one.seat for one in servers])
                if asked.fresh:
                    _close(servers)
        finally:
            _close(servers)

    def _play_one(self, name: str, pair: int, seat: int, seats: list[str]) -> None:
        stop = threading.Event()
        timer = threading.Timer(max(0.0, self.end - time.monotonic()), stop.set)
        timer.start()
        record = play_match(
            self._games[name],
            seats if seat == 0 else seats[::-1],
            stop=stop,
            start_clock_s=self._asked.start_clock,
            play_clock_s=self._asked.play_clock,
            opening=self._asked.opening,
            seed=pair,
            match_id=f"rivals.{name}.{pair}.{seat}",
            grace_s=GRACE_S,
        )
        timer.cancel()
        if record.goals:
            self.tallies[name].take(record, pair, seat)
        if self._asked.records:
            record.write(self._asked.records / f"{name}.{pair}.{seat}.json")


def _load(name: str, is_public: bool) -> Game:
    sheet = CORPUS / f"{name}.kif"
    game = woodstock.load(sheet if is_public and sheet.exists() else name)
    if len(without_chance(game.roles)) != 2:
        raise SystemExit(f"{name} is not a game for two players: its roles are {', '.join(game.roles)}")
    return game


def _close(servers: list[Server]) -> None:
    while servers:
        servers.pop().close()


def main() -> None:
    """Read the arguments and play."""
    options = parser(__doc__, out=True)
    options.add_argument("rival", help="the command that starts the rival, with {port}")
    options.add_argument("--player", default="mac-ucb-sym", help="our player")
    options.add_argument("--flags", default="", help="more options of our `woodstock serve`")
    options.add_argument("--games", default="connect-four,breakthrough,hex", help="separated by ,")
    options.add_argument("--public", action="store_true", help="take the public rulesheets of these names if present")
    options.add_argument("--pairs", type=int, default=4, help="pairs of matches for each game")
    options.add_argument("--start-clock", type=int, default=30)
    options.add_argument("--play-clock", type=int, default=3)
    options.add_argument("--opening", type=int, default=0, help="random turns at the start")
    options.add_argument("--share", action="store_true", help="both sides on one core")
    options.add_argument("--fresh", action="store_true", help="start both servers anew for each match")
    options.add_argument("--minutes", type=float, default=600.0, help="break off after this time")
    options.add_argument("--records", type=Path, help="keep the records of the matches in this folder")
    bench = Bench(asked := options.parse_args())
    if asked.records:
        asked.records.mkdir(parents=True, exist_ok=True)
    report = Report(asked.out)
    bench.play()
    for name, tally in bench.tallies.items():
        if tally.scores:
            report(tally.row(name))
    everything = score_interval([score for tally in bench.tallies.values() for score in tally.pairs])
    report(f"{'all':24} {percent(everything)}  {everything.count} pairs")


if __name__ == "__main__":
    main()
