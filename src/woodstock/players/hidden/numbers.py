"""What a role knows, as the native searches count it: moves and percepts by number, knowledge as hashes."""

from __future__ import annotations

from dataclasses import dataclass

from woodstock import _native
from woodstock.belief.numbers import Numbers
from woodstock.game.state import packed
from woodstock.information import InformationState


@dataclass(frozen=True, slots=True)
class Known:
    """A role's moves so far and now, numbered within the role, its percepts in each turn, and its information hash at
    the start and after each."""

    role: int
    start: bytes
    own_moves: list[int]
    hashes: list[int]
    legal: list[int]
    seen: list[list[int]]


def known_by(view: InformationState) -> Known:
    """Return what the role knows as numbers; GameError if the rules have no such move or percept.

    >>> import woodstock
    >>> known = known_by(InformationState.at(woodstock.load("monty-hall").initial, "candidate"))
    >>> known.own_moves, len(known.hashes), len(known.legal)
    ([], 1, 1)
    """
    numbers = Numbers(view.game, view.role)
    hashes = [_native.information_start(numbers.role)]
    own_moves, seen = [], []
    for turn in view.turns:
        move = numbers.move(turn.move)
        own_moves.append(move - numbers.first_move)
        seen.append(numbers.percepts(turn.percepts))
        hashes.append(_native.next_information(hashes[-1], move, seen[-1]))
    legal = [move - numbers.first_move for move in numbers.moves(view.legal)]
    return Known(numbers.role, packed(view.start), own_moves, hashes, legal, seen)
