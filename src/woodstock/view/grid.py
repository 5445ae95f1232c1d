"""Draw one board as lines of text: rows with their marks, the marks of the columns below, changes in brackets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rich.text import Text

from woodstock.view.layout import Board
from woodstock.view.terms import Fact, fact

NOTHING = "."
HOLE = " "
SEVERAL = "+"

Place = tuple[tuple[str, ...], str, str]


def draw_boards(
    board: Board,
    facts: Sequence[Fact],
    before: Collection[str] | None,
    short: Mapping[str, str],
    style: Callable[[str], str],
    width: int,
) -> Iterator[list[Text]]:
    """Yield the lines of each board of this kind. `before` are the fluents of the state that this one came from."""
    held = _held(board, facts)
    changed = _changed(board, held, before)
    margin = max(map(len, board.rows))
    step = max(1, *map(len, short.values()), *map(len, board.columns))
    # Brackets need room on either side of each cell; a board too wide for them shows changes by colour only.
    has_room = margin + 1 + len(board.columns) * (step + 2) <= width
    for label in board.labels:
        lines = [Text(" ".join((board.name, *label)))] if label else []
        for row in board.rows:
            line = Text(row.rjust(margin) + " ")
            for column in board.columns:
                pieces = held.get((label, column, row), [])
                if not pieces:
                    shown = NOTHING if (column, row) in board.places else HOLE
                else:
                    shown = short[pieces[0]] if len(pieces) == 1 else SEVERAL
                is_new = (label, column, row) in changed
                look = style(pieces[0]) if pieces else "dim"
                cell = _cell(shown, step, has_room, "[]" if is_new else "  ")
                line.append(cell, f"{look} reverse" if is_new else look)
            line.rstrip()
            lines.append(line)
        axis = Text(" " * (margin + 1), style="dim")
        for mark in board.columns:
            axis.append(_cell(mark, step, has_room, "  "))
        axis.rstrip()
        yield [*lines, axis]


def _cell(shown: str, step: int, has_room: bool, brackets: str) -> str:
    left = (step - len(shown) + 1) // 2
    right = step - len(shown) - left
    if not has_room:
        return " " * left + shown + " " * right + " "
    return " " * left + brackets[0] + shown + brackets[1] + " " * right


def _held(board: Board, facts: Sequence[Fact]) -> dict[Place, list[str]]:
    """Return the pieces on each place, blanks left out."""
    held: dict[Place, list[str]] = {}
    for one in facts:
        label, column, row, piece = board.place(one)
        if piece != board.blank:
            held.setdefault((label, column, row), []).append(piece)
    return held


def _changed(board: Board, held: Mapping[Place, list[str]], before: Collection[str] | None) -> set[Place]:
    if before is None:
        return set()
    old = _held(board, [one for one in map(fact, before) if (one.name, len(one.args)) == (board.name, board.arity)])
    return {place for place in {*old, *held} if sorted(old.get(place, [])) != sorted(held.get(place, []))}
