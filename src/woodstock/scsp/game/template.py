"""The template of a game's stage: one µSCSP without a state, made once for each game.

Variables: each fluent variable at t, an action for each role, `terminal`, a score for each role, each fluent variable
at t+1, and auxiliary Boolean ones for derived atoms. The large parts stay in native arrays; names, tables and
explanations are made at first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.state import State, packed
from woodstock.gdl.ast import Program
from woodstock.gdl.chance import chance_index
from woodstock.gdl.ground_program import GroundProgram
from woodstock.scsp.game.fluents import FluentVariable, readable

if TYPE_CHECKING:
    from woodstock.scsp.game.unfold import Unfolding
    from woodstock.scsp.network import Network

TABLE, ALL_OF, ANY_OF, CLAUSE = range(4)
ATOM, LEGAL, NEXT, TERMINAL, SCORE = range(5)
# In `legal`, in place of a variable:
NEVER, ALWAYS, IN_TABLE = -1, -2, -3


@dataclass(frozen=True)
class Sizes:
    """The size of a network. A reified and/or over n literals counts as the n + 1 short tuples that it equals."""

    variables: int
    auxiliary: int
    largest_domain: int
    constraints: int
    tables: int
    tuples: int
    seconds: float


@dataclass(frozen=True)
class TemplateConstraint:
    """One constraint: a table with its scope and rows, or literals (variable, value, is_equal).

    Rows and values are positions in the domains, -1 in a row is any value. The first literal of and/or is the head.
    """

    kind: int
    origin: int
    origin_index: int
    scope: tuple[int, ...]
    literals: tuple[tuple[int, int, bool], ...]
    rows: np.ndarray[tuple[int, int], np.dtype[np.int32]] | None


class Template:
    """A game's stage without a state; made by `translate`."""

    def __init__(
        self,
        name: str,
        ground: GroundProgram,
        circuit: _native.Circuit,
        fluent_variables: tuple[FluentVariable, ...],
        score_values: Sequence[Sequence[int]],
        native: _native.NetworkTemplate,
        seconds: Mapping[str, float],
        program: Program | None = None,
    ) -> None:
        self.name, self.ground, self.circuit, self.program = name, ground, circuit, program
        self.fluent_variables = fluent_variables
        self.score_values = tuple(tuple(values) for values in score_values)
        self.native = native
        self.seconds = dict(seconds)

    def __repr__(self) -> str:
        s = self.sizes
        return f"<Template {self.name}: {s.variables} variables, {s.constraints} constraints, {s.tuples} tuples>"

    @cached_property
    def arrays(self) -> dict[str, Any]:
        """The native arrays, copied."""
        return dict(self.native.arrays())

    # The numbers of the variables.

    @property
    def first_action(self) -> int:
        """The number of the first role's action; the other roles follow."""
        return len(self.fluent_variables)

    @property
    def terminal(self) -> int:
        """The number of the variable `terminal`."""
        return self.first_action + len(self.ground.roles)

    @property
    def first_score(self) -> int:
        """The number of the first role's score."""
        return self.terminal + 1

    @property
    def first_next(self) -> int:
        """The number of the first fluent variable at t+1."""
        return self.first_score + len(self.ground.roles)

    @property
    def first_auxiliary(self) -> int:
        """The number of the first auxiliary variable."""
        return self.first_next + len(self.fluent_variables)

    @property
    def random_role(self) -> int | None:
        """The role of chance, whose action is the only stochastic variable."""
        index = chance_index(self.ground.roles)
        return None if index < 0 else index

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """The names of all variables; those of the next state end in `@t+1`."""
        roles = self.ground.roles
        names = [v.name for v in self.fluent_variables]
        names += [f"action({role})" for role in roles]
        names.append("terminal")
        names += [f"score({role})" for role in roles]
        names += [f"{v.name}@t+1" for v in self.fluent_variables]
        bodies: dict[tuple[int, int], int] = {}
        atoms, levels = self.arrays["auxiliary_atoms"].tolist(), self.arrays["auxiliary_levels"].tolist()
        for atom, level in zip(atoms, levels, strict=True):
            stage = f"@{level}" if level else ""
            if atom > 0:
                names.append(self.atom_name(atom) + stage)
            else:
                number = bodies[atom, level] = bodies.get((atom, level), 0) + 1
                names.append((f"{self.atom_name(-atom)}{stage}" if atom else "goal") + f".{number}")
        return _distinct(names)

    @cached_property
    def domains(self) -> tuple[tuple[object, ...], ...]:
        """The values of all variables."""
        fluents = [v.values for v in self.fluent_variables]
        scores = [(*values, "undefined") for values in self.score_values]
        boolean = (False, True)
        auxiliary = len(self.arrays["domains"]) - self.first_auxiliary
        return (*fluents, *self.ground.moves, boolean, *scores, *fluents, *[boolean] * auxiliary)

    @cached_property
    def sizes(self) -> Sizes:
        """The size of the network and the time of its translation."""
        kinds, rows = self.arrays["kinds"], np.diff(self.arrays["row_offsets"])
        literals = np.diff(self.arrays["literal_offsets"])
        is_table = kinds == TABLE
        tuples = int((rows[is_table] // np.maximum(literals[is_table], 1)).sum()) + int(literals[~is_table].sum())
        domains = self.arrays["domains"]
        return Sizes(
            variables=len(domains),
            auxiliary=len(domains) - self.first_auxiliary,
            largest_domain=int(domains.max(initial=0)),
            constraints=len(kinds),
            tables=int(is_table.sum()),
            tuples=tuples,
            seconds=sum(self.seconds.values()),
        )

    def constraint(self, number: int) -> TemplateConstraint:
        """Return one constraint."""
        a = self.arrays
        start, stop = a["literal_offsets"][number : number + 2].tolist()
        scope = a["variables"][start:stop].tolist()
        kind = int(a["kinds"][number])
        rows = None
        if kind == TABLE:
            first, last = a["row_offsets"][number : number + 2].tolist()
            rows = a["cells"][first:last].reshape(-1, len(scope))
        is_equal = (a["negated"][start:stop] == 0).tolist()
        literals = zip(scope, a["values"][start:stop].tolist(), is_equal, strict=True)
        return TemplateConstraint(
            kind, int(a["origins"][number]), int(a["origin_indices"][number]), tuple(scope), tuple(literals), rows
        )

    @property
    def constraint_count(self) -> int:
        """The number of constraints."""
        return len(self.arrays["kinds"])

    # Atoms.

    @cached_property
    def atom_texts(self) -> dict[int, str]:
        """The atoms of keywords as KIF, such as (next (cell 1 1 x)); derived ones too once `name_atoms` was called."""
        ground = self.ground
        texts: dict[int, str] = {}
        if ground.terminal:
            texts[ground.terminal] = "terminal"
        for role, value, atom in ground.goals:
            texts.setdefault(atom, f"(goal {ground.roles[role]} {value})")
        players = [role for role, moves in zip(ground.roles, ground.moves, strict=True) for _ in moves]
        moves = [move for moves in ground.moves for move in moves]
        for player, move, legal, does in zip(
            players, moves, ground.legal.tolist(), ground.move_atoms.tolist(), strict=True
        ):
            texts.setdefault(legal, f"(legal {player} {move})")
            texts.setdefault(does, f"(does {player} {move})")
        for text, now, after in zip(ground.fluents, ground.fluent_atoms.tolist(), ground.next.tolist(), strict=True):
            texts.setdefault(now, f"(true {text})")
            texts.setdefault(after, f"(next {text})")
        for atom, text in ground.atom_names.items():
            texts.setdefault(atom, text)
        return texts

    def name_atoms(self) -> None:
        """Find the names of derived atoms by grounding the rules once more, as `explain` does."""
        if self.ground.atom_names or self.program is None:
            return
        from woodstock.gdl.ground import ground

        named = ground(self.program, with_names=True)
        if named.rules_hash == self.ground.rules_hash:
            self.ground = named
            for known in ("atom_texts", "variable_names"):
                self.__dict__.pop(known, None)

    def atom_name(self, atom: int) -> str:
        """Return the atom as in the rules, else a number; derived atoms have names after `name_atoms`."""
        text = self.atom_texts.get(atom)
        return f"atom{atom}" if text is None else readable(text)

    # States.

    def pack(self, state: State | bytes) -> bytes:
        """Return a state as packed bits."""
        return state if isinstance(state, bytes) else packed(state)

    def inject(self, state: State | bytes) -> dict[str, object]:
        """Return the unary constraints of a state: the value of each fluent variable at t."""
        try:
            values = self.native.values_of(self.pack(state))
        except ValueError as error:
            raise GameError(f"{self.name}: {error}") from None
        return {v.name: v.values[value] for v, value in zip(self.fluent_variables, values, strict=True)}

    def network(self, state: State | bytes | None = None) -> Network:
        """Return the template as a `woodstock.scsp.Network`; with a state, injected and preprocessed."""
        from woodstock.scsp.game.build import build_network

        return build_network(self, None if state is None else self.pack(state))

    def unfold(self, horizon: int, state: State | bytes | None = None) -> Unfolding:
        """Return the network of `horizon` turns from a state, by default the initial one."""
        from woodstock.scsp.game.unfold import unfold

        return unfold(self, horizon, state)

    def explain(self) -> str:
        """Return the network as text: each constraint with the rules that it comes from."""
        from woodstock.scsp.game.explain import explain

        return explain(self)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Number equal names: an atom may be derived in several places."""
    counts: dict[str, int] = {}
    made = []
    for name in names:
        seen = counts[name] = counts.get(name, 0) + 1
        made.append(name if seen == 1 else f"{name}~{seen}")
    return tuple(made)
