"""Other solvers on the same instances: QuaCode for the models, DepQBF for formulas. Both are optional.

    python -m bench.qcsp_peers --quacode FOLDER     # measure QuaCode's programs, write bench/qcsp_peers.toml
    python -m bench.qcsp_peers --guided PROGRAM     # its baker with the Monte Carlo thread, bench/qcsp_guided.toml
    python -m bench.qcsp_peers --formulas 50        # random formulas of 80 variables against DepQBF

QuaCode's programs are built from its public repository with Gecode 4.4.0; `baker4` is its baker with four weights and a
least value of the first one. CPU is user and system time of the whole process, for ours of the thread, with reading and
posting.
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from bench.common import Report, parser

from woodstock.qcsp import solve
from woodstock.qcsp.models import matrix_game
from woodstock.qcsp.qdimacs import Formula

FIGURES = Path(__file__).with_name("qcsp_peers.toml")
GUIDED = Path(__file__).with_name("qcsp_guided.toml")
COMMANDS = {
    "baker 1": ["baker4", "1"],
    "baker 2 (w1 >= 2)": ["baker4", "2"],
    "baker 3 (w1 >= 4)": ["baker4", "4"],
    "nim-fibonacci 20": ["nim-fibo", "20"],
    "nim-fibonacci 21": ["nim-fibo", "21"],
    "nim-fibonacci 22": ["nim-fibo", "22"],
    "matrix game, depth 8": ["matrix-game", "-file", "8"],
    "matrix game, depth 9": ["matrix-game", "-file", "9"],
    "connect-four, 4 rows 4 columns": ["connect-four", "-row", "4", "-col", "4"],
    "connect-four, 5 rows 4 columns": ["connect-four", "-row", "5", "-col", "4"],
    "connect-four, 4 rows 5 columns": ["connect-four", "-row", "4", "-col", "5"],
}
REPEATS = 3


def figures() -> dict[str, tuple[int, float]]:
    """Return QuaCode's nodes and CPU seconds by instance, as last measured."""
    with FIGURES.open("rb") as file:
        data = tomllib.load(file)
    return {name: (row["nodes"], row["cpu_seconds"]) for name, row in data["quacode"].items()}


def measured_on() -> str:
    """Return the day of the measurement."""
    with FIGURES.open("rb") as file:
        return str(tomllib.load(file)["date"])


def child_cpu(command: list[str], limit: float = 900.0) -> tuple[str, float]:
    """Run a program; return its output and the CPU seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder: Path) -> None:
    """Run QuaCode on every instance and write its figures; least CPU of several runs."""
    lines = [f"date = {date.today()}", 'how = "python -m bench.qcsp_peers --quacode FOLDER"', ""]
    with tempfile.TemporaryDirectory() as scratch:
        for name, (program, *arguments) in COMMANDS.items():
            if program == "matrix-game":
                arguments[-1] = str(_matrix_file(Path(scratch), int(arguments[-1])))
            best, nodes = float("inf"), 0
            for _ in range(REPEATS):
                out, spent = child_cpu([str(folder / program), *arguments])
                best = min(best, spent)
                nodes = int(out.split("nodes:")[1].split()[0])
                if spent > 5:
                    break
            lines += [f'[quacode."{name}"]', f"nodes = {nodes}", f"cpu_seconds = {best:.4f}", ""]
            print(f"{name}: {nodes:,} nodes, {best:.3f} s", flush=True)
    FIGURES.write_text("\n".join(lines), encoding="utf-8")


def measure_guided(program: Path, runs: int, limit: float) -> None:
    """Run QuaCode's baker with its Monte Carlo thread and write nodes and CPU of the search and the thread."""
    lines = [f"date = {date.today()}", f"limit_s = {limit}", ""]
    for instance in (1, 2):
        nodes, cpu, stopped = [], [], 0
        for _ in range(runs):
            try:
                out, spent = child_cpu([str(program), str(instance)], limit)
            except subprocess.TimeoutExpired:
                stopped += 1
                continue
            nodes.append(int(out.split("nodes:")[1].split()[0]))
            cpu.append(spent)
        lines += [f'["instance {instance}"]', f"nodes = {nodes}", f"stopped = {stopped}"]
        lines += [f"mean_cpu_seconds = {sum(cpu) / len(cpu):.4f}", ""]
        print(f"instance {instance}: {sorted(nodes)}, {stopped} stopped", flush=True)
    GUIDED.write_text("\n".join(lines), encoding="utf-8")


