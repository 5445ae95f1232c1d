"""Exact equilibria: NashConv against OpenSpiel, the speed of CFR+, and what symmetries save.

    python -m bench.equilibrium --out bench/results/equilibrium.txt

First the NashConv of uniform play, ours from our rulesheets and OpenSpiel's from its own games. Our Leduc poker hides
suits, as OpenSpiel's does with `suit_isomorphism`; its own default has 936 information sets instead of 288. Second CFR+
of both in the same run: OpenSpiel's is its C++ solver. Both do the same, so their NashConv after the same number of
iterations is the same. Third the processor time until a NashConv is reached, with the time to build the tree from the
rules. Fourth trees with and without shared information sets. NashConv of poker is in chips, as in OpenSpiel, otherwise
in goals. Last, games of one role, and roles against uniformly random others.
"""

from __future__ import annotations

import time
from typing import Any

from bench.common import Report, parser

import woodstock
from woodstock import _native
from woodstock.equilibrium import InformationTree, nash_conv, uniform
from woodstock.equilibrium.regrets import minimise_regret
from woodstock.equilibrium.sharing import Sharing, find_sharing
from woodstock.game.state import State

# Our name, OpenSpiel's, goals for each of its points, iterations to compare, NashConv to reach.
GAMES = [
    ("kuhn-poker", "kuhn_poker", 25.0, 1000, 1e-4),
    ("leduc-poker", "leduc_poker", 3.0, 100, 0.01),
    ("leduc-poker", "leduc_poker(suit_isomorphism=True)", 3.0, 100, 0.01),
    ("liars-dice", "liars_dice", 50.0, 10, 0.01),
]


def compare_uniform(report: Report) -> None:
    """Print the NashConv of uniform play."""
    import pyspiel

    report("## NashConv of uniform play")
    report(f"{'game of OpenSpiel':36}{'woodstock':>18}{'OpenSpiel':>18}{'difference':>12}")
    for name, other, scale, _iterations, _target in GAMES:
        game = pyspiel.load_game(other)
        ours = nash_conv(woodstock.load(name), uniform) / scale
        theirs = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
        report(f"{other:36}{ours:18.12f}{theirs:18.12f}{abs(ours - theirs):12.1e}")


def compare_iterations(report: Report) -> None:
    """Print the processor time of the same number of iterations of CFR+, the solvers made before."""
    import pyspiel

    report("## CFR+, the same number of iterations: processor time without and with making the solver")
    report(
        f"{'game of OpenSpiel':36}{'iterations':>11}{'NashConv':>13}{'OpenSpiel':>13}{'ms':>10}{'OpenSpiel':>11}"
        f"{'times':>7}{'ms, all':>10}{'OpenSpiel':>11}{'times':>7}"
    )
    for name, other, scale, iterations, _target in GAMES:
        loaded, game = woodstock.load(name), pyspiel.load_game(other)
        begun = time.process_time()
        tree = InformationTree(loaded)
        solver = _native.RegretMinimiser(tree.form, "cfr+")
        made = time.process_time()
        solver.run(iterations)
        ours, ours_all = time.process_time() - made, time.process_time() - begun
        conv = tree.named(*solver.evaluate()).nash_conv / scale
        begun = time.process_time()
        other_solver: Any = pyspiel.CFRPlusSolver(game)
        made = time.process_time()
        for _ in range(iterations):
            other_solver.evaluate_and_update_policy()
        theirs, theirs_all = time.process_time() - made, time.process_time() - begun
        other_conv = pyspiel.nash_conv(game, other_solver.average_policy())
        report(
            f"{other:36}{iterations:11,}{conv:13.4e}{other_conv:13.4e}{1e3 * ours:10.2f}{1e3 * theirs:11.1f}"
            f"{theirs / ours:7.0f}{1e3 * ours_all:10.2f}{1e3 * theirs_all:11.1f}{theirs_all / ours_all:7.0f}"
        )


def time_to_target(report: Report) -> None:
    """Print the processor time from loaded rules to a NashConv, for each rule."""
    report("## from loaded rules to a NashConv: processor time, tree and all")
    report(
        f"{'game':14}{'histories':>10}{'sets':>8}{'target':>9}{'rule':>7}{'iterations':>11}{'ms':>9}{'NashConv':>12}"
    )
    for name, other, scale, _iterations, target in GAMES:
        if "(" in other:  # the same game of ours as before
            continue
        loaded = woodstock.load(name)
        for rule in ("cfr+", "pcfr+", "auto"):
            begun = time.process_time()
            tree = InformationTree(loaded)
            found = minimise_regret(tree, rule=rule, target=target * scale / 2, seconds=60)
            spent = time.process_time() - begun
            report(
                f"{name:14}{tree.histories:10,}{tree.information_sets:8,}{target:9.0e}{rule:>7}"
                f"{found.iterations:11,}{1e3 * spent:9.1f}{found.values.nash_conv / scale:12.3e}"
            )


