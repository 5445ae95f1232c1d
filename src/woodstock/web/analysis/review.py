"""Game review: the value of every state of a match, and the turns at which it changed hands.

A short search of each state gives the expected score of each role. What a role lost with its move is the best value
that the search saw for it minus the value of what was played; losses beyond a threshold are turning points.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.players.budget import Budget
from woodstock.players.decision import SearchInfo
from woodstock.web.analysis.analysts import thinking_roles
from woodstock.web.analysis.report import JsonObject
from woodstock.web.analysis.searchers import Searcher, Searchers, infos_of
from woodstock.web.analysis.unseen import unseen_infos

# A loss of this many points of 100 is a mistake; of twice as many, a blunder.
MISTAKE = 15.0
BLUNDER = 30.0
_LEAST_S, _MOST_S = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class Loss:
    """What a role gave away with a move, and the move that the search liked better."""

    role: str
    move: str
    better: str
    points: float

    def as_json(self) -> JsonObject:
        kind = "blunder" if self.points >= BLUNDER else "mistake" if self.points >= MISTAKE else "inaccuracy"
        return {
            "role": self.role,
            "move": self.move,
            "better": self.better,
            "points": round(self.points, 1),
            "kind": kind,
        }


def review(
    states: Sequence[State], searchers: Searchers, *, seconds: float, is_wanted: Callable[[], bool]
) -> Iterator[JsonObject]:
    """Yield a message for each state, last state first: what later states showed is then known to earlier ones.

    `seconds` is the time for all states together. Ends early if it is no longer wanted.
    """
    each_s = max(_LEAST_S, min(_MOST_S, seconds / max(1, len(states))))
    searcher = searchers.take(states[0].game)
    try:
        after: dict[str, float] | None = None
        for index in range(len(states) - 1, -1, -1):
            if not is_wanted():
                return
            state = states[index]
            infos = _search(searcher, states[: index + 1], each_s)
            values = _values(state, infos)
            played = states[index + 1].last_moves if index + 1 < len(states) else None
            losses = [] if played is None else _losses(state, infos, played, after)
            yield {
                "type": "review",
                "index": index,
                "values": values,
                "is_proven": state.is_terminal or (bool(infos) and infos[0].is_proven),
                "losses": [loss.as_json() for loss in losses],
            }
            after = values
    finally:
        searchers.give(states[0].game, searcher)


def _search(searcher: Searcher, states: Sequence[State], seconds: float) -> list[SearchInfo]:
    state = states[-1]
    if state.is_terminal:
        return []
    if state.game.has_percepts:
        return unseen_infos(states, seconds)
    roles = thinking_roles(state)
    first = searcher.think(state, roles[0], Budget(time.monotonic() + seconds), None)
    return infos_of(searcher, first, roles)


def _values(state: State, infos: Sequence[SearchInfo]) -> dict[str, float]:
    if state.is_terminal:
        return {role: float(score) for role, score in state.scores.items() if not is_chance(role)}
    return {info.role: info.value for info in infos}


def _losses(
    state: State, infos: Sequence[SearchInfo], played: tuple[str, ...], after: dict[str, float] | None
) -> list[Loss]:
    """Return what the roles that had a choice lost.

    A loss counts only as far as both the search here and the value of the next state confirm it: a search that never
    looked at the move played would report noise.
    """
    found = []
    for info in infos:
        role = info.role
        if len(info.moves) < 2 or after is None:
            continue
        move = played[state.game.role_index(role)]
        best = info.moves[0]
        mine = next((one for one in info.moves if one.move == move), None)
        if mine is None or mine.move == best.move:
            continue
        points = min(best.value - mine.value, info.value - after.get(role, info.value))
        if points >= MISTAKE / 2:
            found.append(Loss(role, move, best.move, points))
    return found
