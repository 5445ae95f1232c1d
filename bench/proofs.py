"""Proofs beside the tree: right moves and known results, with and without them.

    python -m bench.proofs make --games connect-four --positions 40   plays matches, takes positions, labels them
    python -m bench.proofs                                            measures the players on the stored positions

A position is stored as the moves that lead to it, with the moves that are best by a long proof search on one state
after the other: the value of the position is proven, and each move is proven to reach it or not. Positions whose label
is not proven in time are left out, and so are those in which every move is best.

`right`: share of positions in which the player's move after so much processor time is a best one. `known`: in each
match, how many turns before its end the player first proves the value, by bisection over its turns; the median.
To compare with another version, run this file by that version's interpreter: `--players` names what it knows.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from bench.common import ROOT, Report, parser
from bench.common import load as load_named
from bench.truth import hex_board

from woodstock import Game, State, _native
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import packed
from woodstock.invariants import has_constant_sum
from woodstock.players import Decision, Task
from woodstock.players.search_player import SearchPlayer

STORE = ROOT / "bench" / "positions" / "proofs.json"
GAMES = (
    *("connect-four", "connect-four-8x6", "breakthrough", "knight-through", "pentago", "quarto"),
    *("hex-7x7", "sheep-and-wolf", "checkers"),
)
# Positions are taken so many turns before the first turn at which the player that made the match knew its result.
EARLIER = (2, 20)
_TABLE_BYTES = 256 * 2**20


@cache
def load(name: str) -> Game:
    """Return a game; hex on seven rows is the bundled one on a smaller board."""
    return hex_board(7) if name == "hex-7x7" else load_named(name)


@cache
def is_opposite(name: str) -> bool:
    """Return whether it is proven that the goals of the two players are opposite."""
    engine = load(name).engine
    assert isinstance(engine, CircuitEngine)
    return has_constant_sum(engine.ground, engine.circuit, 20.0)


def line(game: Game, moves: list[list[str]]) -> Iterator[State]:
    """Yield the states of a match, the initial one first."""
    state = game.initial
    yield state
    for joint in moves:
        state = state.next(joint)
        yield state


def chooser(state: State) -> str | None:
    """Return the only role with a choice, if there is one."""
    found = [role for role in state.game.roles if not state.is_terminal and len(state.legal(role)) > 1]
    return found[0] if len(found) == 1 else None


def play(name: str, seed: int, simulations: int) -> tuple[list[list[str]], int]:
    """Play a match by two equal players; return its moves and the turn from which on its result was known."""
    game = load(name)
    players = {role: SearchPlayer(f"mac-ucb:seed={seed},memory=64MiB") for role in game.roles}
    for role, player in players.items():
        player.start(Task(game, role), None)
    moves: list[list[str]] = []
    state, known = game.initial, 0
    while not state.is_terminal and len(moves) < 400:
        decisions = {role: player.decide(state, simulations=simulations) for role, player in players.items()}
        mover = chooser(state)
        if mover is not None and not decisions[mover].is_proven:
            known = len(moves) + 1
        joint = [decisions[role].move for role in game.roles]
        moves.append(joint)
        state = state.next(joint)
    for player in players.values():
        player.stop(None)
    return moves, min(known, len(moves))


def best_moves(name: str, state: State, seconds: float) -> list[str] | None:
    """Return the best moves of the role that chooses, proven; None if the time is not enough."""
    game, role = state.game, chooser(state)
    assert isinstance(game.engine, CircuitEngine) and role is not None
    index = game.role_index(role)
    ends_at = time.monotonic() + seconds
    prover = _native.Prover(game.engine.circuit, None, is_opposite(name), _TABLE_BYTES)
    goals = prover.goals(index)[1:]
    best: list[str] = []
    for goal in reversed(goals):
        for move in state.legal(role):
            after = state.next([move if other == role else state.legal(other)[0] for other in game.roles])
            left = max(0.01, ends_at - time.monotonic())
            verdict = prover.prove(packed(after), index, goal, seconds=left)
            if verdict not in ("true", "false"):
                return None
            best += [move] if verdict == "true" else []
        if best:
            return best
    return list(state.legal(role))


def label(name: str, seed: int, simulations: int, seconds: float) -> dict[str, Any]:
    """Play one match and label positions of it, for a process of its own."""
    game = load(name)
    moves, known = play(name, seed, simulations)
    found: dict[int, list[str]] = {}
    for turn, state in enumerate(line(game, moves)):
        if not known - EARLIER[1] <= turn <= known - EARLIER[0] or chooser(state) is None:
            continue
        best = best_moves(name, state, seconds)
        if best is not None and len(best) < len(state.legal(chooser(state) or "")):
            found[turn] = best
    return {"game": name, "seed": seed, "moves": moves, "best": found}


def make(given: Any) -> None:
    """Play and label until each game has its positions or its matches are used up; write the store."""
    stored = json.loads(STORE.read_text("utf-8")) if STORE.exists() else []
    jobs = [(name, seed) for seed in range(given.matches) for name in given.games]
    jobs = [job for job in jobs if job not in {(one["game"], one["seed"]) for one in stored}]
    ends_at = time.monotonic() + given.most_seconds
    with ProcessPoolExecutor(given.jobs) as pool:
        futures = [pool.submit(label, name, seed, given.simulations, given.label_seconds) for name, seed in jobs]
        for future in futures:
            if time.monotonic() > ends_at:
                future.cancel()
                continue
            stored.append(future.result())
            print(stored[-1]["game"], stored[-1]["seed"], len(stored[-1]["best"]), flush=True)
            STORE.parent.mkdir(exist_ok=True)
            STORE.write_text("[\n" + ",\n".join(map(json.dumps, stored)) + "\n]\n", "utf-8")


def decide(game: Game, state: State, spec: str, seconds: float) -> Decision:
    """Search a state by a new player."""
    player = SearchPlayer(f"{spec}{',' if ':' in spec else ':'}memory=256MiB")
    player.start(Task(game, chooser(state) or game.roles[0]), None)
    decision = player.decide(state, time.monotonic() + 60 * seconds, cpu_seconds=seconds)
    player.stop(None)
    return decision


def measure(match: dict[str, Any], spec: str, seconds: float, most: int) -> tuple[int, int, int]:
    """Return positions, right moves, and how many turns before the end the result is known."""
    game = load(match["game"])
    states = list(line(game, match["moves"]))
    labelled = {int(turn): best for turn, best in match["best"].items()}
    taken = sorted(labelled)[:: max(1, len(labelled) // most)][:most]
    right = sum(decide(game, states[turn], spec, seconds).move in labelled[turn] for turn in taken)
    turns = [turn for turn, state in enumerate(states) if chooser(state) is not None]
    low, high = 0, len(turns)
    while low < high:
        middle = (low + high) // 2
        if decide(game, states[turns[middle]], spec, seconds).is_proven:
            high = middle
        else:
            low = middle + 1
    known = turns[low] if low < len(turns) else len(states) - 1
    return len(taken), right, len(states) - 1 - known


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("what", nargs="?", choices=("run", "make"), default="run")
    options.add_argument("--games", nargs="*", default=list(GAMES))
    options.add_argument("--players", nargs="*", default=["mac-ucb", "mac-ucb:proofs=off"])
    options.add_argument("--seconds", type=float, default=1.0, help="processor time for each position")
    options.add_argument("--most", type=int, default=8, help="positions of each match")
    options.add_argument("--matches", type=int, default=6, help="of each game: to make, or to measure at most")
    options.add_argument("--simulations", type=int, default=20_000, help="for each move of the matches that are made")
    options.add_argument("--label-seconds", type=float, default=10.0, help="for the label of each position")
    options.add_argument("--most-seconds", type=float, default=420.0, help="after this no match is added")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    if given.what == "make":
        make(given)
        return
    if not Path(STORE).exists():
        raise SystemExit(f"no {STORE}: run `python -m bench.proofs make` first")
    report = Report(given.out, resume=True)
    report(f"## {given.seconds:g} s of processor time for each position, a new tree each")
    report(f"{'game':<18} {'player':<28} {'positions':>9} {'right %':>8} {'known, turns before the end':>28}")
    stored = json.loads(STORE.read_text("utf-8"))
    with ProcessPoolExecutor(given.jobs) as pool:
        for name in given.games:
            matches = [match for match in stored if match["game"] == name and match["best"]][: given.matches]
            for spec in given.players:
                row = f"{name:<18} {spec:<28} "
                if not matches or report.has(row):
                    continue
                same = ([value] * len(matches) for value in (spec, given.seconds, given.most))
                found = list(pool.map(measure, matches, *same))
                count, right = sum(one[0] for one in found), sum(one[1] for one in found)
                report(f"{row}{count:>9} {100 * right / count:>8.0f} {statistics.median(one[2] for one in found):>28}")


if __name__ == "__main__":
    main()
