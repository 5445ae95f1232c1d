"""Playouts per second, set-up time and memory of our engine, compared with the best public engine.

    python -m bench.engine                      # all games, results to bench/results/engine.txt
    python -m bench.engine --games hex reversi  # some of them, to the terminal only

Each game runs in a process of its own. Within it the evaluators take turns, so that a noisy machine is noisy for all of
them. Rates are per CPU second of the one thread that plays: the median of the rounds, with the least and the largest.
Set-up is the time from the rulesheet to the first batch of playouts. Its CPU seconds are those of the whole process:
they include Python's start, the grounder and the scalar evaluator. MiB is the larger peak of process and grounder.
The peers' figures were measured on another machine of the same kind (2-core Zen 3, one thread, per CPU second, within
25 %): the best of ggp-base's prover, the propnet of Sironi & Winands, Sancho and ggplib.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Any

from bench.common import (
    CORPUS,
    RESULTS,
    ChildError,
    Report,
    circuit_stats,
    cpu_seconds,
    geometric_mean,
    parser,
    peaks_mib,
    run_apart,
)

import woodstock
from woodstock import _native
from woodstock.game.circuit_engine import CircuitEngine

# Playouts a second of the best public engine.
PEERS: dict[str, float] = {
    "ticTacToe": 297_600,
    "connectFour": 102_400,
    "breakthrough": 22_900,
    "reversi": 1_454,
    "hex": 962,
    "checkers": 2_400,
    "chess_200": 194,
    "amazons_8x8": 4_901,
    "amazons_10x10": 381,
    "pentago": 13_900,
    "skirmish": 722,
    "sheepAndWolf": 6_800,
    "quarto": 5_100,
}
BACKENDS = ("jit512", "jit", "avx512", "avx2", "portable")


def measure(name: str, rounds: int, seconds: float) -> dict[str, Any]:
    """Load one game in this process and time its evaluators in turn."""
    clock = time.perf_counter()
    game = woodstock.load(CORPUS / f"{name}.kif")
    loaded = time.perf_counter() - clock
    engine = game.engine
    if not isinstance(engine, CircuitEngine):
        return {"name": name, "error": " ".join(game.notes)}
    engine.prepare("batch")
    set_up = time.perf_counter() - clock
    game.playouts(1, engine="scalar")
    set_up_cpu, megabytes = cpu_seconds(), max(peaks_mib())
    batches = {}
    for backend in BACKENDS:
        try:
            batches[backend] = _native.Batch(engine.circuit, backend)
        except RuntimeError:
            continue  # this processor does not have it
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
        "operations": circuit_stats(game)["batch_operations"],
        "rates": rates,
    }


def tell(rows: list[dict[str, Any]], say: Report) -> None:
    """Lay the measurements out as text."""
    backends = [b for b in [*BACKENDS, "scalar"] if any(b in row.get("rates", {}) for row in rows)]
    sizes = f"{'load s':>7}{'set-up s':>9}{'CPU s':>7}{'MiB':>6}{'ops/step':>9}{'length':>8}"
    say(f"{'game':<15}{sizes}{'peer':>9}   ratio to the peer")
    ratios: dict[str, dict[str, float]] = {backend: {} for backend in backends}
    for row in rows:
        if "error" in row:
            say(f"{row['name']:<15} {row['error']}")
            continue
        peer = PEERS[row["name"]]
        for backend in backends:
            ratios[backend][row["name"]] = median(row["rates"][backend]) / peer
        say(
            f"{row['name']:<15}{row['load']:>7.2f}{row['set_up']:>9.2f}{row['set_up_cpu']:>7.2f}{row['megabytes']:>6.0f}"
            f"{row['operations']:>9,}{row['length']:>8.1f}{peer:>9,.0f}   "
            + "  ".join(f"{backend} {ratios[backend][row['name']]:,.2f}x" for backend in backends)
        )
    say()
    say("geometric mean of the ratios, and the least:")
    for backend, found in ratios.items():
        least = min(found, key=lambda name: found[name])
        say(f"  {backend:<9}{geometric_mean(found.values()):>9.1f}x   {found[least]:.2f}x ({least})")
    say()
    say("playouts per CPU second, one thread: median [least..largest of the rounds]")
    for row in (row for row in rows if "error" not in row):
        say(f"  {row['name']}")
        for backend, values in ((backend, row["rates"][backend]) for backend in backends):
            say(f"    {backend:<9}{median(values):>11,.0f} [{min(values):,.0f}..{max(values):,.0f}]")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--games", nargs="*", default=list(PEERS), choices=list(PEERS), metavar="GAME")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=0.5, help="of each evaluator in each round")
    given = options.parse_args()
    if not CORPUS.is_dir():
        sys.exit(f"no rulesheets at {CORPUS}: the benchmark needs the shared games next to the repository")
    rows = []
    for name in given.games:
        try:
            row = run_apart(measure, name, given.rounds, given.seconds)
        except ChildError as error:
            row = {"name": name, "error": str(error)}
        rows.append(row)
        rates = {backend: f"{median(values):,.0f}" for backend, values in row.get("rates", {}).items()}
        print(name, rates or row["error"], file=sys.stderr)
    say = Report(RESULTS / "engine.txt" if given.games == list(PEERS) else None)
    say()
    tell(rows, say)


if __name__ == "__main__":
    main()
