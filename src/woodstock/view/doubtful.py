"""Drop grids that only look like one: a pair of numbers need not be a place."""

from __future__ import annotations

from collections.abc import Sequence

from woodstock.view.board import GRID, HEX, LINE, Board
from woodstock.view.groups import Group

FEW = 4
"""The states needed to judge what comes and goes; missing in one state of this many counts as often."""


def without_doubtful(boards: Sequence[Board], groups: Sequence[Group]) -> list[Board]:
    """Return the boards without grids of marks that are more likely something else.

    `(below 24 31)` relates two places of a line, `(dice 3 5)` is a pair that comes and goes. A mark that comes and goes
    is drawn if there is a board of the same places, such as the amazon that has to shoot.
    """
    by_key = {group.key: group for group in groups}
    lines = [frozenset(board.columns) for board in boards if board.kind == LINE]
    sure: list[Board] = []
    passing: list[Board] = []
    for board in boards:
        group = by_key[board.key]
        if board.kind != GRID or board.piece or board.split or board.cut is not None:
            sure.append(board)
        elif _comes_and_goes(group):
            passing.append(board)
        elif not _relates_places(board, group, lines):
            sure.append(board)
    return sure + [mark for mark in passing if any(_lies_on(mark, board) for board in sure)]


def _comes_and_goes(group: Group) -> bool:
    """Return whether there is at most one fact, and none in many states."""
    without = sum(not held for held in group.states)
    return len(group.states) >= FEW and group.most_together() <= 1 and FEW * without >= len(group.states)


def _relates_places(board: Board, group: Group, lines: Sequence[frozenset[str]]) -> bool:
    """Return whether both symbols are the places of a line, and each is related to at most one other."""
    if frozenset(board.columns) != frozenset(board.rows) or frozenset(board.columns) not in lines:
        return False
    return all(group.decides([position]) for position in group.live)


def _lies_on(mark: Board, board: Board) -> bool:
    is_plane = board.kind in (GRID, HEX)
    return is_plane and set(mark.columns) <= set(board.columns) and set(mark.rows) <= set(board.rows)
