"""Several threads compared with one: simulations per second, and matches at equal numbers of simulations.

    python -m bench.threads --threads 2 --games connect-four,breakthrough --pairs 20

The speeds need a quiet machine, the matches do not.
"""

from __future__ import annotations

import statistics
import time

from bench.common import parser
from bench.players import plan_text, play, rows

import woodstock
from woodstock.players.player import Task
from woodstock.players.search_player import SearchPlayer

RUNS = 11


def with_threads(player: str, threads: int) -> str:
    """Return the same player with so many threads."""
    return f"{player}{',' if ':' in player else ':'}threads={threads}"


def speeds(name: str, players: tuple[str, ...]) -> dict[str, list[float]]:
    """Return the simulations per second of searches of one second, the players in turn."""
    game = woodstock.load(name)
    role = next(role for role in game.roles if len(game.initial.legal(role)) > 1)
    found: dict[str, list[float]] = {spec: [] for spec in players}
    for number in range(RUNS):
        for spec in players:
            player = SearchPlayer(spec)
            player.start(Task(game, role, seed=number), time.monotonic() + 60)
            decision = player.decide(game.initial, time.monotonic() + 1)
            found[spec].append(decision.simulations / decision.seconds)
            player.stop(None)
    return found


def main() -> None:
    """Read the arguments and compare."""
    options = parser(__doc__)
    options.add_argument("--player", default="mac-ucb-sym:learn=no")
    options.add_argument("--games", default="connect-four,breakthrough")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--simulations", type=int, default=20_000, help="for each move of a match")
    options.add_argument("--pairs", type=int, default=20)
    asked = options.parse_args()
    one = asked.player
    many = with_threads(one, asked.threads)
    print(f"{many} compared with {one}; {RUNS} runs of a second each, in turn", flush=True)
    for name in asked.games.split(","):
        found = speeds(name, (one, many))
        ratios = sorted(b / a for a, b in zip(found[one], found[many], strict=True))
        print(
            f"{name:22} {statistics.median(found[one]):12,.0f} /s, {statistics.median(found[many]):12,.0f} /s: "
            f"{statistics.median(ratios):.2f} times [{ratios[0]:.2f}..{ratios[-1]:.2f}]",
            flush=True,
        )
    if asked.pairs == 0:
        return
    plan = plan_text(
        games=asked.games.split(","),
        simulations=asked.simulations,
        matches=2 * asked.pairs,
        sprt=None,
        player=[{"spec": many}, {"spec": one}],
    )
    print(f"{many}, {asked.simulations} simulations a move each")
    print("\n".join(rows(play(plan))))


if __name__ == "__main__":
    main()
