"""Minimax values of an unfolded game, as numbers and as constraints [Koriche et al. 2017, eq. 1 and 2, 4.2].

V*_i(s) is role i's goal at an end, else the greatest over its own moves of the least over the others' of Q*_i;
Q*_i(s, a) is the mean of V*_i over the moves of chance. What is open after the horizon counts 0, so with a horizon of d
turns these are the depth-d values. As constraints: V*_i over the fluents and a value of the turn, Q*_i over the
fluents, the moves and the same value. Together they leave only joint moves with Q*_i = V*_i for every role. If several
roles choose at once there may be none, as in matching pennies: then the network has no solution, by its definition.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Table
from woodstock.constraint.variable import Variable
from woodstock.errors import BudgetExceeded
from woodstock.scsp.game.stage import CircuitStage, Stages
from woodstock.scsp.game.unfold import Unfolding, name_at
from woodstock.scsp.network import Network

Values = tuple[Fraction, ...]
Joint = tuple[int, ...]


@dataclass(frozen=True)
class StageValues:
    """V* of a state by role, Q* of its joint moves without chance, and the joint moves that are optimal for all."""

    values: dict[str, Fraction]
    moves: dict[tuple[str, ...], dict[str, Fraction]]
    states: int

    @property
    def optimal(self) -> tuple[tuple[str, ...], ...]:
        """The joint moves with Q* = V* for every role."""
        return tuple(joint for joint, worth in self.moves.items() if worth == self.values)

    @classmethod
    def of(cls, unfolding: Unfolding, most_states: int) -> StageValues:
        """Compute the values of the start of an unfolding."""
        search = _Search(unfolding, most_states)
        roles = [unfolding.template.ground.roles[role] for role in search.players]
        names = [unfolding.template.ground.moves[role] for role in search.players]
        values = search.value(unfolding.state, unfolding.horizon)
        moves = {
            tuple(name[move] for name, move in zip(names, joint, strict=True)): dict(zip(roles, worth, strict=True))
            for joint, worth in search.moves(unfolding.state, unfolding.horizon).items()
        }
        return cls(dict(zip(roles, values, strict=True)), moves, len(search.known))


class _Search:
    """Values by recursion over states and turns left, each pair once."""

    def __init__(self, unfolding: Unfolding, most_states: int) -> None:
        self._stage = CircuitStage(unfolding.template)
        self._most_states = most_states
        chance = unfolding.template.random_role
        self.players = [role for role in range(len(unfolding.template.ground.roles)) if role != chance]
        self.known: dict[tuple[bytes, int], Values] = {}
        self._solved: dict[bytes, Stages] = {}

    def stage(self, state: bytes) -> Stages:
        if state not in self._solved:
            if len(self._solved) >= self._most_states:
                raise BudgetExceeded("unfold", len(self._solved) + 1, self._most_states, "states")
            self._solved[state] = self._stage.solve(state)
        return self._solved[state]

    def value(self, state: bytes, left: int) -> Values:
        """Return V* with so many turns left."""
        if left == 0:
            return (Fraction(0),) * len(self.players)
        found = self.known.get((state, left))
        if found is None:
            stage = self.stage(state)
            if stage.is_terminal:
                found = tuple(Fraction(stage.goals[role] or 0, 100) for role in self.players)
            else:
                worth = self.moves(state, left)
                found = tuple(_greatest_least(worth, place) for place in range(len(self.players)))
            self.known[state, left] = found
        return found

    def moves(self, state: bytes, left: int) -> dict[Joint, Values]:
        """Return Q* of each joint move of the players."""
        stage = self.stage(state)
        sums: dict[Joint, list[Fraction]] = {}
        counts: dict[Joint, int] = {}
        for joint, after in stage:
            own = tuple(joint[role] for role in self.players)
            worth = self.value(after, left - 1)
            total = sums.setdefault(own, [Fraction(0)] * len(worth))
            for place, one in enumerate(worth):
                total[place] += one
            counts[own] = counts.get(own, 0) + 1
        return {own: tuple(one / counts[own] for one in total) for own, total in sums.items()}


def _greatest_least(worth: dict[Joint, Values], place: int) -> Fraction:
    least: dict[int, Fraction] = {}
    for joint, values in worth.items():
        own = joint[place]
        least[own] = min(least.get(own, values[place]), values[place])
    return max(least.values())


def add_values(network: Network, unfolding: Unfolding, most_states: int) -> None:
    """Add V* and Q* of every turn to the network of an unfolding."""
    search = _Search(unfolding, most_states)
    states = {unfolding.state: None}
    for turn in range(1, unfolding.horizon + 1):
        left = unfolding.horizon - turn + 1
        after: dict[bytes, None] = {}
        for place in range(len(search.players)):
            _add_turn(network, unfolding, search, turn, place, list(states))
        for state in states:
            stage = search.stage(state)
            if left > 1 and not stage.is_terminal:
                after.update(dict.fromkeys(state for _joint, state in stage))
        states = after


def _add_turn(
    network: Network, unfolding: Unfolding, search: _Search, turn: int, place: int, states: Sequence[bytes]
) -> None:
    """Add the value of a role at a turn with its two constraints."""
    template, left = unfolding.template, unfolding.horizon - turn + 1
    role = template.ground.roles[search.players[place]]
    fluents = [network[name_at(v.name, turn)] for v in template.fluent_variables]
    actions = [network[name_at(f"action({template.ground.roles[other]})", turn)] for other in search.players]
    v_rows: list[tuple[list[int], Fraction]] = []
    q_rows: list[tuple[list[int], Fraction]] = []
    for state in states:
        at = list(template.native.values_of(state))
        v_rows.append((at, search.value(state, left)[place]))
        if not search.stage(state).is_terminal:
            q_rows += [([*at, *joint], worth[place]) for joint, worth in search.moves(state, left).items()]
    domain = sorted({worth for _row, worth in itertools.chain(v_rows, q_rows)} | {Fraction(0)})
    value = network.decision(f"value({role})@{turn}", domain, stage=turn)
    _add_table(network, f"V({role})@{turn}", network[f"over@{turn}"], fluents, value, v_rows, 0)
    _add_table(network, f"Q({role})@{turn}", network[f"over@{turn + 1}"], [*fluents, *actions], value, q_rows, None)


def _add_table(
    network: Network,
    name: str,
    gate: Variable,
    scope: Sequence[Variable],
    value: Variable,
    rows: Sequence[tuple[list[int], Fraction]],
    idle: int | None,
) -> None:
    """Add a table that holds while the match goes on; `idle` is the position of the value in a turn that does not."""
    cells = [[0, *row, value.positions[worth]] for row, worth in rows]
    cells.append([1, *[WILDCARD] * len(scope), WILDCARD if idle is None else idle])
    network.add(Table(name, [gate, *scope, value], np.array(cells, dtype=np.int32)))
