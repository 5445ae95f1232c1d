"""The part of `woodstock solve` that solves games."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console

from woodstock.cli.frame import Answer
from woodstock.cli.output import count, duration, messages, reproduction
from woodstock.cli.progress import working
from woodstock.cli.solve_hidden import save_strategy, show_certainty, show_strategy, solve_hidden, strategy_facts
from woodstock.errors import BudgetExceeded, WoodstockError
from woodstock.gdl.chance import without_chance

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.solve import Solution

SHOWN_MOVES = 8


Finding = Literal["on", "off", "rules", "network"]
Opponent = Literal["optimal", "random"]
Method = Literal["full", "alpha-beta", "proof"]
Utility = Literal["goal", "win"]
Strategies = Literal["mixed", "pure"]
Rule = Literal["auto", "cfr+", "pcfr+"]


def solve_game(
    game: Game,
    symmetries: Finding,
    *,
    opponent: Opponent,
    role: str | None,
    target: float,
    iterations: int | None,
    rule: Rule,
    save: Path | None,
    seconds: float | None = None,
    **settings: Any,
) -> Answer:
    """Solve a game, for each role in turn against random opponents; the settings are those of `Solver`."""
    from woodstock.solve import Equilibrium, Solver
    from woodstock.symmetry.symmetries import DEFAULT_SECONDS, find_symmetries

    how = {"on": "network", "off": "none"}.get(symmetries, symmetries)
    if game.has_percepts:
        minimising: dict[str, Any] = {"target": target, "iterations": iterations, "rule": rule, "save": save}
        return solve_hidden(
            game, symmetries=how, opponent=opponent, role=role, seconds=seconds, **minimising, **settings
        )
    clock = time.perf_counter()
    budget = DEFAULT_SECONDS if seconds is None else min(DEFAULT_SECONDS, seconds / 2)
    with working(f"finding the symmetries of {game.name}"):
        found = find_symmetries(game, how, fix_initial=False, seconds=budget)
    finding_s = time.perf_counter() - clock
    settings["seconds"] = None if seconds is None else max(seconds - finding_s, 0.0)
    for note in found.notes:
        messages().print(f"note: {note}")
    players: list[str | None] = [role]
    if opponent == "random" and role is None:
        players = list(without_chance(game.roles))
    with working(f"solving {game.name}"):
        solutions = [
            Solver(game, symmetries=found, opponent=opponent, role=player, **settings).solve() for player in players
        ]
        if opponent == "optimal" and settings["utility"] == "goal" and settings["strategies"] == "mixed":
            solutions = [_mixed(solutions[0], clock, seconds, settings["memory_mb"])]
    mixed = [one for one in solutions if isinstance(one, Equilibrium)]
    if save is not None and not mixed:
        raise WoodstockError(
            f"{game.name} has no mixed strategy to save: its rules hide nothing, and there are no two opposite roles "
            "that choose at once"
        )
    save_strategy(mixed, save)
    facts: dict[str, Any] = {
        "game": game.name,
        "values": {name: str(value) for solution in solutions for name, value in solution.values.items()},
        "meaning": solutions[0].meaning,
        "best_moves": [[move.role, move.move] for solution in solutions for move in solution.best_moves],
        "states": sum(solution.states for solution in solutions),
        "hits": sum(solution.hits for solution in solutions),
        "seconds": sum(solution.seconds for solution in solutions),
        "symmetries": {"method": found.method, "used": solutions[0].group_size, "seconds": finding_s},
        **(strategy_facts(mixed) if mixed else {}),
        **reproduction(game.rules_hash),
    }
    return Answer(facts, lambda console: _show(facts, solutions, console))


def _mixed(solution: Solution, began: float, seconds: float | None, memory_mb: int) -> Solution:
    """Add strategies if two opposite roles choose at once and there is room for all states."""
    from woodstock.solve.game import with_strategy

    left = None if seconds is None else max(0.0, seconds - (time.perf_counter() - began))
    try:
        return with_strategy(solution, seconds=left, memory_mb=memory_mb)
    except BudgetExceeded as error:
        messages().print(f"note: the values are exact, but there are no strategies: {error}")
        return solution


def _show(facts: dict[str, Any], solutions: list[Solution], console: Console) -> None:
    from woodstock.solve import Equilibrium

    console.print(f"{facts['game']}: {facts['meaning']}", style="bold")
    for solution in solutions:
        for name, value in solution.values.items():
            console.print(f"  {name} {_number(value)}")
    for solution in solutions:
        best: dict[str, list[str]] = {}
        for move in solution.best_moves:
            best.setdefault(move.role, []).append(move.move)
        for name, moves in best.items():
            more = f" and {len(moves) - SHOWN_MOVES} more" if len(moves) > SHOWN_MOVES else ""
            console.print(f"  best for {name}: {' '.join(moves[:SHOWN_MOVES])}{more}", soft_wrap=True)
        if isinstance(solution, Equilibrium):
            show_certainty(solution, console)
            show_strategy(solution, list(solution.values), console)
    used = facts["symmetries"]["used"]
    by = f"{used} symmetries by {facts['symmetries']['method']}" if used > 1 else "no symmetries"
    console.print(f"  {count(facts['states'])} states, {duration(facts['seconds'])}, {by}")


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.6g})"
