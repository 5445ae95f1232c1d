"""Eight matches and fifty spectators at once on one site: late moves, and how fast clicks are answered meanwhile.

    python -m bench.spectators [--matches 8] [--spectators 50] [--seconds 30] --out bench/results/spectators.txt

Starts `woodstock web --memory` as a process of its own. In each match mac-ucb-sym plays uct; the spectators are
WebSockets spread over the matches. A player's move is late if it comes more than two seconds after
the clock: the referee then replaces it (code TO); the slowest one is named too. Meanwhile two people
play connect four in one more match: the time from sending a click's move to receiving the turn is measured for each of
their moves, and so is the time to fetch the gallery.
"""

from __future__ import annotations

import asyncio
import json
import re
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from typing import Any

from bench.common import Report, parser
from websockets.asyncio.client import ClientConnection, connect

GAMES = ("connect-four", "breakthrough", "hex", "othello", "checkers", "tic-tac-toe", "nim", "knight-through")
CLOCK_S = 0.5


class Site:
    """The server's process, and a browser that is only a cookie."""

    def __init__(self) -> None:
        words = [sys.executable, "-c", "from woodstock.cli import main; main()", "web", "--memory", "--port", "0"]
        self.process = subprocess.Popen([*words, "--no-browser"], stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", self.process.stderr.readline())
        assert found is not None
        self.address = found[0]
        self.cookie = ""

    def ask(self, path: str, form: dict[str, str] | None = None) -> Any:
        data = None if form is None else urllib.parse.urlencode(form).encode()
        headers = {"Origin": self.address, "Cookie": self.cookie}
        answer = urllib.request.urlopen(urllib.request.Request(self.address + path, data, headers))
        made = answer.headers.get("set-cookie", "")
        self.cookie = self.cookie or made.partition(";")[0]
        return answer

    def begin(self, game: str, *specs: str) -> str:
        """Begin a match and return its path; a specification `here` is a person."""
        form = {"game": game, "play_clock": str(CLOCK_S), "start_clock": "2"}
        for number, spec in enumerate(specs):
            form |= {f"kind{number}": "here"} if spec == "here" else {f"kind{number}": "player", f"spec{number}": spec}
        return str(urllib.parse.urlsplit(self.ask("/match/new", form).geturl()).path)

    def socket(self, match: str) -> connect:
        headers = {"Cookie": self.cookie}
        where = self.address.replace("http", "ws", 1) + match + "/live"
        return connect(where, origin=self.address, additional_headers=headers, max_size=None)  # type: ignore[arg-type]


class Counts:
    """What all spectators saw together."""

    def __init__(self) -> None:
        self.messages = 0
        self.turns: dict[tuple[str, int], list[str]] = {}
        self.slowest_s = 0.0


async def watch(socket: ClientConnection, match: str, counts: Counts) -> None:
    """Read everything that a spectator is told."""
    async for text in socket:
        counts.messages += 1
        message = json.loads(text)
        if message["type"] == "turn":
            turn = message["turn"]
            counts.slowest_s = max(counts.slowest_s, *turn.get("seconds", [0.0]), 0.0)
            counts.turns[match, turn["node"]] = [code for code in turn.get("errors", []) if code]


async def click(site: Site, match: str, ends_at: float) -> list[float]:
    """Play for two people, match after match in the same tree; return how long each move took."""
    found: list[float] = []
    async with site.socket(match) as socket:
        message = json.loads(await socket.recv())
        while time.monotonic() < ends_at:
            moves = message.get("moves") or {}
            if message["type"] in ("match", "moves", "head") and moves:
                role, gestures = next(iter(moves.items()))
                node = message.get("current", message.get("node"))
                sent = time.perf_counter()
                move = gestures[len(found) % len(gestures)]["move"]
                await socket.send(json.dumps({"type": "move", "role": role, "node": node, "move": move}))
                while (message := json.loads(await socket.recv()))["type"] != "turn":
                    pass
                found.append(time.perf_counter() - sent)
                await asyncio.sleep(0.2)
                if message["isOver"]:
                    await socket.send(json.dumps({"type": "go", "node": 0}))
                    await socket.send(json.dumps({"type": "pause", "isPaused": False}))
            message = json.loads(await socket.recv())
    return found


async def fetch(site: Site, ends_at: float) -> list[float]:
    """Fetch the gallery now and then; return how long it took."""
    found = []
    while time.monotonic() < ends_at:
        sent = time.perf_counter()
        await asyncio.to_thread(lambda: site.ask("/").read())
        found.append(time.perf_counter() - sent)
        await asyncio.sleep(0.5)
    return found


def spread(times: list[float]) -> str:
    ordered = sorted(times)
    if not ordered:
        return "none"
    tail = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"{len(ordered)} times, median {1000 * statistics.median(ordered):.0f} ms, 95 % {1000 * tail:.0f} ms"


async def run(given: Any, report: Report) -> None:
    site = Site()
    try:
        matches = [site.begin(GAMES[i % len(GAMES)], "mac-ucb-sym", "uct") for i in range(given.matches)]
        people = site.begin("connect-four", "here", "here")
        counts = Counts()
        tasks = []
        for i in range(given.spectators):
            socket = await site.socket(matches[i % len(matches)])
            tasks.append(asyncio.create_task(watch(socket, matches[i % len(matches)], counts)))
        ends_at = time.monotonic() + given.seconds
        clicks, pages = await asyncio.gather(click(site, people, ends_at), fetch(site, ends_at))
        gone = sum(task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        late = sum("TO" in codes for codes in counts.turns.values())
        other = sum(bool(codes) and "TO" not in codes for codes in counts.turns.values())
        report(
            f"{given.matches} matches, {given.spectators} spectators, {given.seconds:.0f} s, clock {CLOCK_S} s a move"
        )
        report(f"turns {len(counts.turns)}, late moves {late}, other errors {other}, spectators lost {gone}")
        report(f"slowest move {counts.slowest_s:.3f} s after it was asked for")
        report(f"messages to spectators {counts.messages}")
        report(f"clicks answered: {spread(clicks)}")
        report(f"gallery fetched: {spread(pages)}")
    finally:
        site.process.terminate()
        site.process.wait()


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--matches", type=int, default=8)
    options.add_argument("--spectators", type=int, default=50)
    options.add_argument("--seconds", type=float, default=30.0)
    given = options.parse_args()
    asyncio.run(run(given, Report(given.out)))


if __name__ == "__main__":
    main()
