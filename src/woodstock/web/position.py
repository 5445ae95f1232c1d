"""A state as the pages get it: what stands where, what changed, and how each legal move is made on the board."""

from __future__ import annotations

from typing import Any

from woodstock.game.state import State
from woodstock.view import Gestures, View

JsonObject = dict[str, Any]


def position_json(view: View, gestures: Gestures, state: State, before: State | None = None) -> JsonObject:
    """Return a state for the board; `before` is the state that it is compared with."""
    roles = state.game.roles
    moves: JsonObject = {role: [] for role in roles}
    if not state.is_terminal:
        for role in roles:
            moves[role] = [{"move": one.move, "steps": one.steps} for one in gestures.of(state, role)]
    return {
        **view.scene.position(state.fluents, None if before is None else before.fluents),
        "moves": moves,
        "isTerminal": state.is_terminal,
        "scores": state.scores if state.is_terminal else None,
        "turn": state.turn,
        "last": None if state.last_moves is None else list(state.last_moves),
    }
