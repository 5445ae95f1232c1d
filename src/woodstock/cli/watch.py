"""`woodstock watch`: a strong player against a rival on a live board, and a person may take over.

On a terminal the board is redrawn in place; elsewhere every turn is printed, so a log reads as a story.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from woodstock.cli.frame import Load, on_game
from woodstock.cli.options import AsJson, MaxTurns, NewSeed, PlayClock, StartClock, new_seed
from woodstock.cli.output import messages, print_json, reproduction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from woodstock.game.game import Game
    from woodstock.match import MatchRecord

MAX_TURNS = 1000
PLAYER, RIVAL = "mac-ucb-sym", "uct"
PLAYERS = f"For each role: any player of `woodstock match`.  [default: {PLAYER}, then {RIVAL}]"


@on_game
def command(
    load: Load,
    players: Annotated[list[str] | None, typer.Argument(metavar="PLAYER", help=PLAYERS, show_default=False)] = None,
    start_clock: StartClock = 5.0,
    play_clock: PlayClock = 1.0,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay", min=0.0, metavar="S", help="Least time for each turn.  [default: 0.4, off a terminal 0]"
        ),
    ] = None,
    seed: NewSeed = None,
    max_turns: MaxTurns = MAX_TURNS,
    as_json: AsJson = False,
) -> None:
    """Watch a match on a live board, and take over when you like."""
    from woodstock.cli.live import show_match

    game = load()
    played, has_left = show_match(
        game,
        _seats(game, players or []),
        is_shown=not as_json,
        delay=delay,
        start_clock_s=start_clock,
        play_clock_s=play_clock,
        seed=new_seed(seed),
        max_turns=max_turns,
    )
    if as_json:
        print_json(_summary(game, played))
        return
    if has_left:
        messages().print("you left the match")
    again = shlex.join(["woodstock", "watch", load.name, *(players or []), "--seed", str(played.seed)])
    messages().print(f"watch it again: {again}", style="dim")


def _seats(game: Game, players: Sequence[str]) -> list[str]:
    """Return a player for each role; those that the user did not name are the rivals."""
    from woodstock.match import seated_roles

    default = [PLAYER, *[RIVAL] * (len(seated_roles(game)) - 1)]
    return [*players, *default[len(players) :]]


def _summary(game: Game, record: MatchRecord) -> dict[str, Any]:
    return {
        "game": game.name,
        "roles": list(game.roles),
        "players": dict(record.players),
        "moves": [list(moves) for moves in record.moves],
        "states": [list(record.initial), *(list(ply.state) for ply in record.plies)],
        "is_terminal": record.reason == "terminal",
        "goals": dict(record.goals) or None,
        **reproduction(game.rules_hash, record.seed),
    }
