"""`woodstock play`: a person against the engine, in the terminal, with undo, hints and explanations."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from woodstock.cli.options import GameName, GroundMemory, GroundSeconds
from woodstock.cli.output import messages, results
from woodstock.cli.source import load_game
from woodstock.errors import GameError

if TYPE_CHECKING:
    from woodstock.game.game import Game
    from woodstock.game.state import State
    from woodstock.match.attendant import Attendant, Request
    from woodstock.match.seat import Reply, Thought

WIDTH = 80


def command(
    game: GameName,
    role: Annotated[
        str | None, typer.Option("--role", metavar="ROLE", help="The role you play.  [default: the first]")
    ] = None,
    opponent: Annotated[
        str, typer.Option("--opponent", metavar="PLAYER", help="Who plays the other roles.")
    ] = "mac-ucb-sym",
    seconds: Annotated[float, typer.Option("--seconds", min=0.01, metavar="S", help="Time of each engine move.")] = 2.0,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="N", help="Seed of the random choices.  [default: a new one]")
    ] = None,
    ground_seconds: GroundSeconds = 60.0,
    ground_memory: GroundMemory = 8192,
) -> None:
    """Play any game in the terminal."""
    from woodstock.match.referee import seated_roles

    loaded = load_game(game, ground_seconds=ground_seconds, ground_memory=ground_memory)
    roles = seated_roles(loaded)
    mine = roles[0] if role is None else loaded.roles[loaded.role_index(role)]
    if mine not in roles:
        raise GameError(f"{mine} is chance: it plays by itself. The roles are {', '.join(roles)}")
    table = _Table(loaded, mine, opponent, seconds, secrets.randbelow(1_000_000) if seed is None else seed, results())
    try:
        table.play()
    finally:
        table.close()


class _Table:
    """A game between a person and engines. States are kept, so that a decision can be taken back."""

    def __init__(self, game: Game, role: str, opponent: str, seconds: float, seed: int, console: Console) -> None:
        import random

        from woodstock.cli.terminal import Prompt
        from woodstock.match.attendant import Attendant
        from woodstock.match.referee import seated_roles
        from woodstock.match.seats.spec import make_seat
        from woodstock.view import View

        self._game, self._role, self._seconds, self._console = game, role, seconds, console
        self._view = View(game)
        self._chance = random.Random(seed)
        self._seed = seed
        self._prompt = Prompt(console, self._hint, can_undo=True)
        self._opponent = opponent
        others = [one for one in seated_roles(game) if one != role]
        self._attendants: dict[str, Attendant] = {one: Attendant(make_seat(opponent)) for one in others}
        self._states: list[State] = [game.initial]
        self._thoughts: dict[str, Thought] = {}

    def play(self) -> None:
        """Play until the end, or until the person leaves."""
        from woodstock.cli.terminal import Leave, Undo

        self._start()
        against = f" against {self._opponent}" if self._attendants else ""
        self._console.print(f"{self._game.name}: you are {self._role}{against}. ? for help", style="bold")
        if self._game.has_percepts:
            self._console.print("the rules hide things from players; here the whole state is shown", style="dim")
        while not (state := self._states[-1]).is_terminal:
            if not all(state.legal(role) for role in self._game.roles):
                self._console.print("the match is stuck: a role has no legal move")
                return
            self._show()
            try:
                self._turn(state)
            except Undo:
                self._undo()
            except Leave:
                messages().print("you left the match")
                return
        self._show()
        goals = ", ".join(f"{role} {'no goal' if goal is None else goal}" for role, goal in state.goals.items())
        self._console.print(f"the match is over: {goals}", style="bold")

    def close(self) -> None:
        """Free the engines."""
        for attendant in self._attendants.values():
            attendant.seat.interrupt()
            attendant.close(1.0)

    def _start(self) -> None:
        from woodstock.match.seat import Task

        deadline = time.monotonic() + self._seconds
        for role, attendant in self._attendants.items():
            task = Task(
                match_id=f"play.{self._seed}",
                game=self._game,
                role=role,
                start_clock_s=self._seconds,
                play_clock_s=self._seconds,
                seed=self._chance.getrandbits(32),
                tell=lambda thought, role=role: self._thoughts.__setitem__(role, thought),  # type: ignore[misc]
            )
            attendant.ask(lambda seat=attendant.seat, task=task: seat.start(task, deadline))  # type: ignore[misc]

    def _turn(self, state: State) -> None:
        legal = state.legal(self._role)
        # Where the person has a choice the engines think at the same time: moves are simultaneous.
        requests = self._ask_engines(state)
        mine = legal[0] if len(legal) == 1 else self._prompt.ask(state, self._role)
        moves = []
        for role in self._game.roles:
            if role == self._role:
                moves.append(mine)
            elif role in requests:
                moves.append(self._engine_move(state, role, requests[role]))
            else:
                moves.append(self._chance.choice(state.legal(role)))
        choosing = [role for role in self._game.roles if len(state.legal(role)) > 1]
        shown = [
            f"{role} {move}"
            for role, move in zip(self._game.roles, moves, strict=True)
            if role in choosing or role == self._role or not choosing
        ]
        self._console.print(f"turn {len(self._states)}: {', '.join(shown)}")
        self._states.append(state.next(moves))

    def _ask_engines(self, state: State) -> dict[str, Request[Reply]]:
        deadline = time.monotonic() + self._seconds
        return {
            role: attendant.ask(lambda seat=attendant.seat: seat.play(state, deadline))  # type: ignore[misc]
            for role, attendant in self._attendants.items()
        }

    def _engine_move(self, state: State, role: str, request: Request[Reply]) -> str:
        from woodstock.game.spelling import find

        legal = state.legal(role)
        # A generous wait: here nobody loses on time, and a late move is better than a random one.
        outcome = self._attendants[role].wait(request, time.monotonic() + 2 * self._seconds + 5.0)
        move = None if outcome.value is None else find(outcome.value.move, legal)
        if outcome.value is not None and outcome.value.thought is not None:
            self._thoughts[role] = outcome.value.thought
        if move is None:
            problem = outcome.error or f"{outcome.value} is not legal"
            messages().print(f"{role} made no move ({problem}); a random one is played")
            return self._chance.choice(legal)
        return move

    def _undo(self) -> None:
        """Go back to the person's last decision, or say that there is none."""
        earlier = len(self._states) - 2
        while earlier >= 0 and len(self._states[earlier].legal(self._role)) < 2:
            earlier -= 1
        if earlier < 0:
            self._console.print("there is nothing to undo")
        else:
            del self._states[earlier + 1 :]

    def _show(self) -> None:
        before = self._states[-2] if len(self._states) > 1 else None
        self._console.print()
        self._console.print(self._view.draw(self._states[-1], before, min(self._console.width, WIDTH)))
        for role, thought in self._thoughts.items():
            values = ", ".join(f"{one} {value:.0f}" for one, value in thought.values.items())
            if values:
                self._console.print(f"{role} expects: {values}", style="dim")

    def _hint(self, state: State, role: str) -> str:
        from woodstock.cli.hint import hint

        return hint(state, role, self._seconds)
