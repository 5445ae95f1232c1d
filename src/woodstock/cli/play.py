"""`woodstock play`: a person against a built-in player, in the terminal, with undo, hints and explanations."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from woodstock.cli.options import GameName, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import messages, results
from woodstock.cli.source import load_game
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.match.events import MatchEvent
    from woodstock.players.decision import SearchInfo

WIDTH = 80


def command(
    game: GameName,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="The role you play.  [default: the first]")
    ] = None,
    opponent: Annotated[
        str, typer.Option("--opponent", metavar="PLAYER", help="Who plays the other roles.")
    ] = "mac-ucb-sym",
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, metavar="S", help="Time for each of its moves.")
    ] = 2.0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.  [default: a new one]")
    ] = None,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Play any game in the terminal."""
    from woodstock.match import seated_roles

    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    roles = seated_roles(loaded)
    mine = roles[0] if role is None else loaded.roles[loaded.role_index(role)]
    if mine not in roles:
        raise GameError(f"{mine} is chance: it plays by itself. The roles are {', '.join(roles)}")
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    _Table(loaded, mine, opponent, seconds, chosen, results()).play()


class _Table:
    """A match between a person and built-in players, told in the terminal."""

    def __init__(self, game: Game, role: str, opponent: str, seconds: float, seed: int, console: Console) -> None:
        from woodstock.cli.terminal import Prompt
        from woodstock.match import Match, seated_roles
        from woodstock.players.person import Person
        from woodstock.view import View

        self._game, self._role, self._seconds, self._console = game, role, seconds, console
        self._view = View(game)
        prompt = Prompt(console, self._hint, can_undo=True)
        others = dict.fromkeys([one for one in seated_roles(game) if one != role], opponent)
        self._thoughts: dict[str, SearchInfo] = {}
        self._made: dict[str, str] = {}
        against = f" against {opponent}" if others else ""
        self._console.print(f"{game.name}: you are {role}{against}. ? for help", style="bold")
        if game.has_percepts:
            self._console.print("the rules hide things from players; here the whole state is shown", style="dim")
        self._match = Match(
            game,
            {role: Person(prompt.ask), **others},
            start_clock_s=seconds,
            play_clock_s=seconds,
            # A generous wait: here nobody loses on time, and a late move is better than a random one.
            grace_s=seconds + 5.0,
            seed=seed,
            tell=self._hear,
        )

    def play(self) -> None:
        """Play until the end, or until the person leaves."""
        from woodstock.cli.terminal import Leave, Undo

        with self._match as match:
            is_on = True
            while is_on:
                try:
                    is_on = match.step()
                except Undo:
                    self._undo()
                except Leave:
                    messages().print("you left the match")
                    return

    def _hear(self, event: MatchEvent) -> None:
        from woodstock.cli.match_screen import ending
        from woodstock.match import events

        match event:
            case events.MatchStarted():
                self._show(self._game.initial, None)
            case events.PlayerThinks():
                self._thoughts[event.role] = event.thought
            case events.MoveMade():
                self._made[event.role] = event.move
                if event.thought is not None:
                    self._thoughts[event.role] = event.thought
                if event.error:
                    messages().print(f"{event.role} made no move ({event.detail}); a random one is played")
            case events.TurnPlayed():
                before = self._match.states[-2]
                choosing = [role for role in self._game.roles if len(before.legal(role)) > 1]
                shown = [
                    f"{role} {move}"
                    for role, move in self._made.items()
                    if role in choosing or role == self._role or not choosing
                ]
                self._console.print(f"turn {event.turn}: {', '.join(shown)}")
                self._show(event.state, before)
            case events.TakenBack():
                self._show(event.state, self._match.states[-2] if event.turn else None)
            case events.MatchEnded() if event.reason != "aborted":
                self._console.print(ending(event), style="bold")

    def _undo(self) -> None:
        """Go back to the person's last decision, or say that there is none."""
        states = self._match.states
        earlier = len(states) - 2
        while earlier >= 0 and len(states[earlier].legal(self._role)) < 2:
            earlier -= 1
        if earlier < 0:
            self._console.print("there is nothing to undo")
        else:
            self._match.take_back(earlier)

    def _show(self, state: State, before: State | None) -> None:
        self._console.print()
        self._console.print(self._view.draw(state, before, min(self._console.width, WIDTH)))
        for role, thought in self._thoughts.items():
            values = ", ".join(f"{one} {value:.0f}" for one, value in thought.values.items())
            if values:
                self._console.print(f"{role} expects: {values}", style="dim")

    def _hint(self, state: State, role: str) -> str:
        from woodstock.cli.hint import hint

        return hint(state, role, self._seconds)
