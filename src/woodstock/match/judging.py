"""Judge what players answered: a move that is illegal, late or missing is replaced by a random one, with the reason."""

from __future__ import annotations

import random
from collections.abc import Sequence

from woodstock.game.spelling import find
from woodstock.game.state import State
from woodstock.match import events
from woodstock.match.seat_thread import Outcome
from woodstock.players.failure import ILLEGAL, PlayerFailure
from woodstock.players.player import Reply, clipped


def judged(
    turn: int, role: str, legal: Sequence[str], outcome: Outcome[Reply] | None, chance: random.Random
) -> events.MoveMade:
    """Return the move that a player made, or a random one with the reason; chance has no outcome."""
    if outcome is None:
        return events.MoveMade(turn, role, chance.choice(legal), 0.0)
    failure, thought = outcome.failure, None
    if outcome.value is not None:
        thought = outcome.value.thought
        move = find(outcome.value.move, legal)
        if move is not None:
            return events.MoveMade(turn, role, move, outcome.seconds, thought=thought)
        text = f"{clipped(outcome.value.move)} is not one of its {len(legal)} legal moves"
        failure = PlayerFailure(text, ILLEGAL)
    assert failure is not None
    return events.MoveMade(turn, role, chance.choice(legal), outcome.seconds, failure.code, str(failure), thought)


def opening_moves(turn: int, state: State, seed: int) -> dict[str, events.MoveMade]:
    """Return random moves of all roles, drawn from this seed and the number of the turn alone."""
    dice = random.Random(f"{seed}/{turn - 1}")
    roles = state.game.roles
    return {role: events.MoveMade(turn, role, dice.choice(state.legal(role)), 0.0) for role in roles}
