"""Turn a grid or a row of places into hexagons if the rules give inner places six neighbours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from woodstock.view.board import HEX, Board, Place
from woodstock.view.groups import Group
from woodstock.view.hexagons import MIN_PLACES, Spot, best_turn, embed
from woodstock.view.statics import Relations
from woodstock.view.terms import natural

Pairs = set[tuple[Place, Place]]


def as_hex(board: Board, group: Group, relations: Relations) -> Board | None:
    """Return the board with hexagonal places, or None if the rules do not say so."""
    places = board.places
    if len(places) < MIN_PLACES or board.cut is not None:
        return None
    size = 1 if board.up is None else 2
    is_reversed = board.up is not None and board.up < board.across
    together: Pairs = set()
    for pairs in _adjacencies(relations, size, places, is_reversed):
        spots = embed(places, pairs)
        if spots is not None:
            return _laid_down(board, spots)
        together |= pairs
    spots = embed(places, together) if together else None  # one relation for each direction
    return _laid_down(board, spots) if spots is not None else None


def _adjacencies(relations: Relations, size: int, places: frozenset[Place], is_reversed: bool) -> Iterator[Pairs]:
    """Yield the pairs of places in each relation that has two places side by side or at its ends."""
    for key in sorted(relations):
        arity = key[1]
        if arity not in (2 * size, 2 * size + 1):
            continue
        # One more symbol is the direction: first, last or in the middle.
        for first, second in {(0, size), (0, arity - size), (arity - 2 * size, arity - size)}:
            pairs = set()
            for row in relations[key]:
                a, b = (_place(row[start : start + size], is_reversed) for start in (first, second))
                if a in places and b in places:
                    pairs.add((a, b))
            if len(pairs) >= len(places):
                yield pairs


def _place(symbols: tuple[str, ...], is_reversed: bool) -> Place:
    if len(symbols) == 1:
        return symbols[0], ""
    return (symbols[1], symbols[0]) if is_reversed else (symbols[0], symbols[1])


def _laid_down(board: Board, spots: Mapping[Place, Spot]) -> Board:
    """Return the board with the grid turned so that its rows are horizontal, or else so that names read like a text."""
    laid = best_turn(spots, lambda turned: _order(board, turned))
    return replace(board, kind=HEX, spots=laid)


def _order(board: Board, spots: Mapping[Place, Spot]) -> float:
    column = {mark: i for i, mark in enumerate(board.columns)}
    row = {mark: i for i, mark in enumerate(board.rows)}
    reading = sorted(spots, key=lambda place: (spots[place][1], spots[place][0]))
    pairs = list(itertools.pairwise(reading))
    if board.up is None:
        return sum(natural(a[0]) < natural(b[0]) for a, b in pairs)
    beside = [(a, b) for a, b in pairs if spots[a][1] == spots[b][1]]
    in_rows = sum(row[a[1]] == row[b[1]] and column[a[0]] < column[b[0]] for a, b in beside)
    downwards = sum(row[a[1]] < row[b[1]] for a, b in pairs if spots[a][1] < spots[b][1])
    return in_rows + downwards
