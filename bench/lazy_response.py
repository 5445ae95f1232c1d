"""The best response to a strategy that is asked only where it leads: for games whose tree of information sets is large.

The histories that the strategy of one role can lead to are visited turn by turn. The strategy is asked once for each
information set that has a choice, all of one turn together; the responder may do anything. Histories with the same
state and the same information of both are merged. The value is exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from woodstock.game.state import State
from woodstock.gdl.chance import is_chance
from woodstock.information import InformationState, Turn

Answers = Callable[[Sequence[InformationState]], Sequence[Mapping[str, float]]]


@dataclass(frozen=True)
class Response:
    """What the responder gets, and how much had to be visited."""

    value: float
    asked: int
    histories: int


class _Stories:
    """Numbers for what a role did and saw."""

    def __init__(self) -> None:
        self.parents: list[tuple[int, Turn] | None] = [None]
        self._known: dict[tuple[int, Turn], int] = {}

    def after(self, story: int, turn: Turn) -> int:
        key = (story, turn)
        if key not in self._known:
            self._known[key] = len(self.parents)
            self.parents.append(key)
        return self._known[key]

    def turns(self, story: int) -> tuple[Turn, ...]:
        found = []
        while (parent := self.parents[story]) is not None:
            story = parent[0]
            found.append(parent[1])
        return tuple(reversed(found))


def best_response(
    start: State, role: str, responder: str, answers: Answers, happens: Callable[[str], bool] = bool
) -> Response:
    """Return the value of the responder's best answer to what `role` plays from a state that both know, in goals.

    `happens` says which moves of chance are followed, in turns in which there are any such; the value is that of these.
    """
    game = start.game
    ours, theirs = _Stories(), _Stories()
    gains: dict[int, float] = defaultdict(float)  # of matches that end, by the responder's story
    level: dict[tuple[State, int, int], float] = {(start, 0, 0): 1.0}
    asked = histories = 0
    while level:
        histories += len(level)
        asking = {mine: state for state, mine, _ in level if not state.is_terminal and len(state.legal(role)) > 1}
        views = [
            InformationState(game, role, start, ours.turns(story), state.legal(role)) for story, state in asking.items()
        ]
        played = dict(zip(asking, answers(views), strict=True))
        asked += len(views)
        following: dict[tuple[State, int, int], float] = defaultdict(float)
        for (state, mine, other), weight in level.items():
            if state.is_terminal:
                gains[other] += weight * state.scores[responder]
                continue
            choices = []
            for one in game.roles:
                legal = state.legal(one)
                if is_chance(one):
                    legal = tuple(filter(happens, legal)) or legal
                share = 1 / len(legal) if is_chance(one) else 1.0
                if one == role and mine in played:
                    choices.append([(move, p) for move, p in played[mine].items() if p > 0])
                else:
                    choices.append([(move, share) for move in legal])
            for joint in product(*choices):
                after = state.next([move for move, _ in joint])
                share = weight
                for _, p in joint:
                    share *= p
                moves = dict(zip(game.roles, (move for move, _ in joint), strict=True))
                next_mine = ours.after(mine, Turn(moves[role], after.sees(role)))
                next_other = theirs.after(other, Turn(moves[responder], after.sees(responder)))
                following[after, next_mine, next_other] += share
        level = following
    return Response(_best(theirs, gains), asked, histories)


def _best(stories: _Stories, gains: Mapping[int, float]) -> float:
    """Return what the best choice after each story gains; stories that follow have greater numbers."""
    moves: dict[int, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    value = 0.0
    for story in range(len(stories.parents) - 1, -1, -1):
        value = gains.get(story, 0.0) + max(moves.pop(story, {"": 0.0}).values())
        parent = stories.parents[story]
        if parent is not None:
            moves[parent[0]][parent[1].move] += value
    return value
