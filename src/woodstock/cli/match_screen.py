"""A match on a terminal: the board on the left, roles with clocks and values on the right, the best lines below.

Subscribes to the referee's events. Off a terminal every turn is told in a line, so a log reads as a story.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match import events
from woodstock.players.decision import SearchInfo
from woodstock.players.failure import MEANINGS
from woodstock.view import View

GAP = 4
BAR = 10
MAX_LINES = 3
WIDTH = 80


class MatchScreen:
    """What is known of a match, drawn on demand. Events come from one thread, drawing from another."""

    def __init__(self, game: Game, players: Sequence[str]) -> None:
        self._game = game
        self._view = View(game)
        self._players = dict(zip(game.roles, players, strict=True))
        self._lock = threading.Lock()
        self._state: State = game.initial
        self._before: State | None = None
        self._turn = 0
        self._moves: dict[str, str] = {}
        self._errors: dict[str, list[str]] = {}
        self._thoughts: dict[str, SearchInfo] = {}
        self._clock_ends = 0.0
        self._play_clock_s = 0.0
        self._status = "preparing"
        self._thinking: set[str] = set()

    def hear(self, event: events.MatchEvent) -> None:
        """Take note of an event."""
        with self._lock:
            self._hear(event)

    def _hear(self, event: events.MatchEvent) -> None:
        match event:
            case events.MatchStarted():
                self._clock_ends = time.monotonic() + event.start_clock_s
                self._play_clock_s = event.play_clock_s
            case events.TurnStarted():
                self._turn, self._state, self._status = event.turn, event.state, ""
                self._clock_ends = time.monotonic() + self._play_clock_s
                self._thinking = {role for role in self._game.roles if len(event.state.legal(role)) > 1}
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
            case events.SeatFailed():
                self._errors.setdefault(event.role, []).append(event.error)
            case events.MatchEnded():
                self._thinking = set()
                self._status = ending(event)

    def draw(self, width: int) -> Group:
        """Return the screen."""
        with self._lock:
            picture = self._view.draw(self._state, self._before, min(width, WIDTH))
            roles = self._roles()
            wide = max(map(len, str(picture).splitlines()), default=0)
            is_wide = wide + GAP + max(map(len, str(roles).splitlines())) <= width
            beside = Table.grid(padding=(0, GAP, 0, 0))
            beside.add_row(picture, roles)
            middle = [beside] if is_wide else [picture, Text(), roles]
            foot = self._lines(width)
            return Group(Text(f"{self._game.name}, turn {self._turn}", style="bold"), Text(), *middle, Text(), *foot)

    def _roles(self) -> Text:
        margin = max(map(len, self._game.roles))
        text = Text()
        values: dict[str, float] = {}
        for thought in self._thoughts.values():
            for role, expected in thought.values.items():
                values.setdefault(role, expected)
        # A role's own player knows best what it expects.
        for role, thought in self._thoughts.items():
            if role in thought.values:
                values[role] = thought.values[role]
        if self._state.is_terminal:
            values = {role: float(goal) for role, goal in self._state.goals.items() if goal is not None}
        left = max(0.0, self._clock_ends - time.monotonic())
        for role in self._game.roles:
            clock = f"{left:5.1f} s" if role in self._thinking else "       "
            value = values.get(role)
            bar = "" if value is None else f"{'#' * round(value / 100 * BAR):.<{BAR}} {value:3.0f}"
            text.append(f"{role:{margin}}  {self._players[role]}\n", style="bold")
            text.append(f"{'':{margin}}  {clock}  {bar:{BAR + 4}}  {self._moves.get(role, '')}".rstrip() + "\n")
            if role in self._errors:
                text.append(f"{'':{margin}}  {_counted(self._errors[role])}\n", style="red")
        return text

    def _lines(self, width: int) -> list[Text]:
        found: list[Text] = []
        for role, thought in self._thoughts.items():
            for line in list(thought.lines)[:MAX_LINES]:
                found.append(Text(f"{role}  {line}"[:width]))
        rates = [f"{role} {_statistics(thought)}" for role, thought in self._thoughts.items() if thought.statistics]
        if rates:
            found.append(Text("; ".join(rates)[:width], style="dim"))
        if self._status:
            found.append(Text(self._status, style="bold"))
        return found


class MatchStory:
    """Tells a match in lines."""

    def __init__(self, game: Game, console: Console) -> None:
        self._game, self._console = game, console
        self._view = View(game)
        self._made: list[str] = []
        self._before: State | None = game.initial

    def hear(self, event: events.MatchEvent) -> None:
        """Print an event."""
        match event:
            case events.MatchStarted():
                names = ", ".join(f"{role} is {player}" for role, player in event.players.items())
                self._console.print(f"{self._game.name}: {names}")
                self._console.print(f"clocks {event.start_clock_s:g} s and {event.play_clock_s:g} s")
            case events.MoveMade():
                flaw = f" [{event.error}: {event.detail}]" if event.error else ""
                self._made.append(f"{event.role} {event.move}{flaw}")
            case events.TurnPlayed():
                self._console.print(f"\nturn {event.turn}: {', '.join(self._made)}")
                self._console.print(self._view.draw(event.state, self._before, WIDTH))
                self._made, self._before = [], event.state
            case events.SeatFailed():
                self._console.print(f"{event.role}: {MEANINGS.get(event.error, event.error)}: {event.detail}")
            case events.MatchEnded():
                self._console.print(f"\n{ending(event)}")


def ending(event: events.MatchEnded) -> str:
    """Return how a match ended, in words."""
    goals = ", ".join(f"{role} {'no goal' if goal is None else goal}" for role, goal in event.goals.items())
    return {
        "terminal": f"the match is over: {goals}",
        "stuck": "the match is stuck: a role has no legal move",
        "turns": "stopped: the match has lasted as long as it may",
        "aborted": "the match was broken off",
    }[event.reason]


def _counted(codes: Sequence[str]) -> str:
    return ", ".join(f"{codes.count(code)} {code} ({MEANINGS.get(code, '?')})" for code in dict.fromkeys(codes))


def _statistics(thought: SearchInfo) -> str:
    parts = []
    for name, value in thought.statistics.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            parts.append(f"{name.replace('_', ' ')} {_short(value)}")
    return ", ".join(parts[:4])


def _short(number: float) -> str:
    """Return a number in four characters or so.

    >>> _short(1234567), _short(12.3), _short(7)
    ('1.2M', '12', '7')
    """
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= limit:
            return f"{number / limit:.1f}{unit}"
    return f"{number:.0f}" if number >= 10 or number == int(number) else f"{number:.2f}"
