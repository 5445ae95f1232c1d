"""Draw a state as an SVG document: boards, legend, whose turn it is, counters and all other facts.

The document is complete (no scripts, links or fonts to load), at most `WIDTH` wide, and depends on the state alone.
Pieces are letters on discs; the colour only repeats what the letter says. Places that the last move changed have a
thick frame. The text picture is the description, for screen readers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from woodstock.view.board import LINE, TABLE, Layout
from woodstock.view.canvas import MONO_WIDTH, SANS_WIDTH, Canvas, cut
from woodstock.view.palette import Palette, ink
from woodstock.view.panels import Panel
from woodstock.view.svg_panels import draw_panel_at, folded, panel_size
from woodstock.view.terms import Fact
from woodstock.view.text import fact_lines

WIDTH = 640
MARGIN = 16
GAP = 22
LEGEND_ROW = 24
FACT_SIZE = 12
FACT_ROW = 17
DISC = 9
MIN_WIDTH = 220


def draw_svg(
    name: str, panels: Sequence[Panel], rest: Sequence[Fact], layout: Layout, palette: Palette, words: str
) -> str:
    """Return the document. `rest` are the facts in no panel, `words` the same picture as text."""
    canvas = Canvas()
    y = _panels(canvas, panels, palette)
    y = _legend(canvas, panels, palette, y)
    turns = [one for one in rest if one.key in layout.turns]
    y = _turns(canvas, turns, layout, palette, y)
    others = [one for one in rest if one not in turns]
    counters = {counter for counter, _ in layout.counters}
    for line in fact_lines(others, counters, int((WIDTH - 2 * MARGIN) / (FACT_SIZE * MONO_WIDTH))):
        canvas.text(MARGIN, y + FACT_ROW / 2, line.plain, FACT_SIZE, anchor="start", is_mono=True)
        y += FACT_ROW
    canvas.height = max(canvas.height, y) + MARGIN
    return canvas.document(name, words, min(WIDTH, max(MIN_WIDTH, canvas.width + MARGIN)))


def _panels(canvas: Canvas, panels: Sequence[Panel], palette: Palette) -> float:
    """Draw the panels, those of one shelf side by side as far as they fit; return where they end."""
    y = float(MARGIN)
    room = WIDTH - 2 * MARGIN
    for row in _rows(panels, room):
        x = float(MARGIN)
        for panel in row:
            draw_panel_at(canvas, panel, palette.discs(panel.short), x, y, room)
            x += panel_size(panel, room)[0] + GAP
        y += max(panel_size(panel, room)[1] for panel in row) + GAP
    return y


def _rows(panels: Sequence[Panel], room: float) -> Iterator[list[Panel]]:
    """Yield the panels that go side by side: those of a shelf, in rows of about equal length."""
    for _, shelf in itertools.groupby(panels, key=lambda panel: (panel.shelf, panel.kind)):
        mine = list(shelf)
        if mine[0].kind in (LINE, TABLE):
            for panel in mine:
                yield from ([part] for part in folded(panel, room))
            continue
        widest = max(panel_size(panel, room)[0] for panel in mine)
        fit = max(1, int((room + GAP) / (widest + GAP)))
        size = -(-len(mine) // -(-len(mine) // fit))
        for start in range(0, len(mine), size):
            yield mine[start : start + size]


def _legend(canvas: Canvas, panels: Sequence[Panel], palette: Palette, y: float) -> float:
    """Draw the meaning of the letters; return where the next part begins."""
    entries: dict[str, tuple[str, str]] = {}
    for panel in panels:
        discs = palette.discs(panel.short)
        if panel.kind not in (LINE, TABLE) or panel.legend:
            entries |= {short: (name, discs[name]) for short, name in panel.legend.items()}
    if not entries:
        return y
    x = float(MARGIN)
    for short, (name, colour) in sorted(entries.items()):
        shown = cut(name.replace(" ", "-"), 40)
        width = 2 * DISC + 6 + len(shown) * 13 * SANS_WIDTH + 14
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = float(MARGIN), y + LEGEND_ROW
        canvas.circle(x + DISC, y + LEGEND_ROW / 2, DISC, colour, line=1)
        size = 12 if len(short) == 1 else 9 if len(short) == 2 else 7
        canvas.text(x + DISC, y + LEGEND_ROW / 2, short, size, fill=ink(colour), is_bold=True)
        canvas.text(x + 2 * DISC + 6, y + LEGEND_ROW / 2, shown, 13, anchor="start")
        x += width
    return y + LEGEND_ROW + 6


def _turns(canvas: Canvas, turns: Sequence[Fact], layout: Layout, palette: Palette, y: float) -> float:
    """Draw a line for each fact that says whose turn it is."""
    for one in turns:
        role = next((symbol for symbol in reversed(one.args) if palette.owner(symbol) is not None), one.args[-1])
        colour = palette.discs([role])[role]
        canvas.circle(MARGIN + DISC, y + LEGEND_ROW / 2, DISC - 2, colour, line=1.5)
        shown = cut(f"{one.name}: {' '.join(one.args)}", 70)
        canvas.text(MARGIN + 2 * DISC + 6, y + LEGEND_ROW / 2, shown, 14, anchor="start", is_bold=True)
        y += LEGEND_ROW
    return y + 4 if turns else y
