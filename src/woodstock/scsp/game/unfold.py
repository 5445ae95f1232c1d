"""The T-stage network of a game [Koriche et al. 2016, def. 3; 2017, 4.1]: one copy of the template for each turn.

Comes in: a template, a horizon T, a state to start from. Goes out: an `Unfolding` with its sizes, its network, its
policies. The fluents at t+1 are those of the next copy. A match may end before the horizon: `over@t` says that it ended
before turn t; then every variable of the turn has its first value and nothing counts. A role's utility is a hundredth
of its goal at the end, and 0 if the end is not within T turns. The network has about T times the size of the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from woodstock.constraint.constraint import WILDCARD, Table
from woodstock.constraint.expression import any_of
from woodstock.constraint.variable import Variable
from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.gdl.chance import without_chance
from woodstock.scsp.game.build import plain_logic
from woodstock.scsp.game.chance import after_actions, chance_table, gated
from woodstock.scsp.game.explain import constraint_names
from woodstock.scsp.game.template import LEGAL, NEXT, TABLE, Sizes, Template
from woodstock.scsp.network import Network
from woodstock.scsp.solve import Result, solve

if TYPE_CHECKING:
    from woodstock.scsp.game.unfold_values import StageValues

_MOST_TUPLES = 20_000_000


@dataclass(frozen=True)
class Unfolding:
    """The network of the first `horizon` turns of a match that starts at `state`."""

    template: Template
    horizon: int
    state: bytes

    def __repr__(self) -> str:
        s = self.sizes
        return f"<Unfolding {self.template.name}: {self.horizon} turns, {s.variables} variables, {s.tuples} tuples>"

    @property
    def sizes(self) -> Sizes:
        """The size of the network, known without building it."""
        one, turns = self.template.sizes, self.horizon
        shared = len(self.template.fluent_variables)
        variables = turns * (one.variables - shared + 1) + shared + 1
        pins = turns * (one.variables - 1) + turns
        return Sizes(
            variables=variables,
            auxiliary=turns * one.auxiliary,
            largest_domain=one.largest_domain,
            constraints=turns * one.constraints + pins,
            tables=turns * one.tables + pins,
            tuples=turns * (one.tuples + int(self.template.arrays["domains"].sum())),
            seconds=one.seconds,
        )

    @cached_property
    def network(self) -> Network:
        """The network, ready for solving and export."""
        if self.sizes.tuples > _MOST_TUPLES:
            raise GameError(f"{self!r} is too large to build: it may have {_MOST_TUPLES:,} tuples")
        return _Builder(self.template, self.horizon, self.state).network

    def solve(self, **options: object) -> Result:
        """Return a policy of all roles together with the greatest sum of utilities; options are those of `solve`."""
        return solve(self.network, **{"goal": "best", "exact": True, **options})  # type: ignore[arg-type]

    def values(self, *, most_states: int = 100_000) -> StageValues:
        """Return V* and Q* of the start [Koriche et al. 2017, eq. 1], with 0 for what is open at the horizon."""
        from woodstock.scsp.game.unfold_values import StageValues

        return StageValues.of(self, most_states)

    def minimax(self, *, most_states: int = 100_000) -> Network:
        """Return N*: the network with V* and Q* as constraints, in which only optimal moves are left."""
        from woodstock.scsp.game.unfold_values import add_values

        network = _Builder(self.template, self.horizon, self.state).network
        add_values(network, self, most_states)
        return network


def unfold(template: Template, horizon: int, state: State | bytes | None = None) -> Unfolding:
    """Return the network of `horizon` turns from a state, by default the initial one."""
    if horizon < 1:
        raise GameError(f"{template.name}: a horizon of {horizon} turns; it is at least 1")
    if state is None:
        bits = np.zeros(64 * ((len(template.ground.fluents) + 63) // 64), dtype=np.uint8)
        bits[list(template.ground.initial)] = 1
        state = np.packbits(bits, bitorder="little").tobytes()
    return Unfolding(template, horizon, template.pack(state))


def name_at(name: str, turn: int) -> str:
    """Return the name of a template's variable in the copy of a turn.

    >>> name_at("control", 2), name_at("control@t+1", 2)
    ('control@2', 'control@3')
    """
    return f"{name.removesuffix('@t+1')}@{turn + name.endswith('@t+1')}"


class _Builder:
    """Adds one turn after the other."""

    def __init__(self, template: Template, horizon: int, state: bytes) -> None:
        self._template = template
        players = without_chance(template.ground.roles) or ("player",)
        self.network = Network(f"{template.name}-{horizon}", players=players)
        self._names = constraint_names(template)
        over = self.network.decision("over@1", [False, True], stage=1)
        self.network.allow([over], [(False,)], name="begun")
        fluents = [self.network.decision(name_at(v.name, 1), v.values, stage=1) for v in template.fluent_variables]
        held = template.inject(state)
        for fluent, known in zip(fluents, template.fluent_variables, strict=True):
            self.network.allow([fluent], [(held[known.name],)], name=f"init({known.name})")
        for turn in range(1, horizon + 1):
            over, fluents = self._turn(turn, over, fluents)

    def _turn(self, turn: int, over: Variable, fluents: Sequence[Variable]) -> tuple[Variable, list[Variable]]:
        template, network = self._template, self.network
        chance = None if template.random_role is None else template.first_action + template.random_role
        ended = network.decision(f"over@{turn + 1}", [False, True], stage=turn)
        variables: list[Variable] = list(fluents)
        for number in range(len(fluents), len(template.domains)):
            name, domain = name_at(template.variable_names[number], turn), template.domains[number]
            if number == chance:
                variables.append(network.chance(name, domain, stage=turn))
            else:
                variables.append(network.decision(name, domain, stage=turn + (number in self._settled_later)))
        if chance is not None:
            inner = chance_table(template, chance, variables)
            network.probabilities[variables[chance].index] = gated(inner, ended)
        terminal = variables[template.terminal]
        ends = [(False, False, False), (False, True, True), (True, False, True)]
        network.allow([over, terminal, ended], ends, name=f"over({turn})")
        for number, variable in enumerate(variables[len(fluents) :], len(fluents)):
            gate = ended if self._is_of_move(number) else over
            rows = [(0, value) for value in range(len(variable.domain))] + [(1, 0)]
            network.add(Table(f"pin({variable.name})", [gate, variable], np.array(rows, dtype=np.int32)))
        for number in range(template.constraint_count):
            self._constraint(turn, number, variables, over, ended)
        for role, player in enumerate(template.ground.roles):
            self._utility(turn, role, player, variables, over)
        return ended, variables[template.first_next : template.first_auxiliary]

    @cached_property
    def _settled_later(self) -> frozenset[int]:
        if self._template.random_role is None:
            return frozenset(range(self._template.first_next, self._template.first_auxiliary))
        return frozenset(after_actions(self._template))

    def _is_of_move(self, number: int) -> bool:
        """Return whether a variable is about the moves of a turn: there are none in a turn that begins with the end."""
        template = self._template
        is_action = template.first_action <= number < template.terminal
        return is_action or template.first_next <= number < template.first_auxiliary

    def _constraint(
        self, turn: int, number: int, variables: Sequence[Variable], over: Variable, ended: Variable
    ) -> None:
        constraint = self._template.constraint(number)
        gate = ended if constraint.origin in (LEGAL, NEXT) else over
        name = f"{self._names[number]}@{turn}"
        if constraint.kind != TABLE:
            conditions = [any_of([gate == True, one]) for one in plain_logic(constraint, variables)]  # noqa: E712
            self.network.require(*conditions, name=name)
            return
        assert constraint.rows is not None
        column = np.zeros((len(constraint.rows), 1), dtype=np.int32)
        last = np.array([[1, *[WILDCARD] * len(constraint.scope)]], dtype=np.int32)
        rows = np.concatenate((np.concatenate((column, constraint.rows), axis=1), last))
        self.network.add(Table(name, [gate, *(variables[x] for x in constraint.scope)], rows))

    def _utility(self, turn: int, role: int, player: str, variables: Sequence[Variable], over: Variable) -> None:
        template = self._template
        score, terminal = variables[template.first_score + role], variables[template.terminal]
        worth = {
            (False, True, value): {player: Fraction(value, 100)}
            for value in score.domain
            if isinstance(value, int) and 0 < value <= 100
        }
        if role != template.random_role and worth:
            self.network.prefer([over, terminal, score], worth, name=f"utility({player})@{turn}")
