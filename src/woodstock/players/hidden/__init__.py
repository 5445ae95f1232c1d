"""Players of games that hide things: they get an `InformationState` and never the state.

Built-in players and `woodstock.search` meet rules with `sees` at one function, `make_hidden_searcher`.
"""

from woodstock.players.hidden.searcher import HiddenSearcher, make_hidden_searcher

__all__ = ["HiddenSearcher", "make_hidden_searcher"]
