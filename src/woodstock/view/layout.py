"""Infer what a game looks like: which fluents are a board, which symbol is a place, which a piece.

Comes in: every fluent that can hold (or those seen) and a few states. Goes out: a `Layout`, boards plus the names that
belong to none. Cost: linear in fluents times the symbols squared; a few milliseconds for chess.

A fluent `(cell ?x ?y ?piece)` is a board when two of its symbols have ordered domains (numbers or letters), nearly all
pairs of them occur, and in every state seen a place holds at most one piece. Further symbols that the piece depends
on become several boards side by side. Nothing here knows any game; names only settle what is blank and which way is up.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from woodstock.view.terms import Fact, fact, natural, ordered_axis

BLANK_NAMES = frozenset(
    ["b", "blank", "empty", "e", "none", "nil", "free", "_", "-", ".", "clear", "space", "nothing", "vacant"]
)
MAX_AXIS = 40
MAX_BOARDS = 16
MIN_COVERAGE = 0.4


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of places. `across`, `up`, `piece` and `split` are positions of symbols in the fluents called `name`.

    `columns` run left to right and `rows` from top to bottom, as drawn. `split` tells several boards apart.
    """

    name: str
    arity: int
    across: int
    up: int
    piece: tuple[int, ...]
    split: tuple[int, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    pieces: tuple[str, ...]
    blank: str | None
    labels: tuple[tuple[str, ...], ...] = ((),)
    places: frozenset[tuple[str, str]] = frozenset()

    def place(self, one: Fact) -> tuple[tuple[str, ...], str, str, str]:
        """Return which board, column and row a fact is about, and the piece there."""
        piece = " ".join(one.args[i] for i in self.piece) if self.piece else "*"
        return tuple(one.args[i] for i in self.split), one.args[self.across], one.args[self.up], piece


@dataclass(frozen=True, slots=True)
class Layout:
    """What to draw: the boards, and for all other facts nothing but their names."""

    boards: tuple[Board, ...]


def infer(
    fluents: Iterable[str],
    states: Sequence[Collection[str]],
    variables: Mapping[tuple[str, int], str] | None = None,
    *,
    is_complete: bool = True,
) -> Layout:
    """Infer the layout from all fluents and some states.

    `variables` names symbols as the rules do, for orientation. If the fluents are not all that can hold (`is_complete`
    false), a place that was never seen counts as empty, not as a hole in the board.
    """
    groups: dict[tuple[str, int], list[Fact]] = defaultdict(list)
    for text in fluents:
        one = fact(text)
        if len(one.args) >= 2:
            groups[one.name, len(one.args)].append(one)
    seen: dict[tuple[str, int], list[list[Fact]]] = {key: [[] for _ in states] for key in groups}
    for number, state in enumerate(states):
        for text in state:
            one = fact(text)
            if (one.name, len(one.args)) in seen:
                seen[one.name, len(one.args)][number].append(one)
    names = variables or {}
    boards = [
        board
        for key, facts in groups.items()
        if (board := _board(key[0], key[1], facts, seen[key], names)) is not None
    ]
    if not is_complete:
        boards = [replace(board, places=frozenset(itertools.product(board.columns, board.rows))) for board in boards]
    return Layout(tuple(sorted(boards, key=lambda b: (-len(b.places) * len(b.labels), b.name))))


def _board(
    name: str, arity: int, facts: Sequence[Fact], states: Sequence[Sequence[Fact]], names: Mapping[tuple[str, int], str]
) -> Board | None:
    live = [i for i in range(arity) if len({one.args[i] for one in facts}) > 1]
    axes = {i: axis for i in live if (axis := ordered_axis(one.args[i] for one in facts)) and len(axis) <= MAX_AXIS}
    for piece in _piece_candidates(live):
        keys = [i for i in live if i not in piece]
        pairs = itertools.combinations([i for i in keys if i in axes], 2)
        for across, up in sorted(pairs, key=lambda pair: _likelihood(pair, axes), reverse=True):
            split = tuple(i for i in keys if i not in (across, up))
            places = frozenset((one.args[across], one.args[up]) for one in facts)
            if len(places) < max(4, MIN_COVERAGE * len(axes[across]) * len(axes[up])):
                continue
            if not _is_function(states, keys, piece):
                continue
            if not piece and (split or _is_total_function(facts, states, across, up)):
                continue  # (heap a 3): a number for each heap, not a place
            labels = sorted({tuple(one.args[i] for i in split) for one in facts}, key=lambda t: tuple(map(natural, t)))
            if len(labels) > MAX_BOARDS:
                continue
            shown = piece or tuple(i for i in range(arity) if i not in live)
            return _oriented(name, arity, (across, up), shown, split, axes, facts, states, names, tuple(labels), places)
    return None


def _likelihood(pair: tuple[int, int], axes: Mapping[int, tuple[str, ...]]) -> tuple[bool, bool, int]:
    """Rank pairs of coordinates: equal axes first, then neighbours, then the innermost (board before place)."""
    across, up = pair
    return axes[across] == axes[up], up == across + 1, across


def _piece_candidates(live: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Yield which symbols may be the piece, likeliest first: the last one, the first, any other, two, none."""
    if len(live) > 2:
        yield (live[-1],)
        yield (live[0],)
        yield from ((i,) for i in live[1:-1])
    if len(live) > 3:
        yield (live[-2], live[-1])
        yield (live[0], live[-1])
        yield (live[0], live[1])
    yield ()


def _is_function(states: Sequence[Sequence[Fact]], keys: Sequence[int], piece: tuple[int, ...]) -> bool:
    """Tell whether no place holds two pieces in any state seen."""
    if not piece:
        return True
    return all(len({tuple(one.args[i] for i in keys) for one in facts}) == len(facts) for facts in states)


def _is_total_function(facts: Sequence[Fact], states: Sequence[Sequence[Fact]], across: int, up: int) -> bool:
    """Tell whether one argument has exactly one value of the other in every state seen."""
    for key, value in ((across, up), (up, across)):
        domain = sorted({one.args[key] for one in facts})
        if states and all(
            sorted(k for k, _ in {(one.args[key], one.args[value]) for one in held}) == domain for held in states
        ):
            return True
    return False


def _oriented(
    name: str,
    arity: int,
    pair: tuple[int, int],
    piece: tuple[int, ...],
    split: tuple[int, ...],
    axes: Mapping[int, tuple[str, ...]],
    facts: Sequence[Fact],
    states: Sequence[Sequence[Fact]],
    names: Mapping[tuple[str, int], str],
    labels: tuple[tuple[str, ...], ...],
    places: frozenset[tuple[str, str]],
) -> Board:
    """Settle which axis runs across and which way is up.

    (cell ?column ?row) and (cell ?x ?y) are drawn as in geometry, the first row at the bottom; (cell ?row ?column) is
    drawn as a matrix, the first row on top. Without a hint: letters across, else geometry.
    """
    first, second = pair
    is_matrix = _names_row(names.get((name, first), "")) or _names_column(names.get((name, second), ""))
    if not is_matrix and not axes[first][0].isalpha() and axes[second][0].isalpha():
        first, second = second, first
        places = frozenset((b, a) for a, b in places)
    if is_matrix:
        across, up, rows = second, first, axes[first]
        places = frozenset((b, a) for a, b in places)
    else:
        across, up, rows = first, second, tuple(reversed(axes[second]))
    pieces = sorted({" ".join(one.args[i] for i in piece) for one in facts} if piece else {"*"}, key=natural)
    blank = _blank(pieces, piece, states)
    return Board(name, arity, across, up, piece, split, axes[across], rows, tuple(pieces), blank, labels, places)


def _names_row(variable: str) -> bool:
    return variable.lower().rstrip("0123456789_") in ("r", "row", "ro", "line")


def _names_column(variable: str) -> bool:
    return variable.lower().rstrip("0123456789_") in ("c", "col", "column", "file")


def _blank(pieces: Sequence[str], piece: tuple[int, ...], states: Sequence[Sequence[Fact]]) -> str | None:
    """Return the piece that means that nothing is there: it has such a name, and some state is full of it."""
    candidates = [name for name in pieces if name.lower() in BLANK_NAMES]
    if not candidates or not piece:
        return None
    counts: Counter[str] = Counter()
    for held in states:
        counts.update(" ".join(one.args[i] for i in piece) for one in held)
    named = [name for name in candidates if len(name) > 1]
    # A lone letter may be a colour as well: `b` is blank only where it is the commonest piece.
    if named:
        return max(named, key=lambda name: counts[name])
    commonest = max(pieces, key=lambda name: counts[name])
    return commonest if commonest in candidates else None
