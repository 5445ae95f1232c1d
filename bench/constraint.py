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
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.common import Report, command, geometric_mean, machine, parser, run_child
from bench.table_instances import INSTANCES, WILDCARD, Instance

SOLVERS = ("ours", "str2", "ACE", "Choco", "CP-SAT")
SLOWEST = 20  # a busy machine may give a process this much less time than the clock says
Result = tuple[float, int, bool]  # CPU seconds, solutions, whether it ended by itself


def run_ours(instance: Instance, algorithm: str, limit_s: float) -> Result:
    from woodstock._native import Solver

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


def run_apart(solver: str, name: str, limit_s: float) -> Result:
    seconds, count, is_complete = run_child("constraint", "--one", solver, "--only", name, "--limit", limit_s)
    return float(seconds), int(count), bool(is_complete)


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
                result = run_apart(solver, name, limit_s)
                if solver not in best or result < best[solver]:
                    best[solver] = result
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
    from importlib.metadata import version

    shown = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False).stderr.splitlines()
    virtual_machine = shown[0] if shown else "Java"
    return f"ACE and Choco of pycsp3 {version('pycsp3')} on {virtual_machine}, OR-Tools {version('ortools')}"


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--only", default="", help="instances whose name contains this")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--limit", type=float, default=60.0, help="CPU seconds for one run")
    options.add_argument("--cp-sat-limit", type=float, default=60.0, help="the same for CP-SAT, which needs longest")
    options.add_argument("--one", choices=SOLVERS, help="one run in this process, as JSON")
    given = options.parse_args()
    if given.one:
        print(json.dumps(run_one(given.one, given.only, given.limit)))
        return
    for package in ("pycsp3", "ortools"):
        if find_spec(package) is None:
            sys.exit(f"{package} is not installed: .venv/bin/pip install pycsp3 ortools")
    names = [name for name in INSTANCES if given.only in name]
    limits_s = dict.fromkeys(SOLVERS, given.limit) | {"CP-SAT": min(given.limit, given.cp_sat_limit)}
    say = Report(given.out)
    say("CPU seconds to enumerate all solutions, one thread; how it is measured: bench/constraint.py")
    say(command())
    say(f"{machine()}, {versions()}")
    say()
    if not measure(names, given.rounds, limits_s, say):
        sys.exit("the solvers do not agree")


if __name__ == "__main__":
    main()
