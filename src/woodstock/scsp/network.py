"""The stochastic constraint network: ordered variables, constraints, probabilities, thresholds.

Every call that adds to a network checks its arguments; an error names the variable or the constraint. The
model is that of k players [Koriche, Lagrue, Piette, Tabary 2016, def. 2], with Walsh's satisfaction as a special case:

* `require`, `allow`, `forbid`: **hard**. Must hold on every path of a policy, whatever chance does; else the policy is
  not feasible.
* `prefer`: **soft**. Gives each player a utility; the utility of a path is the sum over all soft constraints.
* `chance_constraint`: counts towards the **satisfaction**. All chance constraints together are one soft constraint,
  worth 1 to every player on the paths on which all of them hold and 0 on others; its expectation is the probability
  that they all hold.

The order of the variables is by stage, decisions before chance in each stage, then as declared. A decision that is
declared after a chance variable opens a new stage unless `stage` says otherwise: the policy sees the outcome before it
decides.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from woodstock.constraint.constraint import Condition, Constraint, Rows, Table, check_rows, read_rows
from woodstock.constraint.expression import Constant, Expression, Value, all_different, all_of, condition
from woodstock.constraint.variable import Variable
from woodstock.errors import ModelError
from woodstock.scsp.probability import Distribution, ProbabilityTable, conditional, uniform
from woodstock.scsp.soft import Number, Soft, read_unit

Utility = Number | str | Sequence[Number | str] | Mapping[str, Number | str]


class Network:
    """A stochastic constraint network; the module's docstring explains its parts.

    >>> from woodstock.scsp import Network, solve
    >>> network = Network("umbrella")
    >>> take = network.decision("take", ["yes", "no"])
    >>> rain = network.chance("rain", {"wet": "1/4", "dry": "3/4"})
    >>> _ = network.chance_constraint((take == "yes") | (rain == "dry"))
    >>> solve(network, goal="best", exact=True).utility
    (Fraction(1, 1),)
    """

    def __init__(self, name: str = "network", *, players: int | Sequence[str] = 1, memory_mb: float = 2048) -> None:
        self.name = name
        if isinstance(players, int):
            players = ["player"] if players == 1 else [f"player {i + 1}" for i in range(players)]
        self.players = tuple(players)
        if not self.players or len(set(self.players)) != len(self.players):
            raise ModelError(f"network {name}: give at least one player, each with a name of its own")
        self.declared: list[Variable] = []
        self.probabilities: dict[int, ProbabilityTable] = {}
        self.hard: list[Constraint] = []
        self.soft: list[Soft] = []
        self.chance_constraints: list[Constraint] = []
        self._threshold: tuple[Number, ...] = (Fraction(0),) * len(self.players)
        self._by_name: dict[str, Variable] = {}
        self._names: set[str] = set()
        self._cells_left = int(memory_mb * 2**20 / 4)
        self._ordered: tuple[Variable, ...] | None = None

    # Variables

    def decision(self, name: str, domain: Iterable[Value], *, stage: int | None = None) -> Variable:
        """Add a variable that the policy sets."""
        return self._add_variable(name, domain, is_chance=False, stage=stage)

    def consequence(self, name: str, domain: Iterable[Value], *, stage: int | None = None) -> Variable:
        """Add a variable that follows from those before it, such as a fluent at t+1: propagated, not decided."""
        return self._add_variable(name, domain, is_chance=False, stage=stage, is_propagated=True)

    def chance(
        self,
        name: str,
        domain: Iterable[Value] | Mapping[Value, Number | str],
        probabilities: Mapping[Any, Any] | Sequence[Number | str] | Callable[..., Distribution] | None = None,
        *,
        given: Sequence[Variable | str] = (),
        otherwise: Distribution | None = None,
        stage: int | None = None,
    ) -> Variable:
        """Add a chance variable: uniform, or with a distribution, or with one for each tuple of values of `given`.

        A mapping as `domain` is the distribution itself. With `given`, `probabilities` maps each condition (a value,
        or a tuple for several variables) to a distribution, or is a function of the condition; `otherwise` fills what
        is left out.
        """
        if isinstance(domain, Mapping):
            if probabilities is not None:
                raise ModelError(f"variable {name}: probabilities are given twice, in the domain and as an argument")
            probabilities = domain
        before = self._variables(given, f"variable {name}")
        variable = self._add_variable(name, domain, is_chance=True, stage=stage)
        try:
            if probabilities is None:
                if before:
                    raise ModelError(f"variable {name}: given {before[0].name}, but no probabilities")
                table = uniform(variable)
            else:
                table = conditional(variable, before, probabilities, otherwise)
        except ModelError:
            del self._by_name[name]
            self.declared.pop()
            self._ordered = None
            raise
        self.probabilities[variable.index] = table
        return variable

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the network's order."""
        if self._ordered is None:
            self._ordered = tuple(sorted(self.declared, key=lambda variable: variable.order))
        return self._ordered

    @property
    def decisions(self) -> tuple[Variable, ...]:
        """The decision variables in order."""
        return tuple(variable for variable in self.variables if not variable.is_chance)

    @property
    def stochastic(self) -> tuple[Variable, ...]:
        """The chance variables in order."""
        return tuple(variable for variable in self.variables if variable.is_chance)

    @property
    def stages(self) -> int:
        """The number of stages: 1 if all decisions come before all chance."""
        return len({variable.stage for variable in self.declared})

    def __getitem__(self, name: str) -> Variable:
        found = self._by_name.get(name)
        if found is None:
            near = difflib.get_close_matches(name, self._by_name, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ModelError(f"network {self.name}: no variable {name}{hint}")
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    # Constraints

    def require(self, *conditions: Expression | bool, name: str | None = None) -> Constraint:
        """Add a hard constraint: the conditions hold on every path."""
        constraint = self._condition(conditions, name, "c")
        self.hard.append(constraint)
        return constraint

    def allow(self, scope: Sequence[Variable | str], tuples: Iterable[Any], *, name: str | None = None) -> Table:
        """Add a hard constraint by its allowed tuples; `ANY` fits every value of its column."""
        return self._hard_table(scope, tuples, name, is_allowed=True)

    def forbid(self, scope: Sequence[Variable | str], tuples: Iterable[Any], *, name: str | None = None) -> Table:
        """Add a hard constraint by its forbidden tuples; `ANY` fits every value of its column."""
        return self._hard_table(scope, tuples, name, is_allowed=False)

    def all_different(self, variables: Sequence[Variable | str], *, name: str | None = None) -> Constraint:
        """Add the hard constraint that no two of the variables are equal."""
        scope = self._variables(variables, f"constraint {name or 'all_different'}")
        return self.require(all_different(scope), name=name)

    def chance_constraint(self, *conditions: Expression | bool, name: str | None = None) -> Constraint:
        """Add a constraint that counts towards the satisfaction."""
        constraint = self._condition(conditions, name, "s")
        self.chance_constraints.append(constraint)
        return constraint

    def chance_table(
        self,
        scope: Sequence[Variable | str],
        tuples: Iterable[Any],
        *,
        is_allowed: bool = True,
        name: str | None = None,
    ) -> Table:
        """Add a constraint that counts towards the satisfaction, by its allowed or forbidden tuples."""
        table = self._table(scope, tuples, name, "s", is_allowed)
        self.chance_constraints.append(table)
        return table

    def prefer(
        self,
        test: Expression | bool | Sequence[Variable | str],
        utility: Utility | Mapping[Any, Any] = 1,
        *,
        otherwise: Utility = 0,
        name: str | None = None,
    ) -> Soft:
        """Add a soft constraint: `utility` if the condition holds, else `otherwise`.

        With a list of variables in place of the condition, `utility` maps tuples of values to utilities. A utility is
        one number for all players, or one for each; from 0 to 1.
        """
        label = self._new_name(name, "u")
        other = self._utility(label, otherwise)
        if isinstance(test, Sequence):
            scope = self._variables(test, f"constraint {label}")
            if not isinstance(utility, Mapping):
                raise ModelError(f"constraint {label}: give the utilities as a dict from tuples of values")
            rows = self._rows(label, scope, utility.keys(), with_wildcards=False)
            worth = [self._utility(label, entry) for entry in utility.values()]
            soft = Soft(label, scope, worth, other, rows=rows)
        else:
            check = Condition(label, self._own(condition(test), label))
            soft = Soft(label, check.scope, [self._utility(label, utility)], other, test=check)
        self.soft.append(soft)
        return soft

    def add(self, constraint: Constraint | Soft) -> None:
        """Add a ready-made constraint as hard, or a ready-made soft one."""
        scope = self._variables(constraint.scope, f"constraint {constraint.name}")
        rows = getattr(constraint, "rows", None)
        if rows is not None:
            check_rows(constraint.name, scope, rows, cell_limit=self._cells_left)
            self._cells_left -= rows.size
        self._new_name(constraint.name, "c")
        if isinstance(constraint, Soft):
            self.soft.append(constraint)
        else:
            self.hard.append(constraint)

    @property
    def threshold(self) -> tuple[Number, ...]:
        """The least expected utility of each player in a solution; 0 by default."""
        return self._threshold

    @threshold.setter
    def threshold(self, value: Utility) -> None:
        self._threshold = self.utility_of(value)

    def utility_of(self, value: Utility) -> tuple[Number, ...]:
        """Return a utility or threshold in the form of `threshold`."""
        return self._utility("threshold", value, kind="network " + self.name)

    # Reading

    def part(
        self,
        name: str,
        variables: Iterable[Variable],
        *,
        hard: Iterable[Constraint] = (),
        chance: Iterable[Constraint] = (),
        soft: Iterable[Soft] = (),
    ) -> Network:
        """Return a network of some of the variables and constraints: it shares them, and is for solving only."""
        network = Network(name, players=self.players)
        network.declared = list(variables)
        network._by_name = {variable.name: variable for variable in network.declared}
        network.probabilities = {v.index: self.probabilities[v.index] for v in network.declared if v.is_chance}
        network.hard, network.chance_constraints, network.soft = list(hard), list(chance), list(soft)
        network._threshold = self._threshold
        return network

    def constraints(self) -> Iterator[Constraint | Soft]:
        """Yield every constraint: hard, chance, soft."""
        yield from self.hard
        yield from self.chance_constraints
        yield from self.soft

    def __repr__(self) -> str:
        parts = [
            f"{len(self.decisions)} decision and {len(self.stochastic)} chance variables",
            f"{self.stages} stage{'s' if self.stages != 1 else ''}",
            f"{len(self.hard)} hard, {len(self.chance_constraints)} chance and {len(self.soft)} soft constraints",
        ]
        return f"<Network {self.name}: {', '.join(parts)}>"

    def describe(self) -> str:
        """Return the whole model as text, one line for each part."""
        from woodstock.scsp.draw import network_text

        return network_text(self)

    def _repr_html_(self) -> str:
        from woodstock.scsp.draw import network_html

        return network_html(self)

    # Checks

    def _add_variable(
        self,
        name: str,
        domain: Iterable[Value],
        *,
        is_chance: bool,
        stage: int | None,
        is_propagated: bool = False,
    ) -> Variable:
        if not isinstance(name, str) or not name:
            raise ModelError(f"network {self.name}: a variable needs a name, not {name!r}")
        if name in self._by_name:
            raise ModelError(f"variable {name}: the name is taken by another variable")
        if stage is None:
            last = max((v.order for v in self.declared), default=(1, False, 0))
            stage = last[0] + (1 if last[1] and not is_chance else 0)
        elif not isinstance(stage, int) or stage < 1:
            raise ModelError(f"variable {name}: the stage is {stage!r}; stages count from 1")
        variable = Variable(
            name, domain, index=len(self.declared), is_chance=is_chance, stage=stage, is_propagated=is_propagated
        )
        self._by_name[name] = variable
        self.declared.append(variable)
        self._ordered = None
        return variable

    def _variables(self, scope: Sequence[Variable | str], where: str) -> tuple[Variable, ...]:
        if isinstance(scope, Variable | str):
            scope = [scope]
        found: list[Variable] = []
        for entry in scope:
            if isinstance(entry, str):
                try:
                    entry = self[entry]
                except ModelError as error:
                    raise ModelError(f"{where}: {str(error).partition(': ')[2]}") from None
            if not isinstance(entry, Variable):
                raise ModelError(f"{where}: {entry!r} is not a variable")
            if entry.index >= len(self.declared) or self.declared[entry.index] is not entry:
                raise ModelError(f"{where}: variable {entry.name} belongs to another network")
            if any(entry is other for other in found):
                raise ModelError(f"{where}: variable {entry.name} is twice in the scope")
            found.append(entry)
        return tuple(found)

    def _own(self, expression: Expression, label: str) -> Expression:
        unique = {id(variable): variable for variable in expression.variables()}
        self._variables(tuple(unique.values()), f"constraint {label}")
        return expression

    def _condition(self, conditions: Sequence[Expression | bool], name: str | None, letter: str) -> Condition:
        label = self._new_name(name, letter)
        try:
            if not conditions:
                raise ModelError("give a condition")
            parts = [condition(entry) for entry in conditions]
        except ModelError as error:
            raise ModelError(f"constraint {label}: {error}") from None
        expression = parts[0] if len(parts) == 1 else all_of(parts)
        if isinstance(expression, Constant) and not expression.value:
            raise ModelError(f"constraint {label}: it is false whatever the variables are")
        return Condition(label, self._own(expression, label))

    def _hard_table(
        self, scope: Sequence[Variable | str], tuples: Iterable[Any], name: str | None, *, is_allowed: bool
    ) -> Table:
        table = self._table(scope, tuples, name, "c", is_allowed)
        self.hard.append(table)
        return table

    def _table(
        self, scope: Sequence[Variable | str], tuples: Iterable[Any], name: str | None, letter: str, is_allowed: bool
    ) -> Table:
        label = self._new_name(name, letter)
        variables = self._variables(scope, f"constraint {label}")
        if not variables:
            raise ModelError(f"constraint {label}: the scope is empty")
        return Table(label, variables, self._rows(label, variables, tuples), is_allowed=is_allowed)

    def _rows(
        self, label: str, scope: Sequence[Variable], tuples: Iterable[Any], *, with_wildcards: bool = True
    ) -> Rows:
        limit = self._cells_left // max(1, len(scope))
        rows = read_rows(label, scope, tuples, row_limit=limit, with_wildcards=with_wildcards)
        self._cells_left -= rows.size
        return rows

    def _new_name(self, name: str | None, letter: str) -> str:
        if name is None:
            number = len(self._names) + 1
            while f"{letter}{number}" in self._names:
                number += 1
            name = f"{letter}{number}"
        elif name in self._names:
            raise ModelError(f"constraint {name}: the name is taken by another constraint")
        self._names.add(name)
        return name

    def _utility(self, label: str, value: object, kind: str | None = None) -> tuple[Number, ...]:
        where = kind or f"constraint {label}"
        count = len(self.players)
        if isinstance(value, Mapping):
            unknown = [player for player in value if player not in self.players]
            if unknown:
                raise ModelError(f"{where}: no player {unknown[0]!r}; the players are {', '.join(self.players)}")
            entries: list[object] = [value.get(player, 0) for player in self.players]
        elif isinstance(value, Sequence) and not isinstance(value, str):
            entries = list(value)
        else:
            entries = [value] * count
        if len(entries) != count:
            raise ModelError(f"{where}: {len(entries)} utilities for {count} players ({', '.join(self.players)})")
        return tuple(read_unit(where, entry) for entry in entries)
