"""The part of `woodstock solve` that is about games."""

from __future__ import annotations

import enum
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.status import Status

from woodstock.cli.output import count, duration, messages, print_json, reproduction, results
from woodstock.cli.source import STDIN, load_game

if TYPE_CHECKING:
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


def looks_like_instance(source: str) -> bool:
    """Tell whether this names an XCSP3 instance: by its ending, or by its first character."""
    path = Path(source)
    if source == STDIN or not path.is_file():
        return path.suffix.lower() in (".xml", ".lzma")
    with path.open("rb") as file:
        return path.suffix.lower() == ".lzma" or file.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def solve_and_print(
    source: str,
    *,
    symmetries: Finding,
    opponent: Opponent,
    role: str | None,
    method: Method,
    utility: Utility,
    states: int | None,
    seconds: float | None,
    memory: int,
    as_json: bool,
    ground: tuple[float, int],
) -> None:
    """Solve a game and print what came out."""
    game = load_game(source, ground_seconds=ground[0], ground_memory_mb=ground[1])
    from woodstock.solve import Solver
    from woodstock.symmetry import find_symmetries

    how = {Finding.ON: "network", Finding.OFF: "none"}.get(symmetries, symmetries.value)
    clock = time.perf_counter()
    found = find_symmetries(game, how, fix_initial=False)
    finding_s = time.perf_counter() - clock
    for note in found.notes:
        messages().print(f"note: {note}")
    players = [name for name in game.roles if name.lower() != "random"]
    wanted: list[str | None] = [None]
    if opponent is Opponent.RANDOM:
        wanted = [role] if role is not None else list(players)
    solutions: list[Solution] = []
    with Status(f"solving {game.name}", console=messages()) if messages().is_terminal else _Quiet():
        for one in wanted:
            solver = Solver(
                game,
                symmetries=found,
                opponent=opponent.value,
                role=one if opponent is Opponent.RANDOM else role,
                method=method.value,
                utility=utility.value,
                max_states=states,
                max_seconds=seconds,
                memory_mb=memory,
            )
            solutions.append(solver.solve())
    values = {name: value for solution in solutions for name, value in solution.values.items()}
    facts: dict[str, Any] = {
        "game": game.name,
        "values": {name: str(value) for name, value in values.items()},
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
        return
    console = results()
    console.print(f"{game.name}: {solutions[0].meaning}", style="bold")
    for name, value in values.items():
        console.print(f"  {name} {_number(value)}")
    for solution in solutions:
        best: dict[str, list[str]] = {}
        for move in solution.best_moves:
            best.setdefault(move.role, []).append(move.move)
        for name, moves in best.items():
            more = f" and {len(moves) - SHOWN_MOVES} more" if len(moves) > SHOWN_MOVES else ""
            console.print(f"  best for {name}: {' '.join(moves[:SHOWN_MOVES])}{more}", soft_wrap=True)
    used = solutions[0].group_size
    by = f"{used} symmetries by {found.method}" if used > 1 else "no symmetries"
    console.print(f"  {count(facts['states'])} states, {duration(facts['seconds'])}, {by}")


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.6g})"


class _Quiet:
    """Nothing to show."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_details: object) -> None:
        return None
