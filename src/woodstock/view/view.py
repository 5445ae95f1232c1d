"""`View`: how the states of one game are drawn, as text and as SVG."""

from __future__ import annotations

import random
import time
import weakref
from collections.abc import Collection, Iterator

from rich.text import Text

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.view.board import Layout
from woodstock.view.layout import infer
from woodstock.view.palette import Palette
from woodstock.view.panels import Drafter, Panel
from woodstock.view.scene import Scene
from woodstock.view.statics import static_relations, variable_names
from woodstock.view.svg import draw_svg
from woodstock.view.terms import Fact, fact
from woodstock.view.text import draw_text
from woodstock.view.thumbnail import draw_thumbnail

WIDTH = 80
SAMPLE_STATES = 40
SAMPLE_MATCHES = 4
SAMPLE_SECONDS = 1.0

Facts = State | Collection[str]


class View:
    """How the states of one game are drawn; made once, then `draw` or `svg` for each state.

    >>> import woodstock
    >>> game = woodstock.load("tic-tac-toe")
    >>> view = View(game)
    >>> print(view.draw(game.initial.next(["(mark 2 2)", "noop"])))
    3  .  .  .
    2  .  x  .
    1  .  .  .
       1  2  3
    <BLANKLINE>
    control  o
    >>> view.svg(game.initial)[:4]
    '<svg'
    >>> len(view.thumbnail(game.initial)) < len(view.svg(game.initial))     # the board alone, for a gallery
    True
    """

    def __init__(self, game: Game) -> None:
        states = [state.fluents for state in _sample(game)]
        numbering = game.engine.numbering
        self.layout: Layout = infer(
            numbering.fluents if numbering is not None else sorted(set().union(*states)),
            states,
            variable_names(game.program),
            relations=static_relations(game.program),
            roles=game.roles,
            is_complete=numbering is not None,
        )
        self._name = game.name
        self._palette = Palette(game.roles)
        self._drafter = Drafter(self.layout)
        self.scene = Scene(self.layout, self._palette, game.roles)

    def draw(
        self, state: Facts, before: Facts | None = None, width: int = WIDTH, *, doubtful: Collection[str] = ()
    ) -> Text:
        """Return the picture of a state as text; what changed since the state `before` is in brackets.

        Places of facts that are `doubtful` show a question mark.
        """
        panels, rest = self._drafted(state, before, doubtful)
        first = {name for name, _ in self.layout.turns}
        return draw_text(panels, rest, first, self._palette.style, width)

    def svg(self, state: Facts, before: Facts | None = None) -> str:
        """Return the picture of a state as an SVG document; what changed since the state `before` is framed."""
        panels, rest = self._drafted(state, before)
        words = str(self.draw(state, before))
        return draw_svg(self._name, panels, rest, self.layout, self._palette, words)

    def is_blank(self, fluent: str) -> bool:
        """Return whether a fluent says that a place of a board is empty.

        >>> import woodstock
        >>> view = View(woodstock.load("tic-tac-toe"))
        >>> view.is_blank("(cell 1 1 b)"), view.is_blank("(cell 1 1 x)")
        (True, False)
        """
        one = fact(fluent)
        boards = [board for board in self.layout.boards if board.key == one.key]
        return any(board.blank is not None and board.place(one)[3] == board.blank for board in boards)

    def thumbnail(self, state: Facts) -> str:
        """Return a small picture of a state as an SVG document: its boards alone, or everything if it has none."""
        panels, _ = self._drafted(state, None)
        return draw_thumbnail(self._name, panels, self._palette) or self.svg(state)

    def _drafted(
        self, state: Facts, before: Facts | None, doubtful: Collection[str] = ()
    ) -> tuple[list[Panel], list[Fact]]:
        """Return the panels of a state and the facts in none of them."""
        facts = _facts(state)
        panels = self._drafter.panels(facts, None if before is None else _facts(before), _facts(doubtful))
        return panels, self._drafter.rest(facts)


# A view does not refer to its game, so it is freed with it.
_VIEWS: weakref.WeakKeyDictionary[Game, View] = weakref.WeakKeyDictionary()


def view_of(game: Game) -> View:
    """Return the view of a game, made on the first call."""
    view = _VIEWS.get(game)
    if view is None:
        view = _VIEWS[game] = View(game)
    return view


def _facts(state: Facts) -> list[Fact]:
    """Return the fluents of a state as facts, in a fixed order."""
    return [fact(text) for text in sorted(state.fluents if isinstance(state, State) else state)]


def _sample(game: Game) -> Iterator[State]:
    """Yield the states of a few random matches: enough to see what a place can hold.

    The first step is made at any cost; after that a large game is played for at most a second.
    """
    chance = random.Random(0)
    ends_at = time.perf_counter() + SAMPLE_SECONDS
    shown = 0
    for match in range(SAMPLE_MATCHES):
        state = game.initial
        if match == 0:
            yield state
        while shown < SAMPLE_STATES and not state.is_terminal:
            legal = [state.legal(role) for role in game.roles]
            if not all(legal):
                break
            state = state.next([chance.choice(moves) for moves in legal])
            shown += 1
            yield state
            if time.perf_counter() > ends_at:
                return
