"""How a `State` finds the code that draws it: the public face of the package registers a painter here.

Like `errors` and `events` this file imports nothing, so that `woodstock.game` need not import `woodstock.view`.
"""

from __future__ import annotations

from typing import Any, Protocol


class Painter(Protocol):
    """Draws any state of any game."""

    def svg(self, state: Any, before: Any) -> str:
        """Return the picture of a state; `before` is the state before it, if known."""

    def text(self, state: Any) -> str:
        """Return the state as plain text."""


_painters: list[Painter] = []


def register(painter: Painter) -> None:
    """Let this painter draw every state from now on."""
    _painters[:] = [painter]


def svg(state: Any, before: Any) -> str | None:
    """Return the picture of a state, or None if there is no painter."""
    return _painters[0].svg(state, before) if _painters else None


def text(state: Any) -> str | None:
    """Return the state as plain text, or None if there is no painter."""
    return _painters[0].text(state) if _painters else None
