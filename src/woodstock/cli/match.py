"""`woodstock match`: one match between any players; `woodstock watch`: the same with strong players by default.

On a terminal the board is redrawn in place, and a person may take over; elsewhere every turn is printed.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.frame import Load, on_game
from woodstock.cli.options import AsJson, MaxTurns, NewSeed, PlayClock, StartClock, new_seed
from woodstock.cli.output import messages, print_json, reproduction
from woodstock.errors import GameError
from woodstock.gdl.chance import without_chance

if TYPE_CHECKING:
    from woodstock.match import MatchRecord

LEFT = 130  # as after an interrupt: the match has no end
PLAYER, RIVAL = "mac-ucb-sym", "uct"
PLAYERS = "For each role: a built-in player (uct:c=0.7), human, http://host:port, lib:./s.so, python:module.Class."
Cheat = Annotated[
    bool, typer.Option("--cheat", help="Show a person the whole state, also what the rules hide from their role.")
]
WATCHED = f"For each role: any player of `woodstock match`.  [default: {PLAYER}, then {RIVAL}]"


@on_game
def match(
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
    is_cheating: Cheat = False,
    as_json: AsJson = False,
) -> None:
    """Play one match between any players."""
    from woodstock.cli.live import show_match

    if record is not None and not record.absolute().parent.is_dir():
        raise GameError(f"the record cannot be written: there is no folder {record.absolute().parent}")
    clocks = {"start_clock_s": start_clock, "play_clock_s": play_clock, "grace_s": grace}
    played, has_left = show_match(
        load(),
        players,
        is_shown=not as_json,
        delay=0.0,
        is_cheating=is_cheating,
        seed=new_seed(seed),
        max_turns=max_turns,
        **clocks,
    )
    if record is not None:
        played.write(record)
    if as_json:
        print_json(_summary(played) | {"record": None if record is None else str(record)})
    else:
        for role, codes in played.errors.items():
            messages().print(f"{role}: {', '.join(f'{count} {code}' for code, count in codes.items())}")
        if record is not None:
            messages().print(f"record written; look at it: woodstock replay {record}", style="dim")
    if has_left:
        messages().print("you left the match")
        raise typer.Exit(LEFT)


@on_game
def watch(
    load: Load,
    players: Annotated[list[str] | None, typer.Argument(metavar="PLAYER", help=WATCHED, show_default=False)] = None,
    start_clock: StartClock = 5.0,
    play_clock: PlayClock = 1.0,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay", min=0.0, metavar="S", help="Least time for each turn.  [default: 0.4, off a terminal 0]"
        ),
    ] = None,
    seed: NewSeed = None,
    max_turns: MaxTurns = 1000,
    is_cheating: Cheat = False,
    as_json: AsJson = False,
) -> None:
    """Watch a match on a live board, and take over when you like."""
    from woodstock.cli.live import show_match

    game, named = load(), players or []
    default = [PLAYER, *[RIVAL] * (len(without_chance(game.roles)) - 1)]
    seats = [*named, *default[len(named) :]]
    clocks = {"start_clock_s": start_clock, "play_clock_s": play_clock}
    played, has_left = show_match(
        game,
        seats,
        is_shown=not as_json,
        delay=delay,
        is_cheating=is_cheating,
        seed=new_seed(seed),
        max_turns=max_turns,
        **clocks,
    )
    if as_json:
        print_json(_summary(played))
        return
    if has_left:
        messages().print("you left the match")
    again = shlex.join(["woodstock", "watch", load.name, *named, "--seed", str(played.seed)])
    messages().print(f"watch it again: {again}", style="dim")


def _summary(played: MatchRecord) -> dict[str, Any]:
    return {
        "game": played.game,
        "roles": list(played.roles),
        "players": dict(played.players),
        "goals": dict(played.goals),
        "errors": played.errors,
        "turns": len(played.plies),
        "reason": played.reason,
        "is_terminal": played.reason == "terminal",
        "moves": [list(moves) for moves in played.moves],
        "states": [list(played.initial), *(list(ply.state) for ply in played.plies)],
        **reproduction(played.rules_hash, played.seed),
    }
