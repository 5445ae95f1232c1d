"""Playouts and steps per second, set-up time and memory, beside the best public engine.

    python bench/engine.py                      # all games, results to bench/results/engine.txt
    python bench/engine.py --games hex reversi  # some of them, to the terminal only

Each game runs in a process of its own. Within it the evaluators take turns, so that a noisy machine is noisy for all of
them; rates are per CPU second of the one thread that plays, the median of the rounds with the least and the largest.
Set-up is from the rulesheet to the first batch of playouts; its CPU seconds are the whole process's, with Python's
start, the grounder and the scalar evaluator. MiB is the larger peak of the process and its grounder.
The peers' figures were measured on another machine of the same kind (2-core Zen 3, one thread, per CPU second, within
25 %): the best of ggp-base's prover, the propnet of Sironi & Winands, Sancho and ggplib.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = ROOT.parent / "shared" / "games"
RESULTS = ROOT / "bench" / "results" / "engine.txt"

# Playouts a second of the best public engine, and the mean length of a random match as a check.
PEERS: dict[str, tuple[float, float]] = {
    "ticTacToe": (297_600, 7.6),
    "connectFour": (102_400, 22.3),
    "breakthrough": (22_900, 64),
    "reversi": (1_454, 60.4),
    "hex": (962, 71),
    "checkers": (2_400, 100),
    "chess_200": (194, 191),
    "amazons_8x8": (4_901, 91),
    "amazons_10x10": (381, 136),
    "pentago": (13_900, 54.7),
    "skirmish": (722, 99),
    "sheepAndWolf": (6_800, 41),
    "quarto": (5_100, 23.3),
}
BACKENDS = ("jit512", "jit", "avx512", "avx2", "portable")


def measure(name: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Load one game in this process and time its evaluators in turn."""
    import woodstock
    from woodstock import _native
    from woodstock.game.circuit_engine import CircuitEngine

    clock = time.perf_counter()
    game = woodstock.load(GAMES / f"{name}.kif")
    loaded = time.perf_counter() - clock
    engine = game.engine
    if not isinstance(engine, CircuitEngine):
        return {"name": name, "error": " ".join(game.notes)}
    engine.prepare("batch")
    set_up = time.perf_counter() - clock
    game.playouts(1, engine="scalar")
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    set_up_cpu = sum(u.ru_utime + u.ru_stime for u in usage)
    megabytes = max(u.ru_maxrss for u in usage) / 1024
    batches = {}
    for backend in BACKENDS:
        try:
            batches[backend] = _native.Batch(engine.circuit, backend)
        except RuntimeError:
            continue
    start = engine.initial()
    assert isinstance(start, bytes)
    rates: dict[str, list[float]] = {backend: [] for backend in [*batches, "scalar"]}
    length = 0.0
    for round_number in range(rounds):
        for backend, batch in batches.items():
            raw = batch.playouts([start], [10**7], round_number, 1, 100_000, seconds)
            rates[backend].append(float(raw["count"][0]) / raw["cpu_seconds"])
            length = float(raw["steps"][0]) / float(raw["count"][0])
        scalar = game.playouts(seconds=seconds, engine="scalar", seed=round_number)
        rates["scalar"].append(scalar.playouts_per_cpu_second)
    return {
        "name": name,
        "load": loaded,
        "set_up": set_up,
        "set_up_cpu": set_up_cpu,
        "megabytes": megabytes,
        "length": length,
        "operations": game.circuit_stats["batch_operations"],
        "rates": rates,
    }


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):>11,.0f} [{min(values):,.0f}..{max(values):,.0f}]"


def geometric_mean(values: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, values)))


def report(rows: list[dict[str, Any]], command: str) -> str:
    """Lay the measurements out as text."""
    out = [f"$ {command}", f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}", ""]
    backends = [b for b in [*BACKENDS, "scalar"] if any(b in row.get("rates", {}) for row in rows)]
    sizes = f"{'load s':>7}{'set-up s':>9}{'CPU s':>7}{'MiB':>6}{'ops/step':>9}{'length':>8}"
    out.append(f"{'game':<15}{sizes}{'peer':>9}   ratio to the peer")
    for row in rows:
        if "error" in row:
            out.append(f"{row['name']:<15} {row['error']}")
            continue
        peer, _length = PEERS[row["name"]]
        ratios = "  ".join(f"{b} {statistics.median(row['rates'][b]) / peer:,.2f}x" for b in backends)
        out.append(
            f"{row['name']:<15}{row['load']:>7.2f}{row['set_up']:>9.2f}{row['set_up_cpu']:>7.2f}{row['megabytes']:>6.0f}{row['operations']:>9,}"
            f"{row['length']:>8.1f}{peer:>9,.0f}   {ratios}"
        )
    good = [row for row in rows if "error" not in row]
    out += ["", "geometric mean of the ratios, and the least:"]
    for backend in backends:
        ratios_of = {row["name"]: statistics.median(row["rates"][backend]) / PEERS[row["name"]][0] for row in good}
        least = min(ratios_of, key=lambda name: ratios_of[name])
        out.append(
            f"  {backend:<9}{geometric_mean(list(ratios_of.values())):>9.1f}x   {ratios_of[least]:.2f}x ({least})"
        )
    out += ["", "playouts per CPU second, one thread: median [least..largest of the rounds]"]
    for row in good:
        out.append(f"  {row['name']}")
        out += [f"    {backend:<9}{spread(row['rates'][backend])}" for backend in backends]
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", nargs="*", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each evaluator in each round")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.rounds, options.seconds)))
        return 0
    if not GAMES.is_dir():
        print(f"no rulesheets at {GAMES}: the benchmark needs the shared games beside the repository", file=sys.stderr)
        return 1
    rows = []
    for name in options.games:
        command = [sys.executable, __file__, "--one", name, "--rounds", str(options.rounds)]
        done = subprocess.run(
            [*command, "--seconds", str(options.seconds)], capture_output=True, text=True, check=False
        )
        row = json.loads(done.stdout) if done.returncode == 0 else {"name": name, "error": done.stderr.strip()[-200:]}
        rows.append(row)
        rates = row.get("rates", {})
        print(name, {b: f"{statistics.median(r):,.0f}" for b, r in rates.items()} or row["error"], file=sys.stderr)
    text = report(rows, "python bench/engine.py" + (f" --rounds {options.rounds} --seconds {options.seconds}"))
    print(text)
    if options.games == list(PEERS):
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        RESULTS.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
