"""Load every rulesheet of a folder: which load, how long each stage takes, how large they get.

    python bench/games.py [--folder ../shared/games] [--only PART] [--good] [--limit N] [--out results.tsv]

A run over the whole folder also goes to bench/results/games.txt. Loading takes wall seconds and CPU seconds, the latter
of the process and its grounder together with Python's start: on a busy machine only these mean anything.

Each sheet is loaded and played in a process of its own, so that its memory is its own and a crash stops nothing. A
sheet counts as good where another interpreter played it without complaint (column `trace` of INDEX.tsv); of those the
summary says how many load, by which engine and how fast. All others load, or have a diagnostic, which the table shows.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STAGES = ("parse", "check", "rewrite", "ground", "read", "circuit")
RESULTS = ROOT / "bench" / "results" / "games.txt"
PATIENCE_S = 300


def cpu_seconds() -> float:
    """Return the processor time of this process and of the children it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def measure(path: Path) -> dict[str, Any]:
    """Load and play one sheet in this process; return what it took."""
    import woodstock
    from woodstock.errors import RulesError, WoodstockError

    started = time.perf_counter()
    result: dict[str, Any] = {"file": path.name}
    try:
        game = woodstock.load(path)
        result["load_s"] = time.perf_counter() - started
        result["load_cpu_s"] = cpu_seconds()
        result["engine"] = game.engine_name
        result |= {f"{event.stage}_s": event.seconds for event in game.stages}
        for event in game.stages:
            result |= {f"{event.stage}.{name}": value for name, value in event.counts.items()}
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
    own, child = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    result["own_mib"] = own.ru_maxrss / 1024
    result["ground_mib"] = child.ru_maxrss / 1024
    return result


def measure_apart(path: Path) -> dict[str, Any]:
    """Measure in a process of its own."""
    try:
        command = [sys.executable, __file__, "--one", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    except subprocess.TimeoutExpired:
        return {"file": path.name, "status": "hangs", "note": f"no answer within {PATIENCE_S} s"}
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"file": path.name, "status": "crashed", "note": f"exit {done.returncode}: {last}"}
    result: dict[str, Any] = json.loads(done.stdout)
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
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT.parent / "shared" / "games")
    parser.add_argument("--only", default="", help="sheets with this in their name")
    parser.add_argument("--limit", type=int, default=0, help="the first N sheets")
    parser.add_argument("--good", action="store_true", help="only the sheets that another interpreter played")
    parser.add_argument("--out", type=Path, help="also write all figures here, tab-separated")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    index = options.folder / "INDEX.tsv"
    if not index.is_file():
        sys.exit(f"no {index}: --folder names a folder of rulesheets with an INDEX.tsv")
    with index.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if options.only in row["file"]]
    rows = [row for row in rows if row["trace"] == "y" or not options.good][: options.limit or None]
    good = {row["file"] for row in rows if row["trace"] == "y"}
    stages = " ".join(f"{s:>7}" for s in STAGES)
    sizes = f"{'fluents':>7} {'moves':>7} {'rules':>9} {'MiB':>7}"
    text = [f"{'sheet':44} {'':4} {'engine':11} {'load s':>7} {'CPU s':>7} {stages} {sizes}"]
    print(text[0])
    results = []
    for row in rows:
        results.append(measure_apart(options.folder / row["file"]))
        text.append(line(results[-1], row["file"] in good))
        print(text[-1], flush=True)
    text.append(summary(results, good))
    print(text[-1])
    if not (options.only or options.limit):
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        command = "$ python bench/games.py" + (" --good" if options.good else "")
        RESULTS.write_text("\n".join([command, *text, ""]), encoding="utf-8")
    if options.out:
        names = sorted({name for result in results for name in result})
        with options.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, names, delimiter="\t")
            writer.writeheader()
            writer.writerows(results)


if __name__ == "__main__":
    main()
