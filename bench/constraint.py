"""Enumerate all solutions of table instances: ours against ACE, Choco and CP-SAT, one thread each.

    python -m bench.constraint [--only PART] [--rounds 3] [--limit 60] [--cp-sat-limit 60] [--out FILE]

Every solver gets the same tables and finds every solution; the counts must agree. The solvers take turns in each
round, each run is a process of its own, and the least CPU time of all rounds counts, without start-up:
- ours: the search as the caller sees it, with every solution written to an array;
- CP-SAT: `solve` with a callback that counts;
- ACE: its own figure for the main thread, from the end of preprocessing to the end of the search, so neither the start
  of the virtual machine nor its compiler threads count;
- Choco, which prints no such figure: the CPU time of the process minus that of a run that stops at the first solution.
Reading and posting the tables does not count. A solver that meets the limit of CPU time enters the mean with the time
it had used, marked `>`. Long runs are not repeated.
"""

from __future__ import annotations

import importlib
import itertools
import math
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from bench.common import Report, geometric_mean, parser, run_apart
from numpy.typing import NDArray

from woodstock._native import Solver

SOLVERS = ("ours", "str2", "ACE", "Choco", "CP-SAT")
SLOWEST = 20  # a busy machine may give a process this much less time than the clock says
Result = tuple[float, int, bool]  # CPU seconds, solutions, whether it ended by itself

WILDCARD = -1  # no instance has it as a value


@dataclass
class Table:
    scope: list[int]
    tuples: NDArray[np.int32]
    is_allowed: bool = True


@dataclass
class Instance:
    domains: list[range]
    tables: list[Table] = field(default_factory=list)

    def add(self, scope: list[int], tuples: object, is_allowed: bool = True) -> None:
        self.tables.append(Table(scope, np.array(tuples, dtype=np.int32).reshape(-1, len(scope)), is_allowed))


def random_rows(dice: random.Random, domains: list[range], count: int) -> list[tuple[int, ...]]:
    rows: set[tuple[int, ...]] = set()
    while len(rows) < count:
        rows.add(tuple(dice.choice(domain) for domain in domains))
    return sorted(rows)


def random_tables(seed: int, variables: int, size: int, arity: int, tables: int, share: float) -> Instance:
    """Tables that allow a share of all combinations, over scopes that together reach every variable."""
    dice = random.Random(seed)
    instance = Instance([range(size)] * variables)
    scopes = [dice.sample(range(variables), arity) for _ in range(tables)]
    for x in range(variables):
        if not any(x in scope for scope in scopes):
            scopes[x % tables][x % arity] = x
    for scope in scopes:
        if len(set(scope)) == arity:
            instance.add(scope, random_rows(dice, [range(size)] * arity, round(share * size**arity)))
    return instance


def forbidden_tables(seed: int, variables: int, size: int, arity: int, tables: int, share: float) -> Instance:
    allowed = random_tables(seed, variables, size, arity, tables, share)
    return Instance(allowed.domains, [Table(t.scope, t.tuples, False) for t in allowed.tables])


def short_tables(seed: int, variables: int, size: int, arity: int, tables: int, rows: int) -> Instance:
    """Rows in which every second entry or so is a wildcard."""
    dice = random.Random(seed)
    instance = Instance([range(size)] * variables)
    for _ in range(tables):
        short: set[tuple[int, ...]] = set()
        while len(short) < rows:
            short.add(tuple(WILDCARD if dice.random() < 0.45 else dice.randrange(size) for _ in range(arity)))
        instance.add(dice.sample(range(variables), arity), sorted(short))
    return instance


def latin_square(order: int) -> Instance:
    """Every row and every column is one of the permutations."""
    instance = Instance([range(order)] * order**2)
    permutations = list(itertools.permutations(range(order)))
    for i in range(order):
        instance.add([order * i + j for j in range(order)], permutations)
        instance.add([order * j + i for j in range(order)], permutations)
    return instance


