"""`woodstock serve`: a player for GGP servers, on a port, until it is stopped."""

from __future__ import annotations

import logging
import signal
from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.options import GroundMemoryMb
from woodstock.cli.output import messages


def command(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, metavar="N", help="Port; 0: a free one.")] = 9147,
    player: Annotated[str, typer.Option("--player", metavar="PLAYER", help="Who plays.")] = "mac-ucb-sym",
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.  [default: all]")] = "",
    ponder: Annotated[bool, typer.Option("--ponder/--no-ponder", help="Think while others do.")] = True,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Name in the answer to INFO.")] = "woodstock",
    give_up: Annotated[
        float, typer.Option("--give-up", min=1.0, metavar="S", help="Leave a match after this much silence.")
    ] = 60.0,
    memory_mb: Annotated[
        int, typer.Option("--memory-mb", min=512, metavar="MIB", help="Memory limit of the process that plays.")
    ] = 16384,
    ground_memory_mb: GroundMemoryMb = 4096,
    log: Annotated[Path | None, typer.Option("--log", metavar="FILE", help="Write the log there as well.")] = None,
) -> None:
    """Play on the network, for any GGP server."""
    from logging.handlers import QueueHandler, QueueListener
    from queue import SimpleQueue

    from woodstock.ggp.player import GgpPlayer
    from woodstock.ggp.server import Server
    from woodstock.ggp.workers import WorkerSettings

    console = messages()
    handlers: list[logging.Handler] = [logging.StreamHandler()]
    if log is not None:
        handlers.append(logging.FileHandler(log, encoding="utf-8"))
    # A slow terminal or disk must not hold up an answer, so a thread of its own writes the log.
    lines: SimpleQueue[object] = SimpleQueue()
    writer = QueueListener(lines, *handlers)
    writer.start()
    way = [QueueHandler(lines)]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", handlers=way)
    ggp_player = GgpPlayer(WorkerSettings(player, ponder, memory_mb, ground_memory_mb), name, give_up_s=give_up)
    # A wrong name is an error now, not at the first match.
    ggp_player.check()
    server = Server(ggp_player, host, port)
    # A service manager says TERM, a person Ctrl-C: both give up the match and end in order.
    signal.signal(signal.SIGTERM, lambda *_: server.stop())
    console.print(f"{player} waits for matches on port {server.port}; Ctrl-C ends it")
    try:
        server.wait()
    finally:
        server.close()
        writer.stop()
