"""Load and play every rulesheet of a folder, or draw it: which ones work, how long it takes, how large they get.

    python -m bench.games [--folder ../shared/games] [--only PART]
    nice -n 10 python -m bench.games --view

Each sheet has a process of its own, so that its memory is its own and a crash stops nothing. A run over the whole
folder also goes to bench/results/games.txt, with `--view` to bench/results/view.txt.
Loading is measured in wall seconds and in CPU seconds of the process and its grounder, with Python's start; on a busy
machine only the latter mean anything. A sheet counts as good if another interpreter played it without an error (column
`trace` of INDEX.tsv). The summary says how many of the good sheets load, with which engine and how fast. All others
load or have a diagnostic in the table.
`--view` draws each sheet, as text and as SVG, in the initial state and after each of ten random joint moves. A sheet
that needs longer than 20 seconds, usually for grounding, is counted but not drawn. Faults are text wider than 80
columns, SVG that is not XML or wider than 640 pixels, and exceptions.
"""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from bench.common import CORPUS, RESULTS, ChildError, Report, cpu_seconds, parser, peaks_mib, run_apart, sheets

import woodstock
from woodstock.errors import RulesError, WoodstockError
from woodstock.view import View
from woodstock.view.board import KINDS

PHASES = ("parse", "check", "rewrite", "ground", "read", "circuit")
LIMIT_S = 300
VIEW_LIMIT_S = 20
VIEW_STEPS = 10
WIDEST = 80
WIDEST_SVG = 640
HEAD = (
    f"{'sheet':44} {'':4} {'engine':11} {'load s':>7} {'CPU s':>7} {' '.join(f'{phase:>7}' for phase in PHASES)} "
    f"{'fluents':>7} {'moves':>7} {'rules':>9} {'MiB':>7}"
)


def measure(path: str) -> dict[str, Any]:
    """Load and play one sheet in this process; return the times and sizes."""
    started = time.perf_counter()
    result: dict[str, Any] = {}
    try:
        game = woodstock.load(Path(path))
        result |= {"load_s": time.perf_counter() - started, "load_cpu_s": cpu_seconds(), "engine": game.engine_name}
        result |= {f"{event.phase}_s": event.seconds for event in game.phases}
        result |= next((dict(event.counts) for event in game.phases if event.phase == "read"), {})
        # An interpreter needs minutes for one playout of a large game; a few steps show that it plays.
        number, max_steps = (1000, 500) if game.engine_name == "circuit" else (1, 5)
        game.playouts(number, max_steps=max_steps)
        result |= {"status": "plays", "note": " ".join(game.notes)}
    except RulesError as error:
        result |= {"status": "refused", "note": str(error.diagnostics[0]).partition("\n")[0]}
    except WoodstockError as error:
        result |= {"status": "failed", "note": f"{type(error).__name__}: {error}"}
    return result | {"mib": max(peaks_mib())}


def draw(path: str) -> dict[str, Any]:
    """Draw one sheet in this process; return the kind of its picture, and a remark."""
    try:
        game = woodstock.load(Path(path), ground_seconds=0.75 * VIEW_LIMIT_S)
    except WoodstockError as error:
        return {"status": "refused", "note": str(error).partition("\n")[0]}
    started = time.perf_counter()
    view = View(game)
    seconds = time.perf_counter() - started
    chance = random.Random(0)
    before, state = None, game.initial
    for _ in range(VIEW_STEPS):
        widest = max(map(len, str(view.draw(state, before)).splitlines()), default=0)
        width = float(ElementTree.fromstring(view.svg(state, before)).get("width", "0"))
        if widest > WIDEST or width > WIDEST_SVG:
            return {"status": "fault", "note": f"text of {widest} columns, SVG of {width} pixels"}
        legal = [] if state.is_terminal else [state.legal(role) for role in game.roles]
        if not legal or not all(legal):
            break
        before, state = state, state.next([chance.choice(moves) for moves in legal])
    boards = ", ".join(
        f"{'+'.join(board.name for board in sheet)} ({sheet[0].kind} {len(sheet[0].columns)}x{len(sheet[0].rows)}"
        + (f", {len(sheet[0].labels)} boards)" if len(sheet[0].labels) > 1 else ")")
        for sheet in view.layout.sheets
    )
    return {"status": view.layout.kind, "note": f"{seconds:5.2f} s  {boards}"}


