"""The bundled games in a table: what each was compared with, how large it is and how fast it plays.

    python -m bench.library [GAME...] [--matches 1000] [--seconds 30] [--out bench/results/library.txt]

For each game, random matches are compared with its oracle: at most `--matches`, for at most `--seconds`. `perft` is the
depth up to which both counted the same move sequences. `ground` is the time of the grounder, `gates` the size of the
circuit, `playouts` the random playouts a second of the batch engine on one thread. `network` gives the variables
(without the auxiliary ones), the largest domain and the constraints of the game as a constraint network; `paper` the
same as published (Koriche, Lagrue, Piette and Tabary, Constraints 2017, table 2). Needs the extra `oracle` for chess.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

from bench.common import Report, circuit_stats, command, parser
from tests.unit.games.oracles.compare import compare_match
from tests.unit.games.oracles.registry import load_oracle

import woodstock
from woodstock.games import BundledGame, all_games, find

PAPER = {
    "awale": "19/37/73",
    "backgammon": "76/768/86",
    "bomberman": "145/64/42",
    "cant-stop": "16/1296/409",
    "checkers": "86/262144/52",
    "chess": "71/4096/50",
    "chinese-checkers-3": "103/192/87",
    "hex": "22/6561/27",
    "kaseklau": "18/7776/106",
    "orchard": "9/146410/40",
    "othello": "81/65/29",
    "pacman": "93/64/22",
    "pickomino": "29/1679616/223",
    "tic-tac-toe": "19/18/37",
    "yahtzee": "12/30/8862",
}


def network_size(name: str) -> str:
    """Return variables, largest domain and constraints of the network of a game, or why there is none."""
    command = [sys.executable, "-c", "from woodstock.cli import main; main()", "network", name, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return "over 120 s"
    if done.returncode:
        return "none"
    size = json.loads(done.stdout)
    return f"{size['variables'] - size['auxiliary']}/{size['largest_domain']}/{size['constraints']}"


def playouts_per_second(game: woodstock.Game) -> float:
    """Measure the batch engine; the first run only compiles."""
    game.playouts(2000, threads=1)
    count = 2000
    while True:
        started = time.perf_counter()
        game.playouts(count, threads=1)
        seconds = time.perf_counter() - started
        if seconds > 0.5 or count > 5_000_000:
            return count / seconds
        count *= 4


def row(bundled: BundledGame, matches: int, seconds: float) -> str:
    """Measure one game."""
    game, oracle = woodstock.load(bundled.name), load_oracle(bundled.name)
    started, compared, turns = time.perf_counter(), 0, 0
    while compared < matches and time.perf_counter() - started < seconds:
        turns += compare_match(game, oracle, compared)
        compared += 1
    ground = next(event.seconds for event in game.phases if event.phase == "ground")
    speed = playouts_per_second(game)
    oracle_name = bundled.oracle.replace("direct implementation in Python", "direct")
    return (
        f"{bundled.name:30} {compared:7} {turns:8} {len(bundled.perft) - 1:5} {ground:6.2f} "
        f"{circuit_stats(game)['signals']:>7} {speed:10.0f} {network_size(bundled.name):>18} "
        f"{PAPER.get(bundled.name, '-'):>16}  {oracle_name}"
    )


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("names", nargs="*", metavar="GAME")
    options.add_argument("--matches", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=30.0)
    given = options.parse_args()
    say = Report(given.out)
    say(command())
    say(f"load average at the start: {os.getloadavg()[0]:.1f}")
    say(
        f"{'game':30} {'matches':>7} {'turns':>8} {'perft':>5} {'ground':>6} {'gates':>7} {'playouts/s':>10} "
        f"{'network':>18} {'paper':>16}  oracle"
    )
    for bundled in [find(name) for name in given.names] or all_games():
        say(row(bundled, given.matches, given.seconds))


if __name__ == "__main__":
    main()
