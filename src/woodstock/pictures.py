"""Where a `State` finds someone to draw it, without knowing who: the public face of the package says.

Common ground, like `errors` and `events`: it imports nothing, so that `woodstock.game` need not look up at
`woodstock.view`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# From a state, and the one before it if known, to an SVG document.
Painter = Callable[[Any, Any], str]

_painters: list[Painter] = []


def register(painter: Painter) -> None:
    """Let a function draw every state from now on."""
    _painters[:] = [painter]


def svg(state: Any, before: Any) -> str | None:
    """Return the picture of a state, or None where nobody draws."""
    return _painters[0](state, before) if _painters else None
