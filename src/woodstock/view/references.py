"""Which arguments of a move name places of a board: `(move 1 2 1 3)` names two, `(drop 4)` a column.

Comes in: moves of a game, and observations of what moves change. Goes out: references for each form of move (a name
and a number of arguments). Nothing is known about names: a reference is believed if what it names exists on the board
for every move of the form, and if it is there that the moves change something.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from woodstock.view.board import GRID, HEX, Layout
from woodstock.view.scene import Contents, Scene
from woodstock.view.terms import Fact

Form = tuple[str, int]
# How often a place that a move names must change, and how often a line of places must hold every change.
_OFTEN, _LINE_OFTEN = 0.45, 0.8
# References to places that rarely change are believed if the form can name at least this share of a board.
_SHARE_OF_BOARD = 0.5
# A few moves of a form may name something else: a piece that comes from the bar, not from a point.
_MOST_MOVES_SHARE = 0.8
_MANY_ARGUMENTS = 10
_KEPT_LISTS = 1 << 14


@dataclass(frozen=True, slots=True)
class Observation:
    """A move, what was on the boards when it was made, and the places that it changed.

    `own` are those that other moves of the same role change in another way.
    """

    move: Fact
    contents: Contents
    changed: frozenset[int]
    own: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reference:
    """Arguments of a move that name places of one sheet.

    `at` has the position of the argument for each coordinate of the board (across, up, labels), None if it is not
    named. If `is_cut`, one argument is two coordinates, `c4`. `piece` is the position of an argument that names what
    stands on the place.
    """

    sheet: int
    at: tuple[int | None, ...] = ()
    piece: int | None = None
    is_cut: bool = False

    @property
    def positions(self) -> tuple[int, ...]:
        """The arguments that it reads."""
        named = tuple(i for i in self.at if i is not None)
        return named if self.piece is None else (self.piece,)

    @property
    def is_full(self) -> bool:
        """Whether it names one place rather than a line of them."""
        return self.piece is None and None not in self.at


class Places:
    """The places of all boards by their coordinates."""

    def __init__(self, layout: Layout, scene: Scene) -> None:
        self._boards = [sheet[0] for sheet in layout.sheets]
        self.sheets: list[dict[int, tuple[str, ...]]] = []
        self._found: dict[tuple[int, tuple[str | None, ...]], tuple[int, ...]] = {}
        for number, sheet in enumerate(layout.sheets):
            board = sheet[0]
            marks = {place for one in sheet for place in one.places}
            marks = marks or {(column, row) for column in board.columns for row in board.rows}
            found: dict[int, tuple[str, ...]] = {}
            for label, (column, row) in itertools.product(board.labels, sorted(marks)):
                place = scene.number(number, label, (column, row))
                if place is not None:
                    found[place] = ((column,) if board.up is None else (column, row)) + label
            self.sheets.append(found)

    def is_plane(self, sheet: int) -> bool:
        """Return whether places of a sheet have a column and a row."""
        return self._boards[sheet].kind in (GRID, HEX) and self._boards[sheet].up is not None

    def domains(self, sheet: int) -> list[frozenset[str]]:
        """Return the values of each coordinate."""
        return [frozenset(values) for values in zip(*self.sheets[sheet].values(), strict=True)]

    def is_cut(self, sheet: int) -> bool:
        """Return whether the fluents of a board have both coordinates in one symbol."""
        return self._boards[sheet].cut is not None

    def named(self, reference: Reference, move: Fact, contents: Contents) -> tuple[int, ...]:
        """Return the places that a move names by a reference."""
        sheet = reference.sheet
        if reference.piece is not None:
            piece = move.args[reference.piece]
            on = self.sheets[sheet]
            return tuple(p for p in sorted(contents) if p in on and any(piece in one.split() for one in contents[p]))
        if reference.is_cut:
            column, row = self._apart(sheet, move.args[reference.positions[0]])
            return self._at(sheet, (column, row, *(move.args[i] for i in reference.at[2:] if i is not None)))
        return self._at(sheet, tuple(None if i is None else move.args[i] for i in reference.at))

    def _at(self, sheet: int, wanted: tuple[str | None, ...]) -> tuple[int, ...]:
        found = self._found.get((sheet, wanted))
        if found is None:
            found = tuple(place for place, marks in self.sheets[sheet].items() if _fits(wanted, marks))
            if len(self._found) < _KEPT_LISTS:
                self._found[sheet, wanted] = found
        return found

    def _apart(self, sheet: int, symbol: str) -> tuple[str, str]:
        board = self._boards[sheet]
        assert board.cut is not None and board.up is not None
        start = board.cut.position
        # The cut works on one position of a fluent, so the symbol is put there.
        parts = board.cut.apart((*("" for _ in range(start)), symbol))
        return parts[board.across], parts[board.up]


def _fits(wanted: Sequence[str | None], marks: Sequence[str]) -> bool:
    return all(want is None or want == mark for want, mark in zip(wanted, marks, strict=True))


def find_references(places: Places, moves: Iterable[Fact], seen: Sequence[Observation]) -> dict[Form, list[Reference]]:
    """Return the references of each form of move, in the order of the arguments; forms without any are left out."""
    forms: dict[Form, list[Fact]] = {}
    for move in moves:
        forms.setdefault(move.key, []).append(move)
    observed: dict[Form, list[Observation]] = {}
    for one in seen:
        observed.setdefault(one.move.key, []).append(one)
    found: dict[Form, list[Reference]] = {}
    for form, mine in forms.items():
        if 0 < form[1] <= _MANY_ARGUMENTS:
            found[form] = _references_of(places, mine, observed.get(form, []))
    return {form: references for form, references in found.items() if references}


def _references_of(places: Places, moves: Sequence[Fact], seen: Sequence[Observation]) -> list[Reference]:
    scored = []
    for reference in _candidates(places, moves):
        score = _score(places, reference, moves, seen)
        if score is not None:
            scored.append((score, reference))
    chosen: list[Reference] = []
    used: set[int] = set()
    for _, reference in sorted(scored, key=lambda one: one[0], reverse=True):
        # Beside a place, a line or a piece says nothing new: what is left goes to the menu.
        if used.isdisjoint(reference.positions) and (reference.is_full or not chosen):
            chosen.append(reference)
            used.update(reference.positions)
    return sorted(chosen, key=lambda reference: min(reference.positions))


def _candidates(places: Places, moves: Sequence[Fact]) -> Iterator[Reference]:
    """Yield every reading of the arguments whose values are all on the board."""
    width = len(moves[0].args)
    most = _MOST_MOVES_SHARE * len(moves)
    for sheet, on in enumerate(places.sheets):
        if not on:
            continue
        domains = places.domains(sheet)
        fitting: list[list[int | None]] = [
            [i for i in range(width) if sum(move.args[i] in domain for move in moves) >= most] for domain in domains
        ]
        for at in itertools.product(*([*mine, None] for mine in fitting)):
            named = [i for i in at if i is not None]
            if named and len(set(named)) == len(named) and (len(named) == len(at) or places.is_plane(sheet)):
                yield Reference(sheet, at)
        if places.is_cut(sheet):
            for i in range(width):
                yield Reference(sheet, (i, i, *(None for _ in domains[2:])), is_cut=True)
        for i in range(width):
            yield Reference(sheet, piece=i)


def _score(
    places: Places, reference: Reference, moves: Sequence[Fact], seen: Sequence[Observation]
) -> tuple[float, ...] | None:
    """Return how well a reference explains what moves change, larger is better; None: not at all."""
    hits, precise, changing = 0, 0, 0
    for one in seen:
        named = places.named(reference, one.move, one.contents)
        if reference.piece is not None and len(named) != 1:
            continue
        hits += not one.changed.isdisjoint(named)
        changing += bool(one.own)
        precise += bool(one.own) and one.own <= {*named}
    rate = hits / len(seen) if seen else 0.0
    positions = reference.positions
    if reference.piece is not None:
        return (0.0, rate, -float(positions[0])) if rate >= _LINE_OFTEN else None
    is_in_order = all(b - a in (0, 1) for a, b in itertools.pairwise(positions))
    tidy = float(is_in_order), -float(min(positions))
    if not reference.is_full:
        share = precise / changing if changing else 0.0
        tells_apart = len({places.named(reference, move, {}) for move in moves}) > 1
        return (1.0, share, *tidy) if share >= _LINE_OFTEN and tells_apart else None
    if sum(bool(places.named(reference, move, {})) for move in moves) < _MOST_MOVES_SHARE * len(moves):
        return None
    if rate >= _OFTEN:
        return 2.0, round(rate, 2), *tidy
    reach = {place for move in moves for place in places.named(reference, move, {})}
    is_wide = len(reach) >= _SHARE_OF_BOARD * len(places.sheets[reference.sheet])
    return (1.5, rate, *tidy) if is_wide and is_in_order and places.is_plane(reference.sheet) else None
