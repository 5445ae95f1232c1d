"""Play random matches on the rules and on an oracle at once, and count their move sequences.

python -m tests.unit.games.oracles.compare GAME... [--matches 1000] [--seed 0]
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from tests.unit.games.oracles.oracle import Oracle, State

import woodstock
from woodstock import Game

STEPS = 20_000


class Difference(AssertionError):
    """The rules and the oracle disagree; the message has the moves that lead there."""


Choose = Callable[[random.Random, str, Sequence[str]], str]
"""How a role picks one of its moves."""


def at_random(rng: random.Random, _: str, moves: Sequence[str]) -> str:
    """Pick any move."""
    return rng.choice(moves)


def compare_match(game: Game, oracle: Oracle, seed: int, choose: Choose = at_random) -> int:
    """Play one match on both, by default a random one; return its length."""
    rng = random.Random(seed)
    state, twin = game.initial, oracle.initial()
    history: list[tuple[str, ...]] = []

    def differ(what: str, ours: object, theirs: object) -> None:
        if ours != theirs:
            path = "\n".join(" ".join(moves) for moves in history)
            raise Difference(f"seed {seed}, turn {len(history) + 1}: {what}: rules {ours}, oracle {theirs}\n{path}")

    for step in range(STEPS):
        is_terminal = oracle.is_terminal(twin)
        differ("terminal", state.is_terminal, is_terminal)
        if is_terminal:
            goals = dict(zip(oracle.roles, oracle.goals(twin), strict=True))
            differ("goals", {role: goal for role, goal in state.goals.items() if role in goals}, goals)
            return step
        joint = []
        for role, moves in zip(game.roles, oracle.legal(twin), strict=True):
            ours, theirs = set(state.legal(role)), set(moves)
            if ours != theirs:
                differ(f"legal moves of {role}", f"only {sorted(ours - theirs)}", f"only {sorted(theirs - ours)}")
            joint.append(choose(rng, role, sorted(theirs)))
        history.append(tuple(joint))
        percepts = oracle.sees(twin, joint)
        state, twin = state.next(joint), oracle.next(twin, joint)
        for role, seen in zip(game.roles, percepts or (), strict=False):
            differ(f"percepts of {role}", set(state.sees(role)), set(seen))
    raise Difference(f"seed {seed}: the match does not end in {STEPS} turns")


def oracle_perft(oracle: Oracle, depth: int) -> list[int]:
    """Count the sequences of joint moves of each length up to `depth`."""
    level: dict[State, int] = {oracle.initial(): 1}
    counts = [1]
    for current in range(depth):
        following: dict[State, int] = {}
        total = 0
        for state, ways in level.items():
            if oracle.is_terminal(state):
                continue
            legal = oracle.legal(state)
            if current + 1 == depth:
                product = 1
                for moves in legal:
                    product *= len(moves)
                total += ways * product
                continue
            for joint in itertools.product(*legal):
                after = oracle.next(state, joint)
                following[after] = following.get(after, 0) + ways
                total += ways
        counts.append(total)
        level = following
    return counts


def reachable(game: Game, oracle: Oracle, limit: int) -> Iterator[tuple[woodstock.State, State]]:
    """Yield pairs of equal states, breadth first, at most `limit`."""
    start = (game.initial, oracle.initial())
    seen = {start[1]}
    queue = [start]
    while queue:
        state, twin = queue.pop(0)
        yield state, twin
        if oracle.is_terminal(twin):
            continue
        for joint in itertools.product(*map(sorted, oracle.legal(twin))):
            after = oracle.next(twin, joint)
            if after not in seen and len(seen) < limit:
                seen.add(after)
                queue.append((state.next(joint), after))


def main() -> None:
    """Compare the games named on the command line."""
    from tests.unit.games.oracles.registry import ORACLES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--matches", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.names:
        game, oracle = woodstock.load(name), ORACLES[name]()
        started = time.perf_counter()
        steps = sum(compare_match(game, oracle, options.seed + number) for number in range(options.matches))
        sys.stdout.write(
            f"{name}: {options.matches} matches, {steps} turns, no difference, {time.perf_counter() - started:.1f} s\n"
        )


if __name__ == "__main__":
    main()
