"""`woodstock players`: list the built-in players, or show one with its options."""

from __future__ import annotations

from typing import Annotated

import typer

from woodstock.cli.options import AsJson
from woodstock.cli.output import print_json, results
from woodstock.players.registry import PLAYERS, Kind, describe


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="PLAYER", help="Show this one with its options; without it, list all.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the built-in players; a name with a year is a player as published."""
    console = results()
    if name is not None:
        text = describe(name)
        if as_json:
            print_json(_facts(PLAYERS[name]))
        else:
            console.print(text, soft_wrap=True)
        return
    if as_json:
        print_json([_facts(kind) for kind in PLAYERS.values()])
        return
    longest = max(map(len, PLAYERS))
    for title, is_published in (("our own", False), ("as published", True)):
        console.print(title, style="bold")
        for kind in PLAYERS.values():
            if (kind.search == "paper") == is_published:
                console.print(f"  {kind.name:{longest}}  {kind.summary}", soft_wrap=True)


def _facts(kind: Kind) -> dict[str, object]:
    return {
        "name": kind.name,
        "summary": kind.summary,
        "options": list(kind.options),
        "is_published": kind.search == "paper",
    }
