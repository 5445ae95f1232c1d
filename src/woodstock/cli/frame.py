"""What commands share, as decorators: GAME with the budgets of grounding, and the result as text or as JSON."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from woodstock.cli.options import AsJson, GameName, GroundMemoryMb, GroundSeconds
from woodstock.cli.output import print_json, results
from woodstock.cli.source import load_game

if TYPE_CHECKING:
    from woodstock.game.game import Game

Command = Callable[..., Any]


@dataclass(frozen=True)
class Load:
    """Loads the game that the user named. A command calls it after it has checked its other arguments."""

    name: str
    ground_seconds: float
    ground_memory_mb: int

    def __call__(self) -> Game:
        return load_game(self.name, ground_seconds=self.ground_seconds, ground_memory_mb=self.ground_memory_mb)


@dataclass(frozen=True)
class Answer:
    """The result of a command: facts for `--json`, and a function that shows them to people."""

    facts: Any
    show: Callable[[Console], None]
    exit_code: int = 0


def answered(command: Command) -> Command:
    """Add `--json` to a command and print the `Answer` that it returns."""

    def run(*, as_json: AsJson = False, **options: Any) -> None:
        answer: Answer = command(**options)
        if as_json:
            print_json(answer.facts)
        else:
            answer.show(results())
        if answer.exit_code:
            raise typer.Exit(answer.exit_code)

    return _merged(run, command)


def on_game(command: Command) -> Command:
    """Add GAME and the budgets of grounding to a command, which gets a `load` for them."""

    def run(
        *,
        game: GameName,
        ground_seconds: GroundSeconds = 60.0,
        ground_memory_mb: GroundMemoryMb = 8192,
        **options: Any,
    ) -> None:
        command(load=Load(game, ground_seconds, ground_memory_mb), **options)

    return _merged(run, command)


def _merged(run: Command, command: Command) -> Command:
    """Return `run` with the parameters of `command` in place of `options`, as the command line reads them."""
    outer = [p for p in inspect.signature(run, eval_str=True).parameters.values() if p.name != "options"]
    inner = [
        p.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for p in inspect.signature(command, eval_str=True).parameters.values()
        if p.name != "load"  # which `on_game` gives
    ]
    first = [p for p in outer if p.default is p.empty]
    signature = inspect.Signature([*first, *inner, *(p for p in outer if p not in first)])
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()}
    run.__doc__ = command.__doc__
    return run
