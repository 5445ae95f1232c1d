"""For every rulesheet: does the group of the network contain the group of the rules?

    python bench/containment.py [--seconds 20] [--jobs 2] [--out bench/results/containment.txt]

Each sheet is handled by its own process, with at most `--seconds` of processor time; sheets that need more or do not
load are counted. Rows are written to `--out` one by one; a second run continues with the sheets that are missing.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import woodstock
from woodstock.symmetry import find_symmetries, permutations

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "games"


def compare(path: Path, seconds: int, answer: Connection) -> None:
    """Send the result of a sheet."""
    # Child processes set their own limits, which must be below this one.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 60))
    try:
        answer.send(_compare(path, seconds))
    except woodstock.WoodstockError as error:
        answer.send(f"not loaded  {str(error).splitlines()[0][:60]}")
    except MemoryError:
        answer.send("too large")


def _compare(path: Path, seconds: int) -> str:
    game = woodstock.load(path, ground_seconds=seconds)
    if game.ground is None:
        return "interpreter"
    network = find_symmetries(game, "network", seconds=seconds)
    rules = find_symmetries(game, "rules", seconds=seconds)
    if (network.method, rules.method) != ("network", "rules"):
        return f"too slow    {'; '.join(network.notes + rules.notes)[:60]}"
    is_contained = all(permutations.is_member(network.rows, row, network.order) for row in rules.rows)
    how = "larger" if network.order > rules.order else "equal" if network.order == rules.order else "SMALLER"
    return f"{how if is_contained else 'NOT CONTAINED':<11} rules {rules.order:,}, network {network.order:,}"


def look(path: Path, seconds: int) -> str:
    """Return the result of a sheet, from a process with limits."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=compare, args=(path, seconds, theirs))
    process.start()
    theirs.close()
    try:
        said: str = ours.recv()
    except EOFError:
        said = f"too slow    over {seconds} CPU s"
    process.join()
    return said


def main() -> None:
    """Compare the groups of every sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    rows: dict[str, str] = {}
    if asked.out is not None and asked.out.exists():
        known = (line.split("  ", 1) for line in asked.out.read_text().splitlines() if ".kif" in line)
        rows = {name: said.strip() for name, said in known}
    new = [path for path in sorted(CORPUS.glob("*.kif")) if path.name not in rows]
    with ThreadPoolExecutor(asked.jobs) as threads:
        for path, said in zip(new, threads.map(lambda path: look(path, asked.seconds), new), strict=True):
            rows[path.name] = said
            print(f"{path.name:<60} {said}", flush=True)
            if asked.out is not None:
                asked.out.write_text(table(rows, asked.seconds))
    print(table(rows, asked.seconds).splitlines()[1])


def table(rows: dict[str, str], seconds: int) -> str:
    """Return the rows below their counts."""
    counts = Counter(said.split("  ")[0] for said in rows.values())
    summary = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    lines = [f"$ python bench/containment.py --seconds {seconds}", f"{len(rows)} sheets: {summary}"]
    return "\n".join([*lines, *(f"{name:<60} {rows[name]}" for name in sorted(rows))]) + "\n"


if __name__ == "__main__":
    main()
