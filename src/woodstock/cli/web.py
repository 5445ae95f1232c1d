"""`woodstock web`: games, matches, analysis and a rules editor in the browser, on this machine."""

from __future__ import annotations

import os
import secrets
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.output import messages
from woodstock.errors import WoodstockError
from woodstock.games import find


def command(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Open a new match of this game.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="Port; 0: a free one.")] = 8765,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="Address to listen on; others than this machine need a token."),
    ] = "127.0.0.1",
    memory: Annotated[bool, typer.Option("--memory", help="Keep nothing after the end.")] = False,
    database: Annotated[
        Path | None,
        typer.Option(
            "--database", metavar="FILE", help="Where matches and rules are kept.  [default: your data folder]"
        ),
    ] = None,
    tournaments: Annotated[
        Path | None,
        typer.Option("--tournaments", metavar="FOLDER", help="Show the tournaments in this folder.  [default: here]"),
    ] = None,
    keep: Annotated[
        int, typer.Option("--keep", min=1, metavar="N", help="How many matches are kept; the oldest leave first.")
    ] = 1000,
    is_cheating: Annotated[
        bool, typer.Option("--cheat", help="Show everybody the whole state, also what the rules hide.")
    ] = False,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the browser if there is a display.")
    ] = True,
) -> None:
    """Play, watch, analyse and write rules in the browser."""
    try:
        from woodstock.web.serve import address, listen, serve
        from woodstock.web.settings import WebSettings
    except ImportError as error:
        raise WoodstockError(f"{error.name} is not installed: pip install 'woodstock[web]'") from error

    if tournaments is not None and not tournaments.is_dir():
        raise WoodstockError(f"--tournaments: {tournaments} is no folder")
    if memory and database is not None:
        raise WoodstockError("--memory keeps nothing, so it takes no --database")
    settings = WebSettings(
        host=host,
        port=port,
        database=None if memory else database or _data_folder() / "web.sqlite",
        tournaments=tournaments or Path.cwd(),
        matches_kept=keep,
        is_cheating=is_cheating,
    )
    if not settings.is_local:
        settings = replace(settings, token=secrets.token_urlsafe(16))
    page = "" if game is None else f"match/new?game={find(game).name}"
    with listen(settings) as found:
        where = address(settings, found.getsockname()[1], page)
        console = messages()
        console.print(f"woodstock is at {where}", soft_wrap=True)
        if not settings.is_local:
            console.print("others on your network can use it with this address; it is not encrypted")
        kept = "nothing is kept" if settings.database is None else f"matches are kept in {settings.database}"
        console.print(f"{kept}; Ctrl-C ends it", soft_wrap=True)
        serve(settings, found, lambda: _open(where) if browser and has_display() else None)


def has_display() -> bool:
    """Return whether a browser can be opened here: there is a screen, and this is no remote login."""
    if os.environ.get("SSH_CONNECTION") or os.environ.get("SSH_TTY"):
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _open(where: str) -> None:
    # A text browser would take the terminal, and some wait until they are closed.
    threading.Thread(target=webbrowser.open, args=(where,), daemon=True).start()


def _data_folder() -> Path:
    given = os.environ.get("XDG_DATA_HOME")
    return (Path(given) if given else Path.home() / ".local" / "share") / "woodstock"
