"""Exact values by claims: can a role be sure of this goal? For two roles whose goals are proven to be opposite."""

from __future__ import annotations

import time
from fractions import Fraction

from woodstock import _native
from woodstock.errors import BudgetExceeded, GameError
from woodstock.game.circuit_engine import CircuitEngine
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.invariants import has_constant_sum

# A claim that is open after so many states is hard enough for a net that orders moves: it learns from so many matches,
# some at a time, for this share of the time at most.
_EASY_STATES = 200_000
_MATCHES, _MATCHES_AT_A_TIME, _TEACHING_SHARE = 10_000, 500, 0.2
# Time for the proof that goals are opposite.
_SUM_SECONDS = 60.0


class ClaimSolver:
    """Finds values by a few claims each; what is found about one claim helps with the next."""

    def __init__(
        self,
        game: Game,
        group: _native.SymmetryGroup | None,
        memory_mb: int,
        max_states: int | None,
        seconds: float | None,
    ) -> None:
        assert isinstance(game.engine, CircuitEngine)
        if len(game.roles) != 2 or not has_constant_sum(game.engine.ground, game.engine.circuit, _SUM_SECONDS):
            raise GameError(
                f"{game.name} cannot be solved by proofs: they need two roles whose goals are proven to add up "
                "to the same at every end; use the full search"
            )
        self._game, self._max_states, self._seconds = game, max_states, seconds
        self._prover = _native.Prover(game.engine.circuit, group, True, memory_mb << 20)
        self._goals = [self._prover.goals(role) for role in (0, 1)]
        self._ends_at = self._most = 0.0
        self._is_taught = False

    def solve(self, state: State) -> tuple[list[Fraction], list[tuple[str, str, Fraction, bool]], int]:
        """Return the value of each role, the rated moves of the role that chooses, and the states looked at."""
        begun = self._prover.states
        self._ends_at = time.monotonic() + (self._seconds or 1e9)
        self._most = begun + self._max_states if self._max_states is not None else float("inf")
        first = self._value(state)
        least, most = self._goals[0][0], self._goals[0][-1]
        scaled = Fraction(first - least, max(1, most - least))
        other = self._goals[1]
        values = [Fraction(first), other[0] + (1 - scaled) * (other[-1] - other[0])]
        return values, self._rate(state, values), self._prover.states - begun

    def _value(self, state: State) -> int:
        """Return the best goal that the first role can be sure of."""
        goals = self._goals[0]
        low, high = 0, len(goals) - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._is_true(state, 0, goals[middle]):
                low = middle
            else:
                high = middle - 1
        return goals[low]

    def _rate(self, state: State, values: list[Fraction]) -> list[tuple[str, str, Fraction, bool]]:
        roles = self._game.roles
        choosing = [] if state.is_terminal else [role for role in (0, 1) if len(state.legal(roles[role])) > 1]
        rated = []
        for role in choosing:
            value = int(values[role])
            below = max((goal for goal in self._goals[role] if goal < value), default=value)
            for move in state.legal(roles[role]):
                after = state.next([move if other == roles[role] else state.legal(other)[0] for other in roles])
                is_best = self._is_true(after, role, value)
                rated.append((roles[role], move, Fraction(value if is_best else below), is_best))
        return rated

    def _prove(self, state: State, role: int, goal: int, states: int, seconds: float) -> str:
        ends_at, last = time.monotonic() + seconds, self._prover.states + states
        at, first = packed(state), states if self._is_taught else min(states, _EASY_STATES)
        verdict = self._prover.prove(at, role, goal, states=first, seconds=seconds)
        if verdict != "open" or first == states:
            return verdict
        self._is_taught = True
        self._teach(at, _TEACHING_SHARE * (ends_at - time.monotonic()))
        left = max(0.0, ends_at - time.monotonic())
        return self._prover.prove(at, role, goal, states=max(0, last - self._prover.states), seconds=left)

    def _teach(self, at: bytes, seconds: float) -> None:
        ends_at = time.monotonic() + seconds
        for _ in range(_MATCHES // _MATCHES_AT_A_TIME):
            if (left := ends_at - time.monotonic()) > 0:
                self._prover.teach(at, min(1.0, left), _MATCHES_AT_A_TIME)

    def _is_true(self, state: State, role: int, goal: int) -> bool:
        if goal == self._goals[role][0]:
            return True
        left, states = self._ends_at - time.monotonic(), self._most - self._prover.states
        verdict = "open"
        if left > 0 and states > 0:
            most = 2**62 if states == float("inf") else int(states)
            verdict = self._prove(state, role, goal, most, min(left, 1e8))
        if verdict == "open":
            if self._max_states is not None and self._prover.states >= self._most:
                raise BudgetExceeded("solve", self._max_states, self._max_states, "states")
            raise BudgetExceeded("solve", self._seconds or 0.0, self._seconds or 0.0, "s")
        if verdict == "dead":
            raise GameError(
                f"{self._game.name} cannot be solved by proofs: states repeat, several roles choose at once, or a role "
                "has no legal move; use the full search"
            )
        return verdict == "true"
