"""A line of play: a game, perhaps a first state of its own, and the joint moves made since.

Pages that only look (analysis, replay, puzzles) name a state in this way, so that a reload and a link come back to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from woodstock.errors import GameError, WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State

MOST_TURNS = 2_000
MOST_FLUENTS = 20_000

Joint = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Where a state is: the key of the game, the fluents of the first state or None, and the joint moves."""

    game: str
    start: tuple[str, ...] | None
    moves: tuple[Joint, ...]


def read_line(value: object) -> Line:
    """Return the line that a message names; WoodstockError if it is not one."""
    if not isinstance(value, dict) or not isinstance(value.get("game"), str):
        raise WoodstockError("the message names no game")
    start, moves = value.get("start"), value.get("moves", [])
    if start is not None and not (_are_texts(start) and len(start) <= MOST_FLUENTS):
        raise WoodstockError("the first state is not a list of fluents")
    if not isinstance(moves, list) or len(moves) > MOST_TURNS or not all(map(_are_texts, moves)):
        raise WoodstockError(f"the moves are not a list of at most {MOST_TURNS} joint moves")
    return Line(value["game"], None if start is None else tuple(start), tuple(map(tuple, moves)))


def states_of(game: Game, start: Sequence[str] | None, moves: Sequence[Joint]) -> list[State]:
    """Return the states of a line, the first one included; the error names the turn that is not possible."""
    states = [game.initial if start is None else game.state(start)]
    for number, joint in enumerate(moves, 1):
        try:
            states.append(states[-1].next(joint))
        except WoodstockError as error:
            raise GameError(f"turn {number}: {error}") from None
    return states


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
