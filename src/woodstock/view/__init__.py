"""Pictures of states, for any game: the board is inferred, never programmed.

Comes in: a `Game`. Goes out: a `View`, which draws its states as text, 80 columns wide, and as SVG.
"""

from woodstock.view.board import Board, Layout
from woodstock.view.gestures import Gesture, Gestures, fitting
from woodstock.view.layout import infer
from woodstock.view.view import View, view_of

__all__ = ["Board", "Gesture", "Gestures", "Layout", "View", "fitting", "infer", "view_of"]