def run_one(path: Path, is_view: bool) -> dict[str, Any]:
    """Measure or draw one sheet in a process of its own."""
    limit_s = VIEW_LIMIT_S if is_view else LIMIT_S
    result: dict[str, Any]
    try:
        result = run_apart(draw if is_view else measure, path, seconds=limit_s)
    except subprocess.TimeoutExpired:
        result = {"status": "too slow" if is_view else "hangs", "note": f"no answer within {limit_s} s"}
    except ChildError as error:
        result = {"status": "fault" if is_view else "crashed", "note": str(error)}
    return result | {"file": path.name, "note": result["note"].replace(f"{path.parent}/", "")}


def line(result: dict[str, Any], is_good: bool) -> str:
    phases = " ".join(f"{result.get(f'{phase}_s', 0):7.2f}" for phase in PHASES)
    fluents, moves, rules, memory = (result.get(name, 0) for name in ("fluents", "moves", "rules", "mib"))
    load = f"{result.get('load_s', 0):7.2f} {result.get('load_cpu_s', 0):7.2f}"
    return (
        f"{result['file'][:44]:44} {'good' if is_good else '':4} {result.get('engine', result['status']):11} {load} "
        f"{phases} {fluents:7.0f} {moves:7.0f} {rules:9.0f} {memory:7.0f} {result['note'][:90]}"
    ).rstrip()


def summary(results: list[dict[str, Any]], good: set[str]) -> list[str]:
    wanted = [r for r in results if r["file"] in good]
    plays = [r for r in wanted if r["status"] == "plays"]
    compiled = [r for r in plays if r["engine"] == "circuit"]

    def share(of: list[dict[str, Any]]) -> str:
        return f"{len(of)} ({100 * len(of) / max(1, len(wanted)):.1f} %)"

    quick, quick_cpu = ([r for r in compiled if r[clock] < 2] for clock in ("load_s", "load_cpu_s"))
    refused = [r for r in results if r["status"] == "refused"]
    broken = [r["file"] for r in results if r["status"] in ("crashed", "hangs", "failed")]
    return [
        f"{len(results)} sheets, {len(wanted)} of them good",
        f"good and grounded within the budget: {share(compiled)}",
        f"good and loaded in under 2 s:        {share(quick)} by the wall clock, {share(quick_cpu)} in CPU time",
        f"good and played by some engine:      {share(plays)}",
        f"refused with a diagnostic:           {len(refused)}, "
        f"good among them: {', '.join(r['file'] for r in refused if r['file'] in good) or 'none'}",
        f"crashed, hanging or failed:          {', '.join(broken) or 'none'}",
    ]


def view_summary(results: list[dict[str, Any]]) -> list[str]:
    """Return the totals; shares are of the sheets that were drawn."""
    kinds = Counter(result["status"] for result in results)
    drawn = sum(kinds[kind] for kind in KINDS)
    lines = [f"{len(results)} sheets, {drawn} drawn"]
    lines += [f"  {kind:6} {kinds[kind]:4}  {100 * kinds[kind] / max(1, drawn):5.1f} %" for kind in KINDS]
    left_out = [name for name in ("refused", "too slow", "fault") if kinds[name]]
    lines += [f"  {name:8} {kinds[name]:2}  (not among the drawn)" for name in left_out]
    boards = kinds["grid"] + kinds["hex"] + kinds["line"]
    lines.append(f"as a board (grid, hex or line): {boards} ({100 * boards / max(1, drawn):.1f} %)")
    lines.append(f"as a table only: {kinds['table']}; as facts only: {kinds['facts']}; faults: {kinds['fault']}")
    return lines


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--folder", type=Path, default=CORPUS)
    options.add_argument("--only", default="", help="sheets with this in their name")
    options.add_argument("--view", action="store_true", help="draw the sheets")
    given = options.parse_args()
    rows = sheets(given.folder, given.only)
    good = {row["file"] for row in rows if row["trace"] == "y"}
    say = Report(None if given.only else RESULTS / ("view.txt" if given.view else "games.txt"))
    if not given.view:
        say(HEAD)
    results = []
    for row in rows:
        result = run_one(given.folder / row["file"], given.view)
        results.append(result)
        if given.view:
            say(f"{result['file'][:60]:60} {result['status']:8} {result['note']}"[:200].rstrip())
        else:
            say(line(result, row["file"] in good))
    for text in view_summary(results) if given.view else summary(results, good):
        say(text)


if __name__ == "__main__":
    main()
