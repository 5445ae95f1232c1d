"""For every rulesheet: does the group of the network contain the group of the rules?

    python -m bench.containment [--seconds 20] [--jobs 2] [--out bench/results/containment.txt]

Each sheet is handled by its own process, with at most `--seconds` of processor time; sheets that need more or do not
load are counted. Rows are written to `--out` one by one; a second run continues with the sheets that are missing.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.common import CORPUS, ChildError, Report, command, parser, run_child

import woodstock
from woodstock.symmetry import find_symmetries, permutations


def compare(path: Path, seconds: int) -> str:
    """Return the result of a sheet."""
    # Child processes set their own limits, which must be below this one.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 60))
    try:
        game = woodstock.load(path, ground_seconds=seconds)
        if game.ground is None:
            return "interpreter"
        network = find_symmetries(game, "network", seconds=seconds)
        rules = find_symmetries(game, "rules", seconds=seconds)
    except woodstock.WoodstockError as error:
        return f"not loaded  {str(error).splitlines()[0][:60]}"
    except MemoryError:
        return "too large"
    if (network.method, rules.method) != ("network", "rules"):
        return f"too slow    {'; '.join(network.notes + rules.notes)[:60]}"
    is_contained = all(permutations.is_member(network.rows, row, network.order) for row in rules.rows)
    how = "larger" if network.order > rules.order else "equal" if network.order == rules.order else "SMALLER"
    return f"{how if is_contained else 'NOT CONTAINED':<11} rules {rules.order:,}, network {network.order:,}"


def look(path: Path, seconds: int) -> str:
    """Return the result of a sheet, from a process with limits."""
    try:
        return str(run_child("containment", "--sheet", path, "--seconds", seconds))
    except ChildError:
        return f"too slow    over {seconds} CPU s"


def main() -> None:
    """Compare the groups of every sheet."""
    options = parser(__doc__, out=True)
    options.add_argument("--seconds", type=int, default=20)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--sheet", type=Path, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.sheet is not None:
        print(json.dumps(compare(asked.sheet, asked.seconds)))
        return
    report = Report(asked.out, resume=True)
    report(command())
    new = [path for path in sorted(CORPUS.glob("*.kif")) if not report.has(f"{path.name} ")]
    with ThreadPoolExecutor(asked.jobs) as threads:
        for path, result in zip(new, threads.map(lambda path: look(path, asked.seconds), new), strict=True):
            report(f"{path.name:<60} {result}")
    results = [line.split(maxsplit=1)[1] for line in report.lines if ".kif " in line]
    counts = Counter(result.split("  ")[0] for result in results)
    report(f"{len(results)} sheets: {', '.join(f'{count} {kind}' for kind, count in counts.most_common())}")


if __name__ == "__main__":
    main()
