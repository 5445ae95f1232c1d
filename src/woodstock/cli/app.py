"""The list of commands: names, order and examples."""

from __future__ import annotations

from typing import Annotated

import typer

import woodstock
from woodstock.cli import (
    check,
    explain,
    export,
    fmt,
    games,
    info,
    match,
    network,
    perft,
    play,
    players,
    protocol,
    qcsp,
    replay,
    search,
    serve,
    simulate,
    solve,
    symmetries,
    tournament,
    tune,
    web,
)

# Plain help text: it reads the same in a pipe, in a log and by a screen reader.
app = typer.Typer(
    name="woodstock",
    help="Play any game written in GDL: check its rules, look at it, simulate it.",
    epilog="Example: woodstock watch connect-four",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80, "terminal_width": 80},
)

for _name, _command, _example in (
    ("play", play.command, "woodstock play connect-four --seconds 2"),
    ("watch", match.watch, "woodstock watch connect-four mac-ucb-sym grave --play-clock 2"),
    ("match", match.match, "woodstock match connect-four random legal --record match.json"),
    ("web", web.command, "woodstock web connect-four"),
    ("replay", replay.command, "woodstock replay match.json"),
    ("search", search.command, "woodstock search connect-four --seconds 2 --player mac-ucb-sym"),
    ("serve", serve.command, "woodstock serve --port 9147 --player random"),
    ("check", check.command, "woodstock check my-game.kif"),
    ("explain", explain.command, "woodstock explain GDL021"),
    ("fmt", fmt.command, "woodstock fmt my-game.kif --to infix"),
    ("games", games.command, "woodstock games four"),
    ("players", players.command, "woodstock players mac-ucb-2015"),
    ("info", info.command, "woodstock info breakthrough"),
    ("simulate", simulate.command, "woodstock simulate connect-four --seconds 5 --json"),
    ("perft", perft.command, "woodstock perft tic-tac-toe --depth 9"),
    ("network", network.command, "woodstock network tic-tac-toe --svg tic-tac-toe.svg"),
    ("export", export.command, "woodstock export tic-tac-toe --turn 3 -o tic-tac-toe.xml"),
    ("symmetries", symmetries.command, "woodstock symmetries tic-tac-toe --svg tic-tac-toe.svg"),
    ("tune", tune.command, "woodstock tune plan.toml --minutes 30"),
    ("solve", solve.command, "woodstock solve tic-tac-toe --opponent random --utility win"),
):
    app.command(_name, epilog=f"Example: {_example}")(_command)

for _name, _group in (("protocol", protocol.app), ("tournament", tournament.app), ("qcsp", qcsp.app)):
    _group.info.context_settings = app.info.context_settings
    app.add_typer(_group, name=_name)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"woodstock {woodstock.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error happened (also: WOODSTOCK_DEBUG=1).")
    ] = False,
) -> None:
    # Both options are handled elsewhere: the version by its callback, --debug by `run`.
    del version, debug
