"""Proofs beside the tree: right moves and known results, with and without them.

    python -m bench.proofs make --positions 34   plays matches, takes positions, labels them: so many of each game
    python -m bench.proofs                       measures the players on the stored positions
    python -m bench.proofs states                counts the states of proofs, with and without a net that orders moves

A position is stored as the moves that lead to it, with the moves that are best by a long proof search on one state
after the other: the value of the position is proven, and each move is proven to reach it or not. Positions whose label
is not proven in time are left out, and so are those in which every move is best.

`right`: share of positions in which the player's move after so much processor time is a best one. `known`: in each
match, how many turns before its end the player first proves the value, by bisection over its turns; the median.
`wrong`: proofs that contradict the label. The second table compares the first player with the others, match by match.

To compare with another version, let both write to one journal, first that version by its own interpreter:

    OTHER/python -m bench.proofs --journal FILE --label 0.2.0 --players mac-ucb
    python -m bench.proofs --journal FILE
"""

from __future__ import annotations

import json
import math
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from itertools import zip_longest
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
# Random turns at the start of a match; on an emptier board no position of hex is proven.
_OPENING = {"hex-7x7": 20}
# The labels of a match end with the second position that is not proven in time: earlier ones are harder.
_MOST_OPEN = 2
# The share of the time that a position gets before one of its match is labelled: most matches have none.
_FIRST_SHARE = 0.2
_TABLE_BYTES = 2**30
# Each position has a prover of its own, and to clear a table takes time.
_STATES_TABLE_BYTES = 2**27


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
    draw = random.Random(seed)
    moves: list[list[str]] = []
    state, known = game.initial, 0
    for _ in range(_OPENING.get(name, 0)):
        moves.append([draw.choice(state.legal(role)) for role in game.roles])
        state, known = state.next(moves[-1]), len(moves)
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


def best_moves(prover: _native.Prover, state: State, role: str, seconds: float) -> list[str] | None:
    """Return the best moves of a role, proven; None if the time is not enough."""
    game = state.game
    index = game.role_index(role)
    ends_at = time.monotonic() + seconds
    best: list[str] = []
    for goal in reversed(prover.goals(index)[1:]):
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


def label(name: str, seed: int, simulations: int, seconds: float, most: int, ends_at: float) -> dict[str, Any]:
    """Play one match and label positions of it, from its end backwards, for a process of its own."""
    game = load(name)
    assert isinstance(game.engine, CircuitEngine)
    moves, known = play(name, seed, simulations)
    states = list(line(game, moves))
    prover = _native.Prover(game.engine.circuit, None, is_opposite(name), _TABLE_BYTES)
    found: dict[int, list[str]] = {}
    open_positions = 0
    for turn in range(known - EARLIER[0], max(known - EARLIER[1], 0) - 1, -1):
        role = chooser(states[turn])
        if role is None:
            continue
        limit = seconds if found else _FIRST_SHARE * seconds
        best = best_moves(prover, states[turn], role, min(limit, ends_at - time.monotonic()))
        open_positions += best is None
        if open_positions == _MOST_OPEN or time.monotonic() > ends_at:
            break
        if best is not None and len(best) < len(states[turn].legal(role)):
            found[turn] = best
    best_of = {turn: found[turn] for turn in spread(sorted(found), most)}
    return {"game": name, "seed": seed, "simulations": simulations, "known": known, "moves": moves, "best": best_of}


