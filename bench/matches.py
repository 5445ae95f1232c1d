"""Matches over the network: our player on HTTP against `random`, game after game, and what went wrong.

    python bench/matches.py games --play-clock 1 --count 50     # the shortest games of the corpus
    python bench/matches.py tic-tac-toe --matches 200
    python bench/matches.py margin --moves 500 --load 2         # a 2 s clock with both cores busy

Each run prints a table and, with --out, writes it with the command that made it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import shlex
import statistics
import sys
import time
from pathlib import Path

import woodstock
from woodstock.ggp.player import GgpPlayer
from woodstock.ggp.server import Server
from woodstock.match import MatchRecord, play_match
from woodstock.players import make_player

CORPUS = Path(__file__).resolve().parents[2] / "shared"


def serve(spec: str) -> Server:
    """Start our player on a free port."""
    return Server(GgpPlayer(lambda: make_player(spec)), "127.0.0.1", 0)


def against_random(
    game: woodstock.Game, url: str, seat: int, start_s: float, play_s: float, seed: int, max_turns: int = 10_000
) -> MatchRecord:
    """Play one match, ours in the seat of that number."""
    roles = [role for role in game.roles if role.lower() != "random"]
    seats = dict.fromkeys(roles, "random")
    seats[roles[seat % len(roles)]] = url
    return play_match(game, seats, start_clock_s=start_s, play_clock_s=play_s, seed=seed, max_turns=max_turns)


def ours(record: MatchRecord) -> str:
    """Return the role that our player had."""
    return next(role for role, player in record.players.items() if player.startswith("http"))


def shortest_games(count: int) -> list[str]:
    """Return the games of the corpus whose recorded matches are shortest."""
    lengths = []
    for path in sorted((CORPUS / "traces").glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as file:
            lines = [json.loads(line) for line in file][1:]
        matches = len({line["match"] for line in lines})
        lengths.append((len(lines) / matches, path.name.removesuffix(".jsonl.gz")))
    # One-turn games say nothing about clocks.
    return [name for length, name in sorted(lengths) if length >= 3][:count]


def play_games(arguments: argparse.Namespace, say: Say) -> None:
    """Play each game once."""
    server = serve(arguments.player)
    wrong = played = turns = 0
    for number, name in enumerate(shortest_games(arguments.count)):
        game = woodstock.load(CORPUS / "games" / f"{name}.kif")
        url = f"http://127.0.0.1:{server.port}"
        record = against_random(game, url, number, arguments.start_clock, arguments.play_clock, 1)
        role = ours(record)
        errors = record.errors.get(role, {})
        wrong += sum(errors.values())
        played += 1
        turns += len(record.plies)
        goal = record.goals.get(role)
        end = f"{record.reason:9} goal {goal!s:>4}  errors {errors or 'none'}"
        say(f"{name:34} {role:14} {len(record.plies):4} turns  {end}")
    server.close()
    say(f"{played} games, {turns} turns, {wrong} errors on our side, play clock {arguments.play_clock:g} s")


def play_tic_tac_toe(arguments: argparse.Namespace, say: Say) -> None:
    """Play the same small game many times at a one-second clock."""
    server, game = serve(arguments.player), woodstock.load("tic-tac-toe")
    errors: dict[str, int] = {}
    goals = []
    for number in range(arguments.matches):
        record = against_random(game, f"http://127.0.0.1:{server.port}", number, 2.0, arguments.play_clock, number)
        role = ours(record)
        goals.append(record.goals.get(role) or 0)
        for code, count in record.errors.get(role, {}).items():
            errors[code] = errors.get(code, 0) + count
    server.close()
    end = f"mean goal {statistics.mean(goals):.1f}, lost {goals.count(0)}, errors {errors or 'none'}"
    say(f"{arguments.matches} matches of tic-tac-toe at {arguments.play_clock:g} s, {end}")


def play_margin(arguments: argparse.Namespace, say: Say) -> None:
    """Count late moves and the share of the clock used, with busy loops beside."""
    load = [multiprocessing.Process(target=burn, daemon=True) for _ in range(arguments.load)]
    for process in load:
        process.start()
    server, game = serve(arguments.player), woodstock.load("breakthrough")
    seconds: list[float] = []
    late = seed = 0
    while len(seconds) < arguments.moves:
        # Openings only: where the end is in sight the search proves it and has no use for the clock.
        url = f"http://127.0.0.1:{server.port}"
        record = against_random(game, url, seed, 5.0, arguments.play_clock, seed, max_turns=24)
        role = ours(record)
        index = record.roles.index(role)
        for turn, ply in enumerate(record.plies):
            # Only turns with a choice are thought about.
            if ply.moves[index].lower() != "noop" and turn:
                seconds.append(ply.seconds[index])
                late += ply.errors[index] == "TO"
        seed += 1
        print(f"{len(seconds)} moves, {late} late", flush=True)
    for process in load:
        process.terminate()
    server.close()
    used = statistics.mean(seconds) / arguments.play_clock
    say(
        f"{len(seconds)} moves at {arguments.play_clock:g} s with {arguments.load} busy loops: {late} late, "
        f"slowest {max(seconds):.3f} s, mean share of the clock {100 * used:.1f} %"
    )


def burn() -> None:
    """Keep a core busy."""
    while True:
        pass


class Say:
    """Prints lines and keeps them for the results file."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        print(line, flush=True)
        self.lines.append(line)


def main() -> None:
    """Run one of the benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("games", "tic-tac-toe", "margin"))
    parser.add_argument("--player", default="mac-ucb-sym")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--load", type=int, default=2)
    parser.add_argument("--start-clock", type=float, default=10.0)
    parser.add_argument("--play-clock", type=float, default=0.0)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    arguments.play_clock = arguments.play_clock or (2.0 if arguments.what == "margin" else 1.0)
    say = Say()
    begun = time.monotonic()
    {"games": play_games, "tic-tac-toe": play_tic_tac_toe, "margin": play_margin}[arguments.what](arguments, say)
    if arguments.out is not None:
        text = "\n".join([f"$ python {shlex.join(sys.argv)}", *say.lines, f"{time.monotonic() - begun:.0f} s", ""])
        with arguments.out.open("a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
