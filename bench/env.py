"""Steps a second of environments: ours, OpenSpiel's C++ games and pgx on the CPU, in one run.

    python -m bench.env [--seconds 1.0] [--games NAME ...] [--out bench/results/env.txt]

A step is one joint move with its observation and its legal mask; moves are random legal ones, chosen outside of the
timed part where that is possible (ours), or by the cheapest way of each library. Rates are per second of processor
time on one core. OpenSpiel is used as its users do, through pyspiel, one state at a time; pgx as a compiled vector of
the best of three sizes. Peers that are not installed are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import subprocess
import time
from collections.abc import Callable
from typing import Any

from bench.common import ChildError, Report, parser, run_apart

import woodstock
from woodstock.env import Batch

# Ours, OpenSpiel's, pgx's. Boards are of the same size, but for the hex of pgx, which has 11 x 11 places, ours 9 x 9.
GAMES: list[tuple[str, str, str]] = [
    ("tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    ("connect-four", "connect_four", "connect_four"),
    ("breakthrough", "breakthrough", ""),
    ("othello", "othello", "othello"),
    ("hex", "hex(board_size=9)", "hex"),
    ("chess", "chess", "chess"),
    ("nim", "nim", ""),
    ("backgammon", "backgammon", "backgammon"),
    ("kuhn-poker", "kuhn_poker", "kuhn_poker"),
]
SIZES = (1024, 4096, 16384)
PEER_SECONDS = 300.0


def ours(name: str, n: int, threads: int, seconds: float, options: dict[str, Any]) -> list[float]:
    """Return steps per processor second, and the best rate of a short interval by the wall clock."""
    batch = Batch(woodstock.load(name), n, seed=1, threads=threads, **options)
    moves = [batch.sample().copy()]
    cpu = wall = best = 0.0
    steps = 0
    while cpu < seconds:
        begun, begun_wall = time.process_time(), time.perf_counter()
        batch.step(moves[0])
        one, one_wall = time.process_time() - begun, time.perf_counter() - begun_wall
        cpu, wall, steps = cpu + one, wall + one_wall, steps + n
        best = max(best, n / one_wall)
        moves[0] = batch.sample()
    return [steps / cpu, best]


def open_spiel(name: str, seconds: float) -> float:
    """Return steps per processor second of one state after the other."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    chance = random.Random(1)
    has_tensor = game.get_type().provides_observation_tensor
    steps, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(chance.choice(state.chance_outcomes())[0])
                continue
            state.apply_action(chance.choice(state.legal_actions()))
            steps += 1
            if not state.is_terminal() and not state.is_chance_node():
                state.legal_actions_mask()
            if has_tensor:
                state.observation_tensor(0)
    return steps / (time.process_time() - begun)


def pgx_rate(name: str, n: int, seconds: float) -> float:
    """Return steps per processor second of a compiled vector, random moves drawn inside."""
    os.sched_setaffinity(0, {next(iter(os.sched_getaffinity(0)))})
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["JAX_PLATFORMS"] = "cpu"
    import warnings

    warnings.simplefilter("ignore")
    jax: Any = importlib.import_module("jax")
    pgx: Any = importlib.import_module("pgx")
    env = pgx.make(name)

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        action = jax.random.categorical(key, logits, axis=-1)
        return jax.vmap(env.step)(state, action, jax.random.split(key, n))

    def ten_steps(state: Any, key: Any) -> Any:
        return jax.lax.fori_loop(0, 10, lambda i, s: one(s, jax.random.fold_in(key, i)), state)

    ten = jax.jit(ten_steps)
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
    jax.block_until_ready(ten(start, jax.random.PRNGKey(1)))
    steps, state = 0, start
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        state = ten(state, jax.random.PRNGKey(steps))
        jax.block_until_ready(state)
        steps += 10 * n
        if steps % (60 * n) == 0:
            state = start  # finished matches do little work: begin again before most have ended
    return steps / (time.process_time() - begun)


def _peer(function: Callable[..., Any], *arguments: object) -> float | None:
    try:
        return float(run_apart(function, *arguments, seconds=PEER_SECONDS))
    except (ChildError, subprocess.TimeoutExpired) as error:
        print(f"  ({function.__name__} {arguments[0]}: {error})")
        return None


def _row(report: Report, game: tuple[str, str, str], seconds: float, has: dict[str, bool]) -> None:
    name, spiel, pgx = game
    n = 8192 if name != "chess" else 2048
    rate, _ = run_apart(ours, name, n, 1, seconds, {})
    packed, _ = run_apart(ours, name, n, 1, seconds, {"masks": "bits", "packed": True})
    cells = [f"{name:14}", f"{rate / 1e6:8.2f}", f"{packed / 1e6:8.2f}"]
    other = _peer(open_spiel, spiel, seconds) if has["pyspiel"] and spiel else None
    cells += ["      –        –"] if other is None else [f"{other / 1e6:9.4f} {rate / other:7.0f}x"]
    size = (1024, 4096) if pgx == "chess" else SIZES
    rates = [found for k in size if pgx and has["pgx"] and (found := _peer(pgx_rate, pgx, k, seconds)) is not None]
    cells += ["      –        –"] if not rates else [f"{max(rates) / 1e6:9.4f} {rate / max(rates):7.1f}x"]
    report(" ".join(cells))


def main() -> None:
    """Measure every game, then two threads."""
    options = parser(__doc__, out=True)
    options.add_argument("--seconds", type=float, default=1.0, help="of processor time for each rate")
    options.add_argument("--games", nargs="*", default=[], help="only these")
    given = options.parse_args()
    has = {module: importlib.util.find_spec(module) is not None for module in ("pyspiel", "pgx")}
    report = Report(given.out)
    report("Million steps in a second of processor time, one core; with uint8 observations and masks, or packed bits")
    report(f"{'game':14} {'bytes':>8} {'bits':>8} {'OpenSpiel':>9} {'ratio':>8} {'pgx CPU':>9} {'ratio':>8}")
    for game in GAMES:
        if not given.games or game[0] in given.games:
            _row(report, game, given.seconds, has)
    report()
    report("Two threads compared with one, connect four, 65,536 matches, best interval by the wall clock")
    bests = [
        max(run_apart(ours, "connect-four", 65536, threads, given.seconds, {})[1] for _ in range(3))
        for threads in (1, 2)
    ]
    report(f"{bests[0] / 1e6:.1f} M and {bests[1] / 1e6:.1f} M steps a second: {bests[1] / bests[0]:.2f}x")


if __name__ == "__main__":
    main()
