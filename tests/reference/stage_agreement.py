"""Compare the stages of a game solved by the network and by the circuit, on states of random matches.

    python -m tests.reference.stage_agreement [--games NAME ...] [--out FILE]

runs every public rulesheet, each in a process of its own, and reports on how many states of how many games both solvers
found exactly the joint legal moves with their successors. Games that were not compared are listed with the reason.
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import platform
import random
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from tests.reference.traces import SHARED, rules_of

import woodstock
from woodstock.errors import WoodstockError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.scsp.game import CircuitStage, FcStage, MacStage, Stages, TableStage, Template, translate

SHEETS = sorted(path.stem for path in (SHARED / "games").glob("*.kif"))

# Of a state with more joint moves than this, only so many are compared.
MOST_SOLUTIONS = 3000
# Games that take longer to ground are not compared.
GROUND_SECONDS = 20.0
# Successors of each state that are also computed one by one.
SAMPLED_SUCCESSORS = 5
# Singleton consistency posts the whole network and tries every value that is left: too slow for every state.
SINGLETON_STATES = 3
# The papers' solvers work on the whole network, which takes them longer.
PAPER_STATES = 4


@dataclass
class Agreement:
    """How much was compared, and what differs; `not_compared` is the reason if nothing was."""

    name: str
    states: int = 0
    solutions: int = 0
    singleton_states: int = 0
    seconds: float = 0.0
    differences: list[str] = field(default_factory=list)
    not_compared: str = ""


def compare(
    name: str, states: int, *, least_states: int = 1, seconds: float = 60.0, proof_seconds: float = 2.0, seed: int = 1
) -> Agreement:
    """Compare `states` states; after `seconds` of processor time, stop at `least_states`."""
    result = Agreement(name)
    clock = time.process_time()
    try:
        game = woodstock.load(rules_of(name), ground_seconds=GROUND_SECONDS, ground_memory_mb=4096)
    except WoodstockError as broken:
        result.not_compared = f"the rules do not load: {str(broken).splitlines()[0][:160]}"
        return result
    if not isinstance(game.engine, CircuitEngine):
        result.not_compared = f"not grounded within {GROUND_SECONDS:g} s and 4 GiB: the interpreter plays it"
        return result
    try:
        template = translate(game, proof_seconds=proof_seconds)
    except WoodstockError as refusal:
        result.not_compared = str(refusal)[:200]
        return result
    comparison = _Comparison(template, game.engine, result)
    rng = random.Random(seed)
    packed = start = template.pack(game.initial)
    end = time.process_time() + seconds
    while result.states < states and not result.differences:
        if result.states >= least_states and time.process_time() > end:
            break
        solutions = comparison.look(packed, rng)
        packed = solutions.states[rng.randrange(len(solutions))].tobytes() if len(solutions) else start
    result.seconds = time.process_time() - clock
    if result.differences:
        result.differences.insert(0, f"{name}, seed {seed}")
    return result


class _Comparison:
    def __init__(self, template: Template, engine: CircuitEngine, result: Agreement) -> None:
        self.engine, self.result = engine, result
        self.roles = len(template.ground.roles)
        self.table, self.circuit = TableStage(template), CircuitStage(template)
        self.papers = MacStage(template, singleton=True), FcStage(template)

    def look(self, packed: bytes, rng: random.Random) -> Stages:
        """Compare on one state; return the network's solutions."""
        engine, result = self.engine, self.result
        legal = [tuple(engine.legal_indices(packed, role)) for role in range(self.roles)]
        is_terminal, goals = engine.is_terminal(packed), engine.goals(packed)
        joint = 0 if is_terminal else math.prod(map(len, legal))
        ours, theirs = (solver.solve(packed, limit=MOST_SOLUTIONS) for solver in (self.table, self.circuit))
        for solver, found in (("table", ours), ("circuit", theirs)):
            if (found.is_terminal, found.goals) != (is_terminal, goals):
                self._differ(f"{solver}: {found.is_terminal} {found.goals}, not {is_terminal} {goals}")
            if len(found) != min(joint, MOST_SOLUTIONS) or len(np.unique(found.moves, axis=0)) != len(found):
                self._differ(f"{solver}: {len(found)} solutions for {joint} joint moves")
        if joint <= MOST_SOLUTIONS and len(ours) == len(theirs) and len(ours):
            a, b = (np.lexsort(found.moves.T[::-1]) for found in (ours, theirs))
            is_same = np.array_equal(ours.moves[a], theirs.moves[b])
            if not (is_same and np.array_equal(ours.states[a], theirs.states[b])):
                self._differ("the solvers differ")
            if not np.array_equal(ours.moves[a], np.array(list(itertools.product(*legal)), dtype=np.int32)):
                self._differ("the solutions are not the joint legal moves")
            if result.states < PAPER_STATES:
                self._look_as_in_the_papers(packed, theirs.moves[b], theirs.states[b])
        for row in rng.sample(range(len(ours)), min(SAMPLED_SUCCESSORS, len(ours))):
            moves = ours.moves[row].tolist()
            if engine.next_by_index(packed, moves) != ours.states[row].tobytes():
                self._differ(f"{moves} leads to another state")
        if joint and result.states < SINGLETON_STATES:
            left = self.table.legal(packed)
            if left != tuple(legal):
                self._differ(f"actions {left} after singleton consistency, not {legal}")
            result.singleton_states += 1
        result.states += 1
        result.solutions += len(ours)
        return ours

    def _look_as_in_the_papers(self, packed: bytes, moves: Any, states: Any) -> None:
        """Compare `mac` and `fc`, whose solutions come in the order of their joint moves."""
        for solver in self.papers:
            found = solver.solve(packed)
            if not (np.array_equal(found.moves, moves) and np.array_equal(found.states, states)):
                self._differ(f"{solver.name}: other solutions than the circuit")

    def _differ(self, what: str) -> None:
        self.result.differences.append(f"state {self.result.states}: {what}")


