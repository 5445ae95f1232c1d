"""How many moves do symmetries of a state merge, and by how much does a tree shrink?

    python -m bench.stage_symmetry --jobs 16 --out bench/results/stage_symmetry.txt

For the 25 games of table 1 of [Koriche et al. 2017], in states after 1, 2, 3 and 6 choices of random matches: the legal
moves of the roles that choose, and the classes that are left by the symmetries of the game that fix the state
(structural), by those of what is left of the game (subgame), and by the one stage without any values, as printed
(stage; such classes are guesses, not equal values). Then the children of the state: the classes of their moves by the
symmetries of the rest at the root that fix them, and by those of their own rest: what an analysis of each child would
add. Then the states two turns further, all of them and up to the symmetries: the factor by which a search of that depth
shrinks. Times are processor time for one analysis.

`--search`: instead, what the online search for symmetries of `mac-ucb-sym-2017` finds in 1 s of processor time at these
states: seconds, stages looked at, groups beyond the structural one, moves merged, of these beyond the structural group,
values reused.

`--tree`: instead, by how much the tree of our own `mac-ucb-sym` shrinks in 1 s of processor time, in the thirteen games
of experiments/scaled/own-symmetries.toml after 0, 2, 6 and 12 choices: states in the tree, states that a symmetric one
stood for, and the factor of both together over the first; moves of the root merged beyond the group of the game.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench.common import ChildError, Report, parser, run_apart

import woodstock
from woodstock import State, _native
from woodstock.errors import BudgetExceeded
from woodstock.game.state import packed
from woodstock.gdl.chance import is_chance
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.symmetry import StageAnalyses, find_symmetries, subgame_symmetries

GAMES = (
    *("amazons-torus-10x10", "breakthrough-suicide", "chess", "connect-four-20x20", "connect-four-simultaneous"),
    *("copolymer-pie", "dots-and-boxes-suicide", "english-draughts", "free-for-all-2", "hex", "knight-through"),
    *("majorities", "pentago", "quarto", "sheep-and-wolf", "shmup", "skirmish-zero-sum", "tic-tac-chess-2", "ttcc4-2"),
    *("reversi-suicide", "backgammon", "cant-stop", "kaseklau", "pickomino", "yahtzee"),
)
DEPTHS = (1, 2, 3, 6)
COLUMNS = (
    f"{'game':<26} {'turn':>4} {'moves':>6} {'structural':>10} {'subgame':>8} {'stage':>6} {'ms':>7} "
    f"{'of children':>11} {'by root':>8} {'by own':>7} {'states':>7} {'shrunk by structural':>20} {'by subgame':>10}"
)
SEARCH_COLUMNS = (
    f"{'game':<26} {'turn':>4} {'seconds':>7} {'stages':>6} {'groups beyond':>13} {'merged':>6} {'beyond':>6} "
    f"{'values reused':>13} {'states':>7}"
)
TREE_COLUMNS = f"{'game':<26} {'turn':>4} {'states':>8} {'symmetric':>9} {'factor':>7} {'root merged':>11}"
TREE_GAMES = (
    *("connect-four-20x20", "copolymer-pie", "dots-and-boxes-suicide", "free-for-all-2", "kaseklau", "knight-through"),
    *("pentago", "quarto", "reversi-suicide", "sheep-and-wolf", "tic-tac-chess-2", "ttcc4-2", "yahtzee"),
)
TREE_DEPTHS = (0, 2, 6, 12)
MOST_STATES = 4000
CHILDREN = 3  # that are analysed for each state


def states_at(game: woodstock.Game, depth: int, count: int) -> Iterator[State]:
    """Yield states of random matches after so many choices, in which a role that is not chance chooses."""
    rng = random.Random(depth)
    for _ in range(8 * count):
        state, chosen = game.initial, 0
        while not state.is_terminal and (chosen < depth or not choosers(state)):
            chosen += bool(choosers(state))
            state = state.next([rng.choice(state.legal(role)) for role in game.roles])
        if not state.is_terminal:
            yield state
            count -= 1
        if count == 0:
            return


def choosers(state: State) -> list[str]:
    """Return the roles with a choice, without chance."""
    return [role for role in state.game.roles if not is_chance(role) and len(state.legal(role)) > 1]


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


def children_of(state: State, rng: random.Random) -> list[State]:
    """Return some children in which a role chooses, each in a turn of its own."""
    found = []
    for _ in range(4 * CHILDREN):
        child = state.next([rng.choice(state.legal(role)) for role in state.game.roles])
        if not child.is_terminal and choosers(child) and child not in found:
            found.append(child)
    return found[:CHILDREN]


def rows_of(name: str, count: int, seconds: float) -> list[str]:
    """Return a line for each depth of a game; runs in the process of that game."""
    game, rows = woodstock.load(name), []
    own = find_symmetries(game, fix_initial=False, seconds=20.0)
    analyses = StageAnalyses(game)
    for depth in DEPTHS:
        sums = dict.fromkeys(("moves", "structural", "left", "stage", "states", "by_own", "by_left"), 0)
        child_moves = by_root = by_child = looked = 0
        spent = 0.0
        for state in states_at(game, depth, count):
            clock = time.process_time()
            try:
                found = subgame_symmetries(state, seconds=seconds)
                spent += time.process_time() - clock
                for child in children_of(state, random.Random(depth)):
                    later = subgame_symmetries(child, seconds=seconds)
                    for role in choosers(child):
                        moves = [game.moves(role)[index] for index in child.legal_indices(role)]
                        child_moves += len(moves)
                        by_root += len(set(found.group.representatives(packed(child), numbers(game, role, moves))))
                        by_child += len(later.classes(child, role))
            except BudgetExceeded:
                break
            looked += 1
            for role in choosers(state):
                sums["moves"] += len(state.legal(role))
                sums["structural"] += len(own.move_classes(state, role))
                sums["left"] += len(found.classes(state, role))
                sums["stage"] += len(analyses.at(state).orbits(role))
            after = two_turns_on(state)
            sums["states"] += len(after)
            sums["by_own"] += classes(after, own.group)
            sums["by_left"] += classes(after, found.group)
        if not looked:
            rows.append(f"{name:<26} {depth:>4}  not analysed within {seconds:g} s")
            continue
        rows.append(
            f"{name:<26} {depth:>4} {sums['moves']:>6} {sums['structural']:>10} {sums['left']:>8} {sums['stage']:>6} "
            f"{1000 * spent / looked:>7.0f} {child_moves:>11} {by_root:>8} {by_child:>7} {sums['states']:>7} "
            f"{sums['states'] / sums['by_own']:>20.2f} {sums['states'] / sums['by_left']:>10.2f}"
        )
    return rows


def numbers(game: woodstock.Game, role: str, moves: list[str]) -> list[int]:
    """Return the numbers of a role's moves through all roles."""
    first = sum(len(game.moves(other)) for other in game.roles[: game.roles.index(role)])
    places = {move: first + number for number, move in enumerate(game.moves(role))}
    return [places[move] for move in moves]


