"""Why a move that somebody tried to make on the board is not legal: the rule, and the condition that fails."""

from __future__ import annotations

import time
from typing import Any

from woodstock.errors import GameError, WoodstockError
from woodstock.game.state import State
from woodstock.game.why import why_illegal
from woodstock.web.shelf import Loaded

_MOST_MOVES = 3
_MOST_REASONS = 3
_LONGEST_MOVE = 500
# After this time no further move is looked at.
_SECONDS = 0.4


def why_not(loaded: Loaded, state: State, role: str, clicks: list[int], move: str | None) -> dict[str, Any]:
    """Return for each move that the clicks, or the text, could mean what the rules lack."""
    if move is not None:
        if not isinstance(move, str) or len(move) > _LONGEST_MOVE:
            raise GameError("this is no move")
        moves = [move]
    else:
        moves = loaded.gestures.meant(state, role, [int(click) for click in clicks])[:_MOST_MOVES]
    found: list[dict[str, Any]] = []
    ends_at = time.monotonic() + _SECONDS
    legal = state.legal(role)
    for one in moves:
        if one in legal or (found and time.monotonic() > ends_at):
            continue
        try:
            reasons = why_illegal(state, role, one)[:_MOST_REASONS]
        except WoodstockError as error:
            raise GameError(f"{one}: {error}") from error
        found.append(
            {
                "move": one,
                "reasons": [
                    {"line": reason.line, "rule": reason.rule, "condition": reason.condition} for reason in reasons
                ],
            }
        )
    places = [loaded.view.scene.name(int(click)) for click in clicks if 0 <= int(click) < loaded.view.scene.place_count]
    return {"type": "why", "role": role, "places": places, "moves": found}
