"""The part of `woodstock solve` that solves XCSP3 instances, and the stochastic problems of their sidecars."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console

from woodstock.cli.frame import Answer
from woodstock.cli.output import count, duration
from woodstock.cli.progress import working
from woodstock.cli.source import STDIN
from woodstock.errors import UnknownGameError

if TYPE_CHECKING:
    from woodstock.scsp import Network

SHOWN_LINES = 40


Goal = Literal["auto", "count", "feasible", "threshold", "best", "all"]


def looks_like_instance(source: str) -> bool:
    """Return whether this names an XCSP3 instance, by its ending or its first character."""
    path = Path(source)
    if source == STDIN or not path.is_file():
        return path.suffix.lower() in (".xml", ".lzma")
    with path.open("rb") as file:
        return path.suffix.lower() == ".lzma" or file.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def solve_instance(
    file: Path,
    *,
    goal: Goal,
    show: int,
    memory_mb: int,
    plain: bool,
    seconds: float | None,
    nodes: int | None,
    **how: Any,
) -> Answer:
    """Solve an instance; `how` has what only policies need: threshold, player and exact."""
    from woodstock.scsp import xcsp3

    if not file.is_file():
        raise UnknownGameError(f"no file {file}")
    network = xcsp3.read(file, memory_mb=memory_mb, with_sidecar=False if plain else None).network
    if goal == "auto":
        goal = "best" if network.soft or network.chance_constraints else "count"
    budget = {"seconds": seconds, "nodes": nodes}
    facts: dict[str, Any] = {
        "instance": str(file),
        "goal": goal,
        "variables": len(network.declared),
        "chance_variables": len(network.stochastic),
        "constraints": len(network.hard),
    }
    with working(f"solving {count(len(network.declared))} variables, {count(len(network.hard))} constraints"):
        facts |= _count(network, show, budget) if goal == "count" else _policies(network, goal, show, budget, **how)
    interrupted = 130 if facts["status"] == "interrupted" else 0
    return Answer(facts, lambda console: _show(facts, console), interrupted)


def _count(network: Network, show: int, budget: dict[str, Any]) -> dict[str, Any]:
    from woodstock.scsp import xcsp3

    shown: list[dict[str, Any]] = []
    if show:
        some = xcsp3.enumerate_solutions(network, limit=show, **budget)
        shown = [{name: _plain(value) for name, value in solution.items()} for solution in some]
    found = xcsp3.count(network, **budget)
    return {
        "solutions": found.count,
        "status": found.status,
        "nodes": found.nodes,
        "failures": found.failures,
        "cpu_seconds": found.cpu_seconds,
        "shown": shown,
    }


def _policies(
    network: Network, goal: str, show: int, budget: dict[str, Any], *, threshold: str | None, **how: Any
) -> dict[str, Any]:
    from woodstock.scsp import solve

    need = None if threshold is None else threshold if "," not in threshold else threshold.split(",")
    result = solve(network, goal, threshold=need, **how, **budget)
    facts: dict[str, Any] = {}
    if goal == "all":
        shown = [_policy(policy) for policy in islice(result, show)]
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


def _show(facts: dict[str, Any], console: Console) -> None:
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
