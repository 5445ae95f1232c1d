"""`woodstock.search`: one state, one budget, one decision."""

from __future__ import annotations

import time

from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.players.decision import Decision, InfoSubscriber
from woodstock.players.options import PlayerError
from woodstock.players.registry import DEFAULT
from woodstock.players.searcher import Budget, check_can_move, make_searcher
from woodstock.players.spec import PlayerSpec, parse_spec

# Share of the clock for preparing a game that was never searched before.
_PREPARE_SHARE = 0.25


def search(
    state: State,
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
    if not isinstance(state, State):
        raise PlayerError(f"search needs a State, such as game.initial, not {type(state).__name__}")
    asked = _role_to_move(state) if role is None else state.game.roles[state.game.role_index(role)]
    check_can_move(state, asked)
    deadline = None if seconds is None else begun + seconds
    searcher = make_searcher(state.game, spec)
    searcher.prepare(None if seconds is None else begun + _PREPARE_SHARE * seconds)
    try:
        return searcher.think(state, asked, Budget(deadline, simulations or 0, nodes or 0), tell, interval)
    finally:
        searcher.close()


def _role_to_move(state: State) -> str:
    """Return the first role with a choice, without chance; if none has a choice, the first with a move."""
    players = [role for role in state.game.roles if role.lower() != "random"]
    if not players:
        raise GameError(f"{state.game.name} has no role but chance: there is nobody to choose a move")
    return max(players, key=lambda role: min(2, len(state.legal(role))))
