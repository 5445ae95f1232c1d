"""Quantified search: answers, nodes and CPU compared with QuaCode, the guides over many runs, the rate of the bus.

    make bench-qcsp            # or: python -m bench.qcsp [--runs 200] [--parts bus guides] [--out FILE]

CPU is that of the thread that searches (CLOCK_THREAD_CPUTIME_ID), for the first table with that of posting the model. A
node is the root or a value set and propagated to the fixpoint, as Gecode counts; probes, which only look ahead, are
counted separately; values that a restriction forbids are no nodes. QuaCode's figures are in bench/qcsp_peers.toml, as
`bench.qcsp_peers` measured them on the same instances, with the same matrices. QuaCode itself is not needed.
"""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from bench.common import Report, parser, quantile
from bench.qcsp_families import families
from bench.qcsp_guides import table
from bench.qcsp_helpers import helpers
from bench.qcsp_peers import figures, formulas, measured_on

from woodstock._native import QcspBus, QcspChannel
from woodstock.qcsp import Guide, Problem, check, solve, winning_assignments
from woodstock.qcsp.models import baker, connect_four, matrix_game, nim_fibonacci, small_example
from woodstock.qcsp.posting import Posting

REPEATS = 5  # of each instance without a guide
INSTANCES: dict[str, Callable[[], Problem]] = {
    "baker 1": baker,
    "baker 2 (w1 >= 2)": lambda: baker(least_first=2),
    "baker 3 (w1 >= 4)": lambda: baker(least_first=4),
    "nim-fibonacci 20": lambda: nim_fibonacci(20),
    "nim-fibonacci 21": lambda: nim_fibonacci(21),
    "nim-fibonacci 22": lambda: nim_fibonacci(22),
    "matrix game, depth 8": lambda: matrix_game(8),
    "matrix game, depth 9": lambda: matrix_game(9),
    "connect-four, 4 rows 4 columns": lambda: connect_four(4, 4),
    "connect-four, 5 rows 4 columns": lambda: connect_four(4, 5),
    "connect-four, 4 rows 5 columns": lambda: connect_four(5, 4),
}


def answers(say: Report, _runs: int) -> None:
    say("Answers")
    first = solve(small_example()).strategy
    say(f"  small example: {first.first_values() if first else None}")
    for largest in (38, 39, 40, 41):
        found = winning_assignments(baker(4, largest))
        say(f"  baker 1..{largest}: {len(found)} winning assignments, {found.status}")
    lost = [n for n in range(4, 23) if not solve(nim_fibonacci(n)).is_winning]
    say(f"  nim-fibonacci 4..22, not winning: {lost}")


def without_guide(say: Report, _runs: int) -> None:
    say(f"Without a guide, least CPU of several runs; QuaCode as measured on {measured_on()}")
    quacode = figures()
    say(f"  {'instance':32} {'answer':8} {'nodes':>9} {'probes':>9} {'post s':>8} {'search s':>9}"
        f" {'QuaCode nodes':>14} {'CPU s':>7} {'nodes':>7} {'CPU':>7}")  # fmt: skip
    for name, make in INSTANCES.items():
        nodes, seconds = quacode.get(name, (0, 0.0))
        best, posting_best, result = float("inf"), float("inf"), None
        for _ in range(REPEATS):
            started = time.thread_time()
            problem = make()
            Posting(problem)
            posting = time.thread_time() - started
            result = solve(problem)
            spent = result.statistics["cpu_seconds"]
            best, posting_best = min(best, spent), min(posting_best, posting)
        assert result is not None
        if result.strategy is not None:
            check(result.problem, result.strategy)
        facts = result.statistics
        answer = "won" if result.is_winning else "not won"
        row = f"  {name:32} {answer:8} {facts['nodes']:9,} {facts['probes']:9,} {posting_best:8.4f} {best:9.4f}"
        if nodes:
            share = (best + posting_best) / seconds
            row += f" {nodes:14,} {seconds:7.3f} {facts['nodes'] / nodes:7.4f} {share:7.4f}"
        say(row)
    say("  The last two columns are ours over QuaCode's; CPU with posting. Every strategy was checked.")


def worth(say: Report, _runs: int) -> None:
    """Measure the value of probing and of the memo: nodes and CPU with and without each."""
    say("Nodes and ms of CPU of the search with and without its parts")
    kinds = {"both": (True, True), "no memo": (True, False), "no probing": (False, True), "neither": (False, False)}
    say(f"  {'instance':32} " + " ".join(f"{kind:>18}" for kind in kinds))
    wanted = ("baker 1", "baker 2", "nim-fibonacci 20", "matrix game", "connect-four, 4 rows 4")
    for name, make in INSTANCES.items():
        if not name.startswith(wanted):
            continue
        problem = make()
        cells = []
        for probing, memo in kinds.values():
            facts = [solve(problem, probing=probing, memo=memo, strategy=False).statistics for _ in range(3)]
            cells.append(f"{facts[0]['nodes']:9,} {1000 * min(f['cpu_seconds'] for f in facts):8.2f}")
        say(f"  {name:32} " + " ".join(cells))


