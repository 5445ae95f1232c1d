"""Pictures of games. Those of bundled games lie in `drawn`; others are drawn when first asked for, and kept.

The picture shows a state in the middle of a random match: boards say more with pieces on them. A gallery that loaded
tens of games to draw itself would stay white for a minute, so `scripts/gallery.py` draws the bundled ones beforehand.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from pathlib import Path

from woodstock.game.state import State
from woodstock.web.shelf import Loaded

DRAWN = Path(__file__).parent / "drawn"
_MOST = 200
_LONGEST = 400


class Pictures:
    """The pictures that were drawn, at most `most`. Used on one thread, that of the event loop."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._kept: OrderedDict[str, str] = OrderedDict()

    def get(self, key: str) -> str | None:
        return self._kept.get(key)

    def keep(self, key: str, picture: str) -> None:
        self._kept[key] = picture
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def close(self) -> None:
        self._kept.clear()


def drawn(name: str) -> str | None:
    """Return the picture of a bundled game, if it was drawn beforehand."""
    try:
        return (DRAWN / f"{name}.svg").read_text(encoding="utf-8")
    except OSError:
        return None


def draw(loaded: Loaded) -> str:
    """Return the picture of a game as an SVG document."""
    return loaded.view.thumbnail(middle(loaded.game.initial))


def middle(initial: State, seed: int = 1) -> State:
    """Return the state in the middle of a random match, always the same one; of a puzzle the initial state."""
    roles = initial.game.roles
    if len(roles) == 1:
        return initial
    chance = random.Random(seed)
    states = [initial]
    while not states[-1].is_terminal and len(states) < _LONGEST:
        legal = [states[-1].legal(role) for role in roles]
        if not all(legal):
            break
        states.append(states[-1].next([chance.choice(moves) for moves in legal]))
    return states[len(states) // 2]
