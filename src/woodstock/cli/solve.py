"""`woodstock solve`: a game exactly, or the solutions and policies of an XCSP3 instance.

The source decides: a file of XML is an instance, anything else is a game. Options of the other kind are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from woodstock.cli.frame import Answer, answered
from woodstock.cli.options import GroundMemoryMb, GroundSeconds
from woodstock.cli.solve_game import Finding, Method, Opponent, Rule, Strategies, Utility, solve_game
from woodstock.cli.solve_instance import Goal, looks_like_instance, solve_instance
from woodstock.cli.source import load_game

# Of an option that is for one kind of source only, the help says so first.
GAME, INSTANCE = "Game: ", "Instance: "

Symmetries = Annotated[Finding, typer.Option("--symmetries", help=f"{GAME}which symmetries to use; on is network.")]
Role = Annotated[
    str | None,
    typer.Option("--role", metavar="NAME", help=f"{GAME}who plays against random opponents; default: all."),
]
SolveMethod = Annotated[
    Method, typer.Option("--method", help=f"{GAME}all states; alpha-beta or proof if goals are opposite.")
]
Objective = Annotated[Utility, typer.Option("--utility", help=f"{GAME}expected goal, or chance of the best goal.")]
MixedOrPure = Annotated[
    Strategies, typer.Option("--strategies", help=f"{GAME}how roles choose at once: mixed moves, or pure ones.")
]
Target = Annotated[
    float,
    typer.Option("--target", min=0.0, metavar="X", help=f"{GAME}hidden information: stop at this exploitability."),
]
Iterations = Annotated[
    int | None, typer.Option("--iterations", min=1, metavar="N", help=f"{GAME}hidden information: stop after N.")
]
RegretRule = Annotated[Rule, typer.Option("--rule", help=f"{GAME}hidden information: how regrets are minimised.")]
Save = Annotated[Path | None, typer.Option("--save", metavar="FILE", help=f"{GAME}write the mixed strategies as JSON.")]
States = Annotated[
    int | None, typer.Option("--states", min=1, metavar="N", help=f"{GAME}stop after N states or histories.")
]
Wanted = Annotated[
    Goal,
    typer.Option("--goal", help=f"{INSTANCE}count solutions, or find policies; auto: best if there are utilities."),
]
Threshold = Annotated[
    str | None,
    typer.Option(
        "--threshold", metavar="P", help=f"{INSTANCE}least expected utility, or one for each player: 1/2,1/3."
    ),
]
WhoseUtility = Annotated[
    str | None, typer.Option("--player", metavar="NAME", help=f"{INSTANCE}whose utility; default: the sum of all.")
]
Nodes = Annotated[int | None, typer.Option("--nodes", min=1, metavar="N", help=f"{INSTANCE}stop after N nodes.")]
Seconds = Annotated[float | None, typer.Option("--seconds", min=0.0, metavar="S", help="Stop after S seconds.")]
MemoryMb = Annotated[
    int | None,
    typer.Option("--memory-mb", min=1, metavar="MIB", help="Memory for states (1024) or for reading a file (2048)."),
]


@answered
def command(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="GAME|FILE", help="A game, or an XCSP3 instance and its sidecar.")],
    symmetries: Symmetries = "on",
    opponent: Annotated[Opponent, typer.Option("--opponent", help=f"{GAME}how the other roles play.")] = "optimal",
    role: Role = None,
    method: SolveMethod = "full",
    utility: Objective = "goal",
    strategies: MixedOrPure = "mixed",
    target: Target = 0.001,
    iterations: Iterations = None,
    rule: RegretRule = "auto",
    save: Save = None,
    states: States = None,
    goal: Wanted = "auto",
    show: Annotated[int, typer.Option("--show", min=0, metavar="N", help=f"{INSTANCE}show N solutions.")] = 0,
    threshold: Threshold = None,
    player: WhoseUtility = None,
    exact: Annotated[bool, typer.Option("--exact", help=f"{INSTANCE}compute with fractions.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help=f"{INSTANCE}ignore the sidecar file.")] = False,
    nodes: Nodes = None,
    seconds: Seconds = None,
    memory_mb: MemoryMb = None,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> Answer:
    """Solve a game, or an XCSP3 instance."""
    if looks_like_instance(source):
        _refuse(context, GAME, "a game")
        return solve_instance(
            Path(source),
            goal=goal,
            show=show,
            threshold=threshold,
            player=player,
            exact=exact,
            plain=plain,
            nodes=nodes,
            seconds=seconds,
            memory_mb=memory_mb or 2048,
        )
    _refuse(context, INSTANCE, "an instance")
    return solve_game(
        load_game(source, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb),
        symmetries,
        opponent=opponent,
        role=role,
        method=method,
        utility=utility,
        strategies=strategies,
        target=target,
        iterations=iterations,
        rule=rule,
        save=save,
        max_states=states,
        seconds=seconds,
        memory_mb=memory_mb or 1024,
    )


def _refuse(context: typer.Context, prefix: str, kind: str) -> None:
    """Raise if an option was given that is only for the other kind of source."""
    for option in context.command.params:
        is_other = (getattr(option, "help", None) or "").startswith(prefix)
        given = context.get_parameter_source(option.name or "")
        if is_other and given is not None and given.name == "COMMANDLINE":
            raise typer.BadParameter(f"{option.opts[0]} is for solving {kind}")
