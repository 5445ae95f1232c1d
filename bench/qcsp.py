"""Quantified search: answers, nodes and CPU beside QuaCode, the guides over many runs, the rate of the bus.

    make bench-qcsp            # or: python bench/qcsp.py [--runs 200] [--out FILE]

CPU is that of the thread that searches (CLOCK_THREAD_CPUTIME_ID), for the first table with that of posting the model. A
node is the root or a value set and propagated to the fixpoint, as Gecode counts; probes, which only look ahead, are
counted beside. QuaCode's figures are for the program built with Gecode 4.4 on a machine of the same kind.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from woodstock._native import QcspBus, QcspSearch, start_flood
from woodstock.qcsp import Guide, Problem, check, solve, winning_assignments
from woodstock.qcsp.models import baker, connect_four, matrix_game, nim_fibonacci, small_example
from woodstock.qcsp.posting import Posting
from woodstock.qcsp.values import integers

# Name, model, QuaCode's nodes and CPU seconds.
INSTANCES: list[tuple[str, Callable[[], Problem], int, float]] = [
    ("baker 1", baker, 19_130, 0.03),
    ("baker 2 (w1 >= 2)", lambda: baker(least_first=2), 1_171_084, 1.3),
    ("baker 3 (w1 >= 4)", lambda: baker(least_first=4), 5_539_181, 6.5),
    ("nim-fibonacci 20", lambda: nim_fibonacci(20), 13_230, 0.13),
    ("nim-fibonacci 21", lambda: nim_fibonacci(21), 37_637, 0.13),
    ("matrix game, depth 8", lambda: matrix_game(8), 1_054, 1.5),
    ("connect-four, 4 rows 4 columns", lambda: connect_four(4, 4), 3_174, 0.18),
    ("connect-four, 5 rows 4 columns", lambda: connect_four(4, 5), 19_254, 1.5),
    ("connect-four, 4 rows 5 columns", lambda: connect_four(5, 4), 202_448, 13.5),
]
GUIDED: list[tuple[str, Callable[[], Problem]]] = [
    ("baker 1", baker),
    ("baker 2", lambda: baker(least_first=2)),
    ("baker 3", lambda: baker(least_first=4)),
    ("5 weights", lambda: baker(5, 121)),
]


class Report:
    """Lines for the terminal and for a file."""

    def __init__(self, out: Path | None) -> None:
        self.lines: list[str] = []
        self.out = out

    def __call__(self, text: str = "") -> None:
        self.lines.append(text)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
        if self.out:
            self.out.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def answers(say: Report) -> None:
    say("Answers")
    first = solve(small_example()).strategy
    say(f"  small example: {first.first_values() if first else None}")
    for largest in (38, 39, 40, 41):
        found = winning_assignments(baker(4, largest))
        say(f"  baker 1..{largest}: {len(found)} winning assignments, {found.status}")
    lost = [n for n in range(4, 23) if not solve(nim_fibonacci(n)).is_winning]
    say(f"  nim-fibonacci 4..22, not winning: {lost}")
    say()


def without_guide(say: Report, repeats: int) -> None:
    say("Without a guide, least CPU of several runs")
    say(f"  {'instance':32} {'answer':8} {'nodes':>9} {'probes':>9} {'post s':>8} {'search s':>9}"
        f" {'QuaCode nodes':>14} {'CPU s':>7} {'nodes':>7} {'CPU':>7}")  # fmt: skip
    for name, make, nodes, seconds in INSTANCES:
        best, posting_best, result = float("inf"), float("inf"), None
        for _ in range(repeats):
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
        share = (best + posting_best) / seconds
        say(f"  {name:32} {answer:8} {facts['nodes']:9,} {facts['probes']:9,} {posting_best:8.4f} {best:9.4f}"
            f" {nodes:14,} {seconds:7.2f} {facts['nodes'] / nodes:7.4f} {share:7.4f}")  # fmt: skip
    say("  The last two columns are ours over QuaCode's; CPU with posting. Every strategy was checked.")
    say()


def guided(say: Report, runs: int) -> None:
    say(f"Guides, {runs} runs each: 10 %, median, 90 % of nodes and of the search's CPU in ms; the guide's CPU beside")
    say(f"  {'instance':12} {'guide':9} {'nodes 10 %':>11} {'median':>9} {'90 %':>9} {'ms 10 %':>9} {'median':>9}"
        f" {'90 %':>9} {'guide ms':>9}")  # fmt: skip
    for name, make in GUIDED:
        problem = make()
        rows: dict[str, list[tuple[int, float, float]]] = {"none": [], "mc": [], "frontier": []}
        # Interleaved, so that what else the machine does meets all of them alike.
        for seed in range(runs):
            for guide, row in rows.items():
                result = solve(problem, guide=Guide(guide, seed=seed), strategy=True)
                facts = result.statistics
                row.append((facts["nodes"], facts["cpu_seconds"], sum(g["cpu_seconds"] for g in result.guides)))
        for guide, row in rows.items():
            nodes, cpu, other = (sorted(column) for column in zip(*row, strict=True))
            at = [_quantile(nodes, q) for q in (0.1, 0.5, 0.9)]
            ms = [1000 * _quantile(cpu, q) for q in (0.1, 0.5, 0.9)]
            say(f"  {name:12} {guide:9} {at[0]:11,.0f} {at[1]:9,.0f} {at[2]:9,.0f} {ms[0]:9.3f} {ms[1]:9.3f}"
                f" {ms[2]:9.3f} {1000 * statistics.median(other):9.3f}")  # fmt: skip
    say()


def _quantile(ordered: list[float] | list[int], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def bus(say: Report, repeats: int) -> None:
    problem = baker()
    # The outermost variable stays open: its swaps are refused, so that both searches see the same order of values.
    domains = [integers(problem.prefix[0][0])]
    plain: list[float] = []
    flooded: list[float] = []
    swaps, seconds = 0, 0.0
    for seed in range(repeats):
        for is_flooded in (False, True):
            posting = Posting(problem)
            line = QcspBus()
            channel = line.join(wants_trace=False)
            search = QcspSearch(posting.solver, posting.prefix, keep_strategy=False, enumerate=True, bus=line)
            flood = start_flood(domains, channel, seed) if is_flooded else None
            started = time.perf_counter()
            search.run()
            wall = time.perf_counter() - started
            facts = search.stats
            (flooded if is_flooded else plain).append(facts["cpu_seconds"] / facts["nodes"])
            if flood is not None:
                flood.finish()
                swaps += facts["swaps_taken"] + facts["swaps_refused"]
                seconds += wall
    slower = statistics.median(flooded) / statistics.median(plain) - 1
    say("Bus: all winning assignments of baker 1 while a thread sends random swaps as fast as it can")
    say(f"  {swaps:,} swaps received by the search in {seconds:.2f} s: {swaps / seconds / 1e6:.2f} million a second")
    say(f"  CPU for a node: {statistics.median(plain) * 1e6:.3f} us alone, {statistics.median(flooded) * 1e6:.3f} us"
        f" flooded ({100 * slower:+.1f} %), medians of {repeats} runs each, interleaved")  # fmt: skip


def _processor() -> str:
    """Return the model of the processor where the system tells it."""
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="runs of each guide on each instance")
    parser.add_argument("--repeats", type=int, default=5, help="runs of each instance without a guide")
    parser.add_argument("--out", type=Path, help="also write the report here")
    options = parser.parse_args()
    say = Report(options.out)
    say(f"python bench/qcsp.py --runs {options.runs} --repeats {options.repeats}")
    say(f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    say()
    answers(say)
    without_guide(say, options.repeats)
    bus(say, max(15, options.repeats))
    say()
    guided(say, options.runs)


if __name__ == "__main__":
    main()
