"""Planes over the board that `woodstock.view` infers: one for each kind of piece, as convolutional networks expect.

A fluent that is on no place of the board, such as whose turn it is, fills a plane of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.view import view_of
from woodstock.view.board import GRID, HEX, Board
from woodstock.view.terms import fact


@dataclass(frozen=True)
class Planes:
    """The fluent at each position of (plane, row, column), -1 if none; rows from top to bottom, as drawn."""

    names: tuple[str, ...]
    shape: tuple[int, int, int]
    sources: NDArray[np.int32]


def find_planes(game: Game) -> Planes:
    """Lay the fluents of a game out over its board."""
    sheets = [sheet for sheet in view_of(game).layout.sheets if sheet[0].kind in (GRID, HEX)]
    if not sheets:
        raise GameError(f"{game.name} has no board that could be inferred, so it has no planes: use observe='fluents'")
    sheet = max(sheets, key=lambda boards: len(boards[0].places))
    boards = {board.key: board for board in sheet}
    rows, columns = _axes(sheet[0])
    planes: dict[tuple[str, ...], NDArray[np.int32]] = {}
    rest: list[int] = []
    for index, text in enumerate(game.fluents):
        one = fact(text)
        board = boards.get(one.key)
        spot = None if board is None else _spot(board, one.text, rows, columns)
        if board is None or spot is None:
            rest.append(index)
            continue
        split, _column, _row, piece = board.place(one)
        key: tuple[str, ...] = (board.name, *split, piece)
        # Fluents that differ in something that is not drawn share a place and a piece: each gets a plane.
        while key in planes and planes[key][spot] >= 0:
            key = (*key, "also")
        if key not in planes:
            planes[key] = np.full((len(rows), len(columns)), -1, dtype=np.int32)
        planes[key][spot] = index
    filled = [np.full((len(rows), len(columns)), index, dtype=np.int32) for index in rest]
    every = [*planes.values(), *filled]
    names = tuple([" ".join(key) for key in planes] + [game.fluents[index] for index in rest])
    stacked = np.stack(every)
    return Planes(names, (len(every), len(rows), len(columns)), stacked.reshape(-1))


def _axes(board: Board) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of each row and column, by its mark; of a hex whose places have one name, by its spots."""
    if board.is_named:
        return _numbered(str(r) for _q, r in board.spots.values()), _numbered(str(q) for q, _r in board.spots.values())
    return {mark: i for i, mark in enumerate(board.rows)}, {mark: i for i, mark in enumerate(board.columns)}


def _numbered(marks: Iterable[str]) -> dict[str, int]:
    return {mark: i for i, mark in enumerate(sorted(set(marks), key=int))}


def _spot(board: Board, text: str, rows: dict[str, int], columns: dict[str, int]) -> tuple[int, int] | None:
    _split, column, row, _piece = board.place(fact(text))
    if board.is_named:
        spot = board.spots.get((column, row))
        if spot is None:
            return None
        column, row = str(spot[0]), str(spot[1])
    if row not in rows or column not in columns:
        return None
    return rows[row], columns[column]
