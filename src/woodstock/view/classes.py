"""Draw which places of a board belong together: equal colours for places whose fluents are in the same classes.

Comes in: a `Layout` and the class of each fluent. Goes out: SVG text. Each class has a colour and a letter, so that the
picture also reads without colour.
"""

from __future__ import annotations

from collections.abc import Mapping

from woodstock.view.board import TABLE, Board, Layout
from woodstock.view.canvas import Canvas
from woodstock.view.terms import fact

_CELL, _MARGIN, _TITLE = 44, 24, 26
# Light colours of clearly different hue first; more classes than these repeat them with other letters.
_COLOURS = (
    "#8ecae6", "#ffb703", "#90be6d", "#f28482", "#cdb4db", "#f9f871", "#84dcc6", "#f4a261", "#bde0fe", "#d4a373",
    "#a3b18a", "#ffafcc", "#b8c0ff", "#e9c46a", "#95d5b2", "#e5989b",
)  # fmt: skip


def place_classes(board: Board, classes: Mapping[str, int]) -> dict[tuple[tuple[str, ...], str, str], int]:
    """Return the class of each place: places are alike if their fluents are in the same classes."""
    about: dict[tuple[tuple[str, ...], str, str], set[int]] = {}
    for text, number in classes.items():
        one = fact(text)
        if one.key == board.key:
            split, column, row, _piece = board.place(one)
            about.setdefault((split, column, row), set()).add(number)
    numbers: dict[frozenset[int], int] = {}

    def as_read(place: tuple[tuple[str, ...], str, str]) -> tuple[int, int, int]:
        split, column, row = place
        which = board.labels.index(split) if split in board.labels else 0
        return which, board.rows.index(row), board.columns.index(column)

    return {place: numbers.setdefault(frozenset(about[place]), len(numbers)) for place in sorted(about, key=as_read)}


def class_svg(layout: Layout, classes: Mapping[str, int], title: str) -> str:
    """Return a picture of all boards; a line of text if the game has none."""
    canvas = Canvas()
    canvas.text(_MARGIN, 13, title, 13, anchor="start")
    top = float(_TITLE)
    boards = [board for board in layout.boards if board.kind != TABLE]
    for board in boards:
        of = place_classes(board, classes)
        for split in board.labels:
            if any(split):
                canvas.text(_MARGIN, top + 10, " ".join((board.name, *split)), 12, anchor="start")
                top += 20
            for y, row in enumerate(board.rows):
                canvas.text(_MARGIN - 10, top + (y + 0.5) * _CELL, row, 11)
                for x, column in enumerate(board.columns):
                    if (split, column, row) in of:
                        _draw_cell(canvas, _MARGIN + x * _CELL, top + y * _CELL, of[split, column, row])
            top += len(board.rows) * _CELL
            for x, column in enumerate(board.columns):
                canvas.text(_MARGIN + (x + 0.5) * _CELL, top + 11, column, 11)
            top += _MARGIN + 10
    if not boards:
        canvas.text(_MARGIN, top + 10, "this game has no board to draw", 12, anchor="start")
    canvas.height += 10
    return canvas.document(title, title, max(320, canvas.width + _MARGIN))


def _draw_cell(canvas: Canvas, x: float, y: float, number: int) -> None:
    canvas.rect(x, y, _CELL, _CELL, _COLOURS[number % len(_COLOURS)], "#444444")
    canvas.text(x + _CELL / 2, y + _CELL / 2, _letters(number), 14)


def _letters(number: int) -> str:
    """Return a, b, ... z, aa, ab, ..."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
