"""A match on a terminal: the board, the roles with clocks and expected scores, and the best lines of each player.

Subscribes to the events of a match and draws on demand, in as many columns and rows as there are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.text import Text

from woodstock.cli.match_story import ending
from woodstock.cli.output import WIDTH
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match import events
from woodstock.players.decision import RootMove, SearchInfo, turn_text
from woodstock.players.failure import MEANINGS
from woodstock.view import View

GAP = 4
BAR = 10
MAX_LINES = 3
# Room to the right of the board from which the best lines stand there too, and not below.
LINES_WIDTH = 80
# Playouts for a value that is right to two points or so; the time they take is not felt between two turns.
SAMPLE = 2000


class MatchScreen:
    """What is known of a match, drawn on demand. Events come from one thread, drawing from another."""

    def __init__(self, game: Game, view: View) -> None:
        self._game, self._view = game, view
        self._lock = threading.Lock()
        self._players: dict[str, str] = {}
        self._state: State = game.initial
        self._before: State | None = None
        self._turn = 0
        self._moves: dict[str, str] = {}
        self._errors: dict[str, list[str]] = {}
        self._thoughts: dict[str, SearchInfo] = {}
        self._sampled: Mapping[str, float | None] = {}
        self._clock_ends = 0.0
        self._play_clock_s = 0.0
        self._thinking: set[str] = set()
        self.status = "preparing"

    def hear(self, event: events.MatchEvent) -> None:
        """Take note of an event."""
        match event:
            case events.TurnStarted(turn=1) | events.TurnPlayed() | events.TakenBack():
                self._sampled = self._sample(event.state)
        with self._lock:
            self._hear(event)

    def _sample(self, state: State) -> Mapping[str, float | None]:
        """Return the mean goal of each role over random playouts; nothing if a player says what it expects."""
        if self._thoughts or state.is_terminal or self._game.engine_name != "circuit":
            return {}
        return self._game.playouts(SAMPLE, state, seed=0).goal_means

    def _hear(self, event: events.MatchEvent) -> None:
        match event:
            case events.MatchStarted():
                self._players, self._state = dict(event.players), event.state
                self._clock_ends = time.monotonic() + event.start_clock_s
                self._play_clock_s = event.play_clock_s
            case events.TurnStarted():
                self._turn, self.status = event.turn, ""
                self._clock_ends = time.monotonic() + self._play_clock_s
                self._thinking = set(event.state.to_move)
            case events.PlayerThinks():
                self._thoughts[event.role] = event.thought
            case events.MoveMade():
                self._moves[event.role] = event.move
                self._thinking.discard(event.role)
                if event.thought is not None:
                    self._thoughts[event.role] = event.thought
                if event.error:
                    self._errors.setdefault(event.role, []).append(event.error)
            case events.TurnPlayed():
                self._before, self._state = self._state, event.state
            case events.TakenBack():
                self._before, self._state, self._turn, self.status = None, event.state, event.turn, ""
                self._moves, self._thoughts = {}, {}
            case events.SeatTaken():
                self._players[event.role] = event.player
                self._thoughts.pop(event.role, None)
            case events.SeatFailed():
                self._errors.setdefault(event.role, []).append(event.error)
            case events.MatchEnded():
                self._thinking = set()
                self.status = ending(event)

    def draw(self, width: int, height: int | None = None, footer: str = "") -> Text:
        """Return the screen. With a height it has exactly that many rows, the last one is the footer."""
        with self._lock:
            rows = self._fitting(width, None if height is None else height - 1)
        for row in rows:
            row.truncate(width, overflow="ellipsis")
        if height is not None:
            rows += [Text()] * (height - 1 - len(rows))
            rows.append(Text(footer[:width], style="dim"))
        return Text("\n", no_wrap=True).join(rows)

    def _fitting(self, width: int, height: int | None) -> list[Text]:
        """Return as much as fits. What goes first: lines of thought, then all but one row for the roles."""
        for lines in range(MAX_LINES, -1, -1):
            rows = self._rows(width, lines)
            if height is None or len(rows) <= height:
                return rows
        roles = "   ".join(" ".join(" ".join(map(str, self._role(role)[:2])).split()) for role in self._game.roles)
        return [self._title(), Text(roles), *self._board(width)][:height]

    def _title(self) -> Text:
        return Text(f"{self._game.name}, turn {self._turn}" + (f": {self.status}" if self.status else ""), style="bold")

    def _board(self, width: int) -> list[Text]:
        return list(self._view.draw(self._state, self._before, min(width, WIDTH)).split("\n"))

    def _rows(self, width: int, lines: int) -> list[Text]:
        """Return all there is to show, with so many lines of thought for each player."""
        roles, board = self._game.roles, self._board(width)
        panel = [row for role in roles for row in self._role(role)]
        thoughts = [row for role in roles for row in self._thought(role, width, lines)]
        # Facts below the board may be wider than it; only the rows next to the panel count.
        margin = GAP + max(len(row) for row in board[: len(panel)])
        room = width - margin
        if room >= LINES_WIDTH:
            panel = [row for role in roles for row in (*self._role(role), *self._thought(role, room, lines), Text())]
            margin = GAP + max(len(row) for row in board)
            thoughts = []
        if max(len(row) for row in panel) <= width - margin:
            middle = [_beside(left or Text(), margin, right or Text()) for left, right in zip_longest(board, panel)]
        else:
            middle = [*board, Text(), *panel]
        return [self._title(), Text(), *middle, *([Text(), *thoughts] if thoughts else [])]

    def _role(self, role: str) -> list[Text]:
        """Return who plays a role, its clock, what it expects and its last move."""
        left = max(0.0, self._clock_ends - time.monotonic())
        clock = f"{left:5.1f} s" if role in self._thinking else ""
        value = self._expected(role)
        bar = "" if value is None else f"{'#' * round(value / 100 * BAR):.<{BAR}} {value:3.0f}"
        rows = [
            Text(f"{role}  {self._players.get(role, 'chance')}", style="bold"),
            Text(f"  {clock:7}  {bar:{BAR + 4}}  {self._moves.get(role, '')}".rstrip()),
        ]
        if role in self._errors:
            rows.append(Text(f"  {_counted(self._errors[role])}", style="red"))
        return rows

    def _expected(self, role: str) -> float | None:
        """Return the role's score at the end; before, what its player expects, or any other, or random playouts."""
        if self._state.is_terminal:
            return float(self._state.scores[role])
        own = self._thoughts.get(role)
        others = [thought for thought in self._thoughts.values() if thought is not own]
        known = [thought.values[role] for thought in (own, *others) if thought is not None and role in thought.values]
        return known[0] if known else self._sampled.get(role)

    def _thought(self, role: str, width: int, lines: int) -> list[Text]:
        """Return the best lines of a role's player, and its counters."""
        thought = self._thoughts.get(role)
        if thought is None or not lines:
            return []
        counters = f"{role}: {_short(thought.simulations)} simulations, {_short(thought.simulations_per_second)}/s"
        if "nodes" in thought.statistics:
            counters += f", {_short(thought.statistics['nodes'])} states"
        # What a planner found was not sampled.
        rows = [Text(counters if thought.simulations else f"{role}: planned", style="dim")]
        return rows + [Text(_line(move, width)) for move in thought.moves[:lines]]


def _beside(left: Text, margin: int, right: Text) -> Text:
    """Return a row with `right` beginning at the column `margin`."""
    row = left.copy()
    if right:
        row.pad_right(margin - len(left))
    return row.append_text(right)


def _line(move: RootMove, width: int) -> str:
    """Return a move's value, visits and how play may go on, as many turns as fit."""
    text = f"  {move.value:5.1f}{'=' if move.is_proven else ' '} {move.visits:>9,} "
    for turn in move.line or ((move.move,),):
        longer = f"{text} {turn_text(turn)}"
        if len(longer) > width:
            break
        text = longer
    return text


def _counted(codes: Sequence[str]) -> str:
    return ", ".join(f"{codes.count(code)} {code} ({MEANINGS.get(code, '?')})" for code in dict.fromkeys(codes))


def _short(number: float) -> str:
    """Return a number in four characters or so.

    >>> _short(1234567), _short(12.3), _short(7)
    ('1.2M', '12', '7')
    """
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.1f}{unit}"
    return f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.2f}"
