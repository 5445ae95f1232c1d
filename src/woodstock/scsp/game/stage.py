"""Solving one stage: all joint moves that are legal in a state, and the state that each leads to.

Solvers with one interface and equal solutions. `circuit` evaluates the compiled rules, takes a fraction of the time and
is the default. `mac` and `fc` are the papers': arc consistency with the split into P' and P'', and forward checking
alone, over the injected template. `table` is ours: arc consistency over what depends on the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from woodstock import _native
from woodstock.errors import GameError
from woodstock.game.state import State
from woodstock.scsp.game.template import Template

_NO_LIMIT = 2**31


@dataclass(frozen=True)
class Stages:
    """The solutions of a stage: row i of `moves` (positions within each role's moves) leads to row i of `states`.

    `goals` has each role's goal value, None if it has none or several. A terminal state has no solutions.
    """

    is_terminal: bool
    goals: tuple[int | None, ...]
    moves: NDArray[np.int32]
    states: NDArray[np.uint64]
    is_complete: bool
    statistics: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.moves)

    def __iter__(self) -> Iterator[tuple[tuple[int, ...], bytes]]:
        """Yield each joint move with its packed successor."""
        for moves, state in zip(self.moves.tolist(), self.states, strict=True):
            yield tuple(moves), state.tobytes()


class StageSolver(Protocol):
    """Solves the stages of one game, in one thread at a time."""

    name: str
    template: Template

    def solve(self, state: State | bytes, limit: int | None = None) -> Stages:
        """Return the solutions of the state's stage, at most `limit`, in any order."""


class CircuitStage:
    """All successors by the incremental circuit."""

    name = "circuit"

    def __init__(self, template: Template) -> None:
        self.template = template
        self._expander = _native.Expander(template.circuit)

    def solve(self, state: State | bytes, limit: int | None = None) -> Stages:
        packed = self.template.pack(state)
        is_terminal, goals, moves, states, is_complete = self._expander.expand(
            packed, _NO_LIMIT if limit is None else limit
        )
        values = tuple(found[0] if len(found) == 1 else None for found in goals)
        return Stages(is_terminal, values, moves.view(np.int32), states, is_complete)


class _NetworkStage:
    """What solves a stage over the template's constraints: native, in one thread at a time."""

    name = ""
    _native_class: type[Any] = _native.TableStage

    def __init__(
        self,
        template: Template,
        *,
        algorithm: str = "compact-table",
        order: str = "input",
        singleton: bool = False,
        memory_mb: int = 4096,
    ) -> None:
        self.template = template
        try:
            self._stage: Any = self._native_class(template.native, algorithm, order, singleton, memory_mb)
        except MemoryError as error:
            raise GameError(f"{template.name}: the network does not fit {memory_mb} MiB: {error}") from None

    def solve(self, state: State | bytes, limit: int | None = None) -> Stages:
        try:
            is_terminal, scores, moves, states, is_complete, nodes, failures, propagations = self._stage.solve(
                self.template.pack(state), _NO_LIMIT if limit is None else limit
            )
        except ValueError as error:
            raise GameError(f"{self.template.name}: {error}") from None
        values = tuple(
            known[position] if position < len(known) else None
            for known, position in zip(self.template.score_values, scores, strict=True)
        )
        statistics = {"nodes": nodes, "failures": failures, "propagations": propagations}
        return Stages(is_terminal, values, moves, states, is_complete, statistics)


class TableStage(_NetworkStage):
    """All solutions by arc consistency: what follows from the state is evaluated, the rest is searched.

    `algorithm` is `compact-table` or `str2`; `order` is `input` (actions first), `dom/ddeg` or `dom/wdeg`; the last two
    propagate and search the whole network.
    """

    name = "table"

    def domains(self, state: State | bytes, *, singleton: bool = True) -> list[list[int]]:
        """Return the domains after (singleton) arc consistency, as positions; empty if there is no solution."""
        found: list[list[int]] = self._stage.domains(self.template.pack(state), singleton)
        return found

    def legal(self, state: State | bytes) -> tuple[tuple[int, ...], ...]:
        """Return each role's legal moves, as the domains of the actions after singleton arc consistency."""
        domains = self.domains(state)
        first = self.template.first_action
        if not domains:
            return tuple(() for _ in self.template.ground.roles)
        return tuple(tuple(domain) for domain in domains[first : first + len(self.template.ground.roles)])


class MacStage(_NetworkStage):
    """All solutions as in the papers: forward checking on P'', then MAC on P' with the feasibility constraint.

    With `singleton`, singleton arc consistency comes before the search, as in the papers.
    """

    name = "mac"
    _native_class = _native.MacStage

    def __init__(self, template: Template, *, order: str = "dom/ddeg", **options: Any) -> None:
        super().__init__(template, order=order, **options)

    def feasible(self, state: State | bytes) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Return the feasibility constraint c_f of a state: the names of its variables, and its tuples of moves."""
        template = self.template
        variables, rows = self._stage.feasible(template.pack(state))
        names = tuple(template.variable_names[x] for x in variables)
        domains = [template.domains[x] for x in variables]
        return names, [tuple(domain[i] for domain, i in zip(domains, row, strict=True)) for row in rows]


class FcStage(_NetworkStage):
    """All solutions by forward checking and nothing else."""

    name = "fc"
    _native_class = _native.FcStage

    def __init__(self, template: Template, *, order: str = "dom/ddeg", **options: Any) -> None:
        super().__init__(template, order=order, **options)


_SOLVERS: dict[str, Callable[[Template], StageSolver]] = {
    "circuit": CircuitStage,
    "table": TableStage,
    "mac": MacStage,
    "fc": FcStage,
}


def stage_solver(template: Template, name: str = "circuit") -> StageSolver:
    """Return a stage solver by its name: `circuit`, the fastest, `table`, or the papers' `mac` and `fc`."""
    make = _SOLVERS.get(name)
    if make is None:
        raise GameError(f"no stage solver {name!r}: expected one of {', '.join(_SOLVERS)}")
    return make(template)
