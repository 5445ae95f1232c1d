"""The guides: the published table again, and what they bring on ten families of instances."""

from __future__ import annotations

import dataclasses
import random
import statistics
from collections.abc import Callable
from typing import Any

from bench.common import Report

from woodstock.qcsp import Guide, Problem, Variable, element, solve, total
from woodstock.qcsp.models import baker, connect_four, matrix_game, nim_fibonacci
from woodstock.qcsp.models.random_problems import random_linear, random_table

NODES = 3_000_000  # limit of a run: bad orders have heavy tails
PUBLISHED = {
    ("instance 1", "QuaCode"): (19_130, 19_130, 19_130),
    ("instance 1", "QuaCode+MC"): (13_453, 7_661, 27_988),
    ("instance 2", "QuaCode"): (1_171_084, 1_171_084, 1_171_084),
    ("instance 2", "QuaCode+MC"): (901_853, 14_662, 1_697_205),
}


def table(say: Report, runs: int) -> None:
    """Print table 1 of the paper: nodes and CPU of the search, with and without the guide, in several settings."""
    say(f"Table 1 of [Chantrein, Barichard & Stephan], {runs} runs a setting, at most {NODES:,} nodes a run")
    say(
        f"  {'instance':11} {'setting':34} {'mean':>10} {'least':>9} {'most':>10}"
        f" {'CPU ms':>8} {'least':>8} {'most':>8}"
    )
    for (instance, what), (mean, least, most) in PUBLISHED.items():
        say(f"  {instance:11} {'published: ' + what:34} {mean:10,} {least:9,} {most:10,}")
    settings = {
        "as published, no guide": None,
        "as published, mc": Guide.published(),
        "the same, head start 1000": Guide.published(head_start=1000),
        "the same, restarts": Guide.published(restarts=True),
        "our search, no guide": Guide("none"),
        "our search, frontier": Guide("frontier"),
    }
    for number in (1, 2):
        problem = baker(least_first=number)
        for name, guide in settings.items():
            rows = []
            for seed in range(runs if guide is not None and guide.name != "none" else 1):
                chosen = Guide("none") if guide is None else dataclasses.replace(guide, seed=seed)
                result = solve(problem, guide=chosen, published="our" not in name, nodes=NODES, strategy=False)
                rows.append((result.statistics["nodes"], 1000 * result.statistics["cpu_seconds"]))
            nodes, cpu = ([*column] for column in zip(*rows, strict=True))
            say(f"  instance {number:<2} {name:34} {statistics.mean(nodes):10,.0f} {min(nodes):9,} {max(nodes):10,}"
                f" {statistics.mean(cpu):8.2f} {min(cpu):8.2f} {max(cpu):8.2f}")  # fmt: skip


def schedule(seed: int) -> Problem:
    """Return jobs on one machine, each with a choice of speed, a budget of delays and one of money."""
    rng = random.Random(seed)
    problem, jobs = Problem(f"schedule-{seed}"), 9
    end: Any = 0
    late, speeds = [], []
    days = [[rng.randint(3, 6), rng.randint(1, 3)] for _ in range(jobs)]
    for number in range(jobs):
        problem.begin_block()
        speeds.append(problem.exists(f"fast[{number}]", (0, 1)))
        late.append(problem.forall(f"late[{number}]", range(3)))
        problem.such_that(total(late) <= 4)
        end = problem.define(f"end[{number}]", total([end, element(days[number], speeds[-1]), late[-1]]))
    problem.require(total(speeds) <= 6, end <= sum(slow for slow, _ in days) - rng.randint(6, 14))
    return problem


def colouring(seed: int) -> Problem:
    """Return a game on a graph: two players colour its vertices in turn, never as a neighbour; who cannot, loses."""
    rng = random.Random(seed)
    problem, count, colours = Problem(f"colouring-{seed}"), 18, 5
    vertices: list[Variable] = []
    for number in range(count):
        problem.begin_block()
        vertex = (problem.forall if number % 2 else problem.exists)(f"v[{number}]", range(colours))
        problem.such_that(*(vertex != other for other in vertices if rng.random() < 0.5))
        vertices.append(vertex)
    return problem


def _formula(seed: int) -> Problem:
    from bench.qcsp_peers import random_formula

    return random_formula(2 * seed + 1, 40).problem(f"formula-{seed}")


def _forced_win(seed: int) -> Problem:
    import woodstock
    from woodstock.qcsp.models.game import forced_win

    return forced_win(woodstock.load("tic-tac-toe"), depth=6 + seed % 3, role="xo"[seed % 2])


FAMILIES: dict[str, Callable[[int], Problem]] = {
    "baker": lambda seed: baker(4, 40, 2 + seed % 5),
    "nim": lambda seed: nim_fibonacci(22 + 2 * seed),
    "connect-four": lambda seed: connect_four(4, 5, 4, ("", "1", "2", "21", "22")[seed % 5]),
    "matrix": lambda seed: matrix_game(9, seed),
    "random linear": random_linear,
    "random table": random_table,
    "schedule": schedule,
    "formula": _formula,
    "forced win": _forced_win,
    "colouring": colouring,
}


def families(say: Report, runs: int) -> None:
    """Compare each guide with no guide: medians of the ratios of nodes and of CPU over instances and seeds."""
    instances, seeds = 5, max(runs // 25, 1)
    say(f"Guides on ten families, {instances} instances, {seeds} seeds each: nodes and CPU of the search over those"
        " without a guide, median and mean")  # fmt: skip
    say(
        f"  {'family':15} {'nodes':>9} {'ms':>9}   "
        + "   ".join(f"{g:>9} nodes  mean   CPU  mean" for g in ("mc", "frontier"))
    )
    for name, make in FAMILIES.items():
        ratios: dict[str, list[tuple[float, float]]] = {"mc": [], "frontier": []}
        base_nodes, base_cpu = [], []
        for number in range(instances):
            problem = make(number)
            plain = [solve(problem, nodes=NODES, strategy=False).statistics for _ in range(3)]
            nodes, cpu = plain[0]["nodes"], min(facts["cpu_seconds"] for facts in plain)
            base_nodes.append(nodes)
            base_cpu.append(1000 * cpu)
            for seed in range(seeds):
                for guide, found in ratios.items():
                    facts = solve(problem, guide=Guide(guide, seed=seed), nodes=NODES, strategy=False).statistics
                    found.append((facts["nodes"] / nodes, facts["cpu_seconds"] / cpu))
        cells = []
        for found in ratios.values():
            columns = [*zip(*found, strict=True)]
            cells.append(f"{statistics.median(columns[0]):15.3f} {statistics.mean(columns[0]):5.2f}"
                         f" {statistics.median(columns[1]):5.2f} {statistics.mean(columns[1]):5.2f}")  # fmt: skip
        say(
            f"  {name:15} {statistics.median(base_nodes):9,.0f} {statistics.median(base_cpu):9.2f}   "
            + "   ".join(cells)
        )
