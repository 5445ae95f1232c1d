"""The fast engine: a grounded game compiled to a native circuit, behind the `Engine` protocol.

The circuit is immutable and shared. Its evaluators are not: every thread has its own stepper, and each batch run
borrows an evaluator from a pool. A state is packed: bit i, little endian, is fluent i.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from woodstock import _native
from woodstock.game.engine import Numbering, Payload
from woodstock.game.playouts import PlayoutStats

if TYPE_CHECKING:
    from woodstock.gdl.ground import GroundProgram

_SEED_MASK = 2**64 - 1


class CircuitEngine:
    """Implements `Engine` by a scalar evaluator for single states and a bit-sliced one for playouts."""

    name = "circuit"

    def __init__(self, ground: GroundProgram, *, backend: str = "auto", use_invariants: bool = True) -> None:
        self.backend = backend
        self.ground = ground
        self.circuit = _native.make_circuit(ground.native_rules(), use_invariants=use_invariants)
        self.roles = ground.roles
        self.has_percepts = bool(ground.sees)
        self.numbering = Numbering(ground.fluents, ground.moves)
        self._state_bytes = 8 * ((len(ground.fluents) + 63) // 64)
        self._fluent_index = {text: index for index, text in enumerate(ground.fluents)}
        self._fluent_key = {text.lower(): text for text in ground.fluents}
        self._move_index = tuple({text: index for index, text in enumerate(moves)} for moves in ground.moves)
        self._local = threading.local()
        self._batches: list[_native.Batch] = []
        self._batches_lock = threading.Lock()

    @property
    def stats(self) -> dict[str, Any]:
        """The sizes of the circuit before and after optimisation, and the time it took."""
        return dict(self.circuit.stats)

    def initial(self) -> Payload:
        return self._pack_indices(self.ground.initial)

    def pack(self, fluents: Collection[str]) -> Payload:
        return self._pack_indices([self._fluent_index[text] for text in fluents])

    def _pack_indices(self, indices: Sequence[int]) -> bytes:
        bits = np.zeros(8 * self._state_bytes, dtype=np.uint8)
        bits[list(indices)] = 1
        return np.packbits(bits, bitorder="little").tobytes()

    def vector(self, payload: Payload) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """Return one 0 or 1 for each fluent."""
        bits = np.unpackbits(np.frombuffer(_bits(payload), dtype=np.uint8), bitorder="little")
        return bits[: len(self.ground.fluents)]

    def fluents(self, payload: Payload) -> frozenset[str]:
        names = self.ground.fluents
        return frozenset(names[index] for index in np.flatnonzero(self.vector(payload)))

    def is_terminal(self, payload: Payload) -> bool:
        return self._at(payload).is_terminal()

    def legal(self, payload: Payload, role: int) -> tuple[str, ...]:
        names = self.ground.moves[role]
        return tuple([names[index] for index in self._at(payload).legal(role)])

    def legal_indices(self, payload: Payload, role: int) -> Sequence[int]:
        return self._at(payload).legal(role)

    def goals(self, payload: Payload) -> tuple[int | None, ...]:
        return tuple(values[0] if len(values) == 1 else None for values in self._at(payload).goals())

    def next(self, payload: Payload, moves: Sequence[str]) -> Payload:
        return self._advance(payload, self._indices(moves))

    def next_by_index(self, payload: Payload, indices: Sequence[int]) -> Payload:
        return self._advance(payload, list(indices))

    def sees(self, payload: Payload, moves: Sequence[str], role: int) -> tuple[str, ...]:
        percepts = self._at(payload).sees(self._indices(moves), role)
        return tuple(self.ground.sees[index][1] for index in percepts)

    def canonical_fluent(self, key: str) -> str | None:
        return self._fluent_key.get(key)

    def prepare(self, how: str) -> None:
        if how == "batch":
            with self._borrowed_batch():
                pass

    def playouts(
        self, payloads: Sequence[Payload], counts: Sequence[int], *, how: str, seed: int, threads: int, max_steps: int
    ) -> tuple[list[PlayoutStats], float]:
        states = [_bits(payload) for payload in payloads]
        seed &= _SEED_MASK
        if how == "batch":
            with self._borrowed_batch() as batch:
                raw = batch.playouts(states, list(counts), seed, threads, max_steps, 0.0)
            return self._stats(raw), raw["cpu_seconds"]
        clock = time.thread_time()
        stepper = self._stepper()
        self._local.loaded = None
        found: list[PlayoutStats] = []
        for start, (state, count) in enumerate(zip(states, counts, strict=True)):
            # Each start has a random stream of its own.
            start_seed = (seed + 0x9E3779B97F4A7C15 * start) & _SEED_MASK
            found += self._stats(stepper.playouts(state, count, start_seed, max_steps))
        return found, time.thread_time() - clock

    def _stats(self, raw: dict[str, Any]) -> list[PlayoutStats]:
        """Sort the native arrays, one row for each start, into results."""
        found = []
        for start in range(len(raw["count"])):
            histograms: dict[str, dict[int, int]] = {role: {} for role in self.roles}
            for (role, value, _atom), n in zip(self.ground.goals, raw["histogram"][start].tolist(), strict=True):
                if n:
                    histograms[self.roles[role]][value] = n
            found.append(
                PlayoutStats(
                    count=int(raw["count"][start]),
                    truncated=int(raw["truncated"][start] - raw["stuck"][start]),
                    stuck=int(raw["stuck"][start]),
                    steps=int(raw["steps"][start]),
                    seconds=0.0,
                    cpu_seconds=0.0,
                    histograms=histograms,
                    undefined=dict(zip(self.roles, raw["undefined"][start].tolist(), strict=True)),
                )
            )
        return found

    def _indices(self, moves: Sequence[str]) -> list[int]:
        return [index[move] for index, move in zip(self._move_index, moves, strict=True)]

    def _stepper(self) -> _native.Stepper:
        stepper: _native.Stepper | None = getattr(self._local, "stepper", None)
        if stepper is None:
            stepper = self._local.stepper = _native.Stepper(self.circuit)
            self._local.loaded = None
        return stepper

    def _at(self, payload: Payload) -> _native.Stepper:
        """Return this thread's stepper, at this state; two questions about one state load it once."""
        stepper = self._stepper()
        if self._local.loaded is not payload:
            self._local.loaded = None
            stepper.load(_bits(payload))
            self._local.loaded = payload
        return stepper

    def _advance(self, payload: Payload, indices: list[int]) -> bytes:
        stepper = self._at(payload)
        # The stepper has moved on to the successor, so the next question about it costs no load.
        self._local.loaded = None
        after = self._local.loaded = stepper.next(indices)
        return after

    @contextmanager
    def _borrowed_batch(self) -> Iterator[_native.Batch]:
        with self._batches_lock:
            batch = self._batches.pop() if self._batches else None
        batch = batch or _native.Batch(self.circuit, self.backend)
        try:
            yield batch
        finally:
            with self._batches_lock:
                self._batches.append(batch)


def _bits(payload: Payload) -> bytes:
    if not isinstance(payload, bytes):
        raise TypeError("a circuit state is packed bits, not a set of fluents")
    return payload
