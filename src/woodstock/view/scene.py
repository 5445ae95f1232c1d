"""A game's pictures for programs that draw them themselves, such as a web page: numbered places, and pieces on them.

Comes in: a `View`'s layout and colours. Goes out: the frame of all pictures, once, and the position of each state, as
values that JSON can hold. Places have numbers that stay the same in every state.
"""

from __future__ import annotations

import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from woodstock.view.board import HEX, LINE, TABLE, Layout, Place
from woodstock.view.palette import Palette, ink
from woodstock.view.panels import Drafter, Panel, Source, is_plain
from woodstock.view.terms import fact, natural

Json = dict[str, Any]
Contents = Mapping[int, tuple[str, ...]]
# Fluents whose place is remembered; a grounded game has fewer, an interpreted one may have any number.
_KEPT_FLUENTS = 1 << 16


class Scene:
    """The pictures of one game; made once.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> scene = woodstock.View(game).scene
    >>> scene.contents(game.initial.next(["(mark 2 2)", "noop"]).fluents)
    {4: ('x',)}
    >>> scene.name(4)
    '2 2'
    """

    def __init__(self, layout: Layout, palette: Palette, roles: Sequence[str]) -> None:
        self._layout, self._palette, self._roles = layout, palette, roles
        self._panels: list[Panel] = []
        self._numbers: dict[tuple[Source, Place], int] = {}
        self.names: list[str] = []
        self._first: list[int] = []
        for panel, sources in Drafter(layout).frames():
            self._add_panel(panel, sources)
        self._where: dict[str, tuple[int, str] | None] = {}
        self._pieces = [sorted(panel.short) for panel in self._panels]
        self._piece_numbers = [{piece: i for i, piece in enumerate(pieces)} for pieces in self._pieces]

    def _add_panel(self, panel: Panel, sources: Sequence[Source]) -> None:
        places = sorted(panel.places or {(c, r) for c in panel.columns for r in panel.rows}, key=_as_drawn(panel))
        self._first.append(len(self.names))
        self._panels.append(panel)
        is_row = panel.kind in (LINE, TABLE)
        for place in places:
            for source in sources:
                board = self._layout.sheets[source[0]][0]
                if is_row and board.up is None:
                    if place[1] != board.name:
                        continue
                    key = (place[0], "")
                else:
                    key = place
                self._numbers[source, key] = len(self.names)
            name = " ".join(part for part in place if part)
            self.names.append(f"{panel.title} {name}" if panel.title else name)

    def name(self, place: int) -> str:
        """Return what a place is called: its column and its row."""
        return self.names[place]

    @property
    def place_count(self) -> int:
        """The number of places."""
        return len(self.names)

    def number(self, sheet: int, label: tuple[str, ...], place: Place) -> int | None:
        """Return the number of a place of a board."""
        return self._numbers.get(((sheet, label), place))

    def panel_of(self, place: int) -> int:
        """Return the number of the panel that a place is on."""
        return bisect.bisect_right(self._first, place) - 1

    def contents(self, fluents: Iterable[str]) -> dict[int, tuple[str, ...]]:
        """Return the pieces on each place that holds any."""
        held: dict[int, tuple[str, ...]] = {}
        for text in sorted(fluents):
            found = self._place_of(text)
            if found is not None:
                place, piece = found
                held[place] = (*held[place], piece) if place in held else (piece,)
        return held

    def _place_of(self, text: str) -> tuple[int, str] | None:
        """Return the place and the piece that a fluent is about; None for a blank, and for one on no board."""
        try:
            return self._where[text]
        except KeyError:
            found = self._find_place(text)
        if len(self._where) < _KEPT_FLUENTS:
            self._where[text] = found
        return found

    def _find_place(self, text: str) -> tuple[int, str] | None:
        one = fact(text)
        for number, sheet in enumerate(self._layout.sheets):
            for board in sheet:
                if one.key == board.key:
                    label, column, row, piece = board.place(one)
                    place = self.number(number, label, (column, row))
                    return None if place is None or piece == board.blank else (place, piece)
        return None

    # For JSON.

    def as_json(self) -> Json:
        """Return the frame: panels with their places and pieces, and the colours of the roles."""
        return {
            "panels": [self._panel_json(i, panel) for i, panel in enumerate(self._panels)],
            "roles": [_coloured(role, self._palette.discs([role])[role]) for role in self._roles],
        }

    def _panel_json(self, index: int, panel: Panel) -> Json:
        end = self._first[index + 1] if index + 1 < len(self._first) else len(self.names)
        places = sorted(panel.places or {(c, r) for c in panel.columns for r in panel.rows}, key=_as_drawn(panel))
        discs = self._palette.discs(panel.short)
        column = {mark: i for i, mark in enumerate(panel.columns)}
        row = {mark: i for i, mark in enumerate(panel.rows)}
        assert end - self._first[index] == len(places)
        return {
            "title": panel.title,
            "kind": panel.kind,
            "first": self._first[index],
            "columns": list(panel.columns),
            "rows": list(panel.rows),
            # Of a hex the positions on the hexagonal grid, else column and row.
            "places": [panel.spots[one] if panel.kind == HEX else (column[one[0]], row[one[1]]) for one in places],
            "names": self.names[self._first[index] : end],
            "isNamed": panel.is_named,
            "lean": panel.lean if panel.kind == HEX else 0,
            "isPlain": is_plain(panel),
            "pieces": [
                {"name": piece, "short": panel.short[piece], **_coloured(piece, discs[piece])}
                for piece in self._pieces[index]
            ],
            "legend": [[short, name] for short, name in sorted(panel.legend.items())],
        }

    def position(self, fluents: Collection[str], before: Collection[str] | None = None) -> Json:
        """Return a state: `[place, piece]` pairs, the places that differ from `before`, all other facts by name."""
        now = self.contents(fluents)
        past = now if before is None else self.contents(before)
        changed = [place for place in {*now, *past} if now.get(place) != past.get(place)]
        pieces = []
        for place, held in sorted(now.items()):
            numbers = self._piece_numbers[self.panel_of(place)]
            pieces += [[place, numbers.get(piece, piece)] for piece in held]
        return {"pieces": pieces, "changed": sorted(changed), "facts": self._facts(fluents)}

    def _facts(self, fluents: Collection[str]) -> list[list[Any]]:
        """Return the facts on no board: `[name, [arguments], is about the turn]`, whose turn it is first."""
        drawn = {board.key for board in self._layout.boards}
        groups: dict[str, list[str]] = {}
        turns = set()
        for one in sorted(map(fact, fluents), key=lambda one: tuple(map(natural, one.args))):
            if one.key not in drawn:
                groups.setdefault(one.name, []).append(one.text[len(one.name) + 2 : -1] if one.args else "")
                if one.key in self._layout.turns:
                    turns.add(one.name)
        return [
            [name, groups[name], name in turns] for name in sorted(groups, key=lambda name: (name not in turns, name))
        ]


def _as_drawn(panel: Panel) -> Any:
    """Return the sort key of places as one reads them: row by row."""
    if panel.kind == HEX:
        return lambda place: (panel.spots[place][1], panel.spots[place][0])
    column = {mark: i for i, mark in enumerate(panel.columns)}
    row = {mark: i for i, mark in enumerate(panel.rows)}
    return lambda place: (row[place[1]], column[place[0]])


def _coloured(name: str, colour: str) -> Json:
    return {"name": name, "colour": colour, "ink": ink(colour)}
