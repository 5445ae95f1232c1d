"""The states of a game whose rules hide nothing, with values and best responses of strategies.

Comes in: a game, or a state of it. Goes out: a `StateGraph`. Everybody knows the state, so a strategy is asked once for
each state and role, however the state was reached; `view.state` is what it should look at.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from woodstock import _native
from woodstock.equilibrium.limits import DEFAULT_MEMORY_MB, Limits, check_goals, stepping_engine
from woodstock.equilibrium.profile import Behaviour, ProfileValues, Strategy, probabilities
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index
from woodstock.information import InformationState


class StateGraph:
    """All states that can follow one state of a game without `sees`.

    >>> import woodstock
    >>> graph = StateGraph(woodstock.load("matching-pennies"))
    >>> graph.roles, graph.states
    (('even', 'odd'), 5)
    >>> round(graph.evaluate(graph.optimal()).exploitability, 9)
    0.0
    """

    def __init__(
        self,
        source: Game | State,
        *,
        max_histories: int | None = None,
        seconds: float | None = None,
        memory_mb: int = DEFAULT_MEMORY_MB,
    ) -> None:
        self.start = source.initial if isinstance(source, Game) else source
        self.game = self.start.game
        engine = stepping_engine(self.game)
        if self.game.has_percepts:
            raise GameError(f"{self.game.name} hides information: use `InformationTree`")
        limits = Limits(max_histories, seconds, memory_mb)
        status, reason, graph = _native.build_state_graph(
            engine.circuit,
            packed(self.start),
            chance_index(self.game.roles),
            *limits.native,
        )
        limits.check(self.game, status, reason, f"{self.game.name} has too many states")
        assert graph is not None
        check_goals(self.game, graph.has_unclear_goals)
        self.native: _native.StateGraph = graph
        self.roles = tuple(self.game.roles[role] for role in graph.roles)
        self._moves = [move for moves in engine.ground.moves for move in moves]

    @property
    def states(self) -> int:
        """The number of states."""
        return self.native.size

    @property
    def has_constant_sum(self) -> bool:
        """Whether the goals of all roles but chance add up to the same at every end."""
        return self.native.has_constant_sum

    @property
    def choice_count(self) -> int:
        """The number of states and roles with a choice."""
        return self.native.choice_count

    def choices(self) -> Iterator[tuple[InformationState, int]]:
        """Yield what a role knows wherever it has a choice, and the place of its first move in a behaviour."""
        turn = self.start.turn
        for node in range(self.native.size):
            state: State | None = None
            for role, index in zip(self.roles, self.native.roles, strict=True):
                moves, first = self.native.moves(node, index)
                if len(moves) < 2:
                    continue
                if state is None:
                    later = None if turn is None else turn + self.native.turn(node)
                    state = State(self.game, self.native.state(node), None, later)
                legal = tuple(self._moves[move] for move in moves)
                yield InformationState(self.game, role, state, (), legal, state=state), first

    def behaviour(self, strategy: Strategy) -> Behaviour:
        """Ask a strategy for every state and role; `GameError` if it gives anything but probabilities."""
        behaviour: Behaviour = np.asarray(self.native.uniform())
        for view, first in self.choices():
            behaviour[first : first + len(view.legal)] = probabilities(strategy, view)
        return behaviour

    def optimal(self) -> Behaviour:
        """Return strategies that are optimal for two roles with a constant sum: a matrix game for each state."""
        if len(self.roles) != 2 or not self.has_constant_sum:
            raise GameError(f"{self.game.name} has no optimal strategies by matrix games: they need two opposite roles")
        behaviour: Behaviour = np.asarray(self.native.solve())
        return behaviour

    def values(self, strategy: Strategy) -> ProfileValues:
        """Return the values of a strategy for each role, and of best responses to it."""
        return self.evaluate(self.behaviour(strategy))

    def evaluate(self, behaviour: Behaviour) -> ProfileValues:
        """Return the values of probabilities in the order of the graph."""
        values, best = self.native.evaluate(behaviour)
        return ProfileValues(dict(zip(self.roles, values, strict=True)), dict(zip(self.roles, best, strict=True)))
