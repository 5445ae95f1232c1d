"""The part of `woodstock solve` that solves XCSP3 instances, and the stochastic problems of their sidecars."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from woodstock.cli.output import count, duration, print_json, results
from woodstock.cli.progress import working
from woodstock.cli.source import STDIN
from woodstock.errors import UnknownGameError

if TYPE_CHECKING:
    from rich.console import Console

    from woodstock.scsp import Network

SHOWN_LINES = 40


class Goal(enum.StrEnum):
    """What to find."""

    AUTO = "auto"
    COUNT = "count"
    FEASIBLE = "feasible"
    THRESHOLD = "threshold"
    BEST = "best"
    ALL = "all"


@dataclass(frozen=True)
class InstanceSettings:
    """How an instance is solved; fields that games do not have are options of instances only."""

    goal: Goal
    show: int
    threshold: str | None
    player: str | None
    exact: bool
    plain: bool
    nodes: int | None
    seconds: float | None
    memory_mb: int


def looks_like_instance(source: str) -> bool:
    """Return whether this names an XCSP3 instance, by its ending or its first character."""
    path = Path(source)
    if source == STDIN or not path.is_file():
        return path.suffix.lower() in (".xml", ".lzma")
    with path.open("rb") as file:
        return path.suffix.lower() == ".lzma" or file.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def solve_and_print(file: Path, settings: InstanceSettings, *, as_json: bool) -> None:
    """Solve an instance and print what was found."""
    from woodstock.scsp import xcsp3

    if not file.is_file():
        raise UnknownGameError(f"no file {file}")
    network = xcsp3.read(file, memory_mb=settings.memory_mb, with_sidecar=False if settings.plain else None).network
    goal = settings.goal
    if goal is Goal.AUTO:
        goal = Goal.BEST if network.soft or network.chance_constraints else Goal.COUNT
    facts: dict[str, Any] = {
        "instance": str(file),
        "goal": goal.value,
        "variables": len(network.declared),
        "chance_variables": len(network.stochastic),
        "constraints": len(network.hard),
    }
    with working(f"solving {count(len(network.declared))} variables, {count(len(network.hard))} constraints"):
        facts |= _count(network, settings) if goal is Goal.COUNT else _policies(network, goal.value, settings)
    if as_json:
        print_json(facts)
    else:
        _print(facts, results())
    if facts["status"] == "interrupted":
        raise typer.Exit(130)


def _count(network: Network, settings: InstanceSettings) -> dict[str, Any]:
    from woodstock.scsp import xcsp3

    shown: list[dict[str, Any]] = []
    seconds, nodes = settings.seconds, settings.nodes
    if settings.show:
        some = xcsp3.enumerate_solutions(network, limit=settings.show, seconds=seconds, nodes=nodes)
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


def _policies(network: Network, goal: str, settings: InstanceSettings) -> dict[str, Any]:
    from woodstock.scsp import solve

    threshold = settings.threshold
    need = None if threshold is None else threshold if "," not in threshold else threshold.split(",")
    result = solve(
        network,
        goal,
        threshold=need,
        player=settings.player,
        exact=settings.exact,
        seconds=settings.seconds,
        nodes=settings.nodes,
    )
    facts: dict[str, Any] = {}
    if goal == "all":
        shown = [_policy(policy) for policy in islice(result, settings.show)]
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
