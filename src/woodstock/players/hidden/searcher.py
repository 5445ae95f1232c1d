"""The search of a built-in player in games with `sees`, by its name."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Protocol

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.information import InformationState
from woodstock.players.decision import Decision, InfoSubscriber, RootMove
from woodstock.players.preparation import preparation_of
from woodstock.players.registry import PLAYERS
from woodstock.players.spec import PlayerSpec

if TYPE_CHECKING:
    from woodstock.players.budget import Budget


class HiddenSearcher(Protocol):
    """Chooses moves by what one role knows. Nothing in here may ask for the full state."""

    notes: list[str]

    def prepare(self, deadline: float | None) -> None:
        """Make what the search needs, until the deadline at most; None: until all is ready."""

    def think(
        self, view: InformationState, budget: Budget, tell: InfoSubscriber | None = None, interval: float = 0.5
    ) -> Decision:
        """Return the move to make with all that the search found."""

    def interrupt(self) -> None:
        """End the search; called from another thread."""

    def close(self) -> None:
        """Free everything."""


class UniformSearcher:
    """Chooses uniformly at random."""

    def __init__(self, spec: PlayerSpec) -> None:
        self.notes: list[str] = []
        self._name = spec.text
        self._chance = random.Random(spec.settings.get("seed", 0))

    def prepare(self, deadline: float | None) -> None:
        """There is nothing to prepare."""
        del deadline

    def think(
        self, view: InformationState, budget: Budget, tell: InfoSubscriber | None = None, interval: float = 0.5
    ) -> Decision:
        """Return any legal move; nothing is known of its value."""
        del budget, tell, interval
        if not view.legal:
            raise GameError(f"{view.role} has no legal move")
        move = self._chance.choice(view.legal)
        moves = tuple(RootMove(one, 0, 50.0, (0.0, 100.0), (0.0, 100.0), False) for one in view.legal)
        notes = {"notes": tuple(self.notes)} if self.notes else {}
        return Decision(view.role, moves, {view.role: 50.0}, statistics=notes, move=move, player=self._name)

    def interrupt(self) -> None:
        """There is nothing to end."""

    def close(self) -> None:
        """There is nothing to free."""


# The hidden search of each player that knows only open games: trees by the mean of playouts, and our own players.
_BY_NAME = {"mac-ucb": "mac-ucb-ii", "mac-ucb-sym": "mac-ucb-ii", "fc-ucb": "mac-ucb-ii"}
_METHODS = {"ismcts": "ismcts", "oos": "oos", "mac-ucb-ii": "subgame"}
_COUNTERPART = "ismcts"
# Options of any player that mean the same here.
_SHARED = ("memory_bytes", "seed", "max_steps")


def make_hidden_searcher(game: Game, spec: PlayerSpec) -> HiddenSearcher:
    """Return the search of this player in a game that hides things, or its counterpart if it knows only open games."""
    from woodstock.players.hidden.pimc import PimcSearcher
    from woodstock.players.hidden.sampled import SampledSearcher

    preparation = preparation_of(game)
    if preparation is None:
        uniform = UniformSearcher(spec)
        uniform.notes.append(f"{game.name} runs on the interpreter: its moves are drawn at random")
        return uniform
    kind = spec.kind
    given = dict(spec.given)
    if kind.search != "hidden":
        kind = PLAYERS[_BY_NAME.get(kind.name, _COUNTERPART)]
        given = {name: value for name, value in given.items() if name in _SHARED}
    settings: dict[str, Any] = {**kind.settings, **given}
    settings.pop("time", None)
    if kind.name == "pimc":
        return PimcSearcher(game, spec.text, settings, preparation)
    return SampledSearcher(game, spec.text, _METHODS[kind.name], settings, preparation)
