"""`woodstock watch`: random players play a match on a live board.

On a terminal the board is redrawn in place; elsewhere every turn is printed, so a log reads as a story.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from woodstock.cli.options import AsJson, GameName, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import messages, print_json, reproduction, results
from woodstock.cli.source import load_game

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.view import View

MAX_STEPS = 1000
GAP = 6
# Enough for a value that is right to two points or so, and not felt between two turns.
EVALUATION_PLAYOUTS = 2000


def command(
    game: GameName,
    delay: Annotated[
        float | None,
        typer.Option("--delay", min=0.0, metavar="S", help="Time between turns.  [default: 0.4, off a terminal 0]"),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.  [default: a new one]")
    ] = None,
    max_steps: Annotated[
        int, typer.Option("--max-steps", min=1, metavar="N", help="Stop after this many turns.")
    ] = MAX_STEPS,
    as_json: AsJson = False,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory_mb: GroundMemoryMb = 8192,
) -> None:
    """Watch a match of random players on a live board."""
    from woodstock.view import View

    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory_mb=ground_memory_mb)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    match = _Match(loaded, chosen, max_steps)
    if as_json:
        while match.step():
            pass
        print_json(match.record())
        return
    console = results()
    pause = delay if delay is not None else 0.4 if console.is_terminal else 0.0
    view = View(loaded)
    if console.is_terminal:
        _live(match, view, console, pause)
    else:
        _story(match, view, console, pause)
    messages().print(f"watch it again: woodstock watch {game} --seed {chosen}", style="dim")


class _Match:
    """One play of the game by uniformly random players."""

    def __init__(self, game: Game, seed: int, max_steps: int) -> None:
        self.game, self.seed, self.max_steps = game, seed, max_steps
        self.states: list[State] = [game.initial]
        self.moves: list[tuple[str, ...]] = []
        self.is_stuck = False
        self._chance = random.Random(seed)

    def step(self) -> bool:
        """Play one turn; return False where the match is over."""
        state = self.states[-1]
        if state.is_terminal or len(self.moves) >= self.max_steps:
            return False
        legal = [state.legal(role) for role in self.game.roles]
        if not all(legal):
            self.is_stuck = True
            return False
        self.moves.append(tuple(self._chance.choice(options) for options in legal))
        self.states.append(state.next(self.moves[-1]))
        return True

    def record(self) -> dict[str, Any]:
        last = self.states[-1]
        return {
            "game": self.game.name,
            "roles": list(self.game.roles),
            "moves": [list(moves) for moves in self.moves],
            "states": [sorted(state.fluents) for state in self.states],
            "is_terminal": last.is_terminal,
            "goals": last.goals if last.is_terminal else None,
            **reproduction(self.game.rules_hash, self.seed),
        }


def _live(match: _Match, view: View, console: Console, pause: float) -> None:
    # transient=False: the last board stays on the screen, under it goes the shell's prompt.
    with Live(console=console, auto_refresh=False, transient=False, vertical_overflow="crop") as live:
        is_on = True
        while is_on:
            live.update(_screen(match, view, console.width), refresh=True)
            # A first look at the initial board is part of the match.
            time.sleep(pause)
            is_on = match.step()
        live.update(_screen(match, view, console.width), refresh=True)


def _screen(match: _Match, view: View, width: int) -> Group:
    """Return the board on the left, the roles on the right or, where there is no room, below."""
    picture, roles = _picture(match, view, width), _roles(match)
    is_wide = max(map(len, picture.split())) + GAP + max(map(len, roles.split())) <= width
    beside = Table.grid(padding=(0, GAP, 0, 0))
    beside.add_row(picture, roles)
    middle = [beside] if is_wide else [picture, Text(), roles]
    return Group(_head(match), Text(), *middle, Text(), _status(match))


def _roles(match: _Match) -> Text:
    """Return what each role did last and what it may expect: its mean goal over random playouts from here."""
    state = match.states[-1]
    goals: Mapping[str, float | None] = {}
    if state.is_terminal:
        goals = state.goals
    elif match.game.engine_name == "circuit":
        goals = match.game.playouts(EVALUATION_PLAYOUTS, state, seed=match.seed).goal_means
    margin = max(map(len, match.game.roles))
    lines = []
    for index, role in enumerate(match.game.roles):
        goal = goals.get(role)
        value = "" if goal is None else f"{'has' if state.is_terminal else 'expects'} {goal:.0f}"
        move = match.moves[-1][index] if match.moves else ""
        lines.append(Text(f"{role:{margin}}  {value:11}  {move}".rstrip()))
    return Text("\n").join(lines)


def _story(match: _Match, view: View, console: Console, pause: float) -> None:
    console.print(_head(match))
    console.print()
    console.print(_picture(match, view, console.width))
    while match.step():
        time.sleep(pause)
        console.print()
        console.print(_turn(match).append(f": {_moves(match)}"))
        console.print(_picture(match, view, console.width))
    console.print()
    console.print(_outcome(match))


def _head(match: _Match) -> Text:
    return Text(f"{match.game.name}: {' against '.join(match.game.roles)}, all random, seed {match.seed}", style="bold")


def _picture(match: _Match, view: View, width: int) -> Text:
    before = match.states[-2] if len(match.states) > 1 else None
    return view.draw(match.states[-1], before, min(width, 80))


def _status(match: _Match) -> Text:
    """Return the number of the turn, and how the match ended."""
    outcome = _outcome(match)
    return _turn(match).append("\n").append_text(outcome) if outcome else _turn(match)


def _turn(match: _Match) -> Text:
    return Text(f"turn {len(match.moves)}")


def _moves(match: _Match) -> str:
    return ", ".join(f"{role} {move}" for role, move in zip(match.game.roles, match.moves[-1], strict=True))


def _outcome(match: _Match) -> Text:
    """Return how the match ended; empty while it goes on."""
    last = match.states[-1]
    if last.is_terminal:
        goals = ", ".join(f"{role} {'no goal' if goal is None else goal}" for role, goal in last.goals.items())
        return Text(f"the match is over: {goals}", style="bold")
    if match.is_stuck:
        return Text("the match is stuck: a role has no legal move", style="bold")
    if len(match.moves) >= match.max_steps:
        return Text(f"stopped after {match.max_steps} turns", style="bold")
    return Text()
