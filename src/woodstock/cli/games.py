"""`woodstock games`: list and search the bundled games."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from woodstock.cli.options import AsJson
from woodstock.cli.output import messages, print_json, results
from woodstock.games import all_games, search


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="Only games that mention these.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the bundled games."""
    found = search(" ".join(words)) if words else all_games()
    if as_json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "aliases": list(game.aliases),
                    "players": game.players,
                    "kind": game.kind,
                    "description": game.description,
                }
                for game in found
            ]
        )
        return
    if not found:
        messages().print(f"no game mentions '{' '.join(words or [])}'; 'woodstock games' lists all {len(all_games())}")
        raise typer.Exit(1)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("players", justify="right")
    table.add_column("kind")
    table.add_column("what it is")
    for game in found:
        table.add_row(game.name, str(game.players), game.kind, game.description)
    results().print(table)
