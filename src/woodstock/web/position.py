"""A state as the pages get it: what stands where, what changed, and how each legal move is made on the board."""

from __future__ import annotations

from typing import Any

from woodstock.game.state import State
from woodstock.view import Gestures, View
from woodstock.view.gestures import Gesture

JsonObject = dict[str, Any]

# Effects are looked up for at most this many moves: each costs a step of the game.
_MOST_SPOTS = 100


def position_json(view: View, gestures: Gestures, state: State, before: State | None = None) -> JsonObject:
    """Return a state for the board; `before` is the state that it is compared with."""
    roles = state.game.roles
    moves: JsonObject = {role: [] for role in roles}
    if not state.is_terminal:
        for role in roles:
            moves[role] = _moves(view, gestures, state, role)
    return {
        **view.scene.position(state.fluents, None if before is None else before.fluents),
        "moves": moves,
        "isTerminal": state.is_terminal,
        "scores": state.scores if state.is_terminal else None,
        "turn": state.turn,
        "last": None if state.last_moves is None else list(state.last_moves),
    }


def _moves(view: View, gestures: Gestures, state: State, role: str) -> list[JsonObject]:
    """Return the moves of a role. `spot` is where a move has its effect, if its last step leaves several places."""
    found = []
    unclear = 0
    for one in gestures.of(state, role):
        move: JsonObject = {"move": one.move, "steps": one.steps}
        if one.steps and len(one.steps[-1]) > 1 and unclear < _MOST_SPOTS:
            unclear += 1
            spot = _effect(view, state, role, one)
            if spot is not None:
                move["spot"] = spot
        found.append(move)
    return found


def _effect(view: View, state: State, role: str, one: Gesture) -> int | None:
    """Return the place of the last step at which something appears, if the other roles do the first thing they can."""
    roles = state.game.roles
    legal = [state.legal(other) for other in roles]
    if not all(legal):
        return None
    joint = [one.move if other == role else moves[0] for other, moves in zip(roles, legal, strict=True)]
    now, after = view.scene.contents(state.fluents), view.scene.contents(state.next(joint).fluents)
    return next((place for place in one.steps[-1] if after.get(place) and after.get(place) != now.get(place)), None)
