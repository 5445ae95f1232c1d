"""`woodstock solve`: count or show the solutions of an XCSP3 instance, or solve the stochastic problem of its twin."""

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

from woodstock.cli.options import AsJson
from woodstock.cli.output import count, duration, messages, print_json, results
from woodstock.cli.progress import SLOW_SECONDS
from woodstock.errors import UnknownGameError

if TYPE_CHECKING:
    from rich.console import Console

    from woodstock.scsp import Network
    from woodstock.scsp.xcsp3 import Instance

SHOWN_LINES = 40


class Goal(enum.StrEnum):
    """What is asked for."""

    AUTO = "auto"
    COUNT = "count"
    FEASIBLE = "feasible"
    THRESHOLD = "threshold"
    BEST = "best"
    ALL = "all"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An XCSP3 instance; its twin is read where it lies.")],
    goal: Annotated[
        Goal,
        typer.Option("--goal", help="count solutions, or find policies; auto: best where there are utilities."),
    ] = Goal.AUTO,
    show: Annotated[int, typer.Option("--show", min=0, metavar="N", help="Show the first N solutions.")] = 0,
    threshold: Annotated[
        str | None,
        typer.Option("--threshold", metavar="P", help="Least expected utility, or one for each player: 1/2,1/3."),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Whose utility is best; default: the sum of all.")
    ] = None,
    exact: Annotated[bool, typer.Option("--exact", help="Compute with fractions.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Leave the twin aside.")] = False,
    seconds: Annotated[float | None, typer.Option("--seconds", min=0.0, metavar="S", help="Stop after S.")] = None,
    nodes: Annotated[int | None, typer.Option("--nodes", min=1, metavar="N", help="Stop after N nodes.")] = None,
    memory: Annotated[int, typer.Option("--memory", min=1, metavar="MIB", help="Memory for reading a file.")] = 2048,
    as_json: AsJson = False,
) -> None:
    """Count the solutions of an XCSP3 instance, or find its best policy."""
    from woodstock.scsp import xcsp3

    if not file.is_file():
        raise UnknownGameError(_no_file(file))
    instance = xcsp3.read(file, memory_mb=memory, with_twin=False if plain else None)
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


def _no_file(file: Path) -> str:
    from woodstock.games import all_games

    hint = ""
    if any(file.name.lower() == known.name for known in all_games()):
        hint = f"; to solve a stage of the game, write it first: woodstock export {file.name} -o {file.name}.xml"
    return f"no file {file}{hint}"


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
