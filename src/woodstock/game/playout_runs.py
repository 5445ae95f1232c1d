"""Run random playouts of a game: a number of them, or as many as a time allows, on the engine that was asked for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from woodstock.errors import GameError
from woodstock.game.playouts import PlayoutStats
from woodstock.game.state import State, is_state_of, payload_of

if TYPE_CHECKING:
    from woodstock.game.game import Game

PLAYOUT_ENGINES = ("auto", "batch", "scalar", "reference")

# A timed run doubles its rounds up to this share of its time, so that it overruns by little.
_ROUND_SHARE = 0.2


def run_playouts(
    game: Game,
    states: Sequence[State],
    counts: Sequence[int],
    seed: int,
    threads: int,
    engine: str,
    max_steps: int,
) -> list[PlayoutStats]:
    """Play `counts[i]` playouts from `states[i]` and return a result for each; times are divided by steps."""
    how = _how(game, engine)
    _check(game, states, counts, threads, max_steps)
    runner = game._reference_engine() if how == "reference" else game.engine
    payloads = [payload_of(one) if runner is game.engine else runner.pack(one.fluents) for one in states]
    runner.prepare(how)
    clock = time.perf_counter()
    played, cpu_seconds = runner.playouts(payloads, counts, how=how, seed=seed, threads=threads, max_steps=max_steps)
    seconds = time.perf_counter() - clock
    steps = sum(stats.steps for stats in played)
    results = []
    for stats in played:
        share = stats.steps / steps if steps else 1 / len(played)
        spent_s, cpu_s = seconds * share, cpu_seconds * share
        results.append(replace(stats, seconds=spent_s, cpu_seconds=cpu_s, engine=how, threads=threads))
    return results


def run_for_seconds(
    game: Game, start: State, seconds: float, seed: int, threads: int, engine: str, max_steps: int
) -> PlayoutStats:
    """Play whole rounds of playouts until the time is over."""
    how = _how(game, engine)
    (game._reference_engine() if how == "reference" else game.engine).prepare(how)
    # Each round is a fixed number played to the end: stopping at the clock would favour short playouts.
    ends_at = time.perf_counter() + seconds
    total: PlayoutStats | None = None
    n = 1
    while total is None or time.perf_counter() < ends_at:
        number = 0 if total is None else total.count
        played = run_playouts(game, [start], [n], seed + number, threads, engine, max_steps)[0]
        total = played if total is None else total + played
        left = ends_at - time.perf_counter()
        wanted = 2 * n if played.seconds < _ROUND_SHARE * seconds / 2 else n
        n = max(1, min(wanted, int(left * played.playouts_per_second) or 1))
    return total


def _how(game: Game, engine: str) -> str:
    """Return how the playouts are computed: `batch`, `scalar` or `reference`."""
    if engine not in PLAYOUT_ENGINES:
        raise GameError(f"no playout engine {engine!r}; there are {', '.join(PLAYOUT_ENGINES)}")
    is_circuit = game.engine.name == "circuit"
    if engine == "auto":
        return "batch" if is_circuit else "reference"
    if engine != "reference" and not is_circuit:
        raise GameError(
            f"{game.name} runs on the interpreter, so its playouts do too: use engine='reference'. "
            + " ".join(game.notes)
        )
    return engine


def _check(game: Game, states: Sequence[State], counts: Sequence[int], threads: int, max_steps: int) -> None:
    if len(states) != len(counts):
        raise GameError(f"playouts need one count for each state: {len(states)} states, {len(counts)} counts")
    if any(count < 0 for count in counts):
        raise GameError(f"a number of playouts cannot be negative: {min(counts)}")
    if threads < 1:
        raise GameError(f"playouts need at least one thread, not {threads}")
    if max_steps < 0:
        raise GameError(f"the limit on steps cannot be negative: {max_steps}")
    for state in states:
        if not is_state_of(state, game):
            raise GameError(f"a state of {state.game.name} cannot be played out by {game.name}")
