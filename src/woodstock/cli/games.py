"""`woodstock games`: list and search the bundled games."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from woodstock.cli.options import AsJson
from woodstock.cli.output import messages, print_json, results
from woodstock.games import KINDS, BundledGame, all_games, search


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="[WORD]...", help="Only games that mention these.")
    ] = None,
    wanted: Annotated[
        list[str] | None, typer.Option("--search", metavar="WORDS", help="The same; may be given several times.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the bundled games."""
    query = " ".join([*(words or []), *(wanted or [])])
    found = search(query)
    if as_json:
        print_json([_as_json(game) for game in found])
        return
    if not found:
        messages().print(f"no game mentions '{query}'; 'woodstock games' lists all {len(all_games())}")
        raise typer.Exit(1)
    for number, kind in enumerate(kind for kind in KINDS if any(game.kinds[0] == kind for game in found)):
        table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left", title_style="bold")
        table.title = f"{kind}: {KINDS[kind]}"
        table.add_column("game", no_wrap=True, min_width=max(len(game.name) for game in found))
        table.add_column("players", justify="right")
        table.add_column("what it is")
        for game in found:
            if game.kinds[0] == kind:
                also = f" ({', '.join(game.kinds[1:])})" if game.kinds[1:] else ""
                table.add_row(game.name, str(game.players), game.description + also)
        if number:
            results().print()
        results().print(table)


def _as_json(game: BundledGame) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "aliases": list(game.aliases),
        "players": game.players,
        "kinds": list(game.kinds),
        "description": game.description,
        "size": game.size,
        "source": game.source,
        "oracle": game.oracle,
        "perft": list(game.perft),
    }
