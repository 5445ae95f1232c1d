"""Symmetric moves of one state for MAC-UCB-SYM: the automorphisms of its one-stage network [SYM, 4.2].

The search asks about one state after the other, with the joint moves that it knows not to be chosen. The answer says of
each pair whether a symmetry of the whole network that fixes the state has it too. As printed, the others are symmetric
as well; but at the start of tic-tac-toe all nine moves are symmetric in the first stage alone, so the search merges
these only if it knows their values to be equal.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence

from woodstock.errors import WoodstockError
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.game.state import packed as packed_state
from woodstock.players.preparation import Preparation

# Of one state; a larger stage is left alone.
_MOST_SECONDS = 2.0
_MOST_JOINT_MOVES = 2_000

Pairs = list[tuple[int, int, bool]]
FindSymmetric = Callable[[bytes, Sequence[tuple[int, ...]]], Pairs]


def find_symmetric_in(game: Game, preparation: Preparation) -> FindSymmetric:
    """Return the function that a search calls: (packed state, inconsistent joint moves) -> pairs of symmetric moves.

    Moves are numbered through all roles. The function does not keep the game alive.
    """
    from woodstock.symmetry.stage import stage_symmetries

    reference = weakref.ref(game)
    first: dict[str, int] = {}
    total = 0
    for role in game.roles:
        first[role] = total
        total += len(game.moves(role))
    group = preparation.group("network", None)

    def find(packed: bytes, inconsistent: Sequence[tuple[int, ...]]) -> Pairs:
        known = reference()
        if known is None:
            return []
        state = State(known, packed)
        marked = [
            {role: known.moves(role)[move] for role, move in zip(known.roles, joint, strict=True)}
            for joint in inconsistent
        ]
        try:
            found = stage_symmetries(state, marked, seconds=_MOST_SECONDS, max_joint_moves=_MOST_JOINT_MOVES)
        except WoodstockError:
            return []
        pairs: Pairs = []
        for role in known.roles:
            place = {move: first[role] + number for number, move in enumerate(known.moves(role))}
            for orbit in found.orbits(role):
                numbers = sorted(place[move] for move in orbit)
                least = numbers if group is None else group.representatives(packed, numbers)
                pairs += [(number, of, True) for number, of in zip(numbers, least, strict=True) if number != of]
                pairs += [(number, numbers[0], False) for number in sorted(set(least)) if number != numbers[0]]
        return pairs

    find(packed_state(game.initial), ())  # imports what it needs, before a clock runs
    return find
