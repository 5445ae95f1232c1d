"""The part of `woodstock solve` that solves games."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from woodstock.cli.output import count, duration, messages, print_json, reproduction, results
from woodstock.cli.progress import working

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.solve import Solution

SHOWN_MOVES = 8


class Finding(enum.StrEnum):
    """Which symmetries are used."""

    ON = "on"
    OFF = "off"
    RULES = "rules"
    NETWORK = "network"


class Opponent(enum.StrEnum):
    """How the other roles play."""

    OPTIMAL = "optimal"
    RANDOM = "random"


class Method(enum.StrEnum):
    """How states are searched."""

    FULL = "full"
    ALPHA_BETA = "alpha-beta"


class Utility(enum.StrEnum):
    """What is maximised."""

    GOAL = "goal"
    WIN = "win"


@dataclass(frozen=True)
class GameSettings:
    """How a game is solved; fields that instances do not have are options of games only."""

    symmetries: Finding
    opponent: Opponent
    role: str | None
    method: Method
    utility: Utility
    states: int | None
    seconds: float | None
    memory_mb: int


def solve_and_print(game: Game, settings: GameSettings, *, as_json: bool) -> None:
    """Solve a game, for each role in turn against random opponents, and print the values."""
    from woodstock.solve import Solver
    from woodstock.symmetry import find_symmetries

    how = {Finding.ON: "network", Finding.OFF: "none"}.get(settings.symmetries, settings.symmetries.value)
    clock = time.perf_counter()
    found = find_symmetries(game, how, fix_initial=False)
    finding_s = time.perf_counter() - clock
    for note in found.notes:
        messages().print(f"note: {note}")
    players: list[str | None] = [settings.role]
    if settings.opponent is Opponent.RANDOM and settings.role is None:
        players = [name for name in game.roles if name.lower() != "random"]
    with working(f"solving {game.name}"):
        solutions = [
            Solver(
                game,
                symmetries=found,
                opponent=settings.opponent.value,
                role=player,
                method=settings.method.value,
                utility=settings.utility.value,
                max_states=settings.states,
                seconds=settings.seconds,
                memory_mb=settings.memory_mb,
            ).solve()
            for player in players
        ]
    facts: dict[str, Any] = {
        "game": game.name,
        "values": {name: str(value) for solution in solutions for name, value in solution.values.items()},
        "meaning": solutions[0].meaning,
        "best_moves": [[move.role, move.move] for solution in solutions for move in solution.best_moves],
        "states": sum(solution.states for solution in solutions),
        "hits": sum(solution.hits for solution in solutions),
        "seconds": sum(solution.seconds for solution in solutions),
        "symmetries": {"method": found.method, "used": solutions[0].group_size, "seconds": finding_s},
        **reproduction(game.rules_hash),
    }
    if as_json:
        print_json(facts)
    else:
        _print(facts, solutions)


def _print(facts: dict[str, Any], solutions: list[Solution]) -> None:
    console = results()
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
    used = facts["symmetries"]["used"]
    by = f"{used} symmetries by {facts['symmetries']['method']}" if used > 1 else "no symmetries"
    console.print(f"  {count(facts['states'])} states, {duration(facts['seconds'])}, {by}")


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.6g})"
