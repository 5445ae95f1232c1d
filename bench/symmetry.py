"""Symmetries: the groups of games, and what symmetries save and cost a solver and a search.

    python -m bench.symmetry --out bench/results/symmetry.txt
    python -m bench.symmetry cost --games connect-four,breakthrough --seconds 0.1
    python -m bench.symmetry containment --seconds 20 --out bench/results/containment.txt

`groups`: the orders of the groups by both methods, with the time to find them. `states`: the states that an exact
solver visits with and without symmetries. `overhead`: for a game without symmetries, the processor time of solving it
with symmetries on, compared with off, in interleaved rounds. Without a name, these three.
`cost`: stages, simulations and states of a search per second of processor time, with symmetries compared with without.
Both players search the same states in turn: the initial one and some after random moves. A ratio of 1 means that a
player with symmetries does as much work as one without. `fixing`: how many symmetries each state has; `symmetric`: the
share of transpositions that were symmetric to the stored state rather than equal.
`containment`: for every rulesheet, does the group of the network contain the group of the rules? Each sheet has a
process of its own, with at most `--seconds` of processor time; sheets that need more or do not load are counted. A
second run continues with the sheets that are missing in `--out`.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from bench.common import CORPUS, ROOT, ChildError, Report, load, parser, random_states, run_apart
from tests.unit.solve.connect import connect

import woodstock
from woodstock import Game, State
from woodstock.game.state import packed
from woodstock.players import Task
from woodstock.players.search_player import SearchPlayer
from woodstock.solve import Solver
from woodstock.symmetry import Symmetries, find_symmetries, permutations

SHEETS = (
    "ticTacToe connectFour breakthrough tictactoe_3d_small_2player numbertictactoe SimultaneousTicTacToe__deckb "
    "hex pentago cubicup eightPuzzle lightsOn peg tictactoex9"
).split()
COST_GAMES = (
    "connect-four,connect-four-20x20,dots-and-boxes-suicide,free-for-all-2,knight-through,quarto,tic-tac-chess-2,"
    "ttcc4-2,copolymer-pie,pentago,reversi-suicide,breakthrough,sheep-and-wolf,kaseklau,yahtzee"
)
ROUNDS = 15
COST_STATES, COST_TURNS, COST_ROUNDS = 5, (6, 12), 3
COUNTED = ("stages", "simulations", "nodes", "hash_hits", "symmetry_hits")


def is_contained(rules: Symmetries, network: Symmetries) -> bool:
    """Return whether the group of the network has every symmetry of the rules."""
    return all(permutations.is_member(network.rows, row, network.order) for row in rules.rows)


def groups(_given: argparse.Namespace) -> Iterator[str]:
    """orders of groups that fix the initial state"""
    head = f"{'game':<32} {'rules':>7} {'network':>8} {'any start':>9} {'vertices':>9} {'rules s':>8} {'network s':>9}"
    yield f"{head} contained"
    named = [(name, name) for name in ("tic-tac-toe", "connect-four", "breakthrough", "hex")]
    named += [(name, str(CORPUS / f"{name}.kif")) for name in SHEETS if (CORPUS / f"{name}.kif").is_file()]
    named.append(("hidden-symmetry", str(ROOT / "tests" / "unit" / "symmetry" / "hidden-symmetry.kif")))
    find_symmetries(woodstock.load("nim"))  # so that late imports are not timed
    for name, source in named:
        game = woodstock.load(source)
        rules = find_symmetries(game, "rules")
        network = find_symmetries(game, "network", seconds=120)
        whole = find_symmetries(game, "network", seconds=120, fix_initial=False)
        yield (
            f"{name:<32} {rules.order:>7,} {network.order:>8,} {whole.order:>9,} {network.graph_vertices:>9,} "
            f"{sum(rules.seconds.values()):>8.3f} {sum(network.seconds.values()):>9.3f} "
            f"{'yes' if is_contained(rules, network) else 'NO'}"
        )


def states(_given: argparse.Namespace) -> Iterator[str]:
    """states visited by the full search"""
    yield f"{'game':<32} {'value':>6} {'without':>12} {'with':>12} {'ratio':>6} {'group':>6} {'fixing start':>12}"
    small = [woodstock.load("tic-tac-toe")] + [connect(*size) for size in ((4, 3, 3), (4, 4, 3), (5, 4, 4), (4, 5, 4))]
    for game in small:
        plain = Solver(game, symmetries="none").solve()
        merged = Solver(game).solve()
        assert plain.values == merged.values
        value = next(iter(plain.values.values()))
        yield (
            f"{game.name:<32} {value!s:>6} {plain.states:>12,} {merged.states:>12,} "
            f"{plain.states / merged.states:>6.2f} {merged.group_size:>6} {find_symmetries(game).order:>12}"
        )


def overhead(_given: argparse.Namespace) -> Iterator[str]:
    """a game without symmetries"""
    # One line counts for red alone: no mirror and no exchange of roles is left.
    text = connect(4, 4, 3).text
    start = text.index("(<= (line ?p)")
    stop = text.index("\n", start)
    line = text[start:stop].replace("(role ?p)", "").replace("?p", "red")
    game = woodstock.loads(text[:start] + line + text[stop:], "connect 3 on 4x4, one line for red alone")
    found = find_symmetries(game, fix_initial=False)
    assert found.order == 1
    yield f"{game.name}: {found.order} symmetry, looked for in {sum(found.seconds.values()):.3f} s"
    none = find_symmetries(game, "none")
    ratios = []
    for _ in range(ROUNDS):
        spent = []
        for symmetries in (none, found):
            solver = Solver(game, symmetries=symmetries)
            clock = time.process_time()
            solver.solve()
            spent.append(time.process_time() - clock)
        ratios.append(spent[1] / spent[0])
    low, middle, high = statistics.quantiles(ratios)
    yield (
        f"processor time with / without, median of {ROUNDS} interleaved rounds: {middle:.3f} "
        f"(quartiles {low:.3f} to {high:.3f})"
    )


def cost(given: argparse.Namespace) -> Iterator[str]:
    """a search with symmetries compared with one without, rates by processor time"""
    for name in given.games.split(","):
        yield cost_row(load(name), (given.player, given.player.replace("-sym", "")), given.seconds or 0.1)


def cost_row(game: Game, specs: tuple[str, str], seconds: float) -> str:
    """Return the median ratios over the states, first player to second, each from the best of its rounds."""
    method = "rules" if specs[0].startswith(("uct", "grave")) else "network"
    clock = time.process_time()
    group = find_symmetries(game, method, fix_initial=False, seconds=60).group
    spent = time.process_time() - clock
    ratios: dict[str, list[float]] = {name: [] for name in ("stages", "simulations", "nodes")}
    hits, fixing = [], []
    for state in (game.initial, *random_states(game, COST_STATES - 1, COST_TURNS)):
        if not state.to_move:
            continue
        fixing.append(len(group.stabiliser(packed(state))))
        best = [dict.fromkeys(COUNTED, 0.0) for _ in specs]
        for _ in range(COST_ROUNDS):
            for of, spec in zip(best, specs, strict=True):
                rates = think(spec, state, seconds)
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


def think(spec: str, state: State, seconds: float) -> dict[str, float]:
    """Return what a fresh player counts per second of processor time."""
    player = SearchPlayer(spec)
    player.start(Task(state.game, state.to_move[0]), time.monotonic() + 120)
    clock = time.thread_time()
    counts = player.decide(state, time.monotonic() + 20 * seconds, cpu_seconds=seconds).statistics
    # A search that proves its root ends early.
    spent = time.thread_time() - clock
    player.stop(None)
    return {name: float(counts.get(name, 0)) / spent for name in COUNTED}


def compare(path: str, seconds: int) -> str:
    """Return how the two groups of a sheet compare; runs in the process of one sheet."""
    # Child processes set their own limits, which must be below this one.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 60))
    try:
        game = woodstock.load(path, ground_seconds=seconds)
        if game.ground is None:
            return "interpreter"
        network = find_symmetries(game, "network", seconds=seconds)
        rules = find_symmetries(game, "rules", seconds=seconds)
    except woodstock.WoodstockError as error:
        return f"not loaded  {str(error).splitlines()[0][:60]}"
    except MemoryError:
        return "too large"
    if (network.method, rules.method) != ("network", "rules"):
        return f"too slow    {'; '.join(network.notes + rules.notes)[:60]}"
    how = "larger" if network.order > rules.order else "equal" if network.order == rules.order else "SMALLER"
    how = how if is_contained(rules, network) else "NOT CONTAINED"
    return f"{how:<11} rules {rules.order:,}, network {network.order:,}"


def containment(given: argparse.Namespace, report: Report) -> None:
    """Compare the groups of every sheet, several at a time."""
    seconds = int(given.seconds or 20)

    def row(name: str) -> str:
        try:
            result = run_apart(compare, CORPUS / name, seconds)
        except ChildError:
            result = f"too slow    over {seconds} CPU s"
        return f"{name:<60} {result}"

    new = [path.name for path in sorted(CORPUS.glob("*.kif")) if not report.has(f"{path.name} ")]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for line in threads.map(row, new):
            report(line)
    results = [line.split(maxsplit=1)[1] for line in report.lines if ".kif " in line]
    counts = Counter(result.split("  ")[0] for result in results)
    report(f"{len(results)} sheets: {', '.join(f'{count} {kind}' for kind, count in counts.most_common())}")


TABLES = {"groups": groups, "states": states, "overhead": overhead, "cost": cost}


def main() -> None:
    """Print the tables."""
    options = parser(__doc__, out=True)
    options.add_argument("part", nargs="?", choices=[*TABLES, "containment"])
    options.add_argument("--seconds", type=float, help="for each state of `cost`, for each sheet of `containment`")
    options.add_argument("--player", default="mac-ucb-sym", help="of `cost`; its rival has no -sym in the name")
    options.add_argument("--games", default=COST_GAMES, help="of `cost`")
    given = options.parse_args()
    if given.part == "containment":
        containment(given, Report(given.out, resume=True))
        return
    report = Report(given.out)
    for part in [given.part] if given.part else ["groups", "states", "overhead"]:
        report(f"\n## {TABLES[part].__doc__}")
        for line in TABLES[part](given):
            report(line)


if __name__ == "__main__":
    main()
