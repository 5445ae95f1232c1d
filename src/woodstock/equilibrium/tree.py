"""The information sets of a game whose rules hide something, with values and best responses of strategies.

Comes in: a game, or a state where a match begins. Goes out: an `InformationTree`: every information set in which a role
has a choice, and for any strategy its value and what a best response to it gets. The whole game is walked once, turn by
turn; limits on histories, memory and time hold, and `BudgetExceeded` has the size so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from woodstock import _native
from woodstock.equilibrium.limits import DEFAULT_MEMORY_MB, Limits, check_goals, stepping_engine
from woodstock.equilibrium.profile import Behaviour, ProfileValues, Strategy, probabilities
from woodstock.equilibrium.sharing import Sharing
from woodstock.errors import GameError
from woodstock.game.game import Game
from woodstock.game.state import State, packed
from woodstock.gdl.chance import chance_index
from woodstock.information import InformationState, Turn

_START = 2**32 - 1  # the record of a role that has done nothing yet

# What a role did and saw, turn by turn: the number of its move, the numbers of its percepts in ascending order.
Story = tuple[tuple[int, tuple[int, ...]], ...]


class InformationTree:
    """All information sets of a game with `sees`, from a state that everybody knows.

    >>> import woodstock
    >>> tree = InformationTree(woodstock.load("monty-hall"))
    >>> tree.roles, tree.information_sets
    (('candidate',), 7)
    >>> tree.values(woodstock.equilibrium.uniform).values
    {'candidate': 50.0}
    """

    def __init__(
        self,
        source: Game | State,
        *,
        sharing: Sharing | None = None,
        count_wins: bool = False,
        max_histories: int | None = None,
        seconds: float | None = None,
        memory_mb: int = DEFAULT_MEMORY_MB,
        progress: Callable[[dict[str, int]], None] | None = None,
    ) -> None:
        self.start = source.initial if isinstance(source, Game) else source
        self.game = self.start.game
        engine = stepping_engine(self.game)
        self._ground = engine.ground
        self.sharing = sharing or Sharing.none(engine.ground)
        limits = Limits(max_histories, seconds, memory_mb)
        status, reason, form, sizes = _native.build_sequence_form(
            engine.circuit,
            packed(self.start),
            chance_index(self.game.roles),
            *limits.native,
            count_wins,
            self.sharing.fluents,
            self.sharing.moves,
            self.sharing.percepts,
            progress,
        )
        so_far = (
            f"{self.game.name} had {sizes['histories']:,} histories and {sizes['information_sets']:,} information "
            f"sets after {sizes['turns']} turns"
        )
        limits.check(self.game, status, reason, so_far)
        assert form is not None
        check_goals(self.game, form.has_unclear_goals)
        self.form: _native.SequenceForm = form
        self.roles = tuple(self.game.roles[role] for role in form.roles)
        self._players = [form.arrays(player) for player in range(len(self.roles))]
        self._move_names = [move for moves in self._ground.moves for move in moves]

    @property
    def histories(self) -> int:
        """The histories that were visited; those that go on alike count once."""
        return self.form.histories

    @property
    def information_sets(self) -> int:
        """The information sets in which a role has a choice."""
        return self.form.set_count

    @property
    def sequence_count(self) -> int:
        """The numbers that a profile has: one for each move at each information set, and one for each role."""
        return sum(len(player["moves"]) for player in self._players)

    @property
    def has_constant_sum(self) -> bool:
        """Whether the goals of all roles but chance add up to the same at every end."""
        return self.form.has_constant_sum

    def uniform(self) -> list[Behaviour]:
        """Return the profile in which every role chooses uniformly."""
        return [self._uniform(player) for player in self._players]

    @staticmethod
    def _uniform(player: dict[str, Any]) -> Behaviour:
        behaviour = np.ones(len(player["moves"]))
        firsts = player["firsts"]
        counts = np.add.reduceat(player["ways"], firsts[:-1]) if len(firsts) > 1 else np.empty(0)
        behaviour[1:] = np.repeat(1.0 / counts, np.diff(firsts))
        return behaviour

    def behaviours(self, strategy: Strategy) -> list[Behaviour]:
        """Ask a strategy at every information set; `GameError` if it gives anything but probabilities."""
        if self.sharing.size > 1:
            raise GameError("a tree with shared information sets cannot ask a strategy that may treat them differently")
        found = []
        for number, player in enumerate(self._players):
            behaviour = np.ones(len(player["moves"]))
            firsts = player["firsts"].tolist()
            for index, view in enumerate(self.views(number)):
                behaviour[firsts[index] : firsts[index + 1]] = probabilities(strategy, view)
            found.append(behaviour)
        return found

    def values(self, strategy: Strategy) -> ProfileValues:
        """Return the values of a strategy for each role, and of best responses to it."""
        return self.evaluate(self.behaviours(strategy))

    def evaluate(self, behaviours: list[Behaviour]) -> ProfileValues:
        """Return the values of probabilities in the order of the tree, one array for each role."""
        values, best = self.form.evaluate(behaviours)
        return self.named(values, best)

    def named(self, values: list[float], best: list[float]) -> ProfileValues:
        """Return values by the names of the roles."""
        return ProfileValues(dict(zip(self.roles, values, strict=True)), dict(zip(self.roles, best, strict=True)))

    def views(self, player: int) -> Iterator[InformationState]:
        """Yield the information states of a role's information sets, in the order of the tree.

        If symmetric sets are shared, these are the stories by which they were met first.
        """
        arrays = self._players[player]
        names = self._move_names
        firsts, moves = arrays["firsts"].tolist(), arrays["moves"].tolist()
        for index, record in enumerate(arrays["records"].tolist()):
            legal = tuple(names[move] for move in moves[firsts[index] : firsts[index + 1]])
            turns = self._turns(record)
            yield InformationState(self.game, self.roles[player], self.start, turns, legal)

    def stories(self, player: int) -> Iterator[tuple[Story, int]]:
        """Yield what a role did and saw at each of its information sets, by numbers, and the symmetry of the set."""
        arrays = self._players[player]
        for record, element in zip(arrays["records"].tolist(), arrays["elements"].tolist(), strict=True):
            yield self._story(record), element

    def sequences(self, player: int) -> tuple[list[int], list[int], list[int]]:
        """Return where the sequences of each information set begin, and the move and the ways of each sequence."""
        arrays = self._players[player]
        return arrays["firsts"].tolist(), arrays["moves"].tolist(), arrays["ways"].tolist()

    def turn(self, move: int, percepts: tuple[int, ...]) -> Turn:
        """Return a turn in words."""
        sees = self._ground.sees
        return Turn(self._move_names[move], tuple(sees[percept][1] for percept in percepts))

    def move_name(self, move: int) -> str:
        """Return a move in words, from its number among the moves of all roles."""
        return self._move_names[move]

    @cached_property
    def _records(self) -> tuple[list[int], list[int], list[int], list[int]]:
        records = self.form.records()
        parents, moves, percepts, begins = (
            records[name].tolist() for name in ("parents", "moves", "percepts", "percept_begins")
        )
        return parents, moves, percepts, begins

    def _story(self, record: int) -> Story:
        parents, moves, percepts, begins = self._records
        story: list[tuple[int, tuple[int, ...]]] = []
        while record != _START:
            story.append((moves[record], tuple(percepts[begins[record] : begins[record + 1]])))
            record = parents[record]
        return tuple(reversed(story))

    def _turns(self, record: int) -> tuple[Turn, ...]:
        return tuple(self.turn(move, percepts) for move, percepts in self._story(record))
