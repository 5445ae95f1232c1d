"""Connect four on any board as QCSP+: can the first player force four in a row?

The variables are the columns played in turn; the board after each move is defined by them. Restrictions do the rest.
The first player moves if the column has room, the other has no four, and some four is still free of the other's pieces.
The second player moves if the column has room and the first has no four; so a four ends the game by leaving the other
nothing to do, and a full board without one is no win.
"""

from __future__ import annotations

from woodstock.errors import ModelError
from woodstock.qcsp.expression import choose
from woodstock.qcsp.problem import Problem
from woodstock.scsp.expression import Constant, Expression, all_of, any_of, minimum
from woodstock.scsp.variable import Variable

EMPTY, FIRST, SECOND = range(3)
Cell = tuple[int, int]


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


def connect_four(columns: int = 4, rows: int = 4, length: int = 4) -> Problem:
    """Ask whether the first player can force a line of `length` on a board of `columns` by `rows`."""
    if columns < 1 or rows < 1 or length < 1:
        raise ModelError(f"connect-four: {columns} by {rows} with lines of {length} is no board")
    problem = Problem(f"connect-four-{columns}-{rows}")
    all_lines = lines(columns, rows, length)
    # The middle first: more lines go through it. Values are places in this order.
    order = sorted(range(columns), key=lambda c: abs(2 * c - columns + 1))
    heights: list[Expression] = [Constant(0)] * columns
    board: dict[Cell, Expression] = {(c, r): Constant(EMPTY) for c in range(columns) for r in range(rows)}
    for turn in range(columns * rows):
        player = FIRST if turn % 2 == 0 else SECOND
        # The board is its own mirror image: of two columns that are, the first move needs only one.
        places = range(0, columns, 2) if turn == 0 else range(columns)
        move = (problem.exists if player == FIRST else problem.forall)(f"move[{turn}]", places)
        _restrict(problem, player, move, order, heights, rows, board, all_lines)
        before = list(heights)
        for place, column in enumerate(order):
            grown = minimum([before[column] + 1, rows])
            heights[column] = problem.define(f"height[{turn}][{column}]", choose(move == place, grown, before[column]))
            for row in range(min(rows, turn // 2 * 2 + 2)):
                is_here = (move == place) & (before[column] == row)
                old = board[column, row]
                board[column, row] = problem.define(f"cell[{turn}][{column}][{row}]", choose(is_here, player, old))
    problem.require(_has_line(board, all_lines, FIRST))
    return problem


def _restrict(
    problem: Problem,
    player: int,
    move: Variable,
    order: list[int],
    heights: list[Expression],
    rows: int,
    board: dict[Cell, Expression],
    all_lines: list[list[Cell]],
) -> None:
    has_room = [(move != place) | (heights[column] < rows) for place, column in enumerate(order)]
    problem.such_that(*has_room)
    other = SECOND if player == FIRST else FIRST
    problem.such_that(~_has_line(board, all_lines, other))
    if player == FIRST:
        problem.such_that(any_of(all_of(board[cell] != SECOND for cell in line) for line in all_lines))


def _has_line(board: dict[Cell, Expression], all_lines: list[list[Cell]], player: int) -> Expression:
    return any_of(all_of(board[cell] == player for cell in line) for line in all_lines)
