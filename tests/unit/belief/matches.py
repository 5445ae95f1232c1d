"""Matches at random and the obvious way to compute a belief: every history, one after the other."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from woodstock.belief import Belief, Particles
from woodstock.game.game import Game
from woodstock.game.state import State, packed

Chance = Callable[[State, str, str], float]


def uniform(state: State, role: str, _move: str) -> float:
    return 1 / len(state.legal(role))


@dataclass
class Seen:
    """What a role saw of a turn, and the true state after it."""

    move: str
    percepts: tuple[str, ...]
    after: State

    def legal(self, role: str) -> tuple[str, ...] | None:
        return None if self.after.is_terminal else self.after.legal(role)


def random_match(game: Game, role: str, seed: int, most_turns: int = 1000) -> list[Seen]:
    """Play a match at random; return what a role saw."""
    rng, state = random.Random(seed), game.initial
    seen: list[Seen] = []
    while not state.is_terminal and len(seen) < most_turns:
        moves = [rng.choice(state.legal(other)) for other in game.roles]
        state = state.next(moves)
        seen.append(Seen(moves[game.role_index(role)], state.sees(role), state))
    return seen


def observe(belief: Belief, seen: Seen) -> None:
    """Tell a belief what was seen of a turn."""
    over = seen.after.is_terminal
    belief.observe(seen.move, seen.percepts, legal=seen.legal(belief.role), is_terminal=over)


def all_histories(game: Game, role: str, match: list[Seen], chance: Chance = uniform) -> dict[bytes, float]:
    """Return the probability of each packed state after the match, from all histories that fit."""
    now: dict[State, float] = {game.initial: 1.0}
    for seen in match:
        after: dict[State, float] = {}
        for state, weight in now.items():
            if state.is_terminal or seen.move not in state.legal(role):
                continue
            choices = [(seen.move,) if other == role else state.legal(other) for other in game.roles]
            for joint in itertools.product(*choices):
                follows = state.next(joint)
                if set(follows.sees(role)) != set(seen.percepts) or not _looks_alike(follows, seen.after, role):
                    continue
                others = [(o, m) for o, m in zip(game.roles, joint, strict=True) if o != role]
                p = weight * math.prod(chance(state, other, move) for other, move in others)
                after[follows] = after.get(follows, 0.0) + p
        now = after
    total = sum(now.values())
    found: dict[bytes, float] = {}
    for state, weight in now.items():
        found[packed(state)] = found.get(packed(state), 0.0) + weight / total
    return found


def _looks_alike(one: State, other: State, role: str) -> bool:
    if one.is_terminal or other.is_terminal:
        return one.is_terminal == other.is_terminal
    return one.legal(role) == other.legal(role)


def total_variation(particles: Particles, exact: dict[bytes, float]) -> float:
    """Return half the sum of the differences of probabilities."""
    sampled = particles.distinct_states()
    return sum(abs(sampled.get(state, 0.0) - exact.get(state, 0.0)) for state in {*sampled, *exact}) / 2
