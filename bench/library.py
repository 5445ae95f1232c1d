"""The bundled games in a table: what each was compared with, how large it is and how fast it plays.

    python -m bench.library [GAME...] [--matches 1000] [--seconds 30] [--out bench/results/library.txt]

For each game, random matches are compared with its oracle: at most `--matches`, for at most `--seconds`. `perft` is the
depth up to which both counted the same move sequences. `ground` is the time of the grounder, `gates` the size of the
circuit, `playouts` the random playouts per second of wall time of the batch engine on one thread. Sizes as constraint
networks are in `bench.scsp`. Needs the extra `oracle` for chess.
"""

from __future__ import annotations

import os
import time

from bench.common import Report, circuit_stats, parser
from tests.unit.games.oracles.compare import compare_match
from tests.unit.games.oracles.registry import load_oracle

import woodstock
from woodstock.games import BundledGame, all_games, find


def row(bundled: BundledGame, matches: int, seconds: float) -> str:
    """Measure one game."""
    game, oracle = woodstock.load(bundled.name), load_oracle(bundled.name)
    started, compared, turns = time.perf_counter(), 0, 0
    while compared < matches and time.perf_counter() - started < seconds:
        turns += compare_match(game, oracle, compared)
        compared += 1
    ground = next(event.seconds for event in game.phases if event.phase == "ground")
    speed = game.playouts(seconds=0.5).playouts_per_second
    oracle_name = bundled.oracle.replace("direct implementation in Python", "direct")
    return (
        f"{bundled.name:30} {compared:7} {turns:8} {len(bundled.perft) - 1:5} {ground:6.2f} "
        f"{circuit_stats(game)['signals']:>7} {speed:10.0f}  {oracle_name}"
    )


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("names", nargs="*", metavar="GAME")
    options.add_argument("--matches", type=int, default=1000)
    options.add_argument("--seconds", type=float, default=30.0)
    given = options.parse_args()
    say = Report(given.out)
    say(f"load average at the start: {os.getloadavg()[0]:.1f}")
    say(f"{'game':30} {'matches':>7} {'turns':>8} {'perft':>5} {'ground':>6} {'gates':>7} {'playouts/s':>10}  oracle")
    for bundled in [find(name) for name in given.names] or all_games():
        say(row(bundled, given.matches, given.seconds))


if __name__ == "__main__":
    main()
