"""What a guide brings on ten families of instances: nodes and CPU over those without a guide.

CPU is that of the whole process, with posting and all threads. Each instance is solved by turns without and with the
guide, and the least of the runs counts. A guide has no part in formulas: they have a search of their own.
"""

from __future__ import annotations

import random
import statistics
import time
from functools import partial
from typing import Any

from bench.common import Report

from woodstock.qcsp import Guide, Problem, Variable, element, solve, total
from woodstock.qcsp.models import baker, connect_four, matrix_game, nim_fibonacci
from woodstock.qcsp.models.random_problems import random_linear, random_table
from woodstock.qcsp.qdimacs import Formula

TURNS = 2


def schedule(seed: int) -> Problem:
    """Return jobs on one machine, each with a choice of speed, a budget of delays and one of money."""
    rng, jobs = random.Random(seed), 13
    problem = Problem(f"schedule-{seed}")
    end: Any = 0
    late, speeds = [], []
    days = [[rng.randint(3, 9), rng.randint(1, 3)] for _ in range(jobs)]
    for number in range(jobs):
        problem.begin_block()
        speeds.append(problem.exists(f"fast[{number}]", (0, 1)))
        late.append(problem.forall(f"late[{number}]", range(3)))
        problem.such_that(total(late) <= 5)
        end = problem.define(f"end[{number}]", total([end, element(days[number], speeds[-1]), late[-1]]))
    problem.require(total(speeds) <= 5, end <= sum(slow for slow, _ in days) - rng.randint(6, 14))
    return problem


def colouring(seed: int) -> Problem:
    """Return a game on a graph: two players colour its vertices in turn, never as a neighbour; who cannot, loses."""
    rng, count, colours = random.Random(seed), 26, 5
    problem = Problem(f"colouring-{seed}")
    vertices: list[Variable] = []
    for number in range(count):
        problem.begin_block()
        vertex = (problem.forall if number % 2 else problem.exists)(f"v[{number}]", range(colours))
        problem.such_that(*(vertex != other for other in vertices if rng.random() < 0.4))
        vertices.append(vertex)
    return problem


def formula(seed: int) -> Problem:
    """Return a formula of three blocks near the change from won to lost."""
    rng, outer, universal, inner = random.Random(seed), range(1, 21), range(21, 41), range(41, 81)
    chosen = [[rng.choice(universal), rng.choice(outer), *rng.sample(inner, 2)] for _ in range(280)]
    clauses = [[rng.choice((-1, 1)) * variable for variable in variables] for variables in chosen]
    return Formula(80, [("e", [*outer]), ("a", [*universal]), ("e", [*inner])], clauses).problem(f"formula-{seed}")


def _forced_win(name: str, depth: int, role: int) -> Problem:
    import woodstock
    from woodstock.qcsp.models.game import forced_win

    game = woodstock.load(name)
    return forced_win(game, depth, str(game.roles[role]))


FORCED = [("tic-tac-toe", 8, 0), ("tic-tac-toe", 9, 0), ("connect-four", 7, 0), ("connect-four-8x6", 7, 0)]
FORCED += [("nim", depth, role) for depth in (8, 9, 10) for role in (0, 1)]
STARTS = ("", "1", "2", "11", "12", "21", "22", "3", "31", "33")
# Seeds whose search takes about 0.05 to 5 s; most random problems are lost at once.
LINEAR = (3, 18, 19, 27, 38, 46, 54, 59, 65, 74)
TABLES = (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)
COLOURINGS = (0, 1, 2, 3, 4, 5, 6, 10, 15, 22)

FAMILIES: dict[str, list[partial[Problem]]] = {
    "baker": [partial(baker, 4, 40, least) for least in (4, 5, 6, 7, 9, 10, 11, 12)]
    + [partial(baker, 4, 41), partial(baker, 5, 121)],
    "nim": [partial(nim_fibonacci, matches) for matches in range(30, 40)],
    "connect-four": [partial(connect_four, 4, 5, 4, start) for start in STARTS],
    "matrix": [partial(matrix_game, 11, seed) for seed in range(10)],
    "random linear": [partial(random_linear, seed, 44, 42) for seed in LINEAR],
    "random table": [partial(random_table, seed, 32, 44) for seed in TABLES],
    "schedule": [partial(schedule, seed) for seed in range(10)],
    "formula": [partial(formula, seed) for seed in range(10)],
    "forced win": [partial(_forced_win, *forced) for forced in FORCED],
    "colouring": [partial(colouring, seed) for seed in COLOURINGS],
}


def _costs(problem: Problem, guide: Guide) -> tuple[int, float]:
    started = time.process_time()
    result = solve(problem, guide=guide, strategy=False)
    return result.statistics["nodes"], time.process_time() - started


def families(say: Report, runs: int) -> None:
    """Compare the guide `tight` with no guide: ratios of nodes and of CPU, median and mean of the instances."""
    seeds = max(runs // 50, 1)
    say(f"The guide tight on ten families, {seeds} seeds: nodes and CPU of all threads over those without a guide")
    heads = ("nodes", "ms", "nodes", "mean", "CPU", "mean")
    say(f"  {'family':15} {'instances':>9} " + " ".join(f"{head:>9}" for head in heads))
    paid = harmed = 0
    for name, makes in FAMILIES.items():
        plain, ratios = [], []
        for make in makes:
            problem = make()
            pairs = [(_costs(problem, Guide("none")), _costs(problem, Guide("tight", seed=seed)))
                     for _ in range(TURNS) for seed in range(seeds)]  # fmt: skip
            nodes, cpu = (min(pair[0][i] for pair in pairs) for i in (0, 1))
            plain.append((nodes, 1000 * cpu))
            guided = [min(pair[1][i] for pair in pairs) if i else statistics.mean(pair[1][0] for pair in pairs)
                      for i in (0, 1)]  # fmt: skip
            ratios.append((guided[0] / nodes, guided[1] / cpu))
        base = [statistics.median(column) for column in zip(*plain, strict=True)]
        by_nodes, by_cpu = ([*column] for column in zip(*ratios, strict=True))
        middle = [statistics.median(by_nodes), statistics.median(by_cpu)]
        mean = [statistics.mean(by_nodes), statistics.mean(by_cpu)]
        paid += max(middle) < 1
        harmed += max(mean) > 1.05
        say(f"  {name:15} {len(makes):9} {base[0]:9,.0f} {base[1]:9.1f} {middle[0]:9.3f} {mean[0]:9.3f}"
            f" {middle[1]:9.3f} {mean[1]:9.3f}")  # fmt: skip
    say(f"  Fewer nodes and less CPU in the median: {paid} of {len(FAMILIES)} families")
    say(f"  More than 5 % worse in the mean: {harmed}")
