"""A match told in lines, turn by turn: off a terminal, and while a person plays."""

from __future__ import annotations

from rich.console import Console

from woodstock.cli.output import WIDTH
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.match import events
from woodstock.players.decision import SearchInfo
from woodstock.players.failure import MEANINGS
from woodstock.view import View


class MatchStory:
    """Prints the events of a match. `is_for_person` adds what the others expect, and leaves out who plays.

    If `is_secret`, a person plays a game that hides things. Then nothing is told but the start and failures until the
    match is over: the prompt shows what a role knows.
    """

    def __init__(
        self, game: Game, view: View, console: Console, *, is_for_person: bool = False, is_secret: bool = False
    ) -> None:
        self._game, self._view, self._console = game, view, console
        self._is_for_person, self._is_secret = is_for_person, is_secret
        self._state: State = game.initial
        self._made: list[events.MoveMade] = []
        self._thoughts: dict[str, SearchInfo] = {}

    def hear(self, event: events.MatchEvent) -> None:
        """Print an event."""
        match event:
            case events.MatchStarted():
                if not self._is_for_person:
                    players = ", ".join(f"{role} is {player}" for role, player in event.players.items())
                    self._console.print(f"{self._game.name}: {players}")
                    self._console.print(f"clocks {event.start_clock_s:g} s and {event.play_clock_s:g} s")
                self._console.print()
                # Everybody knows where a match begins.
                self.show(event.state, None)
            case events.PlayerThinks():
                self._thoughts[event.role] = event.thought
            case events.MoveMade():
                self._made.append(event)
                if self._is_secret and event.error:
                    # Without the details, which may name a move.
                    what = MEANINGS.get(event.error, event.error)
                    self._console.print(f"{event.role}: {what}; a random move was made")
                if event.thought is not None:
                    self._thoughts[event.role] = event.thought
            case events.TurnPlayed():
                self._tell_turn(event)
            case events.TakenBack():
                self._console.print(f"\nback to turn {event.turn}")
                if not self._is_secret or not event.turn:
                    self.show(event.state, None)
            case events.SeatTaken():
                self._console.print(f"\n{event.player} takes the seat of {event.role}")
            case events.SeatFailed():
                self._console.print(f"{event.role}: {MEANINGS.get(event.error, event.error)}: {event.detail}")
            case events.MatchEnded() if event.reason != "aborted" or not self._is_for_person:
                if self._is_secret and event.reason != "aborted":
                    self._console.print("\nthe whole state at the end:")
                    self.show(event.state, None)
                self._console.print(f"\n{ending(event)}", style="bold")

    def _tell_turn(self, event: events.TurnPlayed) -> None:
        told = self._told_moves()
        self._made = []
        if self._is_secret:
            return
        self._console.print(f"\nturn {event.turn}: {', '.join(told)}")
        self.show(event.state, self._state)

    def show(self, state: State, before: State | None) -> None:
        """Print a state, and the story goes on from there."""
        self._state = state
        self._console.print(self._view.draw(state, before, min(self._console.width, WIDTH)))
        for role, thought in self._thoughts.items() if self._is_for_person and not self._is_secret else ():
            values = ", ".join(f"{one} {value:.0f}" for one, value in thought.values.items())
            if values:
                self._console.print(f"{role} expects: {values}", style="dim")

    def _told_moves(self) -> list[str]:
        """Return the moves worth telling: of roles that had a choice, and those that went wrong."""
        choosing = {role for role in self._game.roles if len(self._state.legal(role)) > 1}
        return [
            f"{made.role} {made.move}" + (f" [{made.error}: {made.detail}]" if made.error else "")
            for made in self._made
            if made.role in choosing or made.error or not choosing
        ]


def ending(event: events.MatchEnded) -> str:
    """Return how a match ended, in words."""
    goals = ", ".join(f"{role} {goal}" for role, goal in event.goals.items())
    return {
        "terminal": f"the match is over: {goals}",
        "stuck": "the match is stuck: a role has no legal move",
        "turns": "stopped: the match has lasted as long as it may",
        "aborted": "the match was broken off",
    }[event.reason]
