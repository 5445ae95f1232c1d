"""Draw one panel on a canvas: a grid of squares, hexagons, or boxes in a row, with marks and pieces."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from woodstock.view.board import HEX, LINE, TABLE, Place
from woodstock.view.canvas import SANS_WIDTH, Canvas, cut
from woodstock.view.palette import NEUTRAL, ink
from woodstock.view.panels import Panel, is_plain

MOST_CELL, LEAST_CELL = 44.0, 12.0
NUMBERING_CELL = 26.0
BOX_HEIGHT = 34.0
MARK = 12.0
TITLE = 22.0
MANY_NUMBERS = 30
PAPER, CHANGED = "#faf6ec", "#ffe680"
GRID_LINE, FRAME = "#8a8a8a", "#111111"
# The disc of a piece, and letters in it by their number, as shares of a cell.
DISC = 0.4
LETTERS = (0.46, 0.38, 0.29, 0.22)


def panel_size(panel: Panel, room: float) -> tuple[float, float]:
    """Return how wide and how high a panel is, given the room across."""
    top = TITLE if panel.title else 0.0
    if panel.kind == HEX:
        cell = _cell(panel, room)
        halves = max(2 * q + r for q, r in panel.spots.values()) + 2
        rows = max(r for _, r in panel.spots.values())
        side = cell / math.sqrt(3)
        below = 0.0 if panel.is_named else MARK + 8
        return _margin(panel) + halves * cell / 2, top + side * (1.5 * rows + 2) + below
    if panel.kind in (LINE, TABLE):
        return _margin(panel) + _box(panel) * len(panel.columns), top + BOX_HEIGHT * len(panel.rows) + MARK + 8
    cell = _cell(panel, room)
    return _margin(panel) + cell * len(panel.columns), top + cell * len(panel.rows) + MARK + 8


def folded(panel: Panel, room: float) -> Iterator[Panel]:
    """Yield a row of boxes in parts that fit into the room."""
    return panel.folded(int((room - _margin(panel)) / _box(panel)))


def draw_panel_at(canvas: Canvas, panel: Panel, discs: Mapping[str, str], x: float, y: float, room: float) -> None:
    """Draw a panel with its upper left corner at a point."""
    if panel.title:
        canvas.text(x, y + TITLE / 2 - 2, cut(panel.title, 60), 14, anchor="start", is_bold=True)
        y += TITLE
    if panel.kind == HEX:
        _draw_hexagons(canvas, panel, discs, x + _margin(panel), y, _cell(panel, room))
    elif panel.kind in (LINE, TABLE):
        _draw_boxes(canvas, panel, discs, x, y)
    else:
        _draw_squares(canvas, panel, discs, x + _margin(panel), y, _cell(panel, room))


def _cell(panel: Panel, room: float) -> float:
    across = float(len(panel.columns))
    if panel.kind == HEX:
        across = (max(2 * q + r for q, r in panel.spots.values()) + 2) / 2
    # A titled board of many different numbers is bookkeeping, not the main board.
    most = NUMBERING_CELL if len(panel.short) > MANY_NUMBERS and is_plain(panel) and panel.title else MOST_CELL
    return max(LEAST_CELL, min(most, (room - _margin(panel)) / across))


def _margin(panel: Panel) -> float:
    """Return the room for the marks of the rows."""
    if panel.is_named:
        return 0.0
    longest = max(map(len, panel.rows))
    if panel.kind in (LINE, TABLE):
        return min(20, longest) * 13 * SANS_WIDTH + 10 if longest else 0.0
    return min(10, longest) * MARK * SANS_WIDTH + 8 if longest else 0.0


def _box(panel: Panel) -> float:
    """Return the width of the boxes of a line or table."""
    held = [" ".join(panel.shown(place)) for place in panel.cells]
    longest = max([len(text) for text in (*held, *panel.short.values(), *panel.marks)], default=1)
    return max(34.0, min(18, longest) * MARK * SANS_WIDTH + 12)


def _draw_squares(canvas: Canvas, panel: Panel, discs: Mapping[str, str], x: float, y: float, cell: float) -> None:
    framed = []
    for j, row in enumerate(panel.rows):
        canvas.text(x - 6, y + (j + 0.5) * cell, cut(row, 10), min(MARK, cell * 0.8), fill="#333333", anchor="end")
        for i, column in enumerate(panel.columns):
            if (column, row) not in panel.places and (column, row) not in panel.cells:
                continue
            is_new = (column, row) in panel.changed
            canvas.rect(x + i * cell, y + j * cell, cell, cell, CHANGED if is_new else PAPER, GRID_LINE)
            if is_new:
                framed.append((x + i * cell, y + j * cell))
            _draw_pieces(canvas, panel, discs, (column, row), x + (i + 0.5) * cell, y + (j + 0.5) * cell, cell)
    for left, top in framed:
        canvas.rect(left + 1.5, top + 1.5, cell - 3, cell - 3, "none", FRAME, 2.5)
    for i, column in enumerate(panel.columns):
        _draw_mark(canvas, column, x + (i + 0.5) * cell, y + len(panel.rows) * cell + MARK / 2 + 4, cell)


def _draw_mark(canvas: Canvas, mark: str, x: float, y: float, cell: float) -> None:
    size = min(MARK, max(7.0, cell / (len(mark) * SANS_WIDTH)))
    canvas.text(x, y, cut(mark, max(1, int(cell / (size * SANS_WIDTH)) or 1)), size, fill="#333333")


def _draw_hexagons(canvas: Canvas, panel: Panel, discs: Mapping[str, str], x: float, y: float, cell: float) -> None:
    side = cell / math.sqrt(3)
    middles = {place: (x + (q + r / 2 + 0.5) * cell, y + side * (1 + 1.5 * r)) for place, (q, r) in panel.spots.items()}
    in_order = sorted(middles, key=lambda place: (middles[place][1], middles[place][0]))
    for place in in_order:
        is_new = place in panel.changed
        at = middles[place]
        canvas.polygon(_corners(at, side), CHANGED if is_new else PAPER, GRID_LINE)
        if is_new:
            canvas.polygon(_corners(at, side - 2.5), "none", FRAME, 2.5)
        if panel.is_named and place not in panel.cells:
            canvas.text(*at, cut(place[0], 5), min(11.0, cell * 0.3), fill="#555555")
        _draw_pieces(canvas, panel, discs, place, *at, cell * 0.92)
    if panel.is_named:
        return
    rows: dict[int, list[Place]] = {}
    for place in in_order:
        rows.setdefault(panel.spots[place][1], []).append(place)
    for places in rows.values():
        left, middle = middles[places[0]]
        canvas.text(left - cell / 2 - 5, middle, cut(places[0][1], 6), MARK, fill="#333333", anchor="end")
    for place in rows[max(rows)]:
        across, middle = middles[place]
        _draw_mark(canvas, place[0], across + panel.lean * cell / 4, middle + side + MARK / 2 + 2, cell)


def _corners(middle: tuple[float, float], side: float) -> list[tuple[float, float]]:
    x, y = middle
    turns = [math.radians(60 * i - 90) for i in range(6)]
    return [(x + side * math.cos(turn), y + side * math.sin(turn)) for turn in turns]


def _draw_boxes(canvas: Canvas, panel: Panel, discs: Mapping[str, str], x: float, y: float) -> None:
    box, margin = _box(panel), _margin(panel)
    top = y + (MARK + 6 if panel.kind == TABLE else 0)  # headings above a table, coordinates below a line
    marks = y + MARK / 2 if panel.kind == TABLE else y + BOX_HEIGHT * len(panel.rows) + MARK / 2 + 4
    for i, column in enumerate(panel.columns):
        _draw_mark(canvas, column, x + margin + (i + 0.5) * box, marks, box)
    for j, row in enumerate(panel.rows):
        middle = top + (j + 0.5) * BOX_HEIGHT
        canvas.text(x, middle, cut(row, 20), 13, anchor="start", is_bold=True)
        for i, column in enumerate(panel.columns):
            place = (column, row)
            is_new = place in panel.changed
            left = x + margin + i * box
            canvas.rect(left, top + j * BOX_HEIGHT, box, BOX_HEIGHT, CHANGED if is_new else PAPER, GRID_LINE)
            if is_new:
                canvas.rect(left + 1.5, top + j * BOX_HEIGHT + 1.5, box - 3, BOX_HEIGHT - 3, "none", FRAME, 2.5)
            if panel.kind == TABLE or is_plain(panel):
                shown = cut(" ".join(panel.shown(place)), 18)
                canvas.text(left + box / 2, middle, shown, 13, is_bold=True)
            else:
                _draw_pieces(canvas, panel, discs, place, left + box / 2, middle, BOX_HEIGHT)


def _draw_pieces(
    canvas: Canvas, panel: Panel, discs: Mapping[str, str], place: Place, x: float, y: float, cell: float
) -> None:
    """Draw the pieces at a place: one disc in the middle, up to four smaller ones, or their number."""
    pieces = panel.cells.get(place, ())
    if len(pieces) > 4:
        canvas.text(x, y, f"{len(pieces)}×", cell * 0.36, is_bold=True)
        return
    offsets = [(0.0, 0.0)] if len(pieces) == 1 else [(-0.22, -0.22), (0.22, 0.22), (0.22, -0.22), (-0.22, 0.22)]
    size = cell if len(pieces) == 1 else cell * 0.52
    for piece, (dx, dy) in zip(pieces, offsets, strict=False):
        short = panel.short.get(piece, piece)
        # Numbers of one board are equally large.
        longest = max(map(len, panel.short.values()), default=1) if is_plain(panel) else len(short)
        letters = size * LETTERS[min(longest, len(LETTERS)) - 1]
        at = (x + dx * cell, y + dy * cell)
        if is_plain(panel):
            canvas.text(*at, short, letters * 1.15, is_bold=True)
            continue
        colour = discs.get(piece, NEUTRAL)
        canvas.circle(*at, size * DISC, colour, line=max(0.8, size * 0.035))
        canvas.text(*at, short, letters, fill=ink(colour), is_bold=True)
