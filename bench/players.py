"""Matches between players by specification: who wins how often, with paired seats and a sequential test.

    python bench/players.py --player mac-ucb-sym --rivals uct,grave --games connect-four,breakthrough --seconds 0.3

Each pair of matches swaps the seats. A row ends when the test has decided between a score of 45 and of 55 %, or after
`--pairs`. Rows go to `--out` as they end, and rows that are there already are not played again. `--cpu` counts the
processor time of the searching thread instead of the wall clock, which is the fair clock on a busy machine;
`--simulations` gives equal numbers of playouts instead of equal time.

    python bench/players.py --threads 2 --games connect-four,breakthrough

tells how many simulations so many threads make in a second beside one, which needs a quiet machine, and how they play
against one thread with equal numbers of simulations, which does not.
"""

from __future__ import annotations

import argparse
import math
import platform
import random
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import woodstock
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players import Task, parse_spec
from woodstock.players.search import search
from woodstock.players.search_player import SearchPlayer

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "games"
GAMES = (
    "connect-four,breakthrough,knight-through,hex,othello,checkers,pentago,quarto,skirmish,amazons_8x8,sheep-and-wolf,"
    "connect5,breakthroughSmall,biddingTicTacToe,3pConnectFour,pacman2psmall__ggpcpp"
)
RIVALS = "mac-ucb,uct,uct-sym,grave,grave-sym,fc-ucb,random"
LLR_BOUND = math.log(0.95 / 0.05)
MOST_TURNS = 500
_SPEED_RUNS = 11


class Clock:
    """How long a player may think about one move."""

    def __init__(self, seconds: float, cpu: bool, simulations: int) -> None:
        self.seconds, self.cpu, self.simulations = seconds, cpu, simulations

    def ask(self, player: SearchPlayer, state: State) -> str:
        """Return the player's move."""
        if self.simulations:
            return player.decide(state, simulations=self.simulations).move
        if self.cpu:
            # The wall clock still ends a search that sleeps.
            return player.decide(state, time.monotonic() + 20 * self.seconds, cpu_seconds=self.seconds).move
        return player.decide(state, time.monotonic() + self.seconds).move

    def __str__(self) -> str:
        if self.simulations:
            return f"{self.simulations} simulations"
        return f"{self.seconds:g} {'CPU ' if self.cpu else ''}s a move"


def load(name: str) -> Game:
    """Return a bundled game or a rulesheet of the corpus."""
    path = CORPUS / f"{name}.kif"
    try:
        return woodstock.load(name)
    except woodstock.UnknownGameError:
        return woodstock.load(path)


def play(
    game: Game, seats: dict[str, SearchPlayer], clock: Clock, chance: random.Random, opening: tuple[int, int]
) -> State:
    """Play one match; the first turns are drawn by `opening`, the same for both matches of a pair."""
    state = game.initial
    for turn in range(MOST_TURNS):
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            break
        dice = random.Random(f"{opening[0]}/{turn}") if turn < opening[1] else None
        moves = {}
        for role in game.roles:
            legal = state.legal(role)
            if role not in seats:
                moves[role] = chance.choice(legal)
            elif dice is not None:
                moves[role] = dice.choice(legal)
            else:
                moves[role] = clock.ask(seats[role], state)
        state = state.next(moves)
    return state


def score(game: Game, state: State, ours: set[str], theirs: set[str]) -> float:
    """Return 1, a half or 0 by the mean goals of the two sides."""

    def mean(roles: set[str]) -> float:
        goals = state.goals
        return sum(goals[role] or 0 for role in roles) / len(roles)

    difference = mean(ours) - mean(theirs)
    return 0.5 if difference == 0 else float(difference > 0)


def pair(game: Game, specs: tuple[str, str], clock: Clock, number: int, opening: int) -> float:
    """Return the mean score of the first player over two matches with swapped seats."""
    roles = [role for role in game.roles if role.lower() != "random"]
    total = 0.0
    if len(roles) == 1:
        goals = []
        for spec in specs:
            state = play_with(game, {roles[0]: spec}, clock, number, opening)
            goals.append(state.goals[roles[0]] or 0)
        return 0.5 if goals[0] == goals[1] else float(goals[0] > goals[1])
    for swapped in (False, True):
        ours = {role for index, role in enumerate(roles) if (index % 2 == 0) != swapped}
        seats = {role: specs[0 if role in ours else 1] for role in roles}
        state = play_with(game, seats, clock, number, opening)
        total += score(game, state, ours, set(roles) - ours)
    return total / 2


def play_with(game: Game, seats: dict[str, str], clock: Clock, number: int, opening: int) -> State:
    """Make the players, play a match and close them."""
    players = {}
    for role, spec in seats.items():
        kind = parse_spec(spec).kind
        if "seed" in kind.options and "seed=" not in spec:
            spec += f"{',' if ':' in spec else ':'}seed={number}"
        players[role] = SearchPlayer(spec)
        players[role].start(Task(game, role), time.monotonic() + 60)
    try:
        return play(game, players, clock, random.Random(number), (number, opening))
    finally:
        for player in players.values():
            player.stop(None)


