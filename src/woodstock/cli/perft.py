"""`woodstock perft`: count move sequences by depth, the usual check of one engine against another."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from woodstock.cli.frame import Load, on_game
from woodstock.cli.options import AsJson
from woodstock.cli.output import count, duration, print_json, reproduction, results


@on_game
def command(
    load: Load,
    depth: Annotated[int, typer.Option("--depth", min=0, metavar="N", help="Number of joint moves to look ahead.")] = 4,
    as_json: AsJson = False,
) -> None:
    """Count the sequences of joint moves for each depth."""
    import woodstock

    game = load()
    rows: list[dict[str, Any]] = []
    console = results()
    if not as_json:
        console.print(f"{'depth':>5} {'sequences':>24} {'states':>14} {'terminal':>14} {'time':>10}", style="bold")
    for row in woodstock.perft(game.initial, depth):
        if as_json:
            rows.append(asdict(row))
        else:
            cells = ["" if value is None else count(value) for value in (row.states, row.terminal)]
            console.print(
                f"{row.depth:>5} {row.sequences:>24,} {cells[0]:>14} {cells[1]:>14} {duration(row.seconds):>10}"
            )
    if as_json:
        print_json({"game": game.name, "depths": rows, **reproduction(game.rules_hash)})
