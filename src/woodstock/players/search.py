"""`woodstock.search`: one state, one budget, one decision."""

from __future__ import annotations

import time
from contextlib import closing

from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.information import InformationState, view_from
from woodstock.players.budget import Budget
from woodstock.players.decision import Decision, InfoSubscriber
from woodstock.players.hidden import make_hidden_searcher
from woodstock.players.options import PlayerError
from woodstock.players.registry import DEFAULT
from woodstock.players.searcher import check_can_move, make_searcher
from woodstock.players.spec import PlayerSpec, parse_spec

# Share of the clock for preparing a game that was never searched before.
_PREPARE_SHARE = 0.25


def search(
    state: State | InformationState,
    player: str | PlayerSpec = DEFAULT,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    nodes: int | None = None,
    role: str | None = None,
    tell: InfoSubscriber | None = None,
    interval: float = 0.5,
) -> Decision:
    """Think about a state and return the move that the player would make there.

    The search ends after `seconds`, after a number of `simulations` (playouts) or of `nodes` (states in the tree),
    whichever comes first, or when the value of the state is proven. `role` is who moves: without it, the first role
    that has a choice. `tell` hears a `SearchInfo` about every `interval` seconds.

    In a game that hides things the search gets what one role knows, as an `InformationState`; a `State` is good there
    only if a match begins with it.

    >>> import woodstock
    >>> state = woodstock.load("tic-tac-toe").initial
    >>> decision = woodstock.search(state, "mac-ucb", simulations=1_000_000)
    >>> decision.is_proven, decision.value
    (True, 50.0)
    """
    begun = time.monotonic()
    spec = parse_spec(player)
    if seconds is None and simulations is None and nodes is None:
        raise PlayerError("a search needs a budget: seconds=5, simulations=100000 or nodes=10000")
    for name, value in (("seconds", seconds), ("simulations", simulations), ("nodes", nodes)):
        if value is not None and not value > 0:
            raise PlayerError(f"{name} must be above 0, not {value}")
    view = _view(state, role)
    deadline = None if seconds is None else begun + seconds
    prepare_by = None if seconds is None else begun + _PREPARE_SHARE * seconds
    budget = Budget(deadline, simulations or 0, nodes or 0)
    if not view.is_open and spec.kind.is_thinking:
        with closing(make_hidden_searcher(view.game, spec)) as hidden:
            hidden.prepare(prepare_by)
            return hidden.think(view, budget, tell, interval)
    with closing(make_searcher(view.game, spec)) as searcher:
        searcher.prepare(prepare_by)
        return searcher.think(view.state, view.role, budget, tell, interval)


def _view(state: State | InformationState, role: str | None) -> InformationState:
    """Return what the search is about; an error says why there is nothing to search."""
    if isinstance(state, State):
        asked = _role_to_move(state) if role is None else state.game.roles[state.game.role_index(role)]
        check_can_move(state, asked)
        return view_from(state, asked)
    if not isinstance(state, InformationState):
        raise PlayerError(
            f"search needs a State, such as game.initial, or an InformationState, not {type(state).__name__}"
        )
    if not state.legal:
        raise GameError(f"there is nothing to search: {state.role} has no move any more")
    return view_from(state, state.role if role is None else role)


def _role_to_move(state: State) -> str:
    """Return the first role with a choice, without chance; if none has a choice, the first with a move."""
    players = without_chance(state.game.roles)
    if not players:
        raise GameError(f"{state.game.name} has no role but chance: there is nobody to choose a move")
    return max(players, key=lambda role: min(2, len(state.legal(role))))
