"""Draw a state as text: the boards side by side, a legend, and all other facts below, within a given width.

The result is a `rich.text.Text`: `str()` of it is plain and says all; colour only repeats what letters say already.
"""

from __future__ import annotations

import random
import textwrap
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from rich.text import Text

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.view.grid import draw_boards
from woodstock.view.layout import Board, Layout, infer
from woodstock.view.pieces import short_names
from woodstock.view.terms import Fact, fact, natural
from woodstock.view.variables import variable_names

WIDTH = 80
MAX_FACT_LINES = 8
GAP = "    "
ROLE_STYLES = ("bold red", "bold cyan", "bold yellow", "bold green", "bold magenta", "bold blue", "bold white", "red")
SAMPLE_STEPS = 30

Facts = State | Collection[str]


class View:
    """How the states of one game are drawn; made once, then `draw` for each state.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> print(View(game).draw(game.initial.next(["(mark 2 2)", "noop"])))
    3  .  .  .
    2  .  x  .
    1  .  .  .
       1  2  3
    <BLANKLINE>
    control  o
    """

    def __init__(self, game: Game) -> None:
        self._roles = [role.lower() for role in game.roles]
        states = [state.fluents for state in _sample(game)]
        numbering = game.engine.numbering
        self.layout: Layout = infer(
            numbering.fluents if numbering is not None else sorted(set().union(*states)),
            states,
            variable_names(game.program),
            is_complete=numbering is not None,
        )
        self._short = {
            (board.name, board.arity): short_names([piece for piece in board.pieces if piece != board.blank])
            for board in self.layout.boards
        }

    def draw(self, state: Facts, before: Facts | None = None, width: int = WIDTH) -> Text:
        """Return the picture of a state; what changed since the state `before` stands in brackets."""
        facts = [fact(text) for text in _fluents(state)]
        old = None if before is None else _fluents(before)
        shelves: list[list[list[Text]]] = []
        drawn: set[tuple[str, int]] = set()
        legend: dict[str, str] = {}
        for board in self.layout.boards:
            key = (board.name, board.arity)
            mine = [one for one in facts if (one.name, len(one.args)) == key]
            pictures = list(draw_boards(board, mine, old, self._short[key], self._style, width))
            if max(map(_width, pictures)) <= width:
                shelves += _shelves(board, pictures, is_titled=len(self.layout.boards) > 1)
                drawn.add(key)
                legend |= {short: name for name, short in self._short[key].items() if short != name}
        lines = _stacked(shelves, width)
        if legend:
            words = "  ".join(f"{short}={name.replace(' ', '-')}" for short, name in sorted(legend.items()))
            lines += [Text(line, style="dim") for line in textwrap.wrap(words, width)]
        rest = [one for one in facts if (one.name, len(one.args)) not in drawn]
        if lines and rest:
            lines.append(Text())
        return Text("\n").join(lines + _fact_lines(rest, width))

    def _style(self, piece: str) -> str:
        """Return the colour of the role that a piece seems to belong to: by name, else by the first letter."""
        name = piece.lower()
        owners = [i for i, role in enumerate(self._roles) if role in name.split() or name.startswith(role)]
        owners += [i for i, role in enumerate(self._roles) if name[:1] == role[:1]]
        return ROLE_STYLES[owners[0] % len(ROLE_STYLES)] if owners else "bold"


def _fluents(state: Facts) -> Collection[str]:
    return state.fluents if isinstance(state, State) else state


def _shelves(board: Board, pictures: list[list[Text]], *, is_titled: bool) -> list[list[list[Text]]]:
    """Boards told apart by two symbols stand in rows by the first of them; all others in one row."""
    if is_titled and not board.split:
        pictures = [[Text(board.name), *picture] for picture in pictures]
    if len(board.split) != 2:
        return [pictures]
    rows: dict[str, list[list[Text]]] = defaultdict(list)
    for label, picture in zip(board.labels, pictures, strict=True):
        rows[label[0]].append(picture)
    return list(rows.values())


def _stacked(shelves: Sequence[Sequence[list[Text]]], width: int) -> list[Text]:
    """Return the shelves one below the other, each broken where it is too wide."""
    lines: list[Text] = []
    for shelf in shelves:
        row: list[list[Text]] = []
        for block in shelf:
            if row and sum(_width(other) + len(GAP) for other in row) + _width(block) > width:
                lines += [*_beside(row), Text()]
                row = []
            row.append(block)
        lines += [*_beside(row), Text()]
    return lines[:-1]


def _beside(blocks: Sequence[Sequence[Text]]) -> list[Text]:
    lines = []
    for i in range(max(map(len, blocks))):
        line = Text()
        for block in blocks:
            part = block[i].copy() if i < len(block) else Text()
            part.pad_right(_width(block) - len(part))
            line.append_text(part).append(GAP)
        line.rstrip()
        lines.append(line)
    return lines


def _width(block: Sequence[Text]) -> int:
    return max(map(len, block))


def _fact_lines(facts: Sequence[Fact], width: int) -> list[Text]:
    """Return facts by name, `heap  a 1, b 3`; long lines wrap, a very long list is cut and says so."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in sorted(facts, key=lambda one: tuple(map(natural, one.args))):
        # The text, not the symbols: nested terms keep their brackets.
        groups[one.name].append(one.text[len(one.name) + 2 : -1] if one.args else "")
    margin = min(16, max(map(len, groups), default=0))
    lines: list[Text] = []
    for name in sorted(groups):
        for number, body in enumerate(_wrapped(groups[name], max(20, width - margin - 2))):
            line = Text((name if number == 0 else "").ljust(margin) + "  ", style="bold")
            line.append(body, style="not bold")
            line.rstrip()
            lines.append(line)
    return lines


def _wrapped(items: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines of whole items, separated by commas."""
    line, lines = "", 0
    for shown, item in enumerate(items):
        if line and len(line) + 2 + len(item) + 1 > width:
            yield line + ","
            lines += 1
            if lines == MAX_FACT_LINES:
                yield f"... and {len(items) - shown} more"
                return
            line = item
        else:
            line = f"{line}, {item}" if line else item
    yield line


def _sample(game: Game) -> Iterator[State]:
    """Yield the states of one short random match: enough to see what a place can hold."""
    chance = random.Random(0)
    state = game.initial
    for _ in range(SAMPLE_STEPS):
        yield state
        legal = [] if state.is_terminal else [state.legal(role) for role in game.roles]
        if not legal or not all(legal):
            return
        state = state.next([chance.choice(moves) for moves in legal])
    yield state
