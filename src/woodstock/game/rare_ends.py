"""Find a path to a rare end that one playout in a million meets.

Comes in: a game whose batch playouts counted something odd. Goes out: joint moves from the initial state to a state
that shows it, or None if the trail was lost. Each step plays out every successor and goes to the one with the most odd
ends.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

from woodstock.game.explore import JointMove, Path
from woodstock.game.game import Game
from woodstock.game.playouts import PlayoutStats

_MOST_SUCCESSORS = 256
_SECONDS_A_STEP = 0.05
_LEAST_PLAYOUTS = 16
_MOST_TRIES = 4


def path_to(
    game: Game,
    odd: Callable[[PlayoutStats], int],
    *,
    playouts_per_second: float,
    seed: int,
    max_steps: int,
) -> Path | None:
    """Return a path to an odd end."""
    chance = random.Random(seed)
    state = game.initial
    path: list[JointMove] = []
    while len(path) < max_steps:
        legal = [state.legal(role) for role in game.roles]
        if state.is_terminal or not all(legal):
            return tuple(path)
        joints = list(itertools.islice(itertools.product(*legal), 100 * _MOST_SUCCESSORS))
        if len(joints) > _MOST_SUCCESSORS:
            joints = chance.sample(joints, _MOST_SUCCESSORS)
        successors = [state.next(joint) for joint in joints]
        count = max(_LEAST_PLAYOUTS, int(playouts_per_second * _SECONDS_A_STEP / len(joints)))
        for attempt in range(_MOST_TRIES):
            tries = [count << (2 * attempt)] * len(joints)
            results = game.playouts_many(successors, tries, seed=seed + attempt, max_steps=max_steps)
            best = max(range(len(joints)), key=[odd(stats) for stats in results].__getitem__)
            if odd(results[best]):
                break
        else:
            return None
        path.append(joints[best])
        state = successors[best]
    return None
