"""Draw one panel as lines of text: rows with their marks, the marks of the columns below, changes in brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.text import Text

from woodstock.view.board import HEX, LINE, TABLE, Place
from woodstock.view.panels import Panel

NOTHING = "."
HOLE = " "
SEVERAL = "+"
MAX_TOGETHER = 3

Style = Callable[[str], str]


def draw_panel(panel: Panel, style: Style, width: int) -> list[list[Text]]:
    """Return the lines of a panel; several blocks if a row has to be folded, none if a board is too wide."""
    if panel.kind == HEX:
        block = _hexagons(panel, style, width)
        return [block] if block_width(block) <= width else []
    if panel.kind in (LINE, TABLE):
        room = (width - max(map(len, panel.rows)) - 1) // (_step(panel) + 2)
        return [_rectangle(part, style, width) for part in panel.folded(room)]
    block = _rectangle(panel, style, width)
    return [block] if block_width(block) <= width else []


def shown(panel: Panel, place: Place) -> str:
    """Return the text of one place: its pieces, a dot, or nothing if the board has a hole there."""
    names = panel.shown(place)
    if not names:
        if place not in panel.places:
            return HOLE
        return place[0] if panel.is_named else NOTHING
    together = "".join(names)
    return together if len(names) == 1 or len(together) <= MAX_TOGETHER else SEVERAL


def notes(panel: Panel) -> Iterator[str]:
    """Yield the pieces of places that hold too many to be drawn."""
    for place in sorted(panel.cells):
        if shown(panel, place) == SEVERAL:
            yield f"{SEVERAL} {' '.join(place).strip()}: {', '.join(panel.cells[place])}"


def _step(panel: Panel) -> int:
    marks = panel.marks if not panel.is_named else ()
    return max(1, *(len(shown(panel, place)) for place in panel.places), *map(len, marks), *_piece_widths(panel))


def _piece_widths(panel: Panel) -> list[int]:
    """Return the widths that pieces may need, so that a board has the same width in every state."""
    longest = max(map(len, panel.short.values()), default=1)
    return [longest] if panel.kind not in (LINE, TABLE) else [1]


def _rectangle(panel: Panel, style: Style, width: int) -> list[Text]:
    margin = max(map(len, panel.rows))
    step = _step(panel)
    # Brackets need room on both sides of each cell; a wider board marks changes behind the piece.
    has_room = margin + 1 + len(panel.columns) * (step + 2) <= width
    lines = [Text(panel.title)] if panel.title else []
    for row in panel.rows:
        line = Text((row.ljust(margin) if panel.kind in (LINE, TABLE) else row.rjust(margin)) + " ")
        for column in panel.columns:
            _append(line, panel, (column, row), step, has_room, style)
        line.rstrip()
        lines.append(line)
    axis = Text(" " * (margin + 1), style="dim")
    for mark in panel.columns:
        axis.append(_cell(mark, step, has_room, "  "))
    axis.rstrip()
    # Headings go above a table, coordinates below a board.
    return [axis, *lines] if panel.kind == TABLE and not panel.title else [*lines, axis]


def _hexagons(panel: Panel, style: Style, width: int) -> list[Text]:
    """Return rows that are shifted by half a place each."""
    margin = 0 if panel.is_named else max(map(len, panel.rows)) + 1
    step = _step(panel)
    places = sorted(panel.spots, key=lambda place: (panel.spots[place][1], panel.spots[place][0]))
    halves = [2 * q + r for q, r in panel.spots.values()]
    has_room = margin + (max(halves) + 2) * (step + 3) // 2 <= width
    half = (step + (2 if has_room else 1) + 1) // 2
    lines = [Text(panel.title)] if panel.title else []
    bottom = max(r for _, r in panel.spots.values())
    axis = Text(" " * margin, style="dim")
    for r in range(bottom + 1):
        mine = [place for place in places if panel.spots[place][1] == r]
        line = Text(("" if panel.is_named or not mine else mine[0][1]).rjust(max(0, margin - 1)))
        line.pad_right(margin - len(line))
        for place in mine:
            start = margin + half * (2 * panel.spots[place][0] + r)
            line.pad_right(start - len(line))
            _append(line, panel, place, step, has_room, style)
            if r == bottom and not panel.is_named:
                axis.pad_right(start - len(axis))
                axis.append(_cell(place[0], step, has_room, "  "))
        line.rstrip()
        lines.append(line)
    axis.rstrip()
    return [*lines, axis] if axis else lines


def _append(line: Text, panel: Panel, place: Place, step: int, has_room: bool, style: Style) -> None:
    is_new = place in panel.changed
    pieces = panel.cells.get(place, ())
    look = style(pieces[0]) if pieces else "dim"
    cell = _cell(shown(panel, place), step, has_room, "[]" if is_new else "  ", "'" if is_new else " ")
    line.append(cell, f"{look} reverse" if is_new else look)


def _cell(text: str, step: int, has_room: bool, brackets: str, tick: str = " ") -> str:
    left = (step - len(text) + 1) // 2
    right = step - len(text) - left
    if not has_room:
        return " " * left + text + tick + " " * right
    return " " * left + brackets[0] + text + brackets[1] + " " * right


def block_width(block: Sequence[Text]) -> int:
    """Return the width of lines of text."""
    return max(map(len, block))
