"""Following plans in a match of one role: the planner looks on in the background, its plan is played where it is best.

A plan that reaches its goal is certain; what a tree expects is not. So a plan is left only for a move that promises
more than the plan has, and once it is left the planner starts again from the state at hand.
"""

from __future__ import annotations

from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.engine import Payload
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players.plan import Plan, Planner


class Itinerary:
    """The plan of one match, if any."""

    def __init__(self, game: Game, planner: Planner) -> None:
        self._game, self._planner = game, planner
        self._plan: Plan | None = None
        self._start: State = game.initial
        self._moves: dict[Payload, str] = {}

    @classmethod
    def of(cls, game: Game, seconds: float) -> Itinerary | None:
        """Return an itinerary that has begun to plan, or None where the game is not one for plans."""
        if len(game.roles) != 1 or not isinstance(game.engine, CircuitEngine):
            return None
        made = cls(game, Planner(game, seconds=seconds))
        made._planner.start(game.initial)
        return made

    def wait(self, seconds: float) -> None:
        """Wait for the best plan, for so long at most."""
        if seconds > 0:
            self._planner.wait(seconds)

    def restart(self, state: State) -> None:
        """Plan from this state, where the match has left the plan and the way the planner looks at."""
        self._start, self._plan, self._moves = state, None, {}
        self._planner.start(state)

    def move(self, state: State) -> tuple[str, Plan] | None:
        """Return the plan's move in this state, where it leads through it."""
        plan = self._planner.poll()
        if plan is not None and plan is not self._plan:
            self._plan, self._moves = plan, {}
            at = self._start
            for move in plan.moves:
                self._moves[at.payload] = move
                at = at.next(move)
        if self._plan is None or state.payload not in self._moves:
            return None
        return self._moves[state.payload], self._plan

    def close(self) -> None:
        """End the planner."""
        self._planner.stop()
