"""Connect four on any board as QCSP+: can the first player force four in a row?

The variables are the columns played in turn; they define the contents of each column after each move. A column
is one number: a 1, and after it a bit for each piece from the bottom up, 0 of the first player and 1 of the second.
Restrictions do the rest. The first player moves if the column has room, the other has no four, and some four is still
free of the other's pieces. The second player moves if the column has room and the first has no four; so a four ends
the game by leaving the other nothing to do, and a full board without one is no win.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from woodstock.constraint.expression import Constant, Expression, all_of, any_of
from woodstock.constraint.selection import choose, in_table
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.qcsp.problem import Problem

FIRST, SECOND = range(2)
EMPTY_COLUMN = 1
Cell = tuple[int, int]
Pieces = tuple[int, ...]


def lines(columns: int, rows: int, length: int = 4) -> list[list[Cell]]:
    """Return the cells (column, row) of every line of that length."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for step_column, step_row in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + i * step_column, row + i * step_row) for i in range(length)]
                if all(0 <= c < columns and 0 <= r < rows for c, r in cells):
                    found.append(cells)
    return found


def pieces_of(state: int) -> Pieces:
    """Return the pieces of a column from the bottom up, by its number."""
    return tuple(int(bit) for bit in f"{state:b}"[1:])


def connect_four(columns: int = 4, rows: int = 4, length: int = 4, start: str | int | Sequence[int] = "") -> Problem:
    """Ask whether the first player can force a line of `length` on a board of `columns` by `rows`.

    `start` has the columns played so far, counted from 1: "3323", or [3, 3, 2, 3].
    """
    if columns < 1 or rows < 1 or length < 1:
        raise ModelError(f"connect-four: {columns} by {rows} with lines of {length} is no board")
    if rows > 10:
        raise ModelError(f"connect-four: {rows} rows; a column of more than 10 has too many states")
    problem = Problem(f"connect-four-{columns}-{rows}")
    played = _played(start, columns, rows)
    middle_first = sorted(range(columns), key=lambda c: abs(2 * c - columns + 1))
    board = _Board(lines(columns, rows, length), [Constant(EMPTY_COLUMN)] * columns, {})
    for turn in range(columns * rows):
        player = turn % 2
        # More lines go through the middle, which is good for the first player; the second one only has to hold, and
        # trying the edges first takes fewer nodes. Values are places in this order.
        order = middle_first if player == FIRST else middle_first[::-1]
        places: Sequence[int] = range(columns)
        if turn < len(played):
            places = [order.index(played[turn])]
        elif turn == 0:  # the board is symmetric: one of two mirrored columns is enough
            places = [place for place, column in enumerate(order) if 2 * column < columns]
        move = (problem.exists if player == FIRST else problem.forall)(f"move[{turn}]", places)
        problem.labels[move.name] = {place: f"column {order[place] + 1}" for place in places}
        has_room = [board.holds(column, lambda pieces: len(pieces) < rows) for column in range(columns)]
        problem.such_that(*((move != place) | has_room[column] for place, column in enumerate(order)))
        if turn >= 2 * length - 1:  # the last player may have a line
            problem.such_that(~board.has_line(1 - player))
        if player == FIRST:
            problem.such_that(board.is_open_to_first())
        after = list(board.columns)
        for place, column in enumerate(order):
            before = board.columns[column]
            term = choose((move == place) & has_room[column], 2 * before + player, before)
            after[column] = problem.define(f"column[{turn}][{column}]", term)
        board = _Board(board.lines, after, board.pieces)
    problem.require(board.has_line(FIRST))
    return problem


def _played(start: str | int | Sequence[int], columns: int, rows: int) -> list[int]:
    """Return the columns played so far, counted from 0."""
    numbers = str(start) if isinstance(start, str | int) else list(start)
    try:
        played = [int(number) - 1 for number in numbers]
    except ValueError:
        raise ModelError(f"connect-four: the start {start!r} is not a list of columns") from None
    for column in played:
        if not 0 <= column < columns or played.count(column) > rows:
            raise ModelError(f"connect-four: column {column + 1} cannot be played so in {start!r}")
    return played


class _Board:
    """The columns after a turn, and conditions on them."""

    def __init__(self, all_lines: list[list[Cell]], columns: list[Expression], pieces: dict[int, Pieces]) -> None:
        self.lines, self.columns = all_lines, columns
        self.pieces = pieces  # of every state so far
        for column in columns:
            for state in _states(column):
                if state not in pieces:
                    pieces[state] = pieces_of(state)
        self._known: dict[tuple[object, ...], Expression] = {}

    def holds(self, column: int, test: Callable[[Pieces], bool]) -> Expression:
        """Return the condition that the column is in one of the states that pass the test."""
        states = _states(self.columns[column])
        passing = [state for state in states if test(self.pieces[state])]
        if len(passing) in (0, len(states)):
            return Constant(bool(passing))
        return in_table([self.columns[column]], [(state,) for state in passing])

    def has_line(self, player: int) -> Expression:
        """Return the condition that the player has a line."""
        return self._any_line(player, lambda pieces, row: len(pieces) > row and pieces[row] == player)

    def is_open_to_first(self) -> Expression:
        """Return the condition that some line has no piece of the second player."""
        return self._any_line("open", lambda pieces, row: len(pieces) <= row or pieces[row] == FIRST)

    def _any_line(self, kind: object, test: Callable[[Pieces, int], bool]) -> Expression:
        found = []
        for line in self.lines:
            rows_in: dict[int, list[int]] = {}
            for column, row in line:
                rows_in.setdefault(column, []).append(row)
            found.append(all_of(self._column(kind, column, tuple(rows), test) for column, rows in rows_in.items()))
        return any_of(found)

    def _column(
        self, kind: object, column: int, rows: tuple[int, ...], test: Callable[[Pieces, int], bool]
    ) -> Expression:
        key = (kind, column, rows)  # lines share cells
        if key not in self._known:
            self._known[key] = self.holds(column, lambda pieces: all(test(pieces, row) for row in rows))
        return self._known[key]


def _states(column: Expression) -> list[int]:
    return column.codes if isinstance(column, Variable) else [EMPTY_COLUMN]
