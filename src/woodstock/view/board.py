"""What is drawn: a `Board` says which fluents are places with pieces; a `Layout` lists the boards of a game.

A board is of one of four kinds. A grid and a hex have places in the plane; a line has places in a row; a table has
columns, and perhaps rows, of symbols without an order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from woodstock.view.hexagons import Spot
from woodstock.view.terms import Cut, Fact

GRID, HEX, LINE, TABLE, FACTS = "grid", "hex", "line", "table", "facts"
KINDS = (GRID, HEX, LINE, TABLE, FACTS)

Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Board:
    """Places and pieces. `across`, `up`, `piece` and `split` are positions of symbols in the fluents called `name`.

    `columns` run left to right and `rows` from top to bottom, as drawn; a board of one row has `up` None and the row
    "". `split` distinguishes several boards. `spots` has the positions of the places of a hex, `cut` says which symbol
    is two coordinates. `is_named` is true if a place has one name instead of a column and a row. `is_told_apart` is
    true if the pieces carry the name of the board, because another board of the sheet has pieces of the same names.
    """

    name: str
    arity: int
    across: int
    up: int | None
    piece: tuple[int, ...]
    split: tuple[int, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    pieces: tuple[str, ...]
    blank: str | None
    labels: tuple[tuple[str, ...], ...] = ((),)
    places: frozenset[Place] = frozenset()
    kind: str = GRID
    spots: Mapping[Place, Spot] = field(default_factory=dict)
    cut: Cut | None = None
    is_told_apart: bool = False

    @property
    def key(self) -> tuple[str, int]:
        """The name and number of symbols of the fluents drawn here."""
        return self.name, self.arity

    @property
    def is_named(self) -> bool:
        """Whether the places of a hex have one name each instead of a column and a row."""
        return self.kind == HEX and self.up is None

    def place(self, one: Fact) -> tuple[tuple[str, ...], str, str, str]:
        """Return which board, column and row a fact is about, and the piece there."""
        args: Sequence[str] = one.args if self.cut is None else self.cut.apart(one.args)
        piece = " ".join(args[i] for i in self.piece) if self.piece else self.name
        if self.is_told_apart and piece != self.blank:
            piece = f"{piece} {self.name}"
        row = "" if self.up is None else args[self.up]
        return tuple(args[i] for i in self.split), args[self.across], row, piece


@dataclass(frozen=True, slots=True)
class Layout:
    """What to draw. Each sheet is one picture: a board, and further layers on the same places.

    `turns` are fluents that say whose turn it is, `counters` those that hold one number; both are drawn as facts.
    """

    sheets: tuple[tuple[Board, ...], ...]
    turns: frozenset[tuple[str, int]] = frozenset()
    counters: frozenset[tuple[str, int]] = frozenset()

    @property
    def boards(self) -> tuple[Board, ...]:
        """Every board of every sheet."""
        return tuple(board for sheet in self.sheets for board in sheet)

    @property
    def kind(self) -> str:
        """The kind of the picture as a whole: that of its best board, `facts` if there is none."""
        found = {board.kind for board in self.boards}
        return next((kind for kind in KINDS if kind in found), FACTS)
