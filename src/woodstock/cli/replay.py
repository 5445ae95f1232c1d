"""`woodstock replay`: check a recorded match against the rules, then step through it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, Group
from rich.text import Text

from woodstock.cli.keys import read_key, single_keys
from woodstock.cli.options import AsJson, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import print_json, results
from woodstock.cli.progress import phases
from woodstock.cli.source import load_game
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.match import MatchRecord
    from woodstock.view import View

WIDTH = 80
KEYS = "arrows step, home and end jump, q leaves"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match record in GGP JSON.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The rules, if the record does not hold them.")
    ] = None,
    turn: Annotated[int | None, typer.Option("--turn", min=0, metavar="N", help="Show this turn only.")] = None,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Step through a recorded match."""
    import woodstock
    from woodstock.match import MatchRecord
    from woodstock.view import View

    record = MatchRecord.read(file)
    if game is not None:
        loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    elif record.rules:
        with phases() as tell:
            loaded = woodstock.loads(
                record.rules, record.game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb, tell=tell
            )
    else:
        raise GameError(f"{file} does not hold the rules: name them with --game")
    states = record.replay(loaded)
    if as_json:
        print_json({"game": record.game, "turns": len(record.plies), "goals": dict(record.goals), "agrees": True})
        return
    console = results()
    album = _Album(record, loaded, states, View(loaded))
    if turn is not None:
        if turn >= len(states):
            raise GameError(f"the match has turns 0 to {len(states) - 1}, not {turn}")
        console.print(album.page(turn, console.width))
    elif console.is_terminal and sys.stdin.isatty():
        _browse(album, console)
    else:
        for number in range(len(states)):
            console.print(album.page(number, console.width))
            console.print()


class _Album:
    """The pages of a record: a state, the moves that led to it, what the players thought."""

    def __init__(self, record: MatchRecord, game: Game, states: list[State], view: View) -> None:
        self._record, self._game, self._states, self._view = record, game, states, view
        self.last = len(states) - 1

    def page(self, number: int, width: int) -> Group:
        record = self._record
        head = f"{record.game}, turn {number} of {self.last}"
        parts: list[Text] = [Text(head, style="bold")]
        if number:
            ply = record.plies[number - 1]
            for index, role in enumerate(self._game.roles):
                name = record.roles[index]
                flaw = f"  [{ply.errors[index]}] {ply.details.get(name, '')}" if ply.errors[index] else ""
                time = f"  {ply.seconds[index]:.2f} s" if index < len(ply.seconds) else ""
                player = record.players.get(name, "chance")
                parts.append(Text(f"{role} ({player})  {ply.moves[index]}{time}{flaw}"[:width]))
                thought = ply.thoughts.get(name, {})
                for line in list(thought.get("lines", []))[:3]:
                    parts.append(Text(f"    {line}"[:width], style="dim"))
        else:
            players = ", ".join(f"{role} is {player}" for role, player in record.players.items())
            parts.append(Text(players[:width]))
        before = self._states[number - 1] if number else None
        parts += [Text(), self._view.draw(self._states[number], before, min(width, WIDTH))]
        if number == self.last and record.goals:
            goals = ", ".join(f"{role} {goal}" for role, goal in record.goals.items())
            parts.append(Text(f"\nthe match is over: {goals}", style="bold"))
        return Group(*parts)


def _browse(album: _Album, console: Console) -> None:
    number = 0
    with console.screen(hide_cursor=True) as screen, single_keys():
        while True:
            screen.update(Group(album.page(number, console.width), Text(f"\n{KEYS}", style="dim")))
            match read_key():
                case "q" | "\x03" | "":
                    return
                case "\x1b[C" | "\x1b[B" | " " | "n" | "j" | "l":
                    number = min(album.last, number + 1)
                case "\x1b[D" | "\x1b[A" | "p" | "k" | "h":
                    number = max(0, number - 1)
                case "\x1b[H" | "\x1b[1~" | "g":
                    number = 0
                case "\x1b[F" | "\x1b[4~" | "G":
                    number = album.last
