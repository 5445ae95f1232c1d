"""Infer what a game looks like: which fluents are a board, which symbol is a place, which a piece.

Comes in: every fluent that can hold (or those seen), a few states, and the static relations of the rules. Goes out: a
`Layout`. Cost: linear in the fluents for each of a few possible readings; some milliseconds for chess.

Symbols have an order if they are numbers or letters, or if the rules put them in a chain. Two such symbols whose pairs
nearly all occur are coordinates if, in every state seen, a place determines its piece or a piece its place. Other
symbols that a piece depends on make several boards. If one symbol alone determines all others, the fluents are a line
or a table. Nothing here knows any game; names only decide what is blank and which way is up.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from woodstock.view.adjacency import as_hex
from woodstock.view.board import GRID, HEX, LINE, TABLE, Board, Layout
from woodstock.view.doubtful import without_doubtful
from woodstock.view.groups import Group, groups
from woodstock.view.layers import sheets
from woodstock.view.orient import oriented, row_board
from woodstock.view.statics import Relations, chains
from woodstock.view.terms import find_cut, is_number, natural

MAX_BOARDS = 16
MIN_COVERAGE = 0.4
MIN_LINE = 3
MAX_TABLE = 120
MAX_ROWS = 4
MANY = 12
MAX_PIECES = 100
# More fluents of one name than this are not a board that anyone could read.
MAX_FACTS = 30_000


def infer(
    fluents: Iterable[str],
    states: Sequence[Collection[str]],
    variables: Mapping[tuple[str, int], str] | None = None,
    *,
    relations: Relations | None = None,
    roles: Iterable[str] = (),
    is_complete: bool = True,
) -> Layout:
    """Infer the layout from all fluents and some states.

    `variables` names symbols as the rules do, for orientation. If the fluents are not all that can hold (`is_complete`
    false), a place that was never seen counts as empty, not as a hole in the board.
    """
    statics = relations or {}
    found = groups(fluents, states, chains(statics), roles)
    boards = [board for group in found if (board := _board(group, statics, variables or {})) is not None]
    boards = without_doubtful(boards, found)
    if not any(board.kind in (GRID, HEX, LINE) for board in boards):
        boards += [board for group in found if (board := _marks(group)) is not None]
    if not is_complete:
        boards = [_whole(board) for board in boards]
    return Layout(
        sheets(boards, found),
        frozenset(group.key for group in found if _is_turn(group)),
        frozenset(group.key for group in found if _is_counter(group)),
    )


def _board(group: Group, relations: Relations, names: Mapping[tuple[str, int], str]) -> Board | None:
    """Return the board that the fluents of a group are, if they are one."""
    if _is_turn(group) or _is_counter(group) or len(group.live) < 2 or len(group.rows) > MAX_FACTS:
        return None
    single = _single_key(group)
    if single is None or group.axes.keys() - {single}:
        grid = _grid(group, names, single)
        if grid is not None:
            return as_hex(grid, group, relations) or grid
    for position in group.live:
        cut = find_cut(position, group.domain(position))
        if cut is not None and single in (None, position):
            row = _row(group, position)
            in_hexagons = as_hex(row, group, relations) if row is not None else None
            if in_hexagons is not None:
                return in_hexagons
            grid = _grid(group.taken_apart(cut), names, None)
            if grid is not None and {grid.across, grid.up} == {position, position + 1}:
                return grid
    if single is not None:
        row = _row(group, single)
        return row and (as_hex(row, group, relations) or row)
    return _matrix(group)


def _is_turn(group: Group) -> bool:
    """Return whether the fluents say whose turn it is: a role, and never two of them."""
    return len(group.live) == 1 and group.is_role(group.live[0]) and 0 < group.most_together() <= 1


def _is_counter(group: Group) -> bool:
    """Return whether the fluents hold one number: something with an order, exactly one in every state."""
    if len(group.live) != 1 or not group.states or any(len(held) != 1 for held in group.states):
        return False
    return all(is_number(symbol) for symbol in group.domain(group.live[0])) or group.live[0] in group.axes


def _single_key(group: Group) -> int | None:
    """Return the symbol that alone determines all others, if more than one fact is seen at a time.

    Of several, prefer a role, then one that is always present, then one with an order, then the first.
    """
    if group.most_together() < 2:
        return None
    keys = [i for i in group.live if group.decides([i])]
    return min(
        keys,
        key=lambda i: (not group.is_role(i), not group.is_total(i), i not in group.axes, i),
        default=None,
    )


def _grid(group: Group, names: Mapping[tuple[str, int], str], single: int | None) -> Board | None:
    """Return the best way to read a group as places in the plane, or None."""
    if len(group.live) == 2 and not _is_plane(group, single):
        return None
    readings = []
    for pair in itertools.combinations(sorted(group.axes), 2):
        if single is not None and single in pair and len(group.live) > 2:
            continue  # (point 3 12 red): twelve is no coordinate if point 3 determines it
        places = {(args[pair[0]], args[pair[1]]) for args in group.rows}
        if len(places) < max(4, MIN_COVERAGE * len(group.axes[pair[0]]) * len(group.axes[pair[1]])):
            continue
        for rank, piece, split in _pieces(group, pair):
            readings.append((_worth(group, pair, rank, piece), pair, piece, split))
            break
    if not readings:
        return None
    _, pair, piece, split = max(readings)
    return oriented(group, pair, piece, split, names)


def _is_plane(group: Group, single: int | None) -> bool:
    """Return whether two symbols are a place to mark, `(queen 3 5)`, and not a number for each key, `(heap a 5)`."""
    if len(group.axes) < 2 or (len(set(group.axes.values())) == 1 and _is_irreflexive(group)):
        return False
    if single is None:
        return True
    first, second = (group.axes[i] for i in group.live)
    return first == second and not any(group.is_total(i) for i in group.live)


def _is_irreflexive(group: Group) -> bool:
    """Return whether two symbols of one sort are never the same: `(on a b)` relates things, it is no place."""
    first, second = group.live[:2]
    pairs = {(args[first], args[second]) for args in group.rows}
    size = len(group.axes[first])
    return all(a != b for a, b in pairs) and len(pairs) >= 0.8 * size * (size - 1)


def _pieces(group: Group, pair: tuple[int, int]) -> Iterator[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Yield a rank, the piece and the symbols that distinguish boards, for each reading of the other symbols."""
    rest = tuple(i for i in group.live if i not in pair)
    if len({tuple(args[i] for i in rest) for args in group.rows}) > MAX_PIECES:
        return
    if not rest or group.decides(pair):
        yield 3, rest, ()
        return
    if group.decides(rest) and not any(i in group.axes for i in rest):
        yield 2, rest, ()  # each piece has one place, but a place may have several pieces
    for size in range(1, len(rest) + 1):
        for split in itertools.combinations(rest, size):
            labels = {tuple(args[i] for i in split) for args in group.rows}
            piece = tuple(i for i in rest if i not in split)
            if len(labels) <= MAX_BOARDS and piece and group.decides((*pair, *split)):
                yield 1, piece, split
    if len(rest) == 1 and len(group.domain(rest[0])) <= MAX_BOARDS:
        yield 0, rest, ()  # (wall 3 4 north): several things at one place
    is_small = all(len(group.domain(i)) <= MAX_BOARDS for i in rest)
    if len(rest) == 2 and is_small and group.axes[pair[0]] == group.axes[pair[1]]:
        yield 0, rest[1:], rest[:1]  # the same on several boards


