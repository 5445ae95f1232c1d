"""The tree of a search: leaves a second, the tree's own time for each, memory for each state, in several games.

    python -m bench.tree --seconds 2 --players "mac-ucb:learn=no,proofs=off;mac-ucb:learn=no,child=16"

A leaf is a state that is played out for the first time. Times are processor time of the one searching thread: for
stages (legal moves and successors), for playouts, and the rest, which is the tree's own. Memory is that of records,
families and the hash table; the bits of the state itself are not counted.
"""

from __future__ import annotations

import time

from bench.common import Report, parser

import woodstock
from woodstock.game.state import packed
from woodstock.players.player import Task
from woodstock.players.search_player import SearchPlayer

GAMES = "connect-four,connect-four-8x6,breakthrough,knight-through,hex,othello,quarto,pentago,checkers,nim"

# As it is without the proof search beside it; with fewer playouts for each child; and with the settings of 0.2.0. None
# of them learns: that would take the whole start clock, and a leaf with a net costs something else.
PLAYERS = ";".join(
    f"mac-ucb:learn=no,proofs=off{more}" for more in ("", ",child=16", ",group=1,child=0,lanes=256,c=0.05,minimax=0")
)


def row(name: str, spec: str, seconds: float) -> str:
    """Search the initial state of a game and return the figures."""
    game = woodstock.load(name)
    role = next(role for role in game.roles if len(game.initial.legal(role)) > 1)
    player = SearchPlayer(spec)
    # Compiled playouts take up to a minute in a large game.
    player.start(Task(game, role, seed=1), time.monotonic() + 120)
    begun = time.thread_time()
    found = player.decide(game.initial, time.monotonic() + 60 * seconds, cpu_seconds=seconds).statistics
    took = time.thread_time() - begun
    player.stop(None)
    leaves, nodes = max(1, found["leaves"]), max(1, found["nodes"])
    state_bytes = len(packed(game.initial))
    own = took - found["solve_seconds"] - found["sample_seconds"]
    each = [1e6 * part / leaves for part in (found["solve_seconds"], found["sample_seconds"], own)]
    return (
        f"{name:18}{leaves / took:11,.0f}{found['stages'] / took:10,.0f}{found['simulations'] / took:13,.0f}"
        f"{each[0]:9.2f}{each[1]:10.2f}{each[2]:8.2f}{found['memory_bytes'] / nodes - state_bytes:8.0f}"
        f"{found['depth']:7}{nodes:11,}"
    )


def main() -> None:
    """Read the arguments and search."""
    options = parser(__doc__, out=True)
    options.add_argument("--games", default=GAMES)
    options.add_argument("--players", default=PLAYERS, help="separated by ;")
    options.add_argument("--seconds", type=float, default=2.0, help="processor time of each search")
    asked = options.parse_args()
    report = Report(asked.out)
    for spec in asked.players.split(";"):
        report(f"{spec}, {asked.seconds:g} s of processor time from the initial state, one thread")
        report(
            f"{'game':18}{'leaves/s':>11}{'stages/s':>10}{'playouts/s':>13}"
            f"{'stage us':>9}{'play us':>10}{'tree us':>8}{'bytes':>8}{'depth':>7}{'states':>11}"
        )
        for name in asked.games.split(","):
            report(row(name, spec, asked.seconds))


if __name__ == "__main__":
    main()
