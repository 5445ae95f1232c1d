"""A small picture of a state: its boards alone, without legend, counters and other facts; for lists of games."""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.view.board import LINE, TABLE
from woodstock.view.canvas import Canvas
from woodstock.view.palette import Palette
from woodstock.view.panels import Panel
from woodstock.view.svg import GAP, WIDTH
from woodstock.view.svg_panels import draw_panel_at, folded, panel_size

MARGIN = 6
# More boards than this would be too small to see.
MOST_PANELS = 4


def draw_thumbnail(name: str, panels: Sequence[Panel], palette: Palette) -> str | None:
    """Return the picture as an SVG document, or None if the state has no board."""
    shown = _main(panels)
    if not shown:
        return None
    canvas = Canvas()
    room = WIDTH - 2 * MARGIN
    x, y, height, widest = float(MARGIN), float(MARGIN), 0.0, 0.0
    for panel in shown:
        width, tall = panel_size(panel, room)
        if x > MARGIN and x + width > MARGIN + room:
            x, y, height = float(MARGIN), y + height + GAP, 0.0
        draw_panel_at(canvas, panel, palette.discs(panel.short), x, y, room)
        x, height = x + width + GAP, max(height, tall)
        widest = max(widest, x - GAP)
    canvas.height = y + height + MARGIN
    return canvas.document(name, name, widest + MARGIN)


def _main(panels: Sequence[Panel]) -> list[Panel]:
    """Return the boards in the plane, or else the rows and tables, folded to the room there is."""
    boards = [panel for panel in panels if panel.kind not in (LINE, TABLE)]
    if boards:
        return boards[:MOST_PANELS]
    room = WIDTH - 2 * MARGIN
    return [part for panel in panels[:MOST_PANELS] for part in folded(panel, room)][: 2 * MOST_PANELS]