def magic_square() -> Instance:
    """Order 4: lines of four different numbers with the sum 34, and all sixteen different."""
    instance = Instance([range(1, 17)] * 16)
    lines = [[4 * i + j for j in range(4)] for i in range(4)] + [[4 * j + i for j in range(4)] for i in range(4)]
    lines += [[0, 5, 10, 15], [3, 6, 9, 12]]
    rows = [row for row in itertools.permutations(range(1, 17), 4) if sum(row) == 34]
    for line in lines:
        instance.add(line, rows)
    different = [(a, b) for a in range(1, 17) for b in range(1, 17) if a != b]
    for x, y in itertools.combinations(range(16), 2):
        instance.add([x, y], different)
    return instance


def queens(size: int) -> Instance:
    instance = Instance([range(size)] * size)
    for a, b in itertools.combinations(range(size), 2):
        instance.add([a, b], [(v, w) for v in range(size) for w in range(size) if v != w and abs(v - w) != b - a])
    return instance


def pigeons(count: int, holes: int) -> Instance:
    instance = Instance([range(holes)] * count)
    same = [(v, v) for v in range(holes)]
    for a, b in itertools.combinations(range(count), 2):
        instance.add([a, b], same, is_allowed=False)
    return instance


def parity(seed: int, variables: int, equations: int) -> Instance:
    """Like dubois: sums modulo 2 of three variables, here with solutions."""
    dice = random.Random(seed)
    instance = Instance([range(2)] * variables)
    hidden = [dice.randrange(2) for _ in range(variables)]
    # Every variable is in some equation: solvers leave out those that are in none.
    order = dice.sample(range(variables), variables)
    for i in range(equations):
        scope = order[3 * i : 3 * i + 3] or dice.sample(range(variables), 3)
        odd = sum(hidden[x] for x in scope) % 2
        instance.add(scope, [row for row in itertools.product(range(2), repeat=3) if sum(row) % 2 == odd])
    return instance


def colouring(seed: int, nodes: int, edges: int, colours: int) -> Instance:
    dice = random.Random(seed)
    instance = Instance([range(colours)] * nodes)
    different = [(a, b) for a in range(colours) for b in range(colours) if a != b]
    for a, b in sorted(dice.sample(list(itertools.combinations(range(nodes), 2)), edges)):
        instance.add([a, b], different)
    return instance


def crossword(seed: int, side: int, letters: int, words: int) -> Instance:
    """A square without black cells; words are random, the same list across and down."""
    dice = random.Random(seed)
    instance = Instance([range(letters)] * side**2)
    rows = random_rows(dice, [range(letters)] * side, words)
    for i in range(side):
        instance.add([side * i + j for j in range(side)], rows)
        instance.add([side * j + i for j in range(side)], rows)
    return instance


INSTANCES: dict[str, Callable[[], Instance]] = {
    "random-12-8-4": lambda: random_tables(1, 12, 5, 4, 8, 0.365),
    "random-15-16-3": lambda: random_tables(2, 15, 6, 3, 16, 0.42),
    "random-10-6-5": lambda: random_tables(3, 10, 9, 5, 6, 0.2),
    "random-20-14-4": lambda: random_tables(4, 20, 4, 4, 14, 0.35),
    "large-9-4-5": lambda: random_tables(5, 9, 12, 5, 4, 0.12),
    "forbidden-12-20-4": lambda: forbidden_tables(6, 12, 4, 4, 20, 0.24),
    "short-14-10-6": lambda: short_tables(7, 14, 4, 6, 10, 22),
    "latin-5": lambda: latin_square(5),
    "magic-square-4": magic_square,
    "queens-12": lambda: queens(12),
    "pigeons-8-9": lambda: pigeons(8, 9),
    "parity-60": lambda: parity(8, 60, 42),
    "colouring-18": lambda: colouring(9, 18, 39, 4),
    "crossword-4": lambda: crossword(10, 4, 8, 330),
}


