"""Symmetries: the groups of games, states visited by an exact solver, and the cost of symmetries for a game without.

    python -m bench.symmetry --out bench/results/symmetry.txt

Three tables: the orders of the groups by both methods with the time to find them; the states that an exact solver
visits with and without symmetries; and, for a game without symmetries, the processor time of solving it with symmetries
on, compared with off, in interleaved rounds.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from bench.common import CORPUS, ROOT, Report, command, machine, parser

import woodstock
from woodstock.solve import Solver
from woodstock.symmetry import find_symmetries, permutations

SHEETS = (
    "ticTacToe connectFour breakthrough tictactoe_3d_small_2player numbertictactoe SimultaneousTicTacToe__deckb "
    "hex pentago cubicup eightPuzzle lightsOn peg tictactoex9"
).split()
ROUNDS = 15


def groups() -> Iterator[str]:
    """Yield the table of groups."""
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
        is_contained = all(permutations.is_member(network.rows, row, network.order) for row in rules.rows)
        yield (
            f"{name:<32} {rules.order:>7,} {network.order:>8,} {whole.order:>9,} {network.graph_vertices:>9,} "
            f"{sum(rules.seconds.values()):>8.3f} {sum(network.seconds.values()):>9.3f} "
            f"{'yes' if is_contained else 'NO'}"
        )


def states() -> Iterator[str]:
    """Yield the table of states visited."""
    from tests.unit.solve.connect import connect

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


def overhead() -> Iterator[str]:
    """Yield the cost of symmetries in a game that has none, in interleaved rounds."""
    # One line counts for red alone: no mirror and no exchange of roles is left.
    from tests.unit.solve.connect import connect

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
    yield (
        f"processor time with / without, median of {ROUNDS} interleaved rounds: {statistics.median(ratios):.3f} "
        f"(quartiles {statistics.quantiles(ratios)[0]:.3f} to {statistics.quantiles(ratios)[2]:.3f})"
    )


def main() -> None:
    """Print the tables, and write them to a file if asked."""
    report = Report(parser(__doc__, out=True).parse_args().out)
    report(f"{command()}\n# {machine()}")
    for title, table in (
        ("orders of groups that fix the initial state", groups),
        ("states visited by the full search", states),
        ("a game without symmetries", overhead),
    ):
        report(f"\n## {title}")
        for line in table():
            report(line)


if __name__ == "__main__":
    main()
