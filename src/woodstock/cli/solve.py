"""`woodstock solve`: a game exactly, or the solutions of an XCSP3 instance, or the stochastic problem of its sidecar.

What is given decides: a file of XML is an instance, all else is a game. Options of the other kind are refused.
"""

from __future__ import annotations

import enum
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.status import Status

from woodstock.cli.options import AsJson, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import count, duration, messages, print_json, results
from woodstock.cli.progress import SLOW_SECONDS
from woodstock.cli.solve_game import Finding, Method, Opponent, Utility, looks_like_instance, solve_and_print
from woodstock.errors import UnknownGameError

if TYPE_CHECKING:
    from rich.console import Console

    from woodstock.scsp import Network
    from woodstock.scsp.xcsp3 import Instance

SHOWN_LINES = 40
GAME_OPTIONS = frozenset({"symmetries", "opponent", "role", "method", "utility", "states"})
INSTANCE_OPTIONS = frozenset({"goal", "show", "threshold", "player", "exact", "plain", "nodes"})


class Goal(enum.StrEnum):
    """What is asked for."""

    AUTO = "auto"
    COUNT = "count"
    FEASIBLE = "feasible"
    THRESHOLD = "threshold"
    BEST = "best"
    ALL = "all"


def command(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="GAME|FILE", help="A game, or an XCSP3 instance and its sidecar.")],
    symmetries: Annotated[
        Finding, typer.Option("--symmetries", help="Game: which symmetries to use; on is network, off is none.")
    ] = Finding.ON,
    opponent: Annotated[
        Opponent, typer.Option("--opponent", help="Game: how the other roles play.")
    ] = Opponent.OPTIMAL,
    role: Annotated[
        str | None, typer.Option("--role", metavar="NAME", help="Game: who plays against random opponents; else each.")
    ] = None,
    method: Annotated[
        Method, typer.Option("--method", help="Game: all states, or alpha-beta where goals add up to 100.")
    ] = Method.FULL,
    utility: Annotated[
        Utility, typer.Option("--utility", help="Game: the expected goal, or the chance of the best goal.")
    ] = Utility.GOAL,
    states: Annotated[
        int | None, typer.Option("--states", min=1, metavar="N", help="Game: stop after N states.")
    ] = None,
    goal: Annotated[
        Goal,
        typer.Option("--goal", help="Instance: count solutions, or find policies; auto: best where utilities."),
    ] = Goal.AUTO,
    show: Annotated[int, typer.Option("--show", min=0, metavar="N", help="Instance: show N solutions.")] = 0,
    threshold: Annotated[
        str | None,
        typer.Option("--threshold", metavar="P", help="Instance: least expected utility, or one a player: 1/2,1/3."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Instance: whose utility; default: the sum of all.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Instance: compute with fractions.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Instance: ignore the sidecar file.")] = False,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, metavar="N", help="Instance: stop after N nodes.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.0, metavar="S", help="Stop after S.")] = None,
    memory: Annotated[
        int | None,
        typer.Option("--memory", min=1, metavar="MIB", help="For the table of states (1024) or reading a file (2048)."),
    ] = None,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Solve a game exactly, or an XCSP3 instance."""
    is_instance = looks_like_instance(source)
    _refuse(context, GAME_OPTIONS if is_instance else INSTANCE_OPTIONS, "a game" if is_instance else "an instance")
    if not is_instance:
        solve_and_print(
            source,
            symmetries=symmetries,
            opponent=opponent,
            role=role,
            method=method,
            utility=utility,
            states=states,
            seconds=seconds,
            memory=memory or 1024,
            as_json=as_json,
            ground=(ground_seconds, ground_memory_mb),
        )
        return
    from woodstock.scsp import xcsp3

    file = Path(source)
    memory = memory or 2048
    if not file.is_file():
        raise UnknownGameError(f"no file {file}")
    instance = xcsp3.read(file, memory_mb=memory, with_sidecar=False if plain else None)
    network = instance.network
    if goal is Goal.AUTO:
        has_utilities = bool(network.soft or network.chance_constraints)
        goal = Goal.BEST if has_utilities else Goal.COUNT
    facts: dict[str, Any] = {
        "instance": str(file),
        "goal": goal.value,
        "variables": len(network.declared),
        "chance_variables": len(network.stochastic),
        "constraints": len(network.hard),
    }
    with _working(network):
        if goal is Goal.COUNT:
            facts |= _count(network, show, seconds, nodes)
        else:
            facts |= _policies(instance, goal.value, threshold, player, exact, show, seconds, nodes)
    if as_json:
        print_json(facts)
    else:
        _print(facts, results())
    if facts["status"] == "interrupted":
        raise typer.Exit(130)


def _refuse(context: typer.Context, names: frozenset[str], kind: str) -> None:
    """Say which of the options given do not go with what is solved."""
    for name in sorted(names):
        given = context.get_parameter_source(name)
        if given is not None and given.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{name.replace('_', '-')} is for solving {kind}")


@contextmanager
def _working(network: Network) -> Iterator[None]:
    """Show on stderr that something is going on: a spinner on a terminal, a line at the end of a long solve."""
    console = messages()
    started = time.perf_counter()
    if console.is_terminal:
        sizes = f"{count(len(network.declared))} variables, {count(len(network.hard))} constraints"
        with Status(f"solving {sizes}", console=console):
            yield
    else:
        yield
    if (spent := time.perf_counter() - started) >= SLOW_SECONDS:
        console.print(f"solved ({duration(spent)})", style="dim")


def _count(network: Network, show: int, seconds: float | None, nodes: int | None) -> dict[str, Any]:
    from woodstock.scsp import xcsp3

    shown: list[dict[str, Any]] = []
    if show:
        some = xcsp3.enumerate_solutions(network, limit=show, seconds=seconds, nodes=nodes)
        shown = [{name: _plain(value) for name, value in solution.items()} for solution in some]
    found = xcsp3.count(network, seconds=seconds, nodes=nodes)
    return {
        "solutions": found.count,
        "status": found.status,
        "nodes": found.nodes,
        "failures": found.failures,
        "cpu_seconds": found.cpu_seconds,
        "shown": shown,
    }


def _policies(
    instance: Instance,
    goal: str,
    threshold: str | None,
    player: str | None,
    exact: bool,
    show: int,
    seconds: float | None,
    nodes: int | None,
) -> dict[str, Any]:
    from woodstock.scsp import solve

    network = instance.network
    need = None if threshold is None else threshold if "," not in threshold else threshold.split(",")
    result = solve(network, goal, threshold=need, player=player, exact=exact, seconds=seconds, nodes=nodes)
    facts: dict[str, Any] = {}
    if goal == "all":
        shown = [_policy(policy) for policy in islice(result, show)] if show else []
        facts = {"policies": len(shown) + sum(1 for _ in result), "shown": shown}
    else:
        policy = result.policy
        facts = {"policy": None if policy is None else _policy(policy)}
        facts["utility"] = None if policy is None else _utility(network, policy.utility)
    facts["threshold"] = _utility(network, network.threshold if need is None else network.utility_of(need))
    return facts | {"status": result.status, **result.statistics}


def _policy(policy: Any) -> dict[str, Any]:
    return {
        "utility": _utility(policy.network, policy.utility),
        "decisions": {name: _plain(value) for name, value in policy.decisions.items()},
        "tree": str(policy),
    }


def _utility(network: Network, numbers: Any) -> dict[str, Any]:
    return {player: _plain(number) for player, number in zip(network.players, numbers, strict=True)}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _print(facts: dict[str, Any], console: Console) -> None:
    is_complete = facts["status"] == "complete"
    limit = "" if is_complete else f", stopped by the limit of {facts['status']}"
    for number, solution in enumerate(facts.get("shown", []), start=1):
        text = solution["tree"] if "tree" in solution else " ".join(f"{k}={v}" for k, v in solution.items())
        console.print(f"{number}: {text}", soft_wrap=True)
    if "solutions" in facts:
        least = "" if is_complete else "at least "
        console.print(f"{least}{count(facts['solutions'])} solutions{limit}", style="bold")
        console.print(
            f"  {count(facts['nodes'])} nodes, {count(facts['failures'])} failures, {duration(facts['cpu_seconds'])}"
        )
        return
    if "policies" in facts:
        least = "" if is_complete else "at least "
        console.print(f"{least}{count(facts['policies'])} policies{limit}", style="bold")
    elif facts["policy"] is None:
        console.print(("no policy" if is_complete else "no policy found") + limit, style="bold")
    else:
        utility = ", ".join(f"{player} {value}" for player, value in facts["utility"].items())
        console.print(f"{facts['goal']}: expected utility {utility}{limit}", style="bold")
        lines = facts["policy"]["tree"].splitlines()
        for line in lines[:SHOWN_LINES]:
            console.print(f"  {line}", soft_wrap=True)
        if len(lines) > SHOWN_LINES:
            console.print(f"  ... {count(len(lines) - SHOWN_LINES)} more lines; --json has them all")
    console.print(f"  {count(facts['nodes'])} nodes, {duration(facts['seconds'])}")