def spread(turns: list[int], most: int) -> list[int]:
    """Return at most so many of these turns, evenly."""
    count = min(most, len(turns))
    return [turns[(2 * number + 1) * len(turns) // (2 * count)] for number in range(count)]


def results(tasks: Iterator[tuple[Any, ...]], jobs: int, seconds: float) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Call functions in processes; yield each task with its result as they come. After the time no task is begun."""
    ends_at = time.monotonic() + seconds
    running: dict[Future[Any], tuple[Any, ...]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        while True:
            while len(running) < jobs and time.monotonic() < ends_at and (task := next(tasks, None)) is not None:
                running[pool.submit(*task)] = task
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()


def make(given: Any) -> None:
    """Play and label until each game has its positions, its matches are used up or the time is over.

    The next match is of the game with the fewest so far. The store is complete after every match; matches without a
    labelled position are not kept.
    """
    stored = json.loads(given.store.read_text("utf-8")) if given.store.exists() else []
    counts = Counter(dict.fromkeys(given.games, 0))
    for match in stored:
        counts[match["game"]] += len(match["best"])
    ends_at = time.monotonic() + given.most_seconds

    def tasks() -> Iterator[tuple[Any, ...]]:
        seen = {(match["game"], match["seed"]) for match in stored}
        for seed in range(given.first_seed, given.first_seed + given.matches):
            simulations = given.simulations[seed % len(given.simulations)]
            for name in given.games:
                if counts[name] < given.positions and (name, seed) not in seen:
                    yield label, name, seed, simulations, given.label_seconds, given.most, ends_at

    given.store.parent.mkdir(parents=True, exist_ok=True)
    for _, match in results(tasks(), given.jobs, given.most_seconds):
        print(match["game"], match["seed"], len(match["best"]), flush=True)
        counts[match["game"]] += len(match["best"])
        stored += [match] if match["best"] else []
        given.store.write_text("[\n" + ",\n".join(map(json.dumps, stored)) + "\n]\n", "utf-8")
    print(", ".join(f"{name} {count}" for name, count in counts.items()))


def count_states(match: dict[str, Any], matches: int, most: int) -> list[tuple[bool, int, int, float]]:
    """Prove the value of each stored position; return whether it is proven, states, replies, and the proof's time."""
    game = load(match["game"])
    assert isinstance(game.engine, CircuitEngine)
    states = list(line(game, match["moves"]))
    found = []
    for turn in map(int, match["best"]):
        state = packed(states[turn])
        prover = _native.Prover(game.engine.circuit, None, is_opposite(match["game"]), _STATES_TABLE_BYTES)
        if matches:
            prover.teach(state, matches=matches)
        verdict, begun = "open", time.process_time()
        for goal in reversed(prover.goals(0)[1:]):
            verdict = prover.prove(state, 0, goal, states=most)
            if verdict != "false":
                break
        seconds = time.process_time() - begun
        # Versions before 0.4 look at no replies.
        found.append((verdict in ("true", "false"), prover.states, getattr(prover, "replies", 0), seconds))
    return found


def tell_states(given: Any, stored: list[dict[str, Any]]) -> None:
    """Report how many positions are proven, and by how many states, with so many matches of the net."""
    report = Report(given.out)
    report(f"## at most {given.states:,} states for each claim; states and time of what all prove, geometric mean,")
    report("## and million states looked at in a second, without and with replies")
    head = f"{'game':<18} {'taught':>8} {'positions':>9} {'proven':>7} {'states':>12} {'times':>6} {'ms':>8}"
    report(f"{head} {'M/s':>6} {'all':>6}")
    for name in given.games:
        ours = [match for match in stored if match["game"] == name][: given.matches]
        tasks = ((count_states, match, taught, given.states) for match in ours for taught in given.taught)
        found: dict[int, dict[int, Any]] = {taught: {} for taught in given.taught}
        for (_, match, taught, _), rows in results(tasks, given.jobs, given.most_seconds):
            found[taught][match["seed"]] = rows
        seeds = [match["seed"] for match in ours if all(match["seed"] in rows for rows in found.values())]
        rows_of = {taught: [row for seed in seeds for row in found[taught][seed]] for taught in given.taught}
        each_proves = [all(row[0] for row in rows) for rows in zip(*rows_of.values(), strict=True)]
        first = 0.0
        if not any(each_proves):
            report(f"{name:<18} nothing that all prove")
            continue
        for taught, rows in rows_of.items():
            used = [row for row, is_used in zip(rows, each_proves, strict=True) if is_used]
            mean = statistics.geometric_mean(max(1, count) for _, count, _, _ in used)
            ms = 1000 * statistics.geometric_mean(seconds for *_, seconds in used)
            states, replies, all_seconds = (sum(row[index] for row in rows) for index in (1, 2, 3))
            first = first or mean
            proven = sum(row[0] for row in rows)
            row = f"{name:<18} {taught:>8} {len(rows):>9} {proven:>7} {mean:>12,.0f} {mean / first:>6.2f} {ms:>8.1f}"
            report(f"{row} {states / all_seconds / 1e6:>6.2f} {(states + replies) / all_seconds / 1e6:>6.2f}")


def decide(game: Game, state: State, spec: str, seconds: float) -> Decision:
    """Search a state by a new player."""
    player = SearchPlayer(f"{spec}{',' if ':' in spec else ':'}memory=256MiB")
    player.start(Task(game, chooser(state) or game.roles[0]), None)
    decision = player.decide(state, time.monotonic() + 60 * seconds, cpu_seconds=seconds)
    player.stop(None)
    return decision


def measure(match: dict[str, Any], spec: str, seconds: float) -> tuple[int, int, int, int]:
    """Return positions, right moves, how many turns before the end the result is known, and wrong proofs."""
    game = load(match["game"])
    states = list(line(game, match["moves"]))
    at = cache(lambda turn: decide(game, states[turn], spec, seconds))
    labelled = [(at(int(turn)), best) for turn, best in match["best"].items()]
    right = sum(decision.move in best for decision, best in labelled)
    wrong = sum(decision.is_proven and decision.move not in best for decision, best in labelled)
    turns = [turn for turn, state in enumerate(states) if chooser(state) is not None]
    low, high = 0, len(turns)
    while low < high:
        middle = (low + high) // 2
        if at(turns[middle]).is_proven:
            high = middle
        else:
            low = middle + 1
    known = turns[low] if low < len(turns) else len(states) - 1
    return len(labelled), right, len(states) - 1 - known, wrong


# By player, then by game and seed: what `measure` returns.
Measured = dict[str, dict[tuple[str, int], list[int]]]


def measure_all(given: Any, stored: list[dict[str, Any]]) -> Measured:
    """Measure what is not in the journal until the time is over; the games take turns, and so do the players."""
    names = {spec: f"{given.label} {spec}".strip() for spec in given.players}
    found: Measured = {name: {} for name in names.values()}
    lines = given.journal.read_text("utf-8").splitlines() if given.journal and given.journal.exists() else []
    for player, game, seed, *figures in map(json.loads, lines):
        found.setdefault(player, {})[game, seed] = figures
    by_game = [[match for match in stored if match["game"] == game][: given.matches] for game in given.games]
    in_turn = [match for some in zip_longest(*by_game) for match in some if match is not None]
    tasks = (
        (measure, match, spec, given.seconds)
        for match in in_turn
        for spec in given.players
        if (match["game"], match["seed"]) not in found[names[spec]]
    )
    for (_, match, spec, _), figures in results(tasks, given.jobs, given.most_seconds):
        key = match["game"], match["seed"]
        found[names[spec]][key] = list(figures)
        if given.journal:
            given.journal.parent.mkdir(parents=True, exist_ok=True)
            with given.journal.open("a", encoding="utf-8") as journal:
                journal.write(json.dumps([names[spec], *key, *figures]) + "\n")
    return found


def tell(report: Report, games: list[str], found: Measured) -> None:
    """Report the matches that all players were measured on: each game and all, then the differences."""
    players = list(found)
    common = set.intersection(*(set(found[player]) for player in players))
    keys = {name: [key for key in common if key[0] == name] for name in games} | {"all": list(common)}
    keys = {name: some for name, some in keys.items() if some}
    known = "known, turns before the end"
    report(f"{'game':<18} {'player':<22} {'matches':>8} {'positions':>9} {'right %':>8} {known:>28} {'wrong':>6}")
    for name, some in keys.items():
        for player in players:
            count, right, wrong = (sum(found[player][key][index] for key in some) for index in (0, 1, 3))
            median = statistics.median(found[player][key][2] for key in some)
            share = 100 * right / count
            report(f"{name:<18} {player:<22} {len(some):>8} {count:>9} {share:>8.0f} {median:>28g} {wrong:>6}")
    if len(players) == 1:
        return
    report(f"## turns by which {players[0]} knows the result of a match earlier than another player")
    report(
        f"{'game':<18} {'than':<22} {'matches':>8} {'median':>9} {'mean':>8} {'earlier':>9} {'same':>9} {'later':>8}"
    )
    for name, some in keys.items():
        for player in players[1:]:
            earlier = [found[players[0]][key][2] - found[player][key][2] for key in some]
            figures = f"{statistics.median(earlier):>9g} {statistics.mean(earlier):>8.1f}"
            signs = Counter((one > 0) - (one < 0) for one in earlier)
            report(f"{name:<18} {player:<22} {len(some):>8} {figures} {signs[1]:>9} {signs[0]:>9} {signs[-1]:>8}")


def main() -> None:
    options = parser(__doc__, out=True)
    options.add_argument("what", nargs="?", choices=("run", "make", "states"), default="run")
    options.add_argument("--games", nargs="*", default=list(GAMES))
    options.add_argument("--players", nargs="*", default=["mac-ucb", "mac-ucb:proofs=off"])
    options.add_argument("--store", type=Path, default=STORE, metavar="FILE", help="of the positions")
    options.add_argument("--label", default="", help="put before the names of the players: a version")
    options.add_argument("--journal", type=Path, metavar="FILE", help="add to these measurements, and report all")
    options.add_argument("--seconds", type=float, default=1.0, help="processor time for each position")
    options.add_argument("--matches", type=int, default=200, help="of each game, at most")
    options.add_argument("--positions", type=int, default=34, help="to make of each game")
    options.add_argument("--most", type=int, default=4, help="positions to make of each match, at most")
    options.add_argument("--first-seed", type=int, default=0, help="of the matches that are made")
    options.add_argument(
        "--simulations",
        type=int,
        nargs="*",
        default=[3_000, 30_000, 300],
        help="for each move of the matches that are made, in turn",
    )
    options.add_argument("--states", type=int, default=1_000_000, help="for each claim, at most (`states`)")
    options.add_argument(
        "--taught", type=int, nargs="*", default=[0, 4_000, 16_000], help="matches that the net learns from (`states`)"
    )
    options.add_argument("--label-seconds", type=float, default=10.0, help="for the label of each position")
    options.add_argument("--most-seconds", type=float, default=math.inf, help="after this nothing is begun")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    given = options.parse_args()
    if given.what == "make":
        make(given)
        return
    if not given.store.exists():
        raise SystemExit(f"no {given.store}: run `python -m bench.proofs make` first")
    if given.what == "states":
        tell_states(given, json.loads(given.store.read_text("utf-8")))
        return
    found = measure_all(given, json.loads(given.store.read_text("utf-8")))
    report = Report(given.out)
    report(f"## {given.seconds:g} s of processor time for each position, a new tree each")
    tell(report, given.games, found)


if __name__ == "__main__":
    main()