def _compare_and_send(name: str, given: argparse.Namespace, to: Connection) -> None:
    to.send(compare(name, given.states, least_states=given.least_states, seconds=given.seconds))


def _compare_apart(name: str, given: argparse.Namespace) -> Agreement:
    """Compare in a process of its own, so that a slow or large game ends with it."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_compare_and_send, args=(name, given, theirs))
    process.start()
    theirs.close()
    try:
        if ours.poll(given.most_seconds):
            return ours.recv()  # type: ignore[no-any-return]
        return Agreement(name, not_compared=f"not done within {given.most_seconds:g} s")
    except EOFError:
        return Agreement(name, not_compared="the process ended early")
    finally:
        process.kill()
        process.join()


def _report(found: list[Agreement], given: argparse.Namespace) -> str:
    compared = [one for one in found if one.states]
    lines = [
        f"python -m tests.reference.stage_agreement --states {given.states} --least-states {given.least_states} "
        f"--seconds {given.seconds:g}    woodstock {woodstock.__version__}, Python {platform.python_version()}",
        "",
        f"rulesheets                {len(found)}",
        f"compared                  {len(compared)}",
        f"  with {given.states} states         {sum(one.states >= given.states for one in compared)}",
        f"  fewest states           {min((one.states for one in compared), default=0)}",
        f"states                    {sum(one.states for one in compared)}",
        f"solutions                 {sum(one.solutions for one in compared)}",
        f"states with SAC           {sum(one.singleton_states for one in compared)}",
        f"games with a difference   {sum(bool(one.differences) for one in compared)}",
        f"CPU seconds               {sum(one.seconds for one in found):.0f}",
        "",
        "Not compared",
        *(f"  {one.name:<40}{one.not_compared}" for one in found if one.not_compared),
        "",
        "Differences",
        *(f"  {line}" for one in compared for line in one.differences),
        "",
        f"{'game':<44}{'states':>8}{'solutions':>11}{'SAC':>5}{'CPU s':>8}",
        *(
            f"{one.name:<44}{one.states:>8}{one.solutions:>11}{one.singleton_states:>5}{one.seconds:>8.1f}"
            for one in compared
        ),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=SHEETS)
    parser.add_argument("--states", type=int, default=200, help="states of each game")
    parser.add_argument("--least-states", type=int, default=20, help="states of a slow game")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time after which a game is slow")
    parser.add_argument("--most-seconds", type=float, default=120.0, help="wall clock of each game")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    # Import everything now, so that edits during the run do not reach the child processes.
    translate(woodstock.load("nim"), proof_seconds=0.1)
    found = []
    for name in given.games:
        one = _compare_apart(name, given)
        found.append(one)
        outcome = one.not_compared or one.differences or f"{one.states} states, {one.seconds:.1f} s"
        print(f"{name}: {outcome}", flush=True)  # noqa: T201
    if given.out:
        given.out.write_text(_report(found, given), encoding="utf-8")


if __name__ == "__main__":
    main()
