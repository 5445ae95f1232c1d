"""Searches of hidden information in games that hide nothing: everybody knows the state, and the match begins there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from woodstock.game.state import State
from woodstock.information import InformationState
from woodstock.players.decision import Decision, InfoSubscriber
from woodstock.players.hidden.searcher import HiddenSearcher

if TYPE_CHECKING:
    from woodstock.players.budget import Budget


class OpenSearcher:
    """Has the methods of a `TreeSearcher` and asks a search of hidden information."""

    def __init__(self, searcher: HiddenSearcher) -> None:
        self._searcher = searcher
        self.notes = searcher.notes
        self.prepare, self.interrupt, self.close = searcher.prepare, searcher.interrupt, searcher.close

    def think(
        self, state: State, role: str, budget: Budget, tell: InfoSubscriber | None, interval: float = 0.5
    ) -> Decision:
        """Return the choice for a role that has a legal move."""
        return self._searcher.think(InformationState.at(state, role), budget, tell, interval)
