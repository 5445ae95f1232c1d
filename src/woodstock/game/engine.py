"""What a game needs from what computes it: the `Engine` protocol.

There are two engines: the compiled circuit (`circuit_engine`, fast) and the rule interpreter (`interpreter_engine`,
slow, needs no grounding). They share nothing but this file. A state crosses the protocol as an opaque `Payload`: packed
bits on the circuit, a set of fluent texts on the interpreter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from woodstock.game.playouts import PlayoutStats

Payload = bytes | frozenset[str]

# A rulesheet whose playouts never end must not hang its user; public games end within a few hundred steps.
DEFAULT_MAX_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Numbering:
    """The stable indices of a grounded game: position in `fluents`, position in `moves` of one role."""

    fluents: tuple[str, ...]
    moves: tuple[tuple[str, ...], ...]


class Engine(Protocol):
    """One game, computed. Roles are given by index; fluents and moves by their canonical KIF text."""

    @property
    def name(self) -> str:
        """`circuit` or `interpreter`."""

    @property
    def roles(self) -> tuple[str, ...]: ...

    @property
    def has_percepts(self) -> bool:
        """Whether the rules have a `sees` relation."""

    @property
    def numbering(self) -> Numbering | None:
        """The indices of fluents and moves, or None if the game was never grounded."""

    def initial(self) -> Payload: ...

    def pack(self, fluents: Collection[str]) -> Payload:
        """Return the state in which exactly these fluents hold."""

    def fluents(self, payload: Payload) -> frozenset[str]: ...

    def is_terminal(self, payload: Payload) -> bool: ...

    def legal(self, payload: Payload, role: int) -> tuple[str, ...]:
        """Return the legal moves, always in the same order."""

    def goals(self, payload: Payload) -> tuple[int | None, ...]: ...

    def next(self, payload: Payload, moves: Sequence[str]) -> Payload:
        """Return the successor by one legal move for each role; the caller checks that they are legal."""

    def sees(self, payload: Payload, moves: Sequence[str], role: int) -> tuple[str, ...]:
        """Return the role's percepts of the joint move made in this state."""

    def canonical_fluent(self, key: str) -> str | None:
        """Return the text of the fluent whose lower-case KIF text is `key`, or None if it cannot hold."""

    def prepare(self, how: str) -> None:
        """Build what `playouts` needs, so that the first run is not timed with it."""

    def playouts(
        self, payloads: Sequence[Payload], counts: Sequence[int], *, how: str, seed: int, threads: int, max_steps: int
    ) -> tuple[list[PlayoutStats], float]:
        """Play uniformly at random to the end, `counts[i]` times from `payloads[i]`.

        Return a result for each, without times, and the processor time of all threads together.
        """


class IndexedEngine(Engine, Protocol):
    """The engine of a grounded game, which also takes and gives indices."""

    def legal_indices(self, payload: Payload, role: int) -> Sequence[int]: ...

    def next_by_index(self, payload: Payload, indices: Sequence[int]) -> Payload: ...
