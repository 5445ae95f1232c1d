"""Orient a board: which symbol runs across, which way is up, and which piece means an empty place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from woodstock.view.board import GRID, Board
from woodstock.view.groups import Args, Group
from woodstock.view.terms import is_number, natural

BLANK_NAMES = frozenset(
    ["b", "blank", "empty", "e", "none", "nil", "free", "_", "-", ".", "clear", "space", "nothing", "vacant"]
)
WORD = 3
"""A name with this many letters is a word, not a letter for a colour."""


def oriented(
    group: Group,
    pair: tuple[int, int],
    piece: tuple[int, ...],
    split: tuple[int, ...],
    names: Mapping[tuple[str, int], str],
) -> Board:
    """Return the grid of a group with its axes laid down.

    (cell ?column ?row) and (cell ?x ?y) are drawn as in geometry, the first row at the bottom; (cell ?row ?column) is
    drawn as a matrix, the first row on top. Without a hint: letters across, else geometry.
    """
    first, second = pair
    name, axes = group.key[0], group.axes
    is_matrix = _names_row(names.get((name, first), "")) or _names_column(names.get((name, second), ""))
    if is_matrix:
        across, up, rows = second, first, axes[first]
    else:
        if not axes[first][0].isalpha() and axes[second][0].isalpha():
            first, second = second, first
        across, up, rows = first, second, tuple(reversed(axes[second]))
    pieces, blank = _pieces(group, piece)
    labels = sorted({tuple(args[i] for i in split) for args in group.rows}, key=lambda t: tuple(map(natural, t)))
    places = frozenset((args[across], args[up]) for args in group.rows)
    return Board(
        *group.key, across, up, piece, split, axes[across], rows, pieces, blank, tuple(labels), places,
        GRID, cut=group.cut,
    )  # fmt: skip


def row_board(
    group: Group, key: int, columns: tuple[str, ...], kind: str, piece: tuple[int, ...] | None = None
) -> Board:
    """Return the places of one symbol, in a row; all other symbols that vary are the piece."""
    shown = tuple(i for i in group.live if i != key) if piece is None else piece
    pieces, blank = _pieces(group, shown)
    places = frozenset((column, "") for column in columns)
    return Board(*group.key, key, None, shown, (), columns, ("",), pieces, blank, ((),), places, kind, cut=group.cut)


def _names_row(variable: str) -> bool:
    return variable.lower().rstrip("0123456789_") in ("r", "row", "ro", "line")


def _names_column(variable: str) -> bool:
    return variable.lower().rstrip("0123456789_") in ("c", "col", "column", "file")


def _pieces(group: Group, piece: tuple[int, ...]) -> tuple[tuple[str, ...], str | None]:
    """Return the names of all pieces, and the one that is blank."""
    pieces = sorted({_piece(args, piece) for args in group.rows} if piece else {group.key[0]}, key=natural)
    return tuple(pieces), _blank(pieces, piece, group.states)


def _piece(args: Args, piece: tuple[int, ...]) -> str:
    return " ".join(args[i] for i in piece)


def _blank(pieces: Sequence[str], piece: tuple[int, ...], states: Sequence[Sequence[Args]]) -> str | None:
    """Return the piece that means an empty place, judged by its name."""
    candidates = [name for name in pieces if name.lower() in BLANK_NAMES]
    if not candidates:
        return None
    if not piece:
        return candidates[0] if len(candidates[0]) > 1 else None
    counts: Counter[str] = Counter()
    for held in states:
        counts.update(_piece(args, piece) for args in held)
    named = [name for name in candidates if len(name) > 1]
    if named:
        return max(named, key=lambda name: counts[name])
    # A letter may be a colour as well, so `b` is blank only beside numbers and words, or if it is the commonest piece.
    if all(is_number(name) or len(name) >= WORD for name in pieces if name not in candidates):
        return candidates[0]
    commonest = max(pieces, key=lambda name: counts[name])
    return commonest if commonest in candidates else None
