"""`woodstock solve`: a game exactly, or the solutions and policies of an XCSP3 instance.

The source decides: a file of XML is an instance, anything else is a game. Options of the other kind are refused.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.options import AsJson, GroundMemoryMb, GroundSeconds
from woodstock.cli.solve_game import Finding, GameSettings, Method, Opponent, Utility
from woodstock.cli.solve_game import solve_and_print as solve_game
from woodstock.cli.solve_instance import Goal, InstanceSettings, looks_like_instance
from woodstock.cli.solve_instance import solve_and_print as solve_instance
from woodstock.cli.source import load_game

Source = Annotated[str, typer.Argument(metavar="GAME|FILE", help="A game, or an XCSP3 instance and its sidecar.")]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.0, metavar="S", help="Stop after S seconds.")]
MemoryMb = Annotated[
    int | None,
    typer.Option("--memory-mb", min=1, metavar="MIB", help="For the table of states (1024) or reading a file (2048)."),
]

UsedSymmetries = Annotated[
    Finding, typer.Option("--symmetries", help="Game: which symmetries to use; on is network, off is none.")
]
HowOthersPlay = Annotated[Opponent, typer.Option("--opponent", help="Game: how the other roles play.")]
Role = Annotated[
    str | None, typer.Option("--role", metavar="NAME", help="Game: who plays against random opponents; else each.")
]
HowSearched = Annotated[
    Method, typer.Option("--method", help="Game: all states, or alpha-beta if goals add up to 100.")
]
Maximised = Annotated[
    Utility, typer.Option("--utility", help="Game: the expected goal, or the chance of the best goal.")
]
States = Annotated[int | None, typer.Option("--states", min=1, metavar="N", help="Game: stop after N states.")]

Wanted = Annotated[
    Goal,
    typer.Option("--goal", help="Instance: count solutions, or find policies; auto: best if there are utilities."),
]
Show = Annotated[int, typer.Option("--show", min=0, metavar="N", help="Instance: show N solutions.")]
Threshold = Annotated[
    str | None,
    typer.Option("--threshold", metavar="P", help="Instance: least expected utility, or one for each player: 1/2,1/3."),
]
PlayerName = Annotated[
    str | None, typer.Option("--player", metavar="NAME", help="Instance: whose utility; default: the sum of all.")
]
Exact = Annotated[bool, typer.Option("--exact", help="Instance: compute with fractions.")]
Plain = Annotated[bool, typer.Option("--plain", help="Instance: ignore the sidecar file.")]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, metavar="N", help="Instance: stop after N nodes.")]


def command(
    context: typer.Context,
    source: Source,
    symmetries: UsedSymmetries = Finding.ON,
    opponent: HowOthersPlay = Opponent.OPTIMAL,
    role: Role = None,
    method: HowSearched = Method.FULL,
    utility: Maximised = Utility.GOAL,
    states: States = None,
    goal: Wanted = Goal.AUTO,
    show: Show = 0,
    threshold: Threshold = None,
    player: PlayerName = None,
    exact: Exact = False,
    plain: Plain = False,
    nodes: Nodes = None,
    seconds: Seconds = None,
    memory_mb: MemoryMb = None,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Solve a game exactly, or an XCSP3 instance."""
    if looks_like_instance(source):
        _refuse(context, GameSettings, InstanceSettings, "a game")
        wanted = InstanceSettings(
            goal, show, threshold, player, exact, plain, nodes, seconds, memory_mb=memory_mb or 2048
        )
        solve_instance(Path(source), wanted, as_json=as_json)
    else:
        _refuse(context, InstanceSettings, GameSettings, "an instance")
        settings = GameSettings(
            symmetries, opponent, role, method, utility, states, seconds, memory_mb=memory_mb or 1024
        )
        game = load_game(source, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
        solve_game(game, settings, as_json=as_json)


def _refuse(context: typer.Context, other: type, own: type, kind: str) -> None:
    """Raise if an option was given that is only for the other kind of source."""
    shared = {field.name for field in fields(own)}
    for name in sorted(field.name for field in fields(other) if field.name not in shared):
        given = context.get_parameter_source(name)
        if given is not None and given.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{name.replace('_', '-')} is for solving {kind}")
