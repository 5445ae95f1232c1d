"""Pictures of states, for any game: the board is inferred, never programmed.

Comes in: a `Game`. Goes out: a `View`, which draws its states as text for a terminal of 80 columns.
"""

from woodstock.view.layout import Board, Layout, infer
from woodstock.view.text import View

__all__ = ["Board", "Layout", "View", "infer"]
