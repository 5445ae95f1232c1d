"""What every environment of one match does alike: draw its state, and be closed."""

from __future__ import annotations

from typing import Any

from woodstock.env.render import render
from woodstock.env.single import SingleMatch
from woodstock.errors import GameError
from woodstock.game.game import Game


class Lifecycle:
    """Stands before the peer's class, so that its methods count. The environment sets these attributes."""

    game: Game
    render_mode: str | None
    _match: SingleMatch
    _is_closed = False

    def render(self) -> Any:
        """Draw the state as `render_mode` says."""
        self._check_open()
        return render(self._match.state, self.render_mode)

    def close(self) -> None:
        """End the environment; every further call is refused."""
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise GameError(f"this environment of {self.game.name} was closed; make a new one")
