"""Do the shares of time of the published players hold? One move of every bundled game, in processor time.

    python -m bench.shares --jobs 16 --out bench/results/shares.txt

In the first state of each game in which a role chooses among at least four moves (or, if there is none, two): what part
of the search's processor time went to solving, to sampling and to symmetries, in percent, and the largest deviation
from what is printed. A search that ends early, because everything is known, has no shares (`complete`).
"""

from __future__ import annotations

import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from bench.common import ChildError, Report, parser, run_apart

import woodstock
from woodstock.errors import WoodstockError
from woodstock.games import all_games
from woodstock.gdl.chance import is_chance
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer

PLAYERS: dict[str, dict[str, float]] = {
    "mac-ucb-2015": {"solve": 90, "sample": 10},
    "fc-ucb-2016": {"solve": 90, "sample": 10},
    "mac-ucb-sym-2017": {"solve": 45, "sample": 30, "symmetry": 25},
    "uct-sym-2017": {"sample": 80, "symmetry": 20},
    "grave-sym-2017": {"sample": 75, "symmetry": 25},
}
COLUMNS = f"{'game':<28} {'player':<18} {'seconds':>7} {'solve':>6} {'sample':>6} {'symmetry':>8} {'off by':>6}"
MOST_TURNS = 12


def where_a_role_chooses(game: woodstock.Game) -> tuple[woodstock.State, str] | None:
    """Return an early state of a random match and the role that chooses there."""
    rng, state = random.Random(1), game.initial
    best: tuple[woodstock.State, str] | None = None
    for _ in range(MOST_TURNS):
        if state.is_terminal:
            break
        for role in game.roles:
            count = 0 if is_chance(role) else len(state.legal(role))
            if count >= 4:
                return state, role
            if count >= 2 and best is None:
                best = state, role
        state = state.next([rng.choice(state.legal(role)) for role in game.roles])
    return best


def row_of(game: woodstock.Game, state: woodstock.State, role: str, spec: str, seconds: float) -> str:
    """Return the line of one player in one game."""
    player = SearchPlayer(spec)
    player.start(Task(game, role), time.monotonic() + 40)
    found = player.decide(state, time.monotonic() + 20 * seconds, cpu_seconds=seconds)
    player.stop(None)
    told = found.statistics
    spent = {part: float(told.get(f"{part}_seconds", 0.0)) for part in ("solve", "sample", "symmetry")}
    total = sum(spent.values())
    head = f"{game.name:<28} {spec:<18} {total:>7.2f}"
    if "notes" in told:
        return f"{head}  {told['notes'][0]}"
    if total == 0 or found.is_proven:
        return f"{head}  complete"
    shares = {part: 100 * each / total for part, each in spent.items()}
    off = max(abs(shares[part] - share) for part, share in PLAYERS[spec].items())
    return f"{head} {shares['solve']:>6.1f} {shares['sample']:>6.1f} {shares['symmetry']:>8.1f} {off:>6.1f}"


def rows_of(name: str, players: list[str], seconds: float) -> list[str]:
    """Return the lines of one game; runs in the process of that game."""
    game = woodstock.load(name)
    chosen = where_a_role_chooses(game)
    if chosen is None:
        return [f"{name:<28} nobody chooses in the first {MOST_TURNS} turns"]
    rows = []
    for spec in players:
        try:
            rows.append(row_of(game, *chosen, spec, seconds))
        except WoodstockError as error:
            rows.append(f"{name:<28} {spec:<18} {error}")
    return rows


def summary(rows: list[str]) -> str:
    """Return how many searches kept their shares."""
    last = [row.split()[-1] for row in rows if row.split()]
    off = [float(word) for word in last if word.replace(".", "", 1).isdigit()]
    kept = sum(each <= 2 for each in off)
    return f"within 2 points: {kept} of {len(off)} searches; largest deviation {max(off, default=0):.1f}"


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--seconds", type=float, default=1.0, help="processor time of the move")
    options.add_argument("--games", nargs="*", default=[game.name for game in all_games()])
    options.add_argument("--players", nargs="*", default=list(PLAYERS))
    options.add_argument("--jobs", type=int, default=1)
    given = options.parse_args()
    report = Report(given.out)
    report(COLUMNS)
    rows: list[str] = []
    with ThreadPoolExecutor(given.jobs) as pool:
        ask = [pool.submit(run_apart, rows_of, n, given.players, given.seconds, seconds=600) for n in given.games]
        for name, answer in zip(given.games, ask, strict=True):
            try:
                found: list[str] = answer.result()
            except (ChildError, subprocess.TimeoutExpired) as error:
                found = [f"{name:<28} {str(error).splitlines()[0]}"]
            rows += found
            for row in found:
                report(row)
    report(summary(rows))


if __name__ == "__main__":
    main()
