"""Pictures of a state for people: text, SVG, or pixels."""

from __future__ import annotations

import io
import sys
from typing import Any

import numpy as np

from woodstock.env.extras import need
from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.view import view_of

MODES = ("human", "ansi", "svg", "rgb_array")


def check_mode(mode: str | None) -> None:
    """Refuse an unknown mode."""
    if mode is not None and mode not in MODES:
        raise GameError(f"no render_mode {mode!r}; there are {', '.join(map(repr, MODES))}")


def render(state: State, mode: str | None) -> Any:
    """Draw a state: `ansi` and `svg` return text, `rgb_array` an array, `human` writes to the terminal."""
    if mode is None:
        raise GameError(f"say how to draw when you make the environment: render_mode, one of {', '.join(MODES)}")
    if mode == "svg":
        return view_of(state.game).svg(state)
    text = str(view_of(state.game).draw(state))
    if mode == "human":
        sys.stdout.write(text + "\n\n")
        return None
    return text if mode == "ansi" else _pixels(view_of(state.game).svg(state))


def _pixels(svg: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    png = need("resvg_py", "env").svg_to_bytes(svg_string=svg, background="#ffffff")
    image = need("PIL.Image", "env").open(io.BytesIO(bytes(png))).convert("RGB")
    return np.array(image, dtype=np.uint8)
