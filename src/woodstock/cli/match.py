"""`woodstock match`: one match between any players, with a live view, a record and a count of what went wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.frame import Load, on_game
from woodstock.cli.options import AsJson, MaxTurns, NewSeed, PlayClock, StartClock, new_seed
from woodstock.cli.output import messages, print_json, reproduction
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.match import MatchRecord

LEFT = 130  # as after an interrupt: the match has no end
PLAYERS = "For each role: a built-in player (uct:c=0.7), human, http://host:port, lib:./s.so, python:module.Class."


@on_game
def command(
    load: Load,
    players: Annotated[list[str], typer.Argument(metavar="PLAYER", help=PLAYERS)],
    start_clock: StartClock = 10.0,
    play_clock: PlayClock = 5.0,
    seed: NewSeed = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the match as GGP JSON.")
    ] = None,
    grace: Annotated[
        float, typer.Option("--grace", min=0.0, metavar="S", help="How late a reply may be and still count.")
    ] = 0.1,
    max_turns: MaxTurns = 10_000,
    as_json: AsJson = False,
) -> None:
    """Play one match between any players."""
    from woodstock.cli.live import show_match

    if record is not None and not record.absolute().parent.is_dir():
        raise GameError(f"the record cannot be written: there is no folder {record.absolute().parent}")
    played, has_left = show_match(
        load(),
        players,
        is_shown=not as_json,
        delay=0.0,
        start_clock_s=start_clock,
        play_clock_s=play_clock,
        seed=new_seed(seed),
        max_turns=max_turns,
        grace_s=grace,
    )
    if record is not None:
        played.write(record)
    if as_json:
        print_json(_summary(played, record))
    else:
        for role, codes in played.errors.items():
            messages().print(f"{role}: {', '.join(f'{count} {code}' for code, count in codes.items())}")
    if record is not None and not as_json:
        messages().print(f"record written; look at it: woodstock replay {record}", style="dim")
    if has_left:
        messages().print("you left the match")
        raise typer.Exit(LEFT)


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
