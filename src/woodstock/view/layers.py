"""Combine boards on the same places into layers, if no state seen has pieces of two of them at one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from woodstock.view.board import GRID, HEX, KINDS, Board
from woodstock.view.groups import Group
from woodstock.view.terms import Fact

# A board with more kinds of pieces than this is a numbering and would hide the layers below.
MAX_LAYER_PIECES = 26
MAX_MARKERS = 6


def sheets(boards: Sequence[Board], groups: Sequence[Group]) -> tuple[tuple[Board, ...], ...]:
    """Return the boards as sheets, the largest first; layers of one sheet share its places."""
    by_key = {group.key: group for group in groups}
    ordered = sorted(
        boards,
        key=lambda b: (KINDS.index(b.kind), -len(b.places) * len(b.labels), _is_marker(b, by_key[b.key]), b.name),
    )
    found: list[list[Board]] = []
    for board in ordered:
        home: list[Board] | None = None
        aligned = board
        for sheet in found:
            layer = _as_layer(aligned, sheet[0])
            if layer is not None:
                aligned = layer
                if _fits(layer, sheet, by_key):
                    home = sheet
                    break
        if home is None:
            found.append([aligned])
        else:
            home.append(_told_apart(aligned, home))
    return tuple(map(tuple, found))


def _told_apart(layer: Board, sheet: Sequence[Board]) -> Board:
    """Return a layer whose pieces cannot be taken for those of the sheet: a red jumper on a red platform."""
    names = {piece for board in sheet for piece in board.pieces if piece != board.blank}
    if names.isdisjoint(piece for piece in layer.pieces if piece != layer.blank):
        return layer
    pieces = (piece if piece == layer.blank else f"{piece} {layer.name}" for piece in layer.pieces)
    return replace(layer, pieces=tuple(pieces), is_told_apart=True)


def _as_layer(board: Board, base: Board) -> Board | None:
    """Return the board as a layer of another: the same kind, on the same axes or a part of them."""
    if board.kind not in (GRID, HEX) or base.kind not in (GRID, HEX) or board.split or base.split:
        return None
    if len(board.pieces) > MAX_LAYER_PIECES or len(base.pieces) > MAX_LAYER_PIECES or board.up is None:
        return None
    if not set(board.columns) <= set(base.columns) or not set(board.rows) <= set(base.rows):
        return None
    # Drawn like the base: as a layer or, if it would hide too much, beside it.
    return replace(board, columns=base.columns, rows=base.rows, kind=base.kind, spots=base.spots)


def _fits(layer: Board, sheet: Sequence[Board], groups: dict[tuple[str, int], Group]) -> bool:
    """Return whether a layer hides nothing or only adds a few markers."""
    if _is_marker(layer, groups[layer.key]):
        return True
    return all(_are_apart(layer, other, groups) for other in sheet)


def _is_marker(board: Board, group: Group) -> bool:
    is_plane = board.kind in (GRID, HEX)
    return is_plane and group.most_together() <= MAX_MARKERS and len(board.pieces) <= MAX_MARKERS


def _are_apart(board: Board, base: Board, groups: dict[tuple[str, int], Group]) -> bool:
    """Return whether no place was seen to hold pieces of both."""
    mine, others = (_held(one, groups[one.key]) for one in (board, base))
    return all(not a & b for a, b in zip(mine, others, strict=True)) and any(mine)


def _held(board: Board, group: Group) -> list[set[tuple[str, str]]]:
    held = []
    for state in group.states:
        placed = [board.place(Fact(board.name, args, "")) for args in state]
        held.append({(column, row) for _, column, row, piece in placed if piece != board.blank})
    return held
