"""Does a network of several turns prove wins faster than search? Forced wins within n turns, by both.

    python -m bench.forced_wins --out bench/results/forced_wins.txt

In states of random matches near their end: is there a policy that wins within n turns whatever the other role does?
Asked as one quantified problem (`woodstock.qcsp.models.game.forced_win`) of our quantified solver, and of the exact
solver by alpha-beta, which knows no horizon. Processor time. A win that the network proves must be one of the search.
"""

from __future__ import annotations

import random
import time

from bench.common import Report, parser

import woodstock
from woodstock.errors import WoodstockError
from woodstock.qcsp import solve
from woodstock.qcsp.models.game import forced_win
from woodstock.solve import Solver

GAMES = {"tic-tac-toe": (3, 6), "connect-four": (34, 6), "nim": (3, 6), "sheep-and-wolf": (12, 5), "quarto": (24, 5)}
COLUMNS = (
    f"{'game':<16} {'states':>6} {'turns':>5} {'wins':>5} {'network s':>10} {'search s':>9} {'network / search':>17}"
)


def late_state(game: woodstock.Game, turns: int, seed: int) -> woodstock.State | None:
    """Return a state after so many random turns, None if the match was over before."""
    rng, state = random.Random(seed), game.initial
    for _ in range(turns):
        if state.is_terminal:
            return None
        state = state.next([rng.choice(state.legal(role)) for role in game.roles])
    return None if state.is_terminal else state


def row_of(name: str, count: int) -> str:
    """Return the line of a game."""
    after, horizon = GAMES[name]
    game = woodstock.load(name)
    spent = [0.0, 0.0]
    states = wins = 0
    for seed in range(20 * count):
        state = late_state(game, after, seed)
        if state is None or not state.to_move:
            continue
        role = state.to_move[0]
        clock = time.process_time()
        answer = solve(forced_win(game, horizon, role, state), seconds=20.0, strategy=False)
        spent[0] += time.process_time() - clock
        clock = time.process_time()
        try:
            found = Solver(game, symmetries="none", method="alpha-beta", seconds=20.0).solve(state)
        except WoodstockError:
            continue
        spent[1] += time.process_time() - clock
        states += 1
        is_won = answer.is_winning
        wins += bool(is_won)
        if is_won:
            assert found.values[role] == 100, f"{name}, seed {seed}"
        if states == count:
            break
    ratio = spent[0] / max(spent[1], 1e-9)
    return f"{name:<16} {states:>6} {horizon:>5} {wins:>5} {spent[0]:>10.2f} {spent[1]:>9.2f} {ratio:>17.1f}"


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--states", type=int, default=5)
    options.add_argument("--games", nargs="*", default=list(GAMES))
    given = options.parse_args()
    report = Report(given.out)
    report(COLUMNS)
    for name in given.games:
        report(row_of(name, given.states))


if __name__ == "__main__":
    main()
