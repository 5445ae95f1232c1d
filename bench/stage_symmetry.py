"""How many moves do symmetries of a state merge, and by how much does a tree shrink?

    python -m bench.stage_symmetry --out bench/results/stage_symmetry.txt

For the 25 games of table 1 of [Koriche et al. 2017], in states 1, 2, 3 and 6 random turns after the start: the legal
moves of the roles that choose, and the classes that are left by the symmetries of the game that fix the state
(structural), by those of what is left of the game (subgame), and by the one stage without any values, as printed
(stage; such classes are guesses, not equal values). Then the states two turns further, all of them and up to the
symmetries: the factor by which a search of that depth shrinks. Times are processor time for one analysis.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator

from bench.common import Report, parser

import woodstock
from woodstock import State, _native
from woodstock.errors import BudgetExceeded
from woodstock.game.state import packed
from woodstock.symmetry import StageAnalyses, find_symmetries, subgame_symmetries

GAMES = (
    *("amazons-torus-10x10", "breakthrough-suicide", "chess", "connect-four-20x20", "connect-four-simultaneous"),
    *("copolymer-pie", "dots-and-boxes-suicide", "english-draughts", "free-for-all-2", "hex", "knight-through"),
    *("majorities", "pentago", "quarto", "sheep-and-wolf", "shmup", "skirmish-zero-sum", "tic-tac-chess-2", "ttcc4-2"),
    *("reversi-suicide", "backgammon", "cant-stop", "kaseklau", "pickomino", "yahtzee"),
)
DEPTHS = (1, 2, 3, 6)
COLUMNS = (
    f"{'game':<26} {'turn':>4} {'moves':>6} {'structural':>10} {'subgame':>8} {'stage':>6} "
    f"{'ms':>7} {'states':>7} {'shrunk by structural':>20} {'by subgame':>10}"
)
MOST_STATES = 4000


def states_at(game: woodstock.Game, depth: int, count: int) -> Iterator[State]:
    """Yield states of random matches after so many turns, in which a role that is not chance chooses."""
    rng = random.Random(depth)
    for _ in range(8 * count):
        state = game.initial
        for _ in range(depth):
            if not state.is_terminal:
                state = state.next([rng.choice(state.legal(role)) for role in game.roles])
        if not state.is_terminal and choosers(state):
            yield state
            count -= 1
        if count == 0:
            return


def choosers(state: State) -> list[str]:
    """Return the roles with a choice, without chance."""
    return [role for role in state.game.roles if role.lower() != "random" and len(state.legal(role)) > 1]


def two_turns_on(state: State) -> list[bytes]:
    """Return the different states two turns later, at most `MOST_STATES`."""
    level = {state}
    for _ in range(2):
        after: dict[State, None] = {}
        for one in level:
            if one.is_terminal:
                continue
            for joint in itertools.product(*(one.legal(role) for role in one.game.roles)):
                after[one.next(joint)] = None
                if len(after) >= MOST_STATES:
                    break
            if len(after) >= MOST_STATES:
                break
        level = set(after)
    return [packed(one) for one in level]


def classes(states: list[bytes], group: _native.SymmetryGroup) -> int:
    """Return how many of the states are different up to the group."""
    return len({group.canonical(state)[0] for state in states})


def rows_of(name: str, count: int, seconds: float) -> Iterator[str]:
    """Yield a line for each depth of a game."""
    game = woodstock.load(name)
    own = find_symmetries(game, fix_initial=False, seconds=20.0)
    analyses = StageAnalyses(game)
    for depth in DEPTHS:
        moves = structural = left = stage = states = by_own = by_subgame = 0
        spent, looked, is_late = 0.0, 0, False
        for state in states_at(game, depth, count):
            clock = time.process_time()
            try:
                found = subgame_symmetries(state, seconds=seconds)
            except BudgetExceeded:
                is_late = True
                break
            spent += time.process_time() - clock
            looked += 1
            for role in choosers(state):
                moves += len(state.legal(role))
                structural += len(own.move_classes(state, role))
                left += len(found.classes(state, role))
                stage += len(analyses.at(state).orbits(role))
            after = two_turns_on(state)
            states += len(after)
            by_own += classes(after, own.group)
            by_subgame += classes(after, found.group)
        if is_late and not looked:
            yield f"{name:<26} {depth:>4}  not analysed within {seconds:g} s"
            return
        if not looked:
            yield f"{name:<26} {depth:>4}  no state in which a role chooses"
            continue
        yield (
            f"{name:<26} {depth:>4} {moves:>6} {structural:>10} {left:>8} {stage:>6} {1000 * spent / looked:>7.0f} "
            f"{states:>7} {states / by_own:>20.2f} {states / by_subgame:>10.2f}"
        )


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--states", type=int, default=3, help="states of each game and depth")
    options.add_argument("--seconds", type=float, default=10.0, help="for one analysis, by the wall clock")
    options.add_argument("--games", nargs="*", default=GAMES)
    given = options.parse_args()
    report = Report(given.out)
    report(COLUMNS)
    for name in given.games:
        for row in rows_of(name, given.states, given.seconds):
            report(row)


if __name__ == "__main__":
    main()