def diagonal() -> State:
    """Krieg tic-tac-toe in which everybody knows x in two corners and o between them; o moves."""
    game = woodstock.load("krieg-tic-tac-toe")
    marks = {"(cell 1 1 b)": "(cell 1 1 x)", "(cell 3 3 b)": "(cell 3 3 x)", "(cell 2 2 b)": "(cell 2 2 o)"}
    return game.state([marks.get(one, one) for one in game.initial.fluents if "control" not in one] + ["(control o)"])


def compare_sharing(report: Report) -> None:
    """Print trees with and without symmetries, and the time to a NashConv."""
    report("## symmetric information sets that share their regrets; CFR+ to a NashConv in goals")
    report(
        f"{'game':20}{'group':>6}{'histories':>12}{'sets':>9}{'MiB':>8}{'tree s':>8}{'CFR+ s':>8}"
        f"{'iterations':>11}{'NashConv':>10}{'value':>10}"
    )
    starts = [
        ("krieg, diagonal", diagonal(), 0.1),
        *((name, woodstock.load(name).initial, 0.001) for name in ("banker-and-thief", "tiger")),
        ("monty-hall", woodstock.load("monty-hall").initial, 0.001),
    ]
    for name, start, target in starts:
        begun = time.process_time()
        shared = find_sharing(start, "network", seconds=60)
        finding = time.process_time() - begun
        for sharing in (None, shared):
            _sharing_row(report, name, start, sharing, target)
        report(f"{'':20}finding the symmetries took {finding:.2f} s")


def _sharing_row(report: Report, name: str, start: State, sharing: Sharing | None, target: float) -> None:
    begun = time.process_time()
    tree = InformationTree(start, sharing=sharing, memory_mb=4096)
    built = time.process_time()
    found = minimise_regret(tree, rule="cfr+", target=target / len(tree.roles))
    spent = time.process_time() - built
    report(
        f"{name:20}{tree.sharing.size:6}{tree.histories:12,}{tree.information_sets:9,}"
        f"{tree.form.memory_bytes / 2**20:8.2f}{built - begun:8.2f}{spent:8.3f}{found.iterations:11,}"
        f"{found.values.nash_conv:10.2e}{next(iter(found.values.values.values())):10.4f}"
    )


def solve_alone(report: Report) -> None:
    """Print games of one role, and roles against uniformly random others, solved over beliefs."""
    report("## one role over its beliefs: exact values")
    report(
        f"{'game':18}{'role':10}{'value':>10}{'beliefs':>9}{'states':>10}{'ms':>9}{'information sets of the tree':>30}"
    )
    for name in ("monty-hall", "tiger", "number-guessing", "kuhn-poker", "leduc-poker", "liars-dice"):
        game = woodstock.load(name)
        begun = time.process_time()
        found = woodstock.solve_game(game, opponent="random")
        spent = time.process_time() - begun
        assert isinstance(found, woodstock.Equilibrium)
        try:
            sets = f"{InformationTree(game, max_histories=2_000_000).information_sets:,}"
        except woodstock.BudgetExceeded:
            sets = "more than 2,000,000 histories"
        ((role, value),) = found.values.items()
        report(
            f"{name:18}{role:10}{float(value):10.4f}{found.information_sets:9,}{found.states:10,}{1e3 * spent:9.1f}"
            f"{sets:>30}"
        )


def main() -> None:
    """Run all parts, or those named."""
    parts = {
        "uniform": compare_uniform,
        "iterations": compare_iterations,
        "target": time_to_target,
        "symmetries": compare_sharing,
        "beliefs": solve_alone,
    }
    options = parser(__doc__, out=True)
    options.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}; default: all")
    given = options.parse_args()
    for part in given.parts:
        if part not in parts:
            options.error(f"no part {part}; there are {', '.join(parts)}")
    report = Report(given.out)
    for part in given.parts or parts:
        parts[part](report)


if __name__ == "__main__":
    main()
