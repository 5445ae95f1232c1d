"""Flat Monte Carlo on any engine, one playout at a time: for games that only the interpreter can play.

It looks at the clock before every step, so it is late by one step at most. Without time for a single playout it returns
a random legal move.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from woodstock.game.state import State
from woodstock.players.decision import RootMove

_MAX_STEPS = 1000
_RESERVE_S = 0.005


def sample_moves(
    state: State,
    role: str,
    deadline: float | None,
    simulations: int,
    chance: random.Random,
    is_interrupted: Callable[[], bool],
) -> tuple[list[RootMove], int]:
    """Return the moves of a role, best first by their mean score, and the number of playouts."""
    legal = list(state.legal(role))
    chance.shuffle(legal)
    sums, counts = dict.fromkeys(legal, 0.0), dict.fromkeys(legal, 0)
    roles = state.game.roles
    most = simulations or (100 * len(legal) if deadline is None else 2**62)
    slowest = 0.0

    def is_late() -> bool:
        if is_interrupted():
            return True
        return deadline is not None and time.monotonic() + _RESERVE_S + 2 * slowest >= deadline

    played = 0
    while played < most and not is_late():
        move = legal[played % len(legal)]
        at = state
        for _ in range(_MAX_STEPS):
            if at.is_terminal or is_late():
                break
            clock = time.monotonic()
            choices = [(move,) if at is state and other == role else at.legal(other) for other in roles]
            if not all(choices):
                break
            at = at.next([chance.choice(some) for some in choices])
            slowest = max(slowest, time.monotonic() - clock)
        if at.is_terminal:
            sums[move] += at.scores[role]
            counts[move] += 1
        elif is_late():
            break
        played += 1
    known = {move: sums[move] / counts[move] if counts[move] else 0.0 for move in legal}
    legal.sort(key=lambda move: (counts[move] > 0, known[move]), reverse=True)
    moves = [RootMove(move, counts[move], known[move], (0.0, 100.0), (0.0, 100.0), False) for move in legal]
    return moves, played
