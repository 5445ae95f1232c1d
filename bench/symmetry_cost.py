"""What symmetries cost and save a search: stages, simulations and states per second of processor time.

    python -m bench.symmetry_cost --games connect-four,breakthrough --seconds 0.1

Both players search the same states in turn: the initial one and some after random moves. A ratio of 1 means that a
player with symmetries does as much work as one without. `fixing`: how many symmetries each state has; `symmetric`: the
share of transpositions that were symmetric to the stored state rather than equal.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

from bench.common import load, parser

from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.symmetry import find_symmetries

GAMES = (
    "connect-four,connect-four-20x20,dots-and-boxes-suicide,free-for-all-2,knight-through,quarto,tic-tac-chess-2,"
    "ttcc4-2,copolymer-pie,pentago,reversi-suicide,breakthrough,sheep-and-wolf,kaseklau,yahtzee"
)
COUNTED = ("stages", "simulations", "nodes", "hash_hits", "symmetry_hits")


def states_of(game: Game, count: int, depths: tuple[int, int]) -> list[tuple[State, str]]:
    """Return the initial state and some after random moves, each with a role that has a choice."""
    found = []
    for number in range(count):
        dice = random.Random(number)
        state = game.initial
        for _ in range(dice.randint(*depths) if number else 0):
            after = state.next({role: dice.choice(state.legal(role)) for role in game.roles})
            if after.is_terminal:
                break
            state = after
        roles = [role for role in game.roles if role.lower() != "random" and len(state.legal(role)) > 1]
        if roles:
            found.append((state, roles[0]))
    return found


def think(spec: str, state: State, role: str, seconds: float) -> dict[str, float]:
    """Return what a fresh player counts per second of processor time."""
    player = SearchPlayer(spec)
    player.start(Task(state.game, role), time.monotonic() + 120)
    clock = time.thread_time()
    counts = player.decide(state, time.monotonic() + 20 * seconds, cpu_seconds=seconds).statistics
    # A search that proves its root ends early.
    spent = time.thread_time() - clock
    player.stop(None)
    return {name: float(counts.get(name, 0)) / spent for name in COUNTED}


def row(game: Game, specs: tuple[str, str], options: argparse.Namespace) -> str:
    """Return the median ratios over the states, first player to second, each from the best of its rounds."""
    method = "rules" if specs[0].startswith(("uct", "grave")) else "network"
    clock = time.process_time()
    group = find_symmetries(game, method, fix_initial=False, seconds=60).group
    spent = time.process_time() - clock
    ratios: dict[str, list[float]] = {name: [] for name in ("stages", "simulations", "nodes")}
    hits, fixing = [], []
    for state, role in states_of(game, options.states, tuple(options.depths)):
        fixing.append(len(group.stabiliser(packed(state))))
        best = [dict.fromkeys(COUNTED, 0.0) for _ in specs]
        for _ in range(options.rounds):
            for of, spec in zip(best, specs, strict=True):
                rates = think(spec, state, role, options.seconds)
                of.update({name: max(of[name], rate) for name, rate in rates.items()})
        for name, of_states in ratios.items():
            if best[1][name] > 0:
                of_states.append(best[0][name] / best[1][name])
        hits.append(best[0]["symmetry_hits"] / max(1.0, best[0]["hash_hits"]))
    if not ratios["stages"]:
        return f"{game.name[:24]:24} nobody has a choice in these states"
    medians = "  ".join(f"{name} {statistics.median(of_states):4.2f}" for name, of_states in ratios.items())
    return (
        f"{game.name[:24]:24} group {group.size:3} in {spent:5.2f} s, fixing {fixing}  {medians}  "
        f"least {min(ratios['stages']):4.2f}  symmetric {100 * statistics.mean(hits):3.0f} %"
    )


def main() -> None:
    """Print a row for each game."""
    options = parser(__doc__)
    options.add_argument("--player", default="mac-ucb-sym")
    options.add_argument("--rival", default="mac-ucb")
    options.add_argument("--games", default=GAMES)
    options.add_argument("--states", type=int, default=5)
    options.add_argument("--depths", type=int, nargs=2, default=(6, 12))
    options.add_argument("--seconds", type=float, default=0.1)
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    print(f"{asked.player} to {asked.rival}, rates by processor time; {asked.seconds:g} s per state", flush=True)
    for name in asked.games.split(","):
        print(row(load(name), (asked.player, asked.rival), asked), flush=True)


if __name__ == "__main__":
    main()