def _worth(
    group: Group, pair: tuple[int, int], rank: int, piece: tuple[int, ...]
) -> tuple[bool, bool, bool, int, bool, bool, int]:
    """Rank readings: like axes, a piece at the end or in front, one board; then neighbours, the innermost last."""
    across, up = pair
    is_outer = not piece or piece[-1] == group.live[-1] or piece[0] == group.live[0]
    is_last = not piece or piece[-1] == group.live[-1]
    return rank > 0, group.axes[across] == group.axes[up], is_outer, rank, up == across + 1, is_last, across


def _row(group: Group, key: int) -> Board | None:
    """Return a group as places in a row: a line if they have an order, else a table."""
    if not group.decides([key]):
        return None
    domain = group.domain(key)
    is_line = key in group.axes and len(domain) >= MIN_LINE
    if not is_line and len(domain) > MAX_TABLE:
        return None
    columns = group.axes[key] if key in group.axes else tuple(sorted(domain, key=natural))
    return row_board(group, key, columns, LINE if is_line else TABLE)


def _matrix(group: Group) -> Board | None:
    """Return a group as a table of columns and rows: two symbols without an order that determine the others."""
    if len(group.live) < 3 or group.most_together() < 2:
        return None
    for piece in (group.live[-1:], *((i,) for i in group.live[:-1]), group.live[-2:], group.live[:2]):
        keys = [i for i in group.live if i not in piece]
        sizes = [len(group.domain(i)) for i in keys]
        if len(keys) != 2 or max(sizes) > MAX_TABLE or min(sizes) > MAX_BOARDS or not group.decides(keys):
            continue
        places = {(args[keys[0]], args[keys[1]]) for args in group.rows}
        if len(places) < MIN_COVERAGE * sizes[0] * sizes[1]:
            continue
        # Places with an order run across, and so do very many; otherwise the shorter side does.
        is_line = any(i in group.axes and len(group.axes[i]) >= MIN_LINE for i in keys) and min(sizes) <= MAX_ROWS
        is_long = is_line or (min(sizes) <= MAX_ROWS and max(sizes) > MANY)
        across, up = sorted(keys, key=lambda i: (is_line and i not in group.axes, len(group.domain(i)), i))
        if is_long and not is_line:
            across, up = up, across
        marks = [group.axes.get(i) or tuple(sorted(group.domain(i), key=natural)) for i in (across, up)]
        board = row_board(group, across, marks[0], LINE if is_line else TABLE, piece)
        places = {(args[across], args[up]) for args in group.rows}
        return replace(board, up=up, rows=marks[1], places=frozenset(places))
    return None


def _marks(group: Group) -> Board | None:
    """Return a row of marks for games without a board: `(on 3)`, `(at b)` on places with an order."""
    if len(group.live) != 1 or _is_turn(group) or _is_counter(group):
        return None
    axis = group.axes.get(group.live[0])
    if axis is None or len(axis) < MIN_LINE:
        return None
    return row_board(group, group.live[0], axis, LINE, ())


def _whole(board: Board) -> Board:
    """Return a board without holes."""
    if board.kind == HEX:
        return board
    return replace(board, places=frozenset(itertools.product(board.columns, board.rows)))