def guided(say: Report, runs: int) -> None:
    say(f"Guides, {runs} runs each: 10 %, median, 90 % of nodes and of the search's CPU in ms; and the guide's CPU")
    say(f"  {'instance':18} {'guide':9} {'nodes 10 %':>11} {'median':>9} {'90 %':>9} {'ms 10 %':>9} {'median':>9}"
        f" {'90 %':>9} {'guide ms':>9}")  # fmt: skip
    bakers = {name: make for name, make in INSTANCES.items() if name.startswith("baker")}
    for name, make in (bakers | {"5 weights": lambda: baker(5, 121)}).items():
        problem = make()
        rows: dict[str, list[tuple[int, float, float]]] = {"none": [], "mc": [], "frontier": []}
        # Interleaved, so that other work on the machine affects all of them equally.
        for seed in range(runs):
            for place in range(3):
                guide = ("none", "mc", "frontier")[(place + seed) % 3]
                row = rows[guide]
                result = solve(problem, guide=Guide(guide, seed=seed), strategy=True)
                facts = result.statistics
                row.append((facts["nodes"], facts["cpu_seconds"], sum(g["cpu_seconds"] for g in result.guides)))
        for guide, row in rows.items():
            nodes, cpu, other = (sorted(column) for column in zip(*row, strict=True))
            at = [quantile(nodes, q) for q in (0.1, 0.5, 0.9)]
            ms = [1000 * quantile(cpu, q) for q in (0.1, 0.5, 0.9)]
            say(f"  {name:18} {guide:9} {at[0]:11,.0f} {at[1]:9,.0f} {at[2]:9,.0f} {ms[0]:9.3f} {ms[1]:9.3f}"
                f" {ms[2]:9.3f} {1000 * statistics.median(other):9.3f}")  # fmt: skip


@contextmanager
def flooding(domain: Sequence[int], channel: QcspChannel) -> Iterator[None]:
    """Send swaps of the outermost variable as fast as the channel takes them."""
    is_over = threading.Event()

    def flood() -> None:
        send, least, most = channel.send, min(domain), max(domain)
        while not is_over.is_set():
            for _ in range(1000):
                send(0, least, most)

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    yield
    is_over.set()
    thread.join()


def bus(say: Report, runs: int) -> None:
    """Compare a search alone, with a thread that floods another bus, and with its own bus flooded.

    The second shows the cost of a busy neighbour on this machine; the third adds that of the bus. Other work on the
    machine can only add to the CPU time of a run, so many short runs are made and the low quantiles compared.
    """
    problem, nodes = baker(), 4_000
    # The outermost variable stays open: its swaps do not count, so that all searches see the same order of values.
    domain = problem.prefix[0][0].codes
    kinds = ("alone", "neighbour", "flooded")
    cost: dict[str, list[float]] = {kind: [] for kind in kinds}
    rates: list[float] = []
    for number in range(runs):
        for place in range(3):
            kind = kinds[(place + number) % 3]
            posting = Posting(problem)
            line, elsewhere = QcspBus(), QcspBus()
            channel, other = line.join(wants_trace=False), elsewhere.join(wants_trace=False)
            search = posting.search(keep_strategy=False, enumerate=True, bus=line, nodes=nodes)
            with nullcontext() if kind == "alone" else flooding(domain, channel if kind == "flooded" else other):
                search.run()
            facts = search.stats
            if kind == "flooded":
                rate = (facts["swaps_taken"] + facts["swaps_refused"]) / facts["cpu_seconds"] / 1e6
                if rate < 1:
                    continue  # the flood's thread had no processor
                rates.append(rate)
            cost[kind].append(1e6 * facts["cpu_seconds"] / facts["nodes"])
    if not rates:
        say("Bus: the thread that floods it had no processor; try again on a machine that is less busy")
        return
    say(f"Bus: {nodes:,} nodes of baker 1, all solutions, while a thread sends random swaps as fast as it can")
    rates.sort()
    say(f"  {rates[0]:.2f} to {rates[-1]:.2f} million swaps for a second of the search's CPU, median"
        f" {statistics.median(rates):.2f}; {len(rates)} of {runs} runs with at least one million")  # fmt: skip
    say("  CPU of the search's thread for a node in us, interleaved")
    marks = ("least", "10 %", "25 %", "median")
    rows = {kind: [quantile(values, q) for q in (0, 0.1, 0.25, 0.5)] for kind, values in cost.items()}
    say(f"    {'':24} " + " ".join(f"{mark:>8}" for mark in marks))
    for kind, row in rows.items():
        say(f"    {kind:24} " + " ".join(f"{value:8.3f}" for value in row))
    for kind, against in (("flooded", "alone"), ("flooded", "neighbour"), ("neighbour", "alone")):
        changes = [100 * (a / b - 1) for a, b in zip(rows[kind], rows[against], strict=True)]
        say(f"    {kind + ' over ' + against:24} " + " ".join(f"{change:+7.1f}%" for change in changes))


PARTS: dict[str, Callable[[Report, int], None]] = {
    "answers": answers,
    "plain": without_guide,
    "worth": worth,
    "bus": bus,
    "guides": guided,
    "table": table,
    "families": families,
    "helpers": helpers,
    "formulas": lambda say, _runs: formulas(say, 50, 2.0),
}


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--runs", type=int, default=100, help="runs of each guide on each instance, and of the bus")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure")
    given = options.parse_args()
    say = Report(given.out)
    for part in given.parts:
        say()
        PARTS[part](say, given.runs)


if __name__ == "__main__":
    main()
