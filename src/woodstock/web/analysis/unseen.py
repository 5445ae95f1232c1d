"""Analysis of games that hide things: each role is judged by what it knows, never by the full state.

The values are those of a search over what is possible. They hold against sensible play, not for the state itself, so
nothing is called proven.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from woodstock.game.state import State
from woodstock.information.referee import Views
from woodstock.players.decision import SearchInfo
from woodstock.players.search import search


def unseen_infos(states: Sequence[State], seconds: float) -> list[SearchInfo]:
    """Return a report for each role that has a choice in the last of these states, a match from its start."""
    state = states[-1]
    choosing = state.to_move
    found: list[SearchInfo] = []
    for role in choosing:
        info = search(Views().of(role, states), seconds=seconds / len(choosing))
        moves = tuple(replace(move, is_proven=False) for move in info.moves)
        found.append(replace(info, is_proven=False, moves=moves))
    return found