def run_ours(instance: Instance, algorithm: str, limit_s: float) -> Result:
    solver = Solver()
    for values in instance.domains:
        solver.add_variable(values)
    for table in instance.tables:
        solver.add_table(table.scope, table.tuples, table.is_allowed, WILDCARD, algorithm)
    started = time.process_time()
    batches = solver.batches(seconds=SLOWEST * limit_s)
    count = sum(len(batch) for batch in batches)
    return time.process_time() - started, count, batches.status == "complete"


def run_cp_sat(instance: Instance, limit_s: float) -> Result:
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")

    class Counter(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def on_solution_callback(self) -> None:
            self.count += 1
            if self.count % 1000 == 0 and time.process_time() > started + limit_s:
                self.stop_search()

    model = cp_model.CpModel()
    variables = [model.new_int_var(d.start, d.stop - 1, f"x{i}") for i, d in enumerate(instance.domains)]
    for table in instance.tables:
        scope = [variables[x] for x in table.scope]
        rows: Any = table.tuples
        if (table.tuples == WILDCARD).any():  # it has no short tuples
            choices = [
                [instance.domains[x] if v == WILDCARD else (v,) for x, v in zip(table.scope, short, strict=True)]
                for short in table.tuples.tolist()
            ]
            rows = sorted({row for choice in choices for row in itertools.product(*choice)})
        if table.is_allowed:
            model.add_allowed_assignments(scope, rows)
        else:
            model.add_forbidden_assignments(scope, rows)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.max_time_in_seconds = SLOWEST * limit_s
    counter = Counter()
    started = time.process_time()
    status = solver.solve(model, counter)
    return time.process_time() - started, counter.count, status == cp_model.OPTIMAL


def write_xcsp3(instance: Instance, path: Path) -> None:
    out = ['<instance format="XCSP3" type="CSP">', "<variables>"]
    out += [f'<var id="x{i}"> {d.start}..{d.stop - 1} </var>' for i, d in enumerate(instance.domains)]
    out += ["</variables>", "<constraints>"]
    for table in instance.tables:
        rows = "".join(
            "(" + ",".join("*" if v == WILDCARD else str(v) for v in row) + ")" for row in sorted(table.tuples.tolist())
        )
        kind = "supports" if table.is_allowed else "conflicts"
        scope = " ".join(f"x{x}" for x in table.scope)
        out.append(f"<extension><list> {scope} </list><{kind}> {rows} </{kind}></extension>")
    path.write_text("\n".join([*out, "</constraints>", "</instance>", ""]))


def java(arguments: list[str], limit_s: float) -> tuple[str, float, bool]:
    """The output, the CPU seconds of the process, and whether it ended by itself."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["prlimit", f"--cpu={math.ceil(limit_s)}", "java", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    text, is_complete = done.stdout, done.returncode >= 0 and done.returncode < 128
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, is_complete


def jar(name: str) -> str:
    spec = find_spec("pycsp3")
    assert spec is not None and spec.origin is not None
    return str(next((Path(spec.origin).parent / "solvers" / name).glob("*.jar")))


def run_ace(path: Path, limit_s: float) -> Result:
    text, seconds, is_complete = java(["-jar", jar("ace"), str(path), "-s=all", "-npc"], limit_s)
    stages = dict(re.findall(r"(?s)(preprocessing|global)\b.*?\bcpu:([0-9.,]+)", text))
    if not is_complete:
        return max(seconds - float(stages.get("preprocessing", seconds)), 0.001), 0, False
    found = re.search(r"FOUND SOLUTIONS\s+([0-9,.]+)", text)
    if found is None or len(stages) != 2:
        raise RuntimeError(f"ACE said something else: {text[-500:]}")
    figures = {name: float(value.replace(",", "")) for name, value in stages.items()}
    count = int(re.sub(r"[,.]", "", found[1]))
    return max(figures["global"] - figures["preprocessing"], 0.001), count, True


def run_choco(path: Path, limit_s: float) -> Result:
    command = ["-cp", jar("choco"), "org.chocosolver.parser.xcsp.ChocoXCSP", str(path), "-lvl", "IRACE"]
    _, first, _ = java([*command, "-limit", "[1sols]"], limit_s)
    text, seconds, is_complete = java([*command, "-a"], limit_s)
    if not is_complete:
        return seconds - first, 0, False
    found = re.search(r"-?(\d+) [0-9.]+\s*$", text)
    if found is None:
        raise RuntimeError(f"Choco said something else: {text[-500:]}")
    return max(seconds - first, 0.001), int(found[1]), True


def run_one(solver: str, name: str, limit_s: float) -> Result:
    instance = INSTANCES[name]()
    if solver in ("ours", "str2"):
        return run_ours(instance, "compact-table" if solver == "ours" else "str2", limit_s)
    if solver == "CP-SAT":
        return run_cp_sat(instance, limit_s)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.xml"
        write_xcsp3(instance, path)
        return (run_ace if solver == "ACE" else run_choco)(path, limit_s)


def measure(names: list[str], rounds: int, limits_s: dict[str, float], say: Report) -> bool:
    """Print the table; return whether all counts agree."""
    say(f"{'instance':20}{'solutions':>11}" + "".join(f"{s:>10}" for s in SOLVERS) + "   times ours")
    ratios: dict[str, list[float]] = {solver: [] for solver in SOLVERS[1:]}
    is_right = True
    for name in names:
        best: dict[str, Result] = {}
        for _ in range(rounds):
            for solver in SOLVERS:
                limit_s = limits_s[solver]
                if solver in best and best[solver][0] > limit_s / 20:
                    continue
                result: Result = tuple(run_apart(run_one, solver, name, limit_s))
                best[solver] = min(result, best.get(solver, result))
        counts = {count for _, count, is_complete in best.values() if is_complete}
        is_right = is_right and len(counts) == 1
        row = f"{name:20}{max(counts):>11,}"
        for solver in SOLVERS:
            seconds, _, is_complete = best[solver]
            row += f"{('' if is_complete else '>') + format(seconds, '.3f'):>10}"
        times = []
        for solver in SOLVERS[1:]:
            ratio = best[solver][0] / best["ours"][0]
            ratios[solver].append(ratio)
            times.append(f"{ratio:.1f}")
        row += "   " + " ".join(f"{t:>6}" for t in times)
        if len(counts) != 1:
            row += f"   COUNTS DIFFER: { {s: r[1] for s, r in best.items()} }"
        say(row)
    means = " ".join(f"{geometric_mean(ratios[s]):>6.1f}" for s in SOLVERS[1:])
    say(f"{'geometric mean of the ratios ' + ', '.join(SOLVERS[1:]):81}   {means}")
    return is_right


def versions() -> str:
    shown = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr.splitlines()
    virtual_machine = shown[0] if shown else "Java"
    return f"ACE and Choco of pycsp3 {version('pycsp3')} on {virtual_machine}, OR-Tools {version('ortools')}"


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--only", default="", help="instances whose name contains this")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--limit", type=float, default=60.0, help="CPU seconds for one run")
    options.add_argument("--cp-sat-limit", type=float, default=60.0, help="the same for CP-SAT, which needs longest")
    given = options.parse_args()
    for package in ("pycsp3", "ortools"):
        if find_spec(package) is None:
            sys.exit(f"{package} is not installed: .venv/bin/pip install pycsp3 ortools")
    names = [name for name in INSTANCES if given.only in name]
    limits_s = dict.fromkeys(SOLVERS, given.limit) | {"CP-SAT": min(given.limit, given.cp_sat_limit)}
    say = Report(given.out)
    say(versions())
    say("CPU seconds to enumerate all solutions, one thread; how it is measured: bench/constraint.py")
    say()
    if not measure(names, given.rounds, limits_s, say):
        sys.exit("the solvers do not agree")


if __name__ == "__main__":
    main()
