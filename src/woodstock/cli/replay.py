"""`woodstock replay`: check a recorded match against the rules, then step through it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, Group
from rich.text import Text

from woodstock.cli.keys import read_key, single_keys
from woodstock.cli.options import AsJson, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import WIDTH, print_json, results
from woodstock.cli.progress import phases
from woodstock.cli.source import load_game
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.game.state import State
    from woodstock.match import MatchRecord
    from woodstock.view import View

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
    pages = _Pages(record, loaded.roles, states, View(loaded))
    if turn is not None:
        if turn >= len(states):
            raise GameError(f"the match has turns 0 to {len(states) - 1}, not {turn}")
        console.print(pages.page(turn, console.width))
    elif console.is_terminal and sys.stdin.isatty():
        _browse(pages, console)
    else:
        for number in range(len(states)):
            console.print(pages.page(number, console.width), Text())


@dataclass(frozen=True)
class _Pages:
    """The pages of a record: a state, the moves that led to it, what the players thought."""

    record: MatchRecord
    roles: tuple[str, ...]
    states: list[State]
    view: View

    def page(self, number: int, width: int) -> Group:
        record, last = self.record, len(self.states) - 1
        lines = [Text(f"{record.game}, turn {number} of {last}", style="bold")]
        if number:
            lines += [line for index in range(len(self.roles)) for line in self._move(number, index)]
        else:
            lines.append(Text(", ".join(f"{role} is {player}" for role, player in record.players.items())))
        for line in lines:
            line.truncate(width)
        before = self.states[number - 1] if number else None
        board = self.view.draw(self.states[number], before, min(width, WIDTH))
        goals = ", ".join(f"{role} {goal}" for role, goal in record.goals.items())
        end = [Text(f"\nthe match is over: {goals}", style="bold")] if number == last and goals else []
        return Group(*lines, Text(), board, *end)

    def _move(self, number: int, index: int) -> list[Text]:
        """Return a role's move in a turn, and its best lines."""
        ply, name = self.record.plies[number - 1], self.record.roles[index]
        flaw = f"  [{ply.errors[index]}] {ply.details.get(name, '')}" if ply.errors[index] else ""
        time = f"  {ply.seconds[index]:.2f} s" if index < len(ply.seconds) else ""
        player = self.record.players.get(name, "chance")
        best = [Text(f"    {line}", style="dim") for line in ply.thoughts.get(name, {}).get("lines", [])[:3]]
        return [Text(f"{self.roles[index]} ({player})  {ply.moves[index]}{time}{flaw}"), *best]


def _browse(pages: _Pages, console: Console) -> None:
    number, last = 0, len(pages.states) - 1
    with console.screen(hide_cursor=True) as screen, single_keys():
        while True:
            screen.update(Group(pages.page(number, console.width), Text(f"\n{KEYS}", style="dim")))
            match read_key():
                case "q" | "\x03" | "":
                    return
                case "\x1b[C" | "\x1b[B" | " " | "n" | "j" | "l":
                    number = min(last, number + 1)
                case "\x1b[D" | "\x1b[A" | "p" | "k" | "h":
                    number = max(0, number - 1)
                case "\x1b[H" | "\x1b[1~" | "g":
                    number = 0
                case "\x1b[F" | "\x1b[4~" | "G":
                    number = last
