"""`woodstock games`: list and search the bundled games."""

from __future__ import annotations

import shutil
import sys
import textwrap
from dataclasses import asdict
from typing import Annotated

import typer

from woodstock.cli.options import AsJson
from woodstock.cli.output import messages, print_json, results
from woodstock.games import KINDS, all_games, search

NARROWEST = 40


def command(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD", help="Only games that mention all these words.")
    ] = None,
    wanted: Annotated[
        list[str] | None, typer.Option("--search", metavar="WORDS", help="The same as an option; repeatable.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the bundled games."""
    query = " ".join([*(words or []), *(wanted or [])])
    found = search(query)
    if as_json:
        hidden = ("board", "notes", "path")
        print_json([{k: v for k, v in asdict(game).items() if k not in hidden} for game in found])
        return
    if not found:
        messages().print(f"no game mentions '{query}'; 'woodstock games' lists all {len(all_games())}")
        raise typer.Exit(1)
    console = results()
    longest = max(len(game.name) for game in found)
    indent = longest + 11
    # Off a terminal each game is one line, as `grep` wants it.
    width = max(shutil.get_terminal_size().columns, indent + NARROWEST) if sys.stdout.isatty() else sys.maxsize
    for number, kind in enumerate(kind for kind in KINDS if any(game.kinds[0] == kind for game in found)):
        if number:
            console.print()
        console.print(f"{kind}: {KINDS[kind]}", style="bold")
        console.print(f"{'game':{longest}}  players  description", style="bold")
        for game in (game for game in found if game.kinds[0] == kind):
            also = f" ({', '.join(game.kinds[1:])})" if game.kinds[1:] else ""
            first = f"{game.name:{longest}}  {game.players:7}  "
            lines = textwrap.wrap(game.description + also, width, initial_indent=first, subsequent_indent=" " * indent)
            console.print("\n".join(lines), soft_wrap=True)