def wilson(mean: float, n: float) -> tuple[float, float]:
    """Return the 95 % interval of a share [Wilson 1927]."""
    z = 1.959964
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def likelihood_ratio(scores: Sequence[float], low: float = 0.45, high: float = 0.55) -> float:
    """Return the log likelihood ratio of `high` against `low` for the mean of scores, by normal approximation."""
    n = len(scores)
    mean = sum(scores) / n
    # A row of equal pairs has no variance of its own yet; a little is lent.
    variance = (sum((s - mean) ** 2 for s in scores) + 0.25) / (n + 1)
    return n * (high - low) * (2 * mean - low - high) / (2 * variance)


def duel(game: Game, specs: tuple[str, str], clock: Clock, most: int, least: int, opening: int) -> str:
    """Play pairs until the test decides; return the row."""
    scores: list[float] = []
    while len(scores) < most:
        scores.append(pair(game, specs, clock, len(scores), opening))
        if len(scores) >= least and abs(likelihood_ratio(scores)) > LLR_BOUND:
            break
    mean = sum(scores) / len(scores)
    low, high = wilson(mean, 2 * len(scores))
    return f"{100 * mean:6.1f} [{100 * low:5.1f}..{100 * high:5.1f}]  {2 * len(scores):4d} matches"


def signatures(games: Sequence[str], players: Sequence[str], simulations: int) -> None:
    """Print each player's move and the signature of its tree, which depend on the code alone."""
    print(f"{simulations} simulations, one thread, seed 0: move and signature of the tree")
    for name in games:
        game = load(name)
        for player in players:
            decision = search(game.initial, player, simulations=simulations)
            print(f"  {name:16} {player:14} {decision.signature or '-':18} {decision.move}", flush=True)


def threads(games: Sequence[str], player: str, count: int, simulations: int, pairs: int, opening: int) -> None:
    """Print simulations a second with several threads and with one, and a match between the two at equal work."""
    many = f"{player}{',' if ':' in player else ':'}threads={count}"
    print(f"{many} beside {player}; {_SPEED_RUNS} runs of a second each, by turns", flush=True)
    for name in games:
        game = load(name)
        role = next(role for role in game.roles if len(game.initial.legal(role)) > 1)
        speeds: dict[str, list[float]] = {player: [], many: []}
        for number in range(_SPEED_RUNS):
            for spec, told in speeds.items():
                searcher = SearchPlayer(f"{spec}{',' if ':' in spec else ':'}seed={number}")
                searcher.start(Task(game, role), time.monotonic() + 60)
                begun = time.monotonic()
                decision = searcher.decide(game.initial, begun + 1)
                told.append(decision.simulations / decision.seconds)
                searcher.stop(None)
        one, several = (statistics.median(told) for told in speeds.values())
        ratios = sorted(b / a for a, b in zip(*speeds.values(), strict=True))
        row = duel(game, (many, player), Clock(0, False, simulations), pairs, pairs, opening)
        print(
            f"{name:22} {one:12,.0f} /s, {several:12,.0f} /s: "
            f"{statistics.median(ratios):.2f} times [{ratios[0]:.2f}..{ratios[-1]:.2f}]",
            flush=True,
        )
        print(f"{name:22} {simulations} simulations a move each: {row}", flush=True)


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--player", default="mac-ucb-sym")
    parser.add_argument("--rivals", default=RIVALS, help="specifications, parted by ; or ,")
    parser.add_argument("--games", default=GAMES)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--simulations", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=30, help="most pairs for each row")
    parser.add_argument("--least", type=int, default=4, help="pairs before the test may end a row")
    parser.add_argument("--opening", type=int, default=2, help="random turns at the start")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--signatures", type=int, default=0, metavar="N", help="print signatures after N simulations")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="compare N threads with one")
    options = parser.parse_args()
    rivals = [r for r in options.rivals.split(";" if ";" in options.rivals or ":" in options.rivals else ",") if r]
    if options.signatures:
        signatures(options.games.split(","), [options.player, *rivals], options.signatures)
        return
    if options.threads:
        work = options.simulations or 20_000
        threads(options.games.split(","), options.player, options.threads, work, options.pairs, options.opening)
        return
    clock = Clock(options.seconds, options.cpu, options.simulations)
    head = f"{options.player} against each rival, {clock}, paired seats; score in % with 95 % interval"
    known = options.out.read_text().splitlines() if options.out and options.out.exists() else []
    if options.out and not known:
        options.out.write_text(f"$ {' '.join(sys.orig_argv[1:])}\n{platform.machine()}\n{head}\n")
    print(head, flush=True)
    for name in options.games.split(","):
        game = load(name)
        for rival in rivals:
            label = f"{name:22} {rival:28} "
            if any(line.startswith(label) for line in known):
                continue
            row = label + duel(game, (options.player, rival), clock, options.pairs, options.least, options.opening)
            print(row, flush=True)
            if options.out:
                with options.out.open("a") as out:
                    out.write(row + "\n")


if __name__ == "__main__":
    main()
