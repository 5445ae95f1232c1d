"""Puzzles: how many one-player rulesheets reach their best goal, with a start clock and a clock for each move.

    python bench/puzzles.py --clock 30 --moves 5 --out bench/results/puzzles.txt

For each rulesheet of ../shared/games that the index tags `puzzle`: load it and plan, everything within the start clock,
in a process of its own. With `--moves` the puzzle is then played to its end by our own player, as in a match; once a
plan to the best goal is known the match is decided, and its moves do not wait for the clock. The best goal is the best
that the rules name, or the best that can be reached where that is proven. Rows that stand in `--out` are not run again.
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
from typing import Any

GAMES = Path(__file__).resolve().parents[2] / "shared" / "games"
COLUMNS = f"{'rulesheet':<58} {'status':<12} {'goal':>4} {'named':>5} {'moves':>5} {'load':>6} {'time':>6}  by"
# Of the start clock, what grounding may take.
GROUND_SHARE = 0.8
MOST_MOVES = 1000


def solve(path: Path, clock: float, move_s: float, memory_mb: int) -> dict[str, object]:
    """Load, plan within the clock and play; runs in the process of one puzzle."""
    began = time.monotonic()
    import woodstock
    from woodstock.players.plan import Planner

    game = woodstock.load(path, ground_seconds=clock * GROUND_SHARE)
    loaded = time.monotonic() - began
    facts: dict[str, object] = {"load_s": round(loaded, 2), "engine": game.engine_name}
    if game.ground is not None:
        facts["named"] = max((value for _role, value, _atom in game.ground.goals), default=0)
    if move_s:
        return facts | play(game, began, clock, move_s)
    if game.ground is None:
        return facts | {"status": "not grounded"}
    planner = Planner(game, memory_mb=memory_mb, seconds=clock)
    planner.start()
    plan = planner.wait(max(began + clock - time.monotonic(), 0.1))
    facts["seconds"] = round(time.monotonic() - began, 2)
    if plan is None:
        return facts | {"status": "no end" if planner.is_exhausted else "no plan"}
    facts |= {"goal": plan.goal, "source": plan.source, "moves": len(plan.moves)}
    return facts | {"status": "best" if plan.is_best else "not best"}


def play(game: Any, began: float, clock: float, move_s: float) -> dict[str, object]:
    """Play the puzzle to its end by our own player."""
    from woodstock.players import Task
    from woodstock.players.search_player import SearchPlayer

    player = SearchPlayer("mac-ucb-sym")
    player.start(Task(game, game.roles[0]), began + clock)
    state, moves = game.initial, 0
    source, is_best = "search", False
    named = max((value for _role, value, _atom in game.ground.goals), default=0) if game.ground is not None else 100
    while not state.is_terminal and moves < MOST_MOVES:
        if not state.legal(game.roles[0]):
            break
        decision = player.decide(state, time.monotonic() + move_s)
        plan = player.plan
        if player.is_without_end:
            # All states were searched: no end has a goal, and moves could go on for ever.
            return {"seconds": round(time.monotonic() - began, 2), "moves": moves, "status": "no goal"}
        if plan is not None and plan.is_best and not is_best and (moves == 0 or plan.goal >= named):
            # Best of all that can be reached from the start, or best of all that is named.
            is_best = True
            source = plan.source if moves == 0 else f"{plan.source}, at move {moves + 1}"
        elif plan is not None and not is_best:
            source = plan.source
        state = state.next(decision.move)
        moves += 1
    facts: dict[str, object] = {"seconds": round(time.monotonic() - began, 2), "moves": moves, "source": source}
    if not state.is_terminal:
        return facts | {"status": "no end"}
    goal = state.goals[game.roles[0]]
    if goal is None:
        return facts | {"status": "no goal"}
    return facts | {"goal": goal, "status": "best" if is_best or goal >= named else "not best"}


def run_one(name: str, options: argparse.Namespace) -> dict[str, object]:
    """Return what the process of one puzzle said."""
    settings = ["--clock", str(options.clock), "--moves", str(options.moves), "--memory", str(options.memory)]
    # The rules may be such that loading overruns its clock; a match has as many moves as it has.
    most = options.clock + 30 + (options.patience if options.moves else 0)
    command = [sys.executable, __file__, "--one", name, *settings]
    try:
        done = subprocess.run(command, capture_output=True, timeout=most, check=False)
    except subprocess.TimeoutExpired:
        return {"status": "out of time"}
    lines = done.stdout.decode().strip().splitlines()
    if not lines:
        return {"status": "error", "source": done.stderr.decode(errors="replace").strip().splitlines()[-1:]}
    facts: dict[str, object] = json.loads(lines[-1])
    return facts


def row_of(name: str, facts: dict[str, object]) -> str:
    """Return the line that tells of one puzzle."""
    return (
        f"{name:<58} {facts['status']:<12} {facts.get('goal', '-'):>4} {facts.get('named', '-'):>5} "
        f"{facts.get('moves', '-'):>5} {facts.get('load_s', '-'):>6} {facts.get('seconds', '-'):>6}  "
        f"{facts.get('source', '')}"
    )


def read_rows(path: Path | None, names: list[str]) -> dict[str, str]:
    """Return the rows of an earlier run by rulesheet."""
    if path is None or not path.exists():
        return {}
    found = {line.split(" ", 1)[0]: line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()}
    return {name: found[name] for name in names if name in found}


def write(path: Path | None, head: list[str], rows: dict[str, str], names: list[str]) -> str:
    """Write all rows and what they come to; return the latter."""
    statuses = [rows[name][59:71].strip() for name in names if name in rows]
    others = sorted(set(statuses) - {"best"})
    summary = f"best goal reached: {statuses.count('best')} of {len(statuses)}" + "".join(
        f"{', ' if number else '; '}{status}: {statuses.count(status)}" for number, status in enumerate(others)
    )
    if path is not None:
        lines = [*head, *(rows[name] for name in names if name in rows), summary]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return summary


def main() -> None:
    """Run all puzzles, or the one that is named."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--one")
    parser.add_argument("--clock", type=float, default=30.0)
    parser.add_argument("--moves", type=float, default=0.0, metavar="SECONDS", help="play to the end; 0: only plan")
    parser.add_argument("--patience", type=float, default=900.0, metavar="SECONDS", help="for the moves of one puzzle")
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.one:
        facts = solve(GAMES / options.one, options.clock, options.moves, options.memory)
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()
        # The threads may be inside a long native call: the process ends without waiting for them.
        os._exit(0)
    with (GAMES / "INDEX.tsv").open(encoding="utf-8") as file:
        every = [row["file"] for row in csv.DictReader(file, delimiter="\t") if "puzzle" in row["tag"]]
    names = [name for name in every if not options.only or any(part in name for part in options.only)]
    head = [
        f"# python bench/puzzles.py --clock {options.clock:g} --moves {options.moves:g} --memory {options.memory}",
        f"# {platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        COLUMNS,
    ]
    print("\n".join(head))
    rows = read_rows(options.out, every)
    for name in names:
        if name in rows:
            print(rows[name])
            continue
        rows[name] = row_of(name, run_one(name, options))
        print(rows[name], flush=True)
        write(options.out, head, rows, every)
    print(write(options.out, head, rows, every))


if __name__ == "__main__":
    main()
