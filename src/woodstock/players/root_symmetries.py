"""Symmetries of what is left at the root of a search, given to the tree if they merge more of its moves.

The group of a game is found before the match; some moves later hardly any state has a symmetry of it. But marks stay
and lines die, and the rest of the game may be more symmetric (`woodstock.symmetry.subgame`). A group found at a state
holds for all that follows, so the tree keeps it, and its states, until a later root has a better one.

Bounded by a share of each move's time, and kept up only while it finds something.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass

from woodstock import _native
from woodstock.errors import BudgetExceeded
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import is_chance
from woodstock.symmetry.subgame import subgame_symmetries

# A root with fewer classes than this part of those that the tree has gets a new group: its states are given up for it.
_WORTH = 0.8
_MOST_SECONDS = 1.0
# After so many roots in vain, only every so many-th root is looked at.
_PATIENCE = 3
_REST = 4
_LEAST_START_S = 1.0
_MARGIN = 2.0  # an analysis may take this many times as long as the last one
_NEVER = 1e9


@dataclass
class RootSymmetryStatistics:
    """What was done for the roots of one match."""

    seconds: float = 0.0
    roots: int = 0
    groups: int = 0  # roots with a group beyond the one that the tree had
    merged: int = 0  # moves merged beyond it


class RootSymmetries:
    """Looks at one root after the other."""

    def __init__(self, game: Game, share: float = 0.25) -> None:
        self._game, self._share = game, share
        self._vain = self._skipped = 0
        self._cost_s: float | None = None  # of the last analysis; none: not known
        self.told = RootSymmetryStatistics()

    def warm_up(self, deadline: float | None, move_s: float | None = None) -> None:
        """Analyse the first state in the start clock, to know what it costs.

        `move_s`: the time of a move. An analysis that takes more than its share of that is given up for good.
        """
        left = None if deadline is None else deadline - time.monotonic()
        if self._cost_s is None and (left is None or left > _LEAST_START_S):
            clock = time.perf_counter()
            seconds = _MOST_SECONDS if left is None else self._share * min(left, move_s or left)
            try:
                subgame_symmetries(self._game.initial, seconds=seconds)
                self._cost_s = time.perf_counter() - clock
            except BudgetExceeded:
                self._cost_s = _NEVER

    def _is_affordable(self, seconds: float | None) -> bool:
        if seconds is None:
            return True
        return self._cost_s is not None and _MARGIN * self._cost_s < self._share * seconds

    def renew(
        self, native: _native.TreeSearch, group: _native.SymmetryGroup | None, state: State, seconds: float | None
    ) -> _native.SymmetryGroup | None:
        """Give the tree a better group for this root if there is one; return the group that it has."""
        roles = [role for role in self._game.roles if not is_chance(role) and len(state.legal(role)) > 1]
        if not roles or not self._is_affordable(seconds) or self._is_resting():
            return group
        clock = time.perf_counter()
        budget = _MOST_SECONDS if seconds is None else min(_MOST_SECONDS, self._share * seconds)
        self.told.roots += 1
        try:
            found = subgame_symmetries(state, seconds=budget)
            has = sum(self._classes(group, state, role) for role in roles)
            would = sum(len(found.merged(state, role)) for role in roles)
            if would < _WORTH * has:
                native.forget()
                native.set_group(found.group)
                group = found.group
                self.told.groups += 1
                self.told.merged += has - would
                self._vain = 0
            else:
                self._vain += 1
        except BudgetExceeded:
            self._vain += 1
        self._cost_s = time.perf_counter() - clock
        self.told.seconds += self._cost_s
        return group

    def _is_resting(self) -> bool:
        if self._vain < _PATIENCE:
            return False
        self._skipped = (self._skipped + 1) % _REST
        return self._skipped != 0

    def _classes(self, group: _native.SymmetryGroup | None, state: State, role: str) -> int:
        """Return how many classes a group leaves of the role's moves."""
        legal = state.legal_indices(role)
        if group is None:
            return len(legal)
        index = self._game.role_index(role)
        first = sum(len(self._game.moves(other)) for other in self._game.roles[:index])
        return len(set(group.representatives(packed(state), [first + move for move in legal])))

    @property
    def statistics(self) -> dict[str, float]:
        """The numbers so far, for a decision's statistics."""
        return asdict(self.told)
