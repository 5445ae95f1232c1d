"""Each role's own view: the game as if the role were the first one.

A symmetry of the rules that maps a role onto the first role also maps its fluents and moves. Under it one network can
play every role: what it sees and what it may do are always those of the first role. The symmetry need not fix the
initial state: who begins is part of what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.symmetry import permutations
from woodstock.symmetry.symmetries import find_symmetries, split_points

# Looking further than this for a symmetry that maps a role onto the first one is not worth it.
MOST_ELEMENTS = 4096
SECONDS = 20.0


@dataclass(frozen=True)
class Perspective:
    """`fluents[f]` is the role's own fluent that it sees as `f`; `moves[m]` is its own move that is called `m`."""

    fluents: NDArray[np.int64]
    moves: NDArray[np.int64]


def find_perspectives(game: Game, players: Sequence[str]) -> list[Perspective]:
    """Return the perspective of each role; the first role sees the game as it is."""
    ground = game.ground
    if ground is None:
        raise GameError(f"{game.name} was not grounded, so the symmetries of its roles are not known")
    found = find_symmetries(game, fix_initial=False, seconds=SECONDS)
    points = len(ground.roles) + len(ground.fluents) + sum(map(len, ground.moves))
    rows, _is_whole = permutations.bounded_elements(found.rows, points, MOST_ELEMENTS)
    roles, fluents, moves = split_points(ground, rows)
    first = game.role_index(players[0])
    starts = np.cumsum([0, *map(len, ground.moves)])
    result = []
    for role in players:
        index = game.role_index(role)
        fitting = np.flatnonzero(roles[:, index] == first)
        if not len(fitting):
            raise GameError(
                f"no symmetry of {game.name} maps the role {role} onto {players[0]}, so there is no common view of "
                "both: leave out perspective, and give the role as part of what a network sees"
            )
        # Of several the one that moves least: it exchanges the roles and leaves the board in place.
        moved = (rows[fitting] != np.arange(points)).sum(axis=1)
        row = fitting[int(np.argmin(moved))]
        back = np.empty(len(ground.fluents), dtype=np.int64)
        back[fluents[row]] = np.arange(len(ground.fluents))
        own = np.empty(len(ground.moves[first]), dtype=np.int64)
        mine = np.arange(starts[index], starts[index + 1])
        own[moves[row][mine] - starts[first]] = mine - starts[index]
        result.append(Perspective(back, own))
    return result
