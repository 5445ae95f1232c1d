"""Follows plans in a match of one role: the planner runs in the background, and its plan is played if it is best.

A plan that reaches its goal is certain; the value that a tree expects is not. So the player leaves a plan only for a
move that promises more than the plan's goal. Unless the plan is proven best, the planner starts again from each state
that the match comes to, and a better plan replaces the current one.
"""

from __future__ import annotations

from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.state import State
from woodstock.players.plan import Plan, Planner


class PlanFollower:
    """The plan of one match, if any."""

    def __init__(self, start: State, planner: Planner) -> None:
        self.planner = planner
        self._plan: Plan | None = None  # the current one, and its moves by state
        self._moves: dict[State, str] = {}
        self._seen: Plan | None = None  # the latest one of the planner
        self._start = start

    @classmethod
    def of(cls, start: State, seconds: float) -> PlanFollower | None:
        """Return a follower that has begun to plan, or None if the game has several roles or was not grounded."""
        game = start.game
        if len(game.roles) != 1 or not isinstance(game.engine, CircuitEngine):
            return None
        made = cls(start, Planner(game, seconds=seconds))
        made.planner.start(start)
        return made

    def restart(self, state: State) -> None:
        """Plan from this state on; keep the current plan if it leads through the state."""
        if state not in self._moves:
            self._plan, self._moves = None, {}
        self._start, self._seen = state, None
        if not state.is_terminal:
            self.planner.start(state)

    def move(self, state: State) -> tuple[str, Plan] | None:
        """Return the plan's move in this state, if the plan leads through it."""
        plan = self.planner.poll()
        if plan is not None and plan is not self._seen:
            self._seen = plan
            moves: dict[State, str] = {}
            at = self._start
            for move in plan.moves:
                moves[at] = move
                at = at.next(move)
            held = self._plan if state in self._moves else None
            if state in moves and (held is None or plan.goal > held.goal or plan.is_best):
                self._plan, self._moves = plan, moves
        if self._plan is None or state not in self._moves:
            return None
        return self._moves[state], self._plan

    @property
    def is_without_end(self) -> bool:
        """Whether the planner has searched all states and found no end with a goal."""
        return self._plan is None and self.planner.is_exhausted and self.planner.poll() is None
