"""A state laid out for drawing: what each place holds, what changed, what is left over; text and SVG start here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from woodstock.view.board import LINE, TABLE, Board, Layout, Place
from woodstock.view.hexagons import Spot
from woodstock.view.pieces import short_names
from woodstock.view.terms import Fact, is_number

# Names up to this length are drawn in full in a line or a table; a grid has less room.
LONGEST_VALUE = 10
LONGEST_IN_LINE = 4
SHORT_TABLE = 12
LONG_LEGEND = 16
MANY_PIECES = 40
MARKED = "*"
UNKNOWN = "?"

# Where a picture comes from: the number of a sheet in the layout, and the label of one of its boards.
Source = tuple[int, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: `cells` has the pieces at each place that holds any, `changed` the places that differ.

    `short` has the name under which each piece is drawn; panels with the same `shelf` go side by side.
    """

    title: str
    kind: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: Mapping[Place, tuple[str, ...]]
    changed: frozenset[Place]
    places: frozenset[Place]
    short: Mapping[str, str]
    spots: Mapping[Place, Spot] = field(default_factory=dict)
    is_named: bool = False
    shelf: tuple[str, ...] = ()

    @property
    def legend(self) -> dict[str, str]:
        """The short names with their full names, if they differ; of many, only those on the board."""
        names = set(self.short)
        if len(names) > LONG_LEGEND:
            names = {piece for pieces in self.cells.values() for piece in pieces}
        if self.title and list(self.short.values()) == [MARKED]:
            names = set()
        # p0110 drawn as 0110 needs no explanation.
        told = {name for name in names if len(self.short[name]) > 2 and name.endswith(self.short[name])}
        return {short: name for name, short in self.short.items() if short != name and name in names - told}

    @property
    def lean(self) -> int:
        """Which way the columns of a hex lean from one row down to the next: 1 to the right, -1 to the left, or 0."""
        for (column, row), (q, r) in self.spots.items():
            for (other, beside), (p, s) in self.spots.items():
                if other == column and beside != row and s == r + 1:
                    return 2 * p + s - 2 * q - r
        return 0

    @property
    def marks(self) -> frozenset[str]:
        """The marks of all columns, those of other parts of a folded row as well."""
        return frozenset(column for column, _ in self.places) if self.kind in (LINE, TABLE) else frozenset(self.columns)

    def folded(self, room: int) -> Iterator[Panel]:
        """Yield a line in parts of at most `room` columns (at least one), of about equal length."""
        parts = -(-len(self.columns) // max(1, room))
        size = -(-len(self.columns) // parts)
        for start in range(0, len(self.columns), size):
            yield replace(self, columns=self.columns[start : start + size])

    def shown(self, place: Place) -> tuple[str, ...]:
        """Return the short names of what is at a place."""
        return tuple(self.short.get(piece, piece) for piece in self.cells.get(place, ()))


class Drafter:
    """Lays out the states of a game. Keeps the short names of pieces, which are the same in every state."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._short = _short_names(layout)
        self._drawn = frozenset(board.key for board in layout.boards)

    def panels(
        self, facts: Sequence[Fact], before: Collection[Fact] | None, doubtful: Collection[Fact] = ()
    ) -> list[Panel]:
        """Return the pictures of a state; what differs from `before` is marked, and so are doubtful facts."""
        return [_without_empty_columns(panel) for panel, _ in self._joined_panels(facts, before, doubtful)]

    def frames(self) -> list[tuple[Panel, list[Source]]]:
        """Return the pictures without pieces, whole, and the sheets and labels of boards that each one shows."""
        return self._joined_panels((), None)

    def _joined_panels(
        self, facts: Sequence[Fact], before: Collection[Fact] | None, doubtful: Collection[Fact] = ()
    ) -> list[tuple[Panel, list[Source]]]:
        found: list[tuple[Panel, list[Source]]] = []
        is_titled = sum(sheet[0].up is not None for sheet in self.layout.sheets) > 1
        for number, (sheet, short) in enumerate(zip(self.layout.sheets, self._short, strict=True)):
            panels = _sheet_panels(sheet, short, facts, before, doubtful, is_titled=is_titled)
            for label, panel in zip(sheet[0].labels, panels, strict=True):
                if found and _are_one_table(found[-1][0], panel):
                    found[-1] = (_joined(found[-1][0], panel), [*found[-1][1], (number, label)])
                else:
                    found.append((panel, [(number, label)]))
        return found

    def rest(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the facts that are in no picture."""
        return [one for one in facts if one.key not in self._drawn]


def _short_names(layout: Layout) -> list[dict[str, str]]:
    """Return the names to draw for the pieces of each sheet; short names are distinct across all sheets."""
    pieces = [list(dict.fromkeys(p for b in sheet for p in b.pieces if p != b.blank)) for sheet in layout.sheets]
    names: list[dict[str, str]] = []
    long: list[str] = []
    for sheet, mine in zip(layout.sheets, pieces, strict=True):
        longest = {TABLE: LONGEST_VALUE, LINE: LONGEST_IN_LINE}.get(sheet[0].kind, 0)
        if all(len(piece) <= longest or (is_number(piece) and len(piece) <= LONGEST_IN_LINE) for piece in mine):
            names.append({piece: piece for piece in mine})
        elif mine == [sheet[0].name]:
            names.append({mine[0]: MARKED})
        else:
            names.append({})
            long += mine
    if len(long) > MANY_PIECES:
        return [short or short_names(mine) for short, mine in zip(names, pieces, strict=True)]
    shared = short_names(list(dict.fromkeys(long)))
    return [short or {piece: shared[piece] for piece in mine} for short, mine in zip(names, pieces, strict=True)]


def _sheet_panels(
    sheet: Sequence[Board],
    short: Mapping[str, str],
    facts: Sequence[Fact],
    before: Collection[Fact] | None,
    doubtful: Collection[Fact],
    *,
    is_titled: bool,
) -> Iterator[Panel]:
    base = sheet[0]
    now = _held(sheet, facts)
    for place in _places(sheet, doubtful):
        now[place] = (*now.get(place, ()), UNKNOWN)
    old = now if before is None else _held(sheet, before)
    places = frozenset().union(*(board.places for board in sheet))
    is_row = base.up is None and base.kind in (LINE, TABLE)
    for label in base.labels:
        title = " ".join((base.name, *label)) if label or is_titled else ""
        cells = {place: pieces for (at, place), pieces in now.items() if at == label}
        past = {place: pieces for (at, place), pieces in old.items() if at == label}
        changed = frozenset(p for p in {*cells, *past} if cells.get(p) != past.get(p))
        panel = Panel(
            title, base.kind, base.columns, base.rows, cells, changed, places, short, base.spots, base.is_named,
            label[:1] if len(base.split) == 2 else (base.name,),
        )  # fmt: skip
        yield _named_row(panel, base.name) if is_row else panel


def _without_empty_columns(panel: Panel) -> Panel:
    """Return a table without the columns that hold nothing: that loses no order and makes a long table short."""
    if panel.kind != TABLE or len(panel.columns) <= SHORT_TABLE:
        return panel
    used = {column for column, _ in (*panel.cells, *panel.changed)} or set(panel.columns[:1])
    columns = tuple(column for column in panel.columns if column in used)
    return replace(panel, columns=columns, places=frozenset(place for place in panel.places if place[0] in used))


def _held(sheet: Sequence[Board], facts: Collection[Fact]) -> dict[tuple[tuple[str, ...], Place], tuple[str, ...]]:
    """Return the pieces on each place, blanks left out, in a fixed order."""
    held: dict[tuple[tuple[str, ...], Place], tuple[str, ...]] = {}
    for board in sheet:
        for one in facts:
            if one.key == board.key:
                label, column, row, piece = board.place(one)
                if piece != board.blank:
                    held[label, (column, row)] = tuple(sorted({*held.get((label, (column, row)), ()), piece}))
    return held


def _places(sheet: Sequence[Board], facts: Collection[Fact]) -> set[tuple[tuple[str, ...], Place]]:
    """Return the places that the facts are about, whatever is there."""
    found = ((board, one) for board in sheet for one in facts if one.key == board.key)
    return {(label, (column, row)) for board, one in found for label, column, row, _ in [board.place(one)]}


def _named_row(panel: Panel, name: str) -> Panel:
    """Return a row named after its fluents, which then needs no title."""

    def moved(place: Place) -> Place:
        return place[0], name

    return replace(
        panel,
        title="",
        rows=(name,),
        cells={moved(place): pieces for place, pieces in panel.cells.items()},
        changed=frozenset(map(moved, panel.changed)),
        places=frozenset(map(moved, panel.places)),
    )


def _are_one_table(first: Panel, second: Panel) -> bool:
    is_row = first.kind == second.kind and first.kind in (LINE, TABLE) and not first.title and not second.title
    return is_row and first.columns == second.columns and set(first.rows).isdisjoint(second.rows)


def _joined(first: Panel, second: Panel) -> Panel:
    """Return two tables of the same columns as one."""
    return replace(
        first,
        rows=(*first.rows, *second.rows),
        cells={**first.cells, **second.cells},
        changed=first.changed | second.changed,
        places=first.places | second.places,
        short={**first.short, **second.short},
    )


def is_plain(panel: Panel) -> bool:
    """Return whether pieces are values, such as numbers, rather than things of several owners."""
    return panel.kind == TABLE or all(is_number(piece) for piece in panel.short)
