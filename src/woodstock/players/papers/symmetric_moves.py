"""Symmetric moves of one state for MAC-UCB-SYM: the automorphisms of its one-stage network [SYM, 4.2].

The search asks about one state after the other, with the joint moves that it knows not to be chosen. The answer says of
each pair whether a symmetry of the whole network that fixes the state has it too. As printed, the others are symmetric
as well; but at the start of tic-tac-toe all nine moves are symmetric in the first stage alone, so the search merges
these only if it knows their values to be equal.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from woodstock import _native
from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State

if TYPE_CHECKING:
    from woodstock.symmetry.stage import StageAnalyses

# Of one state; a larger stage is left alone.
_MOST_SECONDS = 2.0
_MOST_JOINT_MOVES = 2_000

Pairs = list[tuple[int, int, bool]]


class SymmetricMoves:
    """Answers a search about one state after the other. Graphs that were seen are kept from search to search.

    It does not keep the game alive. `group` has the symmetries of the whole game, once they are known.
    """

    def __init__(self, game: Game) -> None:
        self.group: _native.SymmetryGroup | None = None
        self._game = weakref.ref(game)
        self._analyses: StageAnalyses | None = None
        self._first: dict[str, int] = {}  # the number of each role's first move
        total = 0
        for role in game.roles:
            self._first[role] = total
            total += len(game.moves(role))

    def find(self, packed: bytes, inconsistent: Sequence[tuple[int, ...]]) -> Pairs:
        """Return pairs of symmetric moves of a packed state, given joint moves that are known not to be chosen.

        Moves are numbered through all roles in the answer, within their role in `inconsistent`.
        """
        game = self._game()
        if game is None:
            return []
        if self._analyses is None:
            from woodstock.symmetry.stage import StageAnalyses

            self._analyses = StageAnalyses(game, max_joint_moves=_MOST_JOINT_MOVES)
        marked = [
            {role: game.moves(role)[move] for role, move in zip(game.roles, joint, strict=True)}
            for joint in inconsistent
        ]
        try:
            found = self._analyses.at(State(game, packed), marked, seconds=_MOST_SECONDS)
        except WoodstockError:
            return []
        pairs: Pairs = []
        for role in game.roles:
            place = {move: self._first[role] + number for number, move in enumerate(game.moves(role))}
            for orbit in found.orbits(role):
                numbers = sorted(place[move] for move in orbit)
                least = numbers if self.group is None else self.group.representatives(packed, numbers)
                pairs += [(number, of, True) for number, of in zip(numbers, least, strict=True) if number != of]
                pairs += [(number, numbers[0], False) for number in sorted(set(least)) if number != numbers[0]]
        return pairs
