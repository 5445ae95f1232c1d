"""Following plans in a match of one role: the planner looks on in the background, its plan is played where it is best.

A plan that reaches its goal is certain; what a tree expects is not. So a plan is left only for a move that promises
more than the plan has. Unless the plan is the best there is, the planner starts again from each state that the match
comes to, and what it finds replaces the plan at hand where it is better.
"""

from __future__ import annotations

from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.engine import Payload
from woodstock.game.game import Game
from woodstock.game.state import State
from woodstock.players.plan import Plan, Planner


class PlanFollower:
    """The plan of one match, if any."""

    def __init__(self, game: Game, planner: Planner) -> None:
        self._game, self._planner = game, planner
        self._plan: Plan | None = None  # the one at hand, and its moves by state
        self._moves: dict[Payload, str] = {}
        self._seen: Plan | None = None  # the last one that the planner showed
        self._start: State = game.initial

    @classmethod
    def of(cls, game: Game, seconds: float) -> PlanFollower | None:
        """Return an follower that has begun to plan, or None where the game is not one for plans."""
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
        """Plan from this state on; the plan at hand is kept where it leads through it."""
        if state.payload not in self._moves:
            self._plan, self._moves = None, {}
        self._start, self._seen = state, None
        if not state.is_terminal:
            self._planner.start(state)

    def move(self, state: State) -> tuple[str, Plan] | None:
        """Return the plan's move in this state, where it leads through it."""
        plan = self._planner.poll()
        if plan is not None and plan is not self._seen:
            self._seen = plan
            moves: dict[Payload, str] = {}
            at = self._start
            for move in plan.moves:
                moves[at.payload] = move
                at = at.next(move)
            held = self._plan if state.payload in self._moves else None
            if state.payload in moves and (held is None or plan.goal > held.goal or plan.is_best):
                self._plan, self._moves = plan, moves
        if self._plan is None or state.payload not in self._moves:
            return None
        return self._moves[state.payload], self._plan

    @property
    def is_without_end(self) -> bool:
        """Whether the planner has searched everything and found no end with a goal."""
        return self._plan is None and self._planner.is_exhausted and self._planner.poll() is None

    def close(self) -> None:
        """End the planner."""
        self._planner.stop()
