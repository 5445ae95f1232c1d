"""Helpers that learn orders from the trace, tabu lists and lemmas: nodes and CPU over the search alone.

Both are Python functions on the bus. CPU is that of the whole process.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable

from bench.common import Report
from bench.qcsp_families import FAMILIES

from woodstock._native import QcspBus
from woodstock.qcsp import Problem, solve
from woodstock.qcsp.bus import Event, Line, ThreadHelper

Helper = Callable[[Event, Line], None]


def tabu(problem: Problem) -> Helper:
    """Return a helper that brings forward the value that was of no use for longest."""
    universal = {variable.name: is_universal for variable, is_universal in problem.prefix}
    codes = {variable.name: variable.codes for variable, _ in problem.prefix}
    useless_at: dict[str, dict[int, int]] = defaultdict(dict)
    count = 0

    def helper(event: Event, line: Line) -> None:
        nonlocal count
        if event.kind != ("won" if universal[event.variable] else "failed"):
            return
        count += 1
        own = useless_at[event.variable]
        own[event.value] = count
        line.bring_to_front(event.variable, min(codes[event.variable], key=lambda value: own.get(value, 0)))

    return helper


def lemmas(problem: Problem) -> Helper:
    """Return a helper that brings forward the reply that decided the node below a value, when that is tried again."""
    universal = {variable.name: is_universal for variable, is_universal in problem.prefix}
    places = {variable.name: place for place, (variable, _) in enumerate(problem.prefix)}
    path: dict[int, tuple[str, int]] = {}
    known: dict[tuple[str, int], tuple[str, int]] = {}

    def helper(event: Event, line: Line) -> None:
        place = places[event.variable]
        if event.kind == "tried":
            path[place] = (event.variable, event.value)
            if path[place] in known:
                line.bring_to_front(*known[path[place]])
        elif event.kind == ("failed" if universal[event.variable] else "won") and place - 1 in path:
            known[path[place - 1]] = (event.variable, event.value)

    return helper


def helpers(say: Report, runs: int) -> None:
    """Compare both with the search alone. A run ends at four times the nodes of that."""
    count = max(runs // 25, 1)
    say(f"Helpers that learn, {count} instances a family: nodes and CPU over the search alone, medians; the most nodes")
    say(f"  {'family':15} {'helper':8} {'nodes':>7} {'CPU':>7} {'most':>7}")
    for name, makes in FAMILIES.items():
        if name == "formula":
            continue  # its search takes no orders
        ratios: dict[str, list[tuple[float, float]]] = {"tabu": [], "lemmas": []}
        for make in makes[:count]:
            problem = make()
            started = time.process_time()
            alone = solve(problem, strategy=False)
            cpu, nodes = time.process_time() - started, alone.statistics["nodes"]
            for kind in (tabu, lemmas):
                bus, started = QcspBus(), time.process_time()
                with ThreadHelper(problem, bus, kind(problem)):
                    result = solve(problem, strategy=False, bus=bus, nodes=4 * nodes + 1000)
                spent = time.process_time() - started
                ratios[kind.__name__].append((result.statistics["nodes"] / nodes, spent / cpu))
        for kind_name, pairs in ratios.items():
            by_nodes, by_cpu = zip(*pairs, strict=True)
            say(f"  {name:15} {kind_name:8} {statistics.median(by_nodes):7.2f} {statistics.median(by_cpu):7.2f}"
                f" {max(by_nodes):7.2f}")  # fmt: skip
