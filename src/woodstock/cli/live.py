"""A match on the live screen, with keys: pause it, go back, take over a seat and give it back.

While a person has a seat, the match goes on in lines with a prompt: `Prompt` needs the terminal for itself.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

from woodstock.cli.keys import read_key, single_keys
from woodstock.cli.match_screen import MatchScreen
from woodstock.cli.match_story import MatchStory
from woodstock.cli.output import results
from woodstock.cli.role_view import RoleView
from woodstock.cli.terminal import GiveBack, Leave, Prompt, step
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.match import Match, MatchRecord, TurnInterrupted, events
from woodstock.players.make import make_player
from woodstock.players.person import Person
from woodstock.players.player import Player
from woodstock.view import View

KEYS = "t take over a seat   space pause   n next turn   u back a turn   q leave"
PAUSED = "paused   t take over a seat   space go on   n next turn   u back   q leave"
DELAY_S = 0.4
_REFRESHES = 8
_LOOK_EVERY_S = 0.1


class LiveMatch:
    """Plays a match to its end on a terminal. `delay` is the least time for each turn."""

    def __init__(self, game: Game, console: Console, delay: float, *, is_cheating: bool = False) -> None:
        self._game, self._console, self._delay = game, console, delay
        view = View(game)
        self._screen = MatchScreen(game, view)
        # Who has watched has seen everything; from then on a person sees what their role knows.
        self._is_secret = game.has_percepts and not is_cheating
        self._story = MatchStory(game, view, console, is_for_person=True, is_secret=self._is_secret)
        self._is_paused = False
        self._keys: queue.SimpleQueue[str] = queue.SimpleQueue()
        # Who had the seat that a person has taken; while there is one, the match goes on in lines.
        self._replaced: dict[str, Player] = {}

    def hear(self, event: events.MatchEvent) -> None:
        """Subscribe to the match."""
        self._screen.hear(event)
        if self._replaced:
            self._story.hear(event)

    def play(self, match: Match) -> None:
        """Play the match to its end; `Leave` if the person leaves it."""
        while not match.is_over:
            if self._replaced:
                self._play_prompted(match)
            else:
                self._play_live(match)
        if not self._replaced:
            self._console.print(self._screen.draw(self._console.width))

    # On the screen.

    def _play_live(self, match: Match) -> None:
        """Play on the screen until the end, or until a person takes a seat."""
        with (
            Live(get_renderable=self._draw, console=self._console, screen=True, refresh_per_second=_REFRESHES),
            self._reading_keys(match),
        ):
            is_on = True
            while is_on and not self._replaced:
                begun = time.monotonic()
                try:
                    self._obey(match)
                    is_on = match.step() if not self._replaced else True
                except TurnInterrupted:
                    continue
                self._wait(begun + self._delay)

    def _draw(self) -> Text:
        return self._screen.draw(self._console.width, self._console.height, PAUSED if self._is_paused else KEYS)

    @contextmanager
    def _reading_keys(self, match: Match) -> Iterator[None]:
        """Put keys in the queue; those that cannot wait for the turn to end interrupt it."""
        is_over = threading.Event()

        def read() -> None:
            while not is_over.is_set():
                key = read_key(_LOOK_EVERY_S)
                if key is None:
                    continue
                self._keys.put(key or "q")
                if key in ("t", "q", "u", "") or key.isdecimal():
                    match.interrupt()
                if not key:
                    return

        with single_keys():
            thread = threading.Thread(target=read, name="keys", daemon=True)
            thread.start()
            try:
                yield
            finally:
                is_over.set()
                thread.join()

    def _obey(self, match: Match) -> None:
        """Do what the keys ask for; while the match is paused, wait for them."""
        while not self._replaced:
            try:
                key = self._keys.get(block=self._is_paused)
            except queue.Empty:
                return
            if key == "n":
                self._is_paused = True
                return
            try:
                self._obey_key(match, key)
            except GameError as error:
                # For example: a player on the network cannot take a move back.
                self._screen.status = str(error)

    def _obey_key(self, match: Match, key: str) -> None:
        match key:
            case "q":
                raise Leave
            case " " | "p":
                self._is_paused = not self._is_paused
            case "u" if match.turn:
                self._is_paused = True
                match.take_back(match.turn - 1)
            case "t":
                self._take_over(match, (match.state.to_move or tuple(match.players))[0])
            case _ if key.isdecimal() and 0 < int(key) <= len(match.players):
                self._take_over(match, list(match.players)[int(key) - 1])

    def _wait(self, until: float) -> None:
        """Wait for the end of the delay, or a key."""
        while self._keys.empty() and time.monotonic() < until:
            time.sleep(min(0.02, max(0.0, until - time.monotonic())))

    # With a person.

    def _take_over(self, match: Match, role: str) -> None:
        role_view = RoleView(self._game, self._console) if self._is_secret else None
        prompt = Prompt(self._console, hint_s=2.0, can_undo=True, can_give_back=True, role_view=role_view)
        self._replaced[role] = match.seat(role, Person(prompt.ask))
        self._is_paused = False

    def _play_prompted(self, match: Match) -> None:
        """Play in lines until the end, or until the person gives the seat back."""
        (role,) = self._replaced
        self._console.print(f"you are {role}. ? for help, g gives the seat back", style="bold")
        if not self._is_secret or not match.turn:
            self._story.show(match.state, match.states[-2] if match.turn else None)
        is_on = True
        while is_on and self._replaced:
            try:
                is_on = step(match, role, self._console)
            except TurnInterrupted:
                # By the key that led here: it was obeyed before the match heard of it.
                continue
            except GiveBack:
                try:
                    match.seat(role, self._replaced[role])
                    del self._replaced[role]
                except GameError as error:
                    self._console.print(str(error))


def show_match(
    game: Game,
    players: Sequence[str],
    *,
    is_shown: bool,
    delay: float | None = None,
    is_cheating: bool = False,
    **options: Any,
) -> tuple[MatchRecord, bool]:
    """Play a match: on the live screen if there is a terminal and no person plays, else in lines, or unseen.

    Returns the record, and whether a person left the match. `delay` is the least time for each turn. A person in a
    game that hides things sees what their role knows, or everything if `is_cheating`.
    """
    console = results()
    people = list(players).count("human")
    is_secret = game.has_percepts and people > 0 and not is_cheating
    role_view = RoleView(game, console) if is_secret else None
    prompt = Prompt(console, role_view=role_view, is_shared=people > 1)
    seats = [make_player(player, prompt.ask) for player in players]
    is_live = is_shown and console.is_terminal and sys.stdin.isatty() and not any(seat.is_human for seat in seats)
    delay_s = DELAY_S if delay is None else delay
    live = LiveMatch(game, console, delay_s, is_cheating=is_cheating) if is_live else None
    if live is not None:
        options["tell"] = live.hear
    elif is_shown:
        options["tell"] = MatchStory(game, View(game), console, is_secret=is_secret).hear
    with Match(game, seats, **options) as match:
        has_left = False
        try:
            if live is not None:
                live.play(match)
            else:
                while match.step():
                    time.sleep(delay or 0.0)
        except Leave:
            has_left = True
    # After the block: a match that was left is broken off by now.
    return match.record, has_left
