"""Load every rulesheet of a folder: which ones load, how long each phase takes, how large they get.

    python -m bench.games [--folder ../shared/games] [--only PART] [--good] [--limit N] [--out results.tsv]

A run over the whole folder also goes to bench/results/games.txt. Loading is measured in wall seconds and in CPU seconds
of the process and its grounder, with Python's start; on a busy machine only the latter mean anything.

Each sheet is loaded and played in a process of its own, so that its memory is its own and a crash stops nothing. A
sheet counts as good if another interpreter played it without an error (column `trace` of INDEX.tsv). The summary says
how many of the good sheets load, with which engine and how fast. All others load or have a diagnostic in the table.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import time
from pathlib import Path
from typing import Any

from bench.common import CORPUS, RESULTS, ChildError, Report, command, cpu_seconds, parser, peaks_mib, run_child, sheets

import woodstock
from woodstock.errors import RulesError, WoodstockError

STAGES = ("parse", "check", "rewrite", "ground", "read", "circuit")
LIMIT_S = 300


def measure(path: Path) -> dict[str, Any]:
    """Load and play one sheet in this process; return the times and sizes."""
    started = time.perf_counter()
    result: dict[str, Any] = {"file": path.name}
    try:
        game = woodstock.load(path)
        result["load_s"] = time.perf_counter() - started
        result["load_cpu_s"] = cpu_seconds()
        result["engine"] = game.engine_name
        result |= {f"{event.phase}_s": event.seconds for event in game.phases}
        for event in game.phases:
            result |= {f"{event.phase}.{name}": value for name, value in event.counts.items()}
        result["warnings"] = len(game.diagnostics)
        result["note"] = " ".join(game.notes)
        started = time.perf_counter()
        # An interpreter needs minutes for one playout of a large game; a few steps show that it plays.
        number, max_steps = (1000, 500) if game.engine_name == "circuit" else (1, 5)
        stats = game.playouts(number, max_steps=max_steps)
        result["play_s"] = time.perf_counter() - started
        result |= {"playouts": stats.count, "truncated": stats.truncated, "stuck": stats.stuck}
        result["status"] = "plays"
    except RulesError as error:
        result |= {"status": "refused", "note": str(error.diagnostics[0]).partition("\n")[0]}
    except WoodstockError as error:
        result |= {"status": "failed", "note": f"{type(error).__name__}: {error}"}
    result["note"] = result.get("note", "").replace(f"{path.parent}/", "")
    result["own_mib"], result["ground_mib"] = peaks_mib()
    return result


def measure_apart(path: Path) -> dict[str, Any]:
    """Measure in a process of its own."""
    try:
        result: dict[str, Any] = run_child("games", "--one", path, seconds=LIMIT_S)
    except subprocess.TimeoutExpired:
        return {"file": path.name, "status": "hangs", "note": f"no answer within {LIMIT_S} s"}
    except ChildError as error:
        return {"file": path.name, "status": "crashed", "note": str(error)}
    return result


def line(result: dict[str, Any], is_good: bool) -> str:
    stages = " ".join(f"{result.get(f'{stage}_s', 0):7.2f}" for stage in STAGES)
    fluents, moves, rules = (result.get(f"read.{name}", 0) for name in ("fluents", "moves", "rules"))
    memory = max(result.get("own_mib", 0), result.get("ground_mib", 0))
    what = result.get("engine", result["status"])
    load = f"{result.get('load_s', 0):7.2f} {result.get('load_cpu_s', 0):7.2f}"
    return (
        f"{result['file'][:44]:44} {'good' if is_good else '':4} {what:11} {load} {stages} "
        f"{fluents:7.0f} {moves:7.0f} {rules:9.0f} {memory:7.0f} {result.get('note', '')[:90]}"
    ).rstrip()


def summary(results: list[dict[str, Any]], good: set[str]) -> str:
    wanted = [r for r in results if r["file"] in good]
    compiled = [r for r in wanted if r.get("engine") == "circuit" and r["status"] == "plays"]
    quick = [r for r in compiled if r["load_s"] < 2]
    quick_cpu = [r for r in compiled if r["load_cpu_s"] < 2]
    plays = [r for r in wanted if r["status"] == "plays"]
    broken = [r for r in results if r["status"] in ("crashed", "hangs", "failed")]
    of = len(wanted) or 1
    lines = [
        f"{len(results)} sheets, {len(wanted)} of them good",
        f"good and grounded within the budget: {len(compiled)} ({100 * len(compiled) / of:.1f} %)",
        f"good and loaded in under 2 s:        {len(quick)} ({100 * len(quick) / of:.1f} %) by the wall clock, "
        f"{len(quick_cpu)} ({100 * len(quick_cpu) / of:.1f} %) in CPU time",
        f"good and played by some engine:      {len(plays)} ({100 * len(plays) / of:.1f} %)",
        f"refused with a diagnostic:           {sum(r['status'] == 'refused' for r in results)}, "
        f"good among them: {', '.join(r['file'] for r in wanted if r['status'] == 'refused') or 'none'}",
        f"crashed, hanging or failed:          {', '.join(r['file'] for r in broken) or 'none'}",
    ]
    return "\n".join(lines)


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--folder", type=Path, default=CORPUS)
    options.add_argument("--only", default="", help="sheets with this in their name")
    options.add_argument("--limit", type=int, default=0, help="the first N sheets")
    options.add_argument("--good", action="store_true", help="only the sheets that another interpreter played")
    options.add_argument("--out", type=Path, help="also write all figures here, tab-separated")
    options.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one:
        print(json.dumps(measure(given.one)))
        return
    rows = [row for row in sheets(given.folder, given.only) if row["trace"] == "y" or not given.good]
    rows = rows[: given.limit or None]
    good = {row["file"] for row in rows if row["trace"] == "y"}
    say = Report(None if given.only or given.limit else RESULTS / "games.txt")
    say(command())
    stages = " ".join(f"{s:>7}" for s in STAGES)
    sizes = f"{'fluents':>7} {'moves':>7} {'rules':>9} {'MiB':>7}"
    say(f"{'sheet':44} {'':4} {'engine':11} {'load s':>7} {'CPU s':>7} {stages} {sizes}")
    results = []
    for row in rows:
        results.append(measure_apart(given.folder / row["file"]))
        say(line(results[-1], row["file"] in good))
    say(summary(results, good))
    if given.out:
        names = sorted({name for result in results for name in result})
        with given.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names, delimiter="\t")
            writer.writeheader()
            writer.writerows(results)


if __name__ == "__main__":
    main()