def searched(name: str, _count: int, seconds: float) -> list[str]:
    """Return what a search finds in one state for each depth of a game; runs in the process of that game."""
    game, rows = woodstock.load(name), []
    for depth in DEPTHS[:3]:
        for state in states_at(game, depth, 1):
            player = SearchPlayer("mac-ucb-sym-2017")
            player.start(Task(game, choosers(state)[0]), time.monotonic() + 120)
            told = player.decide(state, time.monotonic() + 60, cpu_seconds=seconds).statistics
            player.stop(None)
            if "notes" in told:
                rows.append(f"{name:<26} {depth:>4}  {told['notes'][0]}")
                continue
            rows.append(
                f"{name:<26} {depth:>4} {told['symmetry_seconds']:>7.2f} {told['symmetry_searches']:>6} "
                f"{told['groups_beyond']:>13} {told['merged_moves']:>6} {told['merged_beyond']:>6} "
                f"{told['values_reused']:>13} {told['nodes']:>7}"
            )
    return rows


def trees(name: str, _count: int, seconds: float) -> list[str]:
    """Return by how much our own tree shrinks at some states of a game; runs in the process of that game."""
    game, rows = woodstock.load(name), []
    for depth in TREE_DEPTHS:
        for state in states_at(game, depth, 1):
            player = SearchPlayer("mac-ucb-sym:seed=1")
            player.start(Task(game, choosers(state)[0]), time.monotonic() + 60)
            told = player.decide(state, time.monotonic() + 60, cpu_seconds=seconds).statistics
            player.stop(None)
            states, hits = told["nodes"], told["symmetry_hits"]
            merged = told.get("root_symmetries", {}).get("merged", 0)
            rows.append(
                f"{name:<26} {depth:>4} {states:>8} {hits:>9} {(states + hits) / max(states, 1):>7.3f} {merged:>11.0f}"
            )
    return rows


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--states", type=int, default=2, help="states of each game and depth")
    options.add_argument("--seconds", type=float, default=None, help="of one analysis (30, wall) or search (1, CPU)")
    options.add_argument("--games", nargs="*", default=None)
    options.add_argument("--search", action="store_true")
    options.add_argument("--tree", action="store_true")
    options.add_argument("--jobs", type=int, default=1)
    given = options.parse_args()
    report = Report(given.out)
    report(SEARCH_COLUMNS if given.search else TREE_COLUMNS if given.tree else COLUMNS)
    make = searched if given.search else trees if given.tree else rows_of
    seconds = given.seconds or (1.0 if given.search or given.tree else 30.0)
    games = given.games or (TREE_GAMES if given.tree else GAMES)
    with ThreadPoolExecutor(given.jobs) as pool:
        ask = [pool.submit(run_apart, make, name, given.states, seconds, seconds=900) for name in games]
        for name, answer in zip(games, ask, strict=True):
            try:
                rows: list[str] = answer.result()
            except (ChildError, subprocess.TimeoutExpired) as error:
                rows = [f"{name:<26} {str(error).splitlines()[0][:80]}"]
            for row in rows:
                report(row)


if __name__ == "__main__":
    main()