def guided_figures() -> Iterator[tuple[str, int, tuple[float, int, int], float]]:
    """Yield instance, number of runs that ended, nodes (mean, least, most) and mean CPU in ms."""
    with GUIDED.open("rb") as file:
        data = tomllib.load(file)
    for name in ("instance 1", "instance 2"):
        nodes = data[name]["nodes"]
        yield name, len(nodes), (sum(nodes) / len(nodes), min(nodes), max(nodes)), 1000 * data[name]["mean_cpu_seconds"]


def _matrix_file(folder: Path, depth: int) -> Path:
    """Write the matrix of our model of that depth for QuaCode."""
    rng, size = random.Random(0), 2**depth
    path = folder / f"matrix{depth}.txt"
    rows = [[rng.randrange(2) for _ in range(size)] for _ in range(size)]
    path.write_text("\n".join(" ".join(map(str, row)) for row in rows), encoding="utf-8")
    assert matrix_game(depth, rows=rows).constraints  # the same matrix as matrix_game(depth)
    return path


def random_formula(seed: int, variables: int = 80) -> Formula:
    """Return a formula of one of two kinds.

    Even seeds: a random quantifier for each variable, and 2.2 clauses of 2 to 4 literals for each; nearly all are lost.
    Odd seeds: three blocks, exists, forall, exists, with one universal literal a clause; nearly all are won.
    """
    rng = random.Random(seed)
    if seed % 2:
        return _three_blocks(rng, variables)
    blocks: list[tuple[str, list[int]]] = []
    for number in range(1, variables + 1):
        kind = rng.choice("ea")
        if not blocks or blocks[-1][0] != kind:
            blocks.append((kind, []))
        blocks[-1][1].append(number)
    clauses: list[list[int]] = []
    while len(clauses) < 2.2 * variables:
        clause = [rng.choice((-1, 1)) * n for n in rng.sample(range(1, variables + 1), rng.choice([2, 3, 3, 4]))]
        universal = {n for kind, numbers in blocks if kind == "a" for n in numbers}
        if sum(abs(literal) not in universal for literal in clause) >= 2:  # others are lost at once
            clauses.append(clause)
    return Formula(variables, blocks, clauses)


def _three_blocks(rng: random.Random, variables: int) -> Formula:
    first, second = variables // 4, variables // 2
    outer, universal = [*range(1, first + 1)], [*range(first + 1, second + 1)]
    inner = [*range(second + 1, variables + 1)]
    clauses = []
    for _ in range(int(variables * rng.uniform(1.2, 2.2))):
        chosen = [rng.choice(universal), rng.choice(outer), *rng.sample(inner, 2)]
        clauses.append([rng.choice((-1, 1)) * variable for variable in chosen])
    return Formula(variables, [("e", outer), ("a", universal), ("e", inner)], clauses)


def formulas(say: Report, count: int, limit: float) -> None:
    """Compare answers and CPU with DepQBF on random formulas."""
    program = shutil.which("depqbf")
    if program is None:
        say("DepQBF is not installed (Debian: depqbf): formulas are solved by ours alone")
    ours_cpu, peer_cpu, solved, differ, won = [], [], 0, 0, 0
    with tempfile.TemporaryDirectory() as scratch:
        for seed in range(count):
            formula = random_formula(seed)
            path = Path(scratch) / f"{seed}.qdimacs"
            path.write_text(formula.text(), encoding="utf-8")
            begun = time.thread_time()
            result = solve(formula.problem(), seconds=limit, strategy=False)
            ours_cpu.append(time.thread_time() - begun)
            solved += result.is_complete
            won += result.is_winning is True
            if program:
                out, spent = child_cpu([program, str(path)])
                peer_cpu.append(spent)
                if result.is_complete and ("SAT" in out and "UNSAT" not in out) != result.is_winning:
                    differ += 1
    say(f"Random formulas of 80 variables, {count} of them, limit {limit:g} s: {solved} solved, {won} won")
    for name, cpu in (("ours", ours_cpu), ("DepQBF", peer_cpu)):
        if cpu:
            middle = sorted(cpu)[count // 2]
            say(f"  {name:7} CPU {sum(cpu):8.2f} s in all, median {middle:.4f} s, most {max(cpu):.2f} s")
    if peer_cpu:
        say(f"  {differ} different answers")


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("--quacode", type=Path, metavar="FOLDER", help="measure the programs in this folder")
    options.add_argument("--guided", type=Path, metavar="PROGRAM", help="measure this baker with its guide")
    options.add_argument("--formulas", type=int, default=0, metavar="N", help="compare N formulas with DepQBF")
    options.add_argument("--limit", type=float, default=10.0, help="seconds for each formula")
    given = options.parse_args()
    if given.quacode:
        measure(given.quacode)
    if given.guided:
        measure_guided(given.guided, 30, given.limit)
    if given.formulas:
        formulas(Report(given.out), given.formulas, given.limit)


if __name__ == "__main__":
    main()
