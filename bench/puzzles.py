"""Puzzles: how many one-player rulesheets reach their best goal within a start clock.

    python bench/puzzles.py --out bench/results/puzzles.txt

For each rulesheet of ../shared/games that the index tags `puzzle`: load it and plan, everything within the start clock,
in a process of its own. The best goal is the best that the rules name, or the best of all states where all were
searched.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

GAMES = Path(__file__).resolve().parents[2] / "shared" / "games"


def solve(path: Path, clock: float, memory_mb: int) -> dict[str, object]:
    """Load and plan within the clock; runs in the process of one puzzle."""
    began = time.perf_counter()
    import woodstock
    from woodstock.players.plan import Planner

    game = woodstock.load(path, seconds=clock * 0.8)
    loaded = time.perf_counter() - began
    facts: dict[str, object] = {"load_s": round(loaded, 2), "engine": game.engine_name}
    if game.ground is None:
        return facts | {"status": "not grounded"}
    named = max((value for _role, value, _atom in game.ground.goals), default=0)
    facts["named"] = named
    planner = Planner(game, memory_mb=memory_mb, seconds=clock)
    planner.start()
    plan = planner.wait(max(clock - loaded, 0.1))
    facts["seconds"] = round(time.perf_counter() - began, 2)
    if plan is None:
        facts["status"] = "no plan"
    else:
        facts |= {"goal": plan.goal, "source": plan.source, "moves": len(plan.moves)}
        facts["status"] = "best" if plan.is_best else "not best"
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
    # The threads may be inside a long native call: the process ends without waiting for them.
    os._exit(0)


def run_one(name: str, clock: float, memory_mb: int) -> dict[str, object]:
    """Return what the process of one puzzle said."""
    command = [sys.executable, __file__, "--one", name, "--clock", str(clock), "--memory", str(memory_mb)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=clock + 10, check=False)
    except subprocess.TimeoutExpired:
        return {"status": "out of time"}
    lines = done.stdout.decode().strip().splitlines()
    if not lines:
        return {"status": "error", "detail": done.stderr.decode(errors="replace").strip().splitlines()[-1:]}
    facts: dict[str, object] = json.loads(lines[-1])
    return facts


def main() -> None:
    """Run all puzzles, or the one that is named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--one")
    parser.add_argument("--clock", type=float, default=30.0)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.one:
        facts = solve(GAMES / options.one, options.clock, options.memory)
        print(json.dumps(facts))
        return
    with (GAMES / "INDEX.tsv").open(encoding="utf-8") as file:
        names = [row["file"] for row in csv.DictReader(file, delimiter="\t") if "puzzle" in row["tag"]]
    if options.only:
        names = [name for name in names if any(part in name for part in options.only)]
    rows = [
        f"# python bench/puzzles.py --clock {options.clock:g} --memory {options.memory}",
        f"# {platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        f"{'rulesheet':<58} {'status':<12} {'goal':>4} {'named':>5} {'moves':>5} {'load':>6} {'time':>6}  by",
    ]
    counts: dict[str, int] = {}
    for row in rows:
        print(row)
    for name in names:
        facts = run_one(name, options.clock, options.memory)
        status = str(facts["status"])
        counts[status] = counts.get(status, 0) + 1
        line = (
            f"{name:<58} {status:<12} {facts.get('goal', '-'):>4} {facts.get('named', '-'):>5} "
            f"{facts.get('moves', '-'):>5} {facts.get('load_s', '-'):>6} {facts.get('seconds', '-'):>6}  "
            f"{facts.get('source', facts.get('detail', ''))}"
        )
        rows.append(line)
        print(line, flush=True)
    summary = f"best goal reached: {counts.get('best', 0)} of {len(names)}; " + ", ".join(
        f"{status}: {count}" for status, count in sorted(counts.items()) if status != "best"
    )
    rows.append(summary)
    print(summary)
    if options.out:
        options.out.write_text("\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
