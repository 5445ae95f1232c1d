"""`woodstock match`: one match between any players, with a live view, a record and a count of what went wrong."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live

from woodstock.cli.options import AsJson, GameName, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import messages, print_json, reproduction, results
from woodstock.cli.source import load_game
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.match import MatchRecord

PlayClock = Annotated[float, typer.Option("--play-clock", min=0.001, metavar="S", help="Time for each move.")]
StartClock = Annotated[float, typer.Option("--start-clock", min=0.0, metavar="S", help="Time to prepare.")]
PLAYERS = "For each role: a built-in player (uct:c=0.7), human, http://host:port, lib:./s.so, python:module.Class."


def command(
    game: GameName,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER...", help=PLAYERS)],
    start_clock: StartClock = 10.0,
    play_clock: PlayClock = 5.0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.  [default: a new one]")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the match as GGP JSON.")
    ] = None,
    grace: Annotated[
        float, typer.Option("--grace", min=0.0, metavar="S", help="How late a reply may be and still count.")
    ] = 0.1,
    max_turns: Annotated[int, typer.Option("--max-turns", min=1, metavar="N", help="Stop after this many.")] = 10_000,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Play one match between any players."""
    from woodstock.cli.match_screen import MatchScreen, MatchStory
    from woodstock.cli.terminal import ask_in_terminal
    from woodstock.match import play_match, seated_roles
    from woodstock.match.events import ignore
    from woodstock.players.make import make_player

    if record is not None and not record.absolute().parent.is_dir():
        raise GameError(f"the record cannot be written: there is no folder {record.absolute().parent}")
    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    roles = seated_roles(loaded)
    if len(players) not in (len(roles), len(loaded.roles)):
        raise GameError(
            f"{loaded.name} needs {len(roles)} players, one for each of {', '.join(roles)}: {len(players)} given"
        )
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    console = results()
    has_person = "human" in players
    ask = ask_in_terminal(loaded, console) if has_person else None
    options: dict[str, Any] = {
        "start_clock_s": start_clock,
        "play_clock_s": play_clock,
        "seed": chosen,
        "max_turns": max_turns,
        "grace_s": grace,
    }
    seats = [make_player(player, ask) for player in players]
    shown = dict(zip(loaded.roles if len(players) == len(loaded.roles) else roles, players, strict=True))
    if as_json:
        played = play_match(loaded, seats, tell=ignore, **options)
    elif console.is_terminal and not has_person:
        screen = MatchScreen(loaded, [shown.get(role, "chance") for role in loaded.roles])
        with Live(get_renderable=lambda: screen.draw(console.width), console=console, refresh_per_second=8):
            played = play_match(loaded, seats, tell=screen.hear, **options)
    else:
        played = play_match(loaded, seats, tell=MatchStory(loaded, console).hear, **options)
    if record is not None:
        played.write(record)
    if as_json:
        print_json(_summary(played, record))
        return
    for role, codes in played.errors.items():
        messages().print(f"{role}: {', '.join(f'{count} {code}' for code, count in codes.items())}")
    if record is not None:
        messages().print(f"record written; look at it: woodstock replay {record}", style="dim")


def _summary(played: MatchRecord, record: Path | None) -> dict[str, Any]:
    return {
        "game": played.game,
        "players": dict(played.players),
        "goals": dict(played.goals),
        "errors": played.errors,
        "turns": len(played.plies),
        "reason": played.reason,
        "record": None if record is None else str(record),
        **reproduction(played.rules_hash, played.seed),
    }
