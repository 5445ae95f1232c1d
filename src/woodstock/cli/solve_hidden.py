"""The part of `woodstock solve` that shows strategies, and solves games whose rules hide things."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from woodstock.cli.frame import Answer
from woodstock.cli.output import count, duration, messages, reproduction
from woodstock.cli.progress import working
from woodstock.errors import WoodstockError

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.solve import Equilibrium

SHOWN_CHOICES = 8
_ENDED = {
    "seconds": "stopped by the limit on time",
    "iterations": "stopped by the limit on iterations",
    "interrupted": "stopped by Ctrl-C",
}


def solve_hidden(
    game: Game,
    *,
    symmetries: str,
    opponent: str,
    role: str | None,
    method: str,
    utility: str,
    strategies: str,
    target: float,
    iterations: int | None,
    rule: str,
    save: Path | None,
    **limits: Any,
) -> Answer:
    """Solve a game with `sees`, for each role in turn against random opponents."""
    from woodstock.solve.game import check_hidden
    from woodstock.solve.hidden import HiddenSolver

    check_hidden(method, strategies, opponent, role, utility)
    if role is not None:
        role = game.roles[game.role_index(role)]
    with working(f"solving {game.name}"):
        solver = HiddenSolver(game.initial, symmetries=symmetries, utility=utility, **limits)
        if opponent == "optimal":
            found = [solver.solve(target=target, rule=rule, iterations=iterations)]
        else:
            roles = solver.roles if role is None else (role,)
            found = [solver.solve_against_random(one) for one in roles]
    for note in solver.notes:
        messages().print(f"note: {note}")
    save_strategy(found, save)
    facts = {
        "game": game.name,
        "values": {name: float(value) for one in found for name, value in one.values.items()},
        "meaning": found[0].meaning,
        **strategy_facts(found),
        "histories": found[0].states,
        "seconds": found[-1].seconds,
        "symmetries": found[0].group_size,
        **reproduction(game.rules_hash),
    }
    code = 130 if found[0].ended == "interrupted" else 0
    return Answer(facts, lambda console: _show(facts, found, console), code)


def save_strategy(found: list[Equilibrium], path: Path | None) -> None:
    """Write the strategy that the user wants to keep."""
    if path is None:
        return
    if len(found) != 1:
        raise WoodstockError("several roles were solved for, each alone: name one by --role to save its strategy")
    found[0].strategy.save(path)
    messages().print(f"wrote {path}")


def strategy_facts(found: list[Equilibrium]) -> dict[str, Any]:
    """Return what is known about strategies, for `--json`."""
    return {
        "is_exact": all(one.is_exact for one in found),
        "ended": found[0].ended,
        "exploitability": found[0].exploitability,
        "nash_conv": found[0].nash_conv,
        "bounds": {name: list(bound) for one in found for name, bound in one.bounds.items()},
        "information_sets": found[0].information_sets,
        "iterations": found[0].iterations,
        "rule": found[0].rule,
    }


def show_strategy(one: Equilibrium, roles: list[str], console: Console) -> None:
    """Show what roles do at their first choices."""
    for name in roles:
        rows = list(one.strategy.of(name))
        if not rows:
            continue
        shown = "" if len(rows) <= SHOWN_CHOICES else f" (the first {SHOWN_CHOICES} of {count(len(rows))} choices)"
        console.print(f"  {name} plays{shown}", soft_wrap=True)
        for row in rows[:SHOWN_CHOICES]:
            console.print(f"    {row}", soft_wrap=True)


def show_certainty(one: Equilibrium, console: Console) -> None:
    """Say whether the value is exact, or how far off it can be."""
    if one.is_exact:
        console.print(f"  exact, by {one.rule}; the strategies lose {one.exploitability:.1g} by rounding")
        return
    stopped = f"; {_ENDED[one.ended]}" if one.ended in _ENDED else ""
    lost = f"exploitability {one.exploitability:.3g}, NashConv {one.nash_conv:.3g}"
    kind = "an approximation" if one.bounds else "no claim to be optimal"
    console.print(f"  {kind}: {lost}{stopped}", soft_wrap=True)


def _show(facts: dict[str, Any], found: list[Equilibrium], console: Console) -> None:
    console.print(f"{facts['game']}: {facts['meaning']}", style="bold", soft_wrap=True)
    for one in found:
        for name, value in one.values.items():
            between = ""
            if name in one.bounds and not one.is_exact:
                low, high = one.bounds[name]
                between = f" (the game is worth {low:.6g} to {high:.6g})"
            console.print(f"  {name} {float(value):.6g}{between}")
    show_certainty(found[0], console)
    for one in found:
        show_strategy(one, list(one.values), console)
    one = found[0]
    kind = "beliefs" if one.strategy.is_partial else "information sets"
    parts = [f"{count(one.states)} histories", f"{count(one.information_sets)} {kind}"]
    if one.iterations:
        parts.append(f"{count(one.iterations)} iterations of {one.rule}")
    parts.append(duration(facts["seconds"]))
    parts.append(f"{one.group_size} symmetries" if one.group_size > 1 else "no symmetries")
    console.print(f"  {', '.join(parts)}", soft_wrap=True)
